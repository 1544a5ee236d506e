#pragma once
// Loops over the points of one island, four at a time: velocities of the points from those of the bodies, the
// law, and the law along a search direction.
//
// With anisotropic friction sweep_law replaces vt by S^2 vt, which impulses and Hessians need, and writes |S
// vt|^2 to q0 (law/anisotropic.h). With torsional and rolling friction it also replaces w by L^2 w, and q0 is
// that of the generalised slip (law/torsional_rolling.h).
//
// Along v + alpha dv the law of a point needs five numbers only: vn and its rate, and |vt|^2, vt . dt and
// |dt|^2 (dt the rate of vt), so that a line search does not read the bodies.

#include <cstdint>

#include "stiction/contact/problem.h"

namespace stiction {

// Velocity (w, 0, v, 0) of a body at the point O of its tree.
struct alignas(64) BodyVelocity {
  double w[4];
  double v[4];
};

// How a law without a cost (icf_coupled) is evaluated, each point with a factor of its own: as it is; with
// friction times the factor; as the lagged law with the factor for n0; or so only where `settled` is zero, and
// as it is elsewhere.
enum class FrictionMode : std::uint8_t { own, scaled, lagged, mixed };

// By point, in the numbering of the problem minus the island's first point.
struct PointArrays {
  AlignedVector<double> vn, tx, ty, tz;   // normal velocity, tangential velocity (m/s)
  AlignedVector<double> gn, gt;           // of the impulse
  AlignedVector<double> a, b, c, e;       // of the Hessian
  AlignedVector<double> dvn, q0, q1, q2;  // along the search direction
  AlignedVector<double> nx, ny, nz;       // normals, copied
  AlignedVector<double> mark;             // not zero: the last step has reversed the slip
  AlignedVector<double> expected;         // normal impulses that the linearisation of the last step predicts
  // Of laws without a cost (LawValue::f), else empty: f, and the factor and the flag of FrictionMode.
  AlignedVector<double> f, factor, settled;
  AlignedVector<double> turn;  // angular velocity of B relative to A, four numbers a point (rad/s);
                               // empty without torsional and rolling friction

  FrictionMode friction = FrictionMode::own;

  void resize(int points, bool has_torsional_or_rolling, bool has_factors);
};

struct LineValue {
  double cost = 0.0;   // J
  double slope = 0.0;  // d cost / d alpha
  double curvature = 0.0;
};

// Copies the normals of the island into the arrays.
void set_normals(const ContactProblem& problem, const Island& island, PointArrays* points);

// vn and vt of every point, and w where needed. velocities: by body of the problem; [0] is zero.
void sweep_velocities(const ContactProblem& problem, const Island& island, const BodyVelocity* velocities,
                      PointArrays* points);

// The same at the end of a step: marks points whose slip the step has reversed, and predicts normal impulses
// from the linearisation at its start. The arrays must hold the results of sweep_law at the start.
void sweep_velocities_and_mark(const ContactProblem& problem, const Island& island,
                               const BodyVelocity* velocities, PointArrays* points);

// The law at vn and vt: impulses and Hessians into the arrays; returns the sum of the costs.
double sweep_law(const ContactProblem& problem, const Island& island, PointArrays* points);

// sweep_law after sweep_velocities_and_mark, but marked points that slip are treated as sticking, and points
// that were driven deep are linearised where they would come to rest (newton.h); *predicted += their number.
// The cost is that of the law.
double sweep_law_where_marked(const ContactProblem& problem, const Island& island, PointArrays* points,
                              int* predicted);

// n0 of the lagged law (constraint/contact_rows.h) of every point at the velocities of the last
// sweep_velocities, into `factor`; without Kelvin-Voigt's damper, which the numbers of a point do not tell.
void set_lagged_factors(const ContactProblem& problem, const Island& island, PointArrays* points);

// dvn alone along the direction whose body velocities are given.
void sweep_normal_direction(const ContactProblem& problem, const Island& island,
                            const BodyVelocity* direction, PointArrays* points);

// Rates dvn and the three numbers of vt along the direction whose body velocities are given.
void sweep_direction(const ContactProblem& problem, const Island& island, const BodyVelocity* direction,
                     PointArrays* points);

// After sweep_direction, of a law with a barrier (law/normal_force.h): the alpha at which the first of the
// points with phi > 0 reaches phi = phi0 + h vn = 0, or infinity.
double alpha_at_barrier(const ContactProblem& problem, const Island& island, const PointArrays& points);

// Sum of the costs, and its derivatives, at alpha along the direction.
LineValue sweep_line(const ContactProblem& problem, const Island& island, const PointArrays& points,
                     double alpha);

}  // namespace stiction
