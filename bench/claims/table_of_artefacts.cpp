// Every cell of I Table I, measured on one point of contact in single steps.

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "bench/claims/point_on_belt.h"

namespace stiction::claims {
namespace {

constexpr double kMu = 0.5, kStiffness = 1e4, kDissipation = 20.0, kRelaxation = 0.01;  // -, N/m, s/m, s

// One step of a point that starts at height z with velocity vz, without gravity.
struct StepResult {
  double force, friction;  // N
  double height, vn;       // m, m/s: at the end of the step
  double slip;             // m/s
  TouchedPoint point;
};
StepResult one_step(LawKind law, double h, double sigma, double mass, double belt, double z, double vz) {
  PointOnBelt options;
  options.mass = mass;
  options.mu = kMu;
  options.stiffness = kStiffness;
  options.dissipation = kDissipation;
  options.relaxation_time = kRelaxation;
  options.belt = belt;
  options.gravity = 0.0;
  WorldOptions world_options = with_law(law, h);
  world_options.formulation.contact.sigma = sigma;
  world_options.formulation.newton.relative_tolerance = 1e-12;
  World world(point_on_belt(options), world_options);
  world.set_position("z", z);
  world.set_velocity("z", vz);
  world.step();
  StepResult result;
  const std::vector<TouchedPoint> points = touched_points(world.record());
  if (points.empty()) return {0.0, 0.0, world.position("z"), world.velocity("z"), belt, {}};
  result.point = points.front();
  result.force = result.point.normal_impulse() / h;
  result.friction = (result.point.impulse - result.point.normal_impulse() * result.point.n).norm() / h;
  result.height = world.position("z");
  result.vn = result.point.vn();
  result.slip = result.point.slip();
  return result;
}

// force = stiffness (offset - height)(1 - dissipation vn), or for sap stiffness (offset - height - tau vn).
struct Effective {
  double stiffness, offset, dissipation;
};
Effective effective(LawKind law, double h, double sigma, double slip) {
  // A heavy mass keeps its velocity during the step; under sap a lighter one shows what R_t does.
  const double mass = law == LawKind::sap ? 1.0 : 1e7;
  const double z[3] = {-1e-3, -2e-3, -2e-3}, v[3] = {0.0, 0.0, -0.02};
  StepResult at[3];
  for (int i = 0; i < 3; ++i) at[i] = one_step(law, h, sigma, mass, slip, z[i], v[i]);
  if (law == LawKind::sap) {
    Mat3 rows;
    Vec3 forces;
    for (int i = 0; i < 3; ++i) {
      rows.row(i) << 1.0, -at[i].height, -at[i].vn;
      forces[i] = at[i].force;
    }
    const Vec3 x = rows.inverse() * forces;  // k offset, k, k tau
    return {x[1], x[0] / x[1], x[2] / x[1]};
  }
  const double k = (at[1].force - at[0].force) / (at[0].height - at[1].height);
  const double offset = at[0].height + at[0].force / k;
  return {k, offset, (1.0 - at[2].force / (k * (offset - at[2].height))) / at[2].vn};
}

// The slip at which friction would reach mu gamma_n if it grew as it does at the start.
double transition_slip(LawKind law, double sigma, double* predicted) {
  constexpr double kStep = 2e-3, kSmall = 1e-7;         // s, m/s
  const double mass = law == LawKind::sap ? 1.0 : 1e3;  // light: a tolerance well above the slip
  const StepResult at = one_step(law, kStep, sigma, mass, kSmall, -1e-3, 0.0);
  *predicted = law == LawKind::sap ? sigma * at.point.w * kMu * at.force * kStep : 1e-4;
  return kMu * at.force * at.slip / at.friction;
}

// N s/m: how fast friction grows with slip where it begins (I VIII), and what the formula says,
// G_t = mu gamma_n/v_s with the v_s of Table I; for sap that is 1/(sigma w).
struct Growth {
  double measured, predicted;
};
Growth friction_growth(LawKind law, double h, double sigma) {
  constexpr double kSmall = 1e-7, kDepth = 1e-3, kTolerance = 1e-4;  // m/s, m, m/s
  const bool is_sap = law == LawKind::sap;
  const double mass = is_sap ? 1.0 : 1e7;  // heavy: gamma_n is that of the depth
  const StepResult at = one_step(law, h, sigma, mass, kSmall, -kDepth, 0.0);
  const double predicted = is_sap ? 1.0 / (sigma * at.point.w) : kMu * h * kStiffness * kDepth / kTolerance;
  return {at.friction * h / at.slip, predicted};
}

struct Cell {
  std::string text;
  bool holds;
};

// Measured against predicted, within 5 % of it, or of `scale` where the prediction is zero.
Cell cell(const char* name, double measured, double predicted, double scale) {
  const double error = std::abs(measured - predicted) / (predicted != 0.0 ? std::abs(predicted) : scale);
  return {fmt::format("{} {:.4g} ({:.4g})", name, measured, predicted), error <= 0.05};
}

}  // namespace

ClaimResult table_of_artefacts(const ClaimContext& context) {
  constexpr double kStep = 2e-3, kSigma = 0.1, kSlip = 0.2;  // s, -, m/s
  bool holds = true;
  std::string text;
  Figure figure{"Effective stiffness by slip", "slip (m/s)", "k_eff / k", false, false, {}};
  for (const NamedLaw& law : {kSap, kLagged, kSimilar}) {
    const bool is_sap = law.law == LawKind::sap, is_similar = law.law == LawKind::icf_similar;
    const Effective found = effective(law.law, kStep, kSigma, kSlip);
    // w of a point that moves up and down alone is 1/(3 m).
    const double mu_tilde2 = kMu * kMu * kSigma / 3.0 * kStep * kStiffness * (kStep + kRelaxation);
    const double more = 1.0 + kMu * kDissipation * kSlip;
    const double offset = kMu * kSlip * (is_sap ? kStep + kRelaxation : is_similar ? kStep : 0.0);
    const double k = kStiffness * (is_sap ? 1.0 / (1.0 + mu_tilde2) : is_similar ? more : 1.0);
    const double d = is_sap ? kRelaxation : is_similar ? kDissipation / more : kDissipation;
    double predicted_slip = 0.0;
    const double slip = transition_slip(law.law, 1e-3, &predicted_slip);
    const Growth growth = friction_growth(law.law, kStep, 1e-3);

    // Consistent: the force of a sliding contact is that of the model as h goes to zero.
    const double model_force = kStiffness * 1e-3;
    const double force = one_step(law.law, 1e-7, 1e-3, 1e7, kSlip, -1e-3, 0.0).force;
    const bool is_consistent = std::abs(force / model_force - 1.0) < 1e-2;
    // Strongly coupled: in an impact friction follows the normal force of the same step.
    const StepResult impact = one_step(law.law, kStep, 1e-3, 1.0, kSlip, -1e-5, -1.0);
    const bool is_coupled = std::abs(impact.friction / (kMu * impact.force) - 1.0) < 1e-2;

    const Cell cells[] = {
        {fmt::format("consistent {}", is_consistent), is_consistent == (law.law == LawKind::icf_lagged)},
        {fmt::format("coupled {}", is_coupled), is_coupled == (law.law != LawKind::icf_lagged)},
        cell("gliding", found.offset, offset, kMu * kStep * kSlip),
        cell("stiffness", found.stiffness, k, kStiffness),
        cell(is_sap ? "tau_d" : "d", found.dissipation, d, kDissipation),
        cell("transition slip", slip, predicted_slip, 1e-4),
        cell("G_t", growth.measured, growth.predicted, 1.0),
        cell("G_t(h)/G_t(h/2)", growth.measured / friction_growth(law.law, 0.5 * kStep, 1e-3).measured,
             is_sap ? 1.0 : 2.0, 1.0),
    };
    text += fmt::format("{}{}:", text.empty() ? "" : "; ", law.name);
    for (const Cell& c : cells) {
      text += fmt::format(" {}{},", c.text, c.holds ? "" : " [off]");
      holds = holds && c.holds;
    }
    text.pop_back();
    Curve curve{law.name, {}, {}};
    for (const double u : {0.05, 0.1, 0.2, 0.4})
      curve.add(u, effective(law.law, kStep, kSigma, u).stiffness / kStiffness);
    figure.curves.push_back(std::move(curve));
    context.check_stop();
  }
  context.save("I10", figure);
  return {"measured (predicted), SI units. " + text, holds};
}

}  // namespace stiction::claims
