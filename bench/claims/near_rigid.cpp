// One point under sap: its depth at rest, its creep while it sticks and the gap it slides at (S section V).

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "bench/claims/point_on_belt.h"

namespace stiction::claims {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

}  // namespace

ClaimResult near_rigid_point(const ClaimContext& context) {
  constexpr double kMu = 1.0, kSigma = 1e-3, kBeta = 1.0;
  Figure figure{"Depth of a point of mass at rest", "h (s)", "depth (m)", true, true, {}};
  Curve measured{"sap", {}, {}}, paper{"beta^2 g h^2 / (4 pi^2)", {}, {}, true};
  double worst_depth = 0.0, worst_ratio = 1.0, worst_slip = 0.0;
  std::string depths;
  for (const double h : {1e-3, 2e-3, 5e-3, 1e-2}) {
    PointOnBelt point;
    point.stiffness = 1e12;
    point.mu = kMu;
    point.moves_along = true;
    point.relaxation_time = kBeta / std::numbers::pi * h;
    WorldOptions options = with_exact_law(LawKind::sap, h);
    options.formulation.contact.sigma = kSigma;
    World world(point_on_belt(point), options);
    run_until(context, 1.0, &world);
    const double depth = -world.position("z");
    const double w = touched_points(world.record()).front().w;
    const double scale = kBeta * kBeta / (4.0 * std::numbers::pi * std::numbers::pi);
    const double predicted = kGravity * h * (h + point.relaxation_time) * scale * point.mass * w;
    const double said = scale * kGravity * h * h;
    worst_depth = std::max(worst_depth, std::abs(depth / predicted - 1.0));
    worst_ratio = std::max({worst_ratio, depth / said, said / depth});
    measured.add(h, depth);
    paper.add(h, said);
    // Pushed almost to the limit of friction.
    world.set_joint_force("x", 0.999 * kMu * point.mass * kGravity);
    run_until(context, 1.5, &world);
    worst_slip = std::max(worst_slip, std::abs(world.velocity("x")) / (kMu * kSigma * kGravity * h));
    depths += fmt::format(" {:.2e}", depth);
  }
  figure.curves = {measured, paper};
  context.save("S12", figure);
  return {fmt::format(
              "depth{} m at h 1, 2, 5, 10 ms; off the formula by {:.1e}, off the paper's number by a factor "
              "{:.2f}; slip {:.2f} of the bound",
              depths, worst_depth, worst_ratio, worst_slip),
          worst_depth <= 1e-3 && worst_ratio <= 2.0 && worst_slip <= 1.0};
}

ClaimResult gliding_of_sap(const ClaimContext& context) {
  // At rest on a running belt: phi = offset - m g/k_eff; two weights give both.
  constexpr double kMu = 0.5, kSigma = 0.1, kStep = 0.01;
  Figure figure{"Height of a sliding point", "slip (m/s)", "height (m)", false, false, {}};
  Curve measured{"sap, no weight", {}, {}}, predicted{"mu (h + tau_d) |vt|", {}, {}, true};
  double worst_offset = 0.0, worst_stiffness = 0.0, softening = 0.0;
  for (const double slip : {0.02, 0.05, 0.1}) {
    PointOnBelt point;
    point.mu = kMu;
    point.relaxation_time = 0.01;
    point.belt = slip;
    double heights[2] = {}, w = 0.0;
    const double gravities[2] = {kGravity, 2.0 * kGravity};
    for (int i = 0; i < 2; ++i) {
      point.gravity = gravities[i];
      WorldOptions options = with_exact_law(LawKind::sap, kStep);
      options.formulation.contact.sigma = kSigma;
      World world(point_on_belt(point), options);
      run_until(context, 2.0, &world);
      heights[i] = world.position("z");
      w = touched_points(world.record()).front().w;
    }
    const double k = point.mass * (gravities[1] - gravities[0]) / (heights[0] - heights[1]);
    const double offset = heights[0] + point.mass * gravities[0] / k;
    const double said = kMu * (kStep + point.relaxation_time) * slip;
    const double Rn = 1.0 / (kStep * point.stiffness * (kStep + point.relaxation_time));
    const double mu_tilde2 = kMu * kMu * kSigma * w / Rn;
    worst_offset = std::max(worst_offset, std::abs(offset / said - 1.0));
    worst_stiffness = std::max(worst_stiffness, std::abs(k * (1.0 + mu_tilde2) / point.stiffness - 1.0));
    softening = k / point.stiffness;
    measured.add(slip, offset);
    predicted.add(slip, said);
  }
  figure.curves = {measured, predicted};
  context.save("S13", figure);
  return {fmt::format("offset off by {:.1e}; stiffness {:.4f} k (sigma 0.1), off k / (1 + mu~^2) by {:.1e}",
                      worst_offset, softening, worst_stiffness),
          worst_offset <= 0.01 && worst_stiffness <= 0.01};
}

}  // namespace stiction::claims
