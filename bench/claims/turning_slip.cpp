// Why similar takes more iterations the stiffer a contact is (I5), on the smallest problem that shows it: one step
// of a sliding point of mass m whose slip turns.
//
// Under lagged the impulse of the normal is a function of vn alone: what is stiff about its cost is the plane
// vn = const., along which Newton's method is free. Under similar it is a function of vn - mu |vt|, and the stiff
// set is a cone. Along a straight line that leaves the cone on its tangent, across the slip u, z changes by
// mu s^2/(2 u) after s, and the cost of the contact by h^2 k/2 (mu s^2/(2 u))^2, while the rest of the cost falls
// by m L s with the distance L that is left to go. A line search stops where their derivatives balance:
//
//   s = (2 m L u^2/(mu^2 h^2 k))^(1/3),
//
// so that a turn takes the integral of dL/s iterations more, 3/2 (L mu h/u)^(2/3) (k/(2 m))^(1/3), once s is
// below L: from h^2 k mu^2/m = 2 (u/L)^2 on. That is an upper estimate: the line search goes on a little, and the
// next step comes back to the cone and goes along it at once.

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "bench/claims/point_on_belt.h"

namespace stiction::claims {
namespace {

constexpr double kGravity = 9.81;                                   // m/s^2
constexpr double kMass = 1.0, kMu = 1.0, kSlip = 1.0, kTurn = 0.3;  // kg, -, m/s, rad

// The iterations of one step of a sliding point whose slip turns, from the velocity before.
int iterations_of_turn(LawKind law, double h, double k) {
  Model model = point_on_belt({.mass = kMass, .stiffness = k, .mu = kMu, .moves_along = true});
  WorldOptions options = with_law(law, h);
  NewtonOptions& newton = options.formulation.newton;
  newton.relative_tolerance = 1e-5;  // of the paper, I XII
  newton.full_steps = 0;
  World world(std::move(model), options);
  State state = world.state();
  state.q = Vec3(0.0, 0.0, -kMass * kGravity / k);  // the depth it rests at
  state.v = Vec3(kSlip, 0.0, 0.0);
  world.set_state(state);
  const Vec3 change(kSlip * (std::cos(kTurn) - 1.0), kSlip * std::sin(kTurn), 0.0);
  world.input().wrenches = {{world.model().body("mass"), world.body_pose("mass").p,
                             stack<double>(Vec3::Zero(), kMass * change / h)}};
  return world.step().contact.iterations;
}

}  // namespace

std::string turning_slip(double h) {
  std::string text;
  for (const LawKind law : {LawKind::icf_lagged_plain, LawKind::icf_similar}) {
    Curve curve;
    std::string numbers;
    for (int exponent = 4; exponent <= 12; ++exponent) {
      curve.add(std::pow(10.0, exponent), iterations_of_turn(law, h, std::pow(10.0, exponent)));
      numbers += fmt::format("{}{:g}", numbers.empty() ? "" : ", ", curve.y.back());
    }
    text += fmt::format("{}{} {} (slope from 1e9 on {:.2f})", text.empty() ? "" : "; ",
                        law == LawKind::icf_similar ? "similar" : "lagged", numbers,
                        log_slope(std::span(curve.x).subspan(5), std::span(curve.y).subspan(5)));
  }
  text += "; estimated, from 1e6 on, more by";
  for (int exponent = 6; exponent <= 12; ++exponent)
    text += fmt::format(
        "{} {:.0f}", exponent == 6 ? "" : ",",
        1.5 * std::pow(kTurn * kMu * h, 2.0 / 3.0) * std::cbrt(std::pow(10.0, exponent) / (2.0 * kMass)));
  return text;
}

}  // namespace stiction::claims
