// A cube that is pulled, sticks and slides (C Fig. 12): how fast it gets under every law, and what its corners
// bear across the pull, which nothing but the solver decides while it sticks.
//
// C has sliding begin at about 0.25 s. Friction is exhausted when 20 N/s t = mu m g, at 0.196 s; from then on
// dv/dt = (20 N/s t - mu m g)/m, v = 10 (t - 0.196)^2 m/s.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"

namespace stiction::claims {
namespace {

constexpr double kEnd = 0.5, kSticks = 0.1, kSlides = 0.4;                // s
constexpr double kRate = 20.0;                                            // N/s
constexpr double kBegins = kCubeFriction * kCubeMass * kGravity / kRate;  // s
constexpr double kTolerance = 1e-7;                                       // of the free velocity

struct Pull {
  Curve velocity;                                     // m/s, along the pull
  std::vector<Curve> across;                          // N, of every corner
  double at_end = 0.0;                                // m/s, at kSlides
  std::vector<double> while_sticking, while_sliding;  // N, of the corners at kSticks and kSlides
};

Pull pull(const ClaimContext& context, const std::string& formulation) {
  World world(cube_on_floor(), rigid_options(formulation, kRigidStep, kTolerance));
  Pull out;
  out.velocity.name = figure_name(formulation);
  // The force of the middle of the step, with which velocities are exact.
  const auto pull_now = [&] {
    push("cube", Vec3(kRate * (world.time() + 0.5 * kRigidStep), 0.0, 0.0), &world);
  };
  pull_now();
  run_until(context, kEnd, &world, [&](const StepReport&) {
    pull_now();
    out.velocity.add(world.time(), world.body_velocity("cube")[3]);
    std::vector<double> forces;
    for (const TouchedPoint& p : touched_points(world.record(), true))
      forces.push_back(p.impulse.y() / kRigidStep);
    while (out.across.size() < forces.size())
      out.across.push_back({fmt::format("{} {}", out.velocity.name, out.across.size() + 1), {}, {}});
    for (std::size_t i = 0; i < forces.size(); ++i) out.across[i].add(world.time(), forces[i]);
    const auto is_at = [&](double time) { return std::abs(world.time() - time) < 0.5 * kRigidStep; };
    if (is_at(kSticks)) out.while_sticking = forces;
    if (is_at(kSlides)) {
      out.while_sliding = forces;
      out.at_end = out.velocity.y.back();
    }
  });
  return out;
}

std::string list_of(const std::vector<double>& forces) {
  std::string text;
  for (const double force : forces) text += fmt::format("{}{:.2g}", text.empty() ? "" : " ", force);
  return text;
}

}  // namespace

std::string corner_forces(const ClaimContext& context, const std::string& name) {
  Figure velocity{"Velocity of the pulled cube", "t (s)", "v (m/s)", false, false, {}};
  Figure across{"Forces on its corners across the pull", "t (s)", "force (N)", false, false, {}};
  Figure literal = across;
  literal.title = "The same by the algorithms as C prints them";
  std::string speeds, forces;
  for (const char* formulation :
       {"coulomb_ncp+pgs", "coulomb_ncp+pgs_plain", "raisim+bisection", "coulomb_ncp+admm",
        "coulomb_ncp+admm_spectral", "convex_cone+admm", "convex_cone+admm_spectral"}) {
    Pull run = pull(context, formulation);
    speeds += fmt::format(", {} {:.4f}", run.velocity.name, run.at_end);
    forces += fmt::format("{} {} | {}; ", run.velocity.name, list_of(run.while_sticking),
                          list_of(run.while_sliding));
    run.velocity.is_dashed = is_literal(formulation);
    velocity.curves.push_back(std::move(run.velocity));
    // Three solvers in one figure, as in C: more curves hide each other.
    const std::string_view solver(formulation);
    if (solver.starts_with("convex_cone")) continue;
    for (Curve& curve : run.across) {
      curve.is_dashed = solver.find("+admm") != std::string_view::npos;
      (is_literal(formulation) ? literal : across).curves.push_back(std::move(curve));
    }
  }
  context.save(name + "_velocity", velocity);
  context.save(name + "_corners", across);
  context.save(name + "_corners_literal", literal);
  const double said = 0.5 * kRate * std::pow(kSlides - kBegins, 2) / kCubeMass;
  return fmt::format(
      "Fig. 12: velocity at 0.4 s {:.4f} m/s exactly{}; forces of the corners across the pull (N) at 0.1 s, "
      "while it sticks | at 0.4 s, while it slides: {}pgs_plain and admm_spectral are C's algorithms step by "
      "step; sliding begins at mu m g = 20 N/s x {:.3f} s (C: about 0.25 s)",
      said, speeds, forces, kBegins);
}

}  // namespace stiction::claims
