#pragma once
// Measurements that several claims share.

#include <functional>
#include <span>
#include <vector>

#include "bench/claims/claim.h"
#include "stiction/simulation/world.h"

namespace stiction::claims {

// The four compliant laws and their names in figures.
struct NamedLaw {
  LawKind law;
  const char* name;
};
inline constexpr NamedLaw kSap = {LawKind::sap, "sap"}, kLagged = {LawKind::icf_lagged, "lagged"},
                          kLaggedPlain = {LawKind::icf_lagged_plain, "lagged, v_s alone"},
                          kSimilar = {LawKind::icf_similar, "similar"};

WorldOptions with_law(LawKind law, double h);
// The same with the contact problems solved to round-off: at the smallest steps of convergence studies the
// impulse of gravity in a step is a millionth of the momentum of what moves, which is the solver's default
// tolerance.
WorldOptions with_exact_law(LawKind law, double h);

// Steps the world to a time and calls `after` behind every step. A step that fails ends it.
struct RunResult {
  int steps = 0, unconverged = 0;
  bool failed = false;
};
RunResult run_until(const ClaimContext& context, double end, World* world,
                    const std::function<void(const StepReport&)>& after = {});

// Least squares of y = offset + slope x.
struct Line {
  double offset = 0.0, slope = 0.0, r_squared = 0.0;
};
Line fit_line(std::span<const double> x, std::span<const double> y);
// Of log y against log x.
double log_slope(std::span<const double> x, std::span<const double> y);

double mean(std::span<const double> values);

// One touching point of the last step.
struct TouchedPoint {
  Vec3 n, vc;     // normal into B; velocity of B against A at the end of the step, m/s
  Vec3 impulse;   // N s, on B
  Vec6 V_A, V_B;  // of the bodies: angular, linear at the origin of a free one; zero: does not move by itself
  double distance;  // m, at the start of the step
  double w;         // 1/kg
  double numbers[kLawParameters];
  double vn() const { return n.dot(vc); }
  double slip() const { return (vc - vn() * n).norm(); }
  double normal_impulse() const { return n.dot(impulse); }
};
// Points that push, or all of the problem.
std::vector<TouchedPoint> touched_points(const StepRecord& r, bool all = false);

// Largest over smallest eigenvalue of the Hessian at the solution of the last step, of the trees in contact;
// 0 where nothing touches.
double condition_number(const StepRecord& r, NewtonSolver* solver);

// Root mean square over time of the difference of two motions sampled at the same times.
double motion_error(std::span<const Vec3> a, std::span<const Vec3> b);

// Slack of complementarity at the solution of the last step, S eq. 33.
double slackness(const StepRecord& r, NewtonSolver* check_residual);

// Where sap's error no longer falls. Its gliding height mu (h + tau_d)|vt| (I eq. 24) falls by
// (large + tau_d)/(small + tau_d) between two steps, so that it can only stop well below tau_d = 1e-3 s: at
// h <= tau_d/20. Runs both laws there and adds them to the figure of convergence.
inline constexpr double kPlateauSteps[] = {5e-5, 2.5e-5, 1.25e-5};  // s
inline constexpr double kPlateauReference = 1.25e-6;                // s, a tenth of the finest
struct Plateau {
  double spread = 0.0;       // of sap's errors: largest over smallest, less 1
  double over_lagged = 0.0;  // sap's error over lagged's, the smallest
  std::string text;
};
Plateau sap_plateau(const std::function<double(const NamedLaw& law, double h)>& error, Figure* figure);

// s of processor time, of all threads: a clock that other programs on the machine do not disturb.
double processor_seconds();

}  // namespace stiction::claims
