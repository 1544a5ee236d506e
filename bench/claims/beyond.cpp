// Claims of our own: a box dragged and a box on a slope, where other engines lose contact and creep; the cost
// of many bodies.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/piles.h"
#include "scenes/sliders.h"
#include "stiction/base/timer.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::claims {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

// The 1 kg box of 40 x 40 x 10 cm on a plane at an angle.
Model flat_box(double angle, double mu) {
  const Vec3 half(0.2, 0.2, 0.05);
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), angle);  // downhill is +x
  ModelBuilder builder("flat_box");
  ContactMaterial material;
  material.static_friction = mu;
  builder.add_shape("floor", "world", {R, Vec3::Zero()}, HalfSpace{});
  builder.set_material("floor", material);
  builder.add_free_body("box", {R, R * Vec3(0.0, 0.0, half.z())}, Inertia{});
  builder.add_solid("box", "box", {}, Box{half}, 1.0 / (8.0 * half.prod()));
  builder.set_material("box", material);
  return builder.build();
}

}  // namespace

ClaimResult dragged_box(const ClaimContext& context) {
  constexpr double kStep = 5e-3;
  World world(scenes::dragged_box(), with_law(LawKind::icf_lagged, kStep));
  Curve height{"dragged box", {}, {}};
  int steps = 0, touching = 0;
  double highest = -1.0;
  run_until(context, 2.5, &world, [&](const StepReport&) {
    height.add(world.time(), world.position("z"));
    if (world.time() <= 0.5) return;
    ++steps;
    touching += !touched_points(world.record()).empty();
    highest = std::max(highest, world.position("z"));
  });
  context.save("B1", {"Height of the dragged box", "t (s)", "z (m)", false, false, {height}});

  constexpr double kMu = 0.5, kSpeed = 1.0;
  World slide(flat_box(0.0, kMu), with_law(LawKind::icf_lagged, kStep));
  Vec6 V = Vec6::Zero();
  V[3] = kSpeed;
  slide.set_body_velocity("box", V);
  run_until(context, 1.0, &slide);
  const double travel = slide.body_pose("box").p.x(), said = kSpeed * kSpeed / (2.0 * kMu * kGravity);
  return {fmt::format(
              "contact in {} of {} steps, greatest height {:.2g} um; free slide {:.4f} m against {:.4f} m",
              touching, steps, 1e6 * highest, travel, said),
          touching == steps && highest < 1e-6 && std::abs(travel / said - 1.0) <= 0.03};
}

ClaimResult creep_on_slope(const ClaimContext& context) {
  constexpr double kStep = 5e-3, kMu = 1.0, kAngle = 10.0 * std::numbers::pi / 180.0;
  Figure figure{"Creep on a slope of 10 degrees, mu 1", "t (s)", "travel (um)", false, false, {}};
  double creep[2] = {}, said[2] = {};
  for (const int i : {0, 1}) {
    const bool is_sap = i == 1;
    World world(flat_box(kAngle, kMu), with_law(is_sap ? LawKind::sap : LawKind::icf_lagged, kStep));
    Curve curve{is_sap ? "sap" : "icf_lagged", {}, {}};
    const Vec3 downhill(std::cos(kAngle), 0.0, -std::sin(kAngle));
    const auto travel = [&] { return downhill.dot(world.body_pose("box").p); };
    double before = 0.0;
    const double start = travel();
    run_until(context, 4.0, &world, [&](const StepReport&) {
      if (std::abs(world.time() - 2.0) < 0.5 * kStep) before = travel();
      curve.add(world.time(), 1e6 * (travel() - start));
    });
    creep[i] = (travel() - before) / 2.0;
    if (is_sap) {
      // Every point: sigma w times its tangential impulse. The mean of the points.
      const std::vector<TouchedPoint> points = touched_points(world.record());
      for (const TouchedPoint& p : points) {
        const double tangential = (p.impulse - p.normal_impulse() * p.n).norm();
        said[i] +=
            world.options().formulation.contact.sigma * p.w * tangential / static_cast<double>(points.size());
      }
    } else {
      const double t = std::tan(kAngle);
      said[i] = world.options().formulation.contact.v_s * t / std::sqrt(kMu * kMu - t * t);
    }
    figure.curves.push_back(std::move(curve));
  }
  context.save("B2", figure);
  return {fmt::format("icf_lagged {:.2f} um/s (predicted {:.2f}), sap {:.2f} um/s (predicted {:.2f})",
                      1e6 * creep[0], 1e6 * said[0], 1e6 * creep[1], 1e6 * said[1]),
          std::abs(creep[0] / said[0] - 1.0) <= 0.05 && std::abs(creep[1] / said[1] - 1.0) <= 0.05};
}

ClaimResult cost_per_body(const ClaimContext& context) {
  constexpr double kSettled = 3.0, kMeasured = 2e-3, kSettling = 5e-3;  // s; steps of settling are longer
  constexpr int kBlocks = 10, kSteps = 20;
  Curve curve{"icf_lagged", {}, {}};
  std::string numbers;
  std::vector<World> worlds;
  for (const int columns : {9, 36, 100, 484}) {
    scenes::ClutterOptions clutter;
    clutter.columns = columns;
    clutter.bodies = 10 * columns;
    clutter.walls = false;
    World& world = worlds.emplace_back(scenes::clutter(clutter), with_law(LawKind::icf_lagged, kSettling));
    run_until(context, kSettled, &world);
    world.options().h = kMeasured;
    run_until(context, kSettled + 0.1, &world);
  }
  // In turns, so that whatever else the machine does meets all sizes; the fastest block counts.
  std::vector<double> fastest(worlds.size(), 1e300);
  for (int block = 0; block < kBlocks; ++block) {
    context.check_stop();
    for (std::size_t i = 0; i < worlds.size(); ++i) {
      Stopwatch watch(processor_seconds);
      for (int k = 0; k < kSteps; ++k) worlds[i].step();
      fastest[i] = std::min(fastest[i], watch.seconds() / kSteps);
    }
  }
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const auto bodies = static_cast<double>(worlds[i].model().forest.trees.size());
    curve.add(bodies, 1e6 * fastest[i] / bodies);
    const auto points = static_cast<double>(touched_points(worlds[i].record()).size());
    numbers += fmt::format("{}{} bodies {:.3g} us ({:.2f} contact points a body)",
                           numbers.empty() ? "" : ", ", bodies, curve.y.back(), points / bodies);
  }
  const double ratio = curve.y.back() / curve.y.front();
  Figure figure{"Cost of a step per body at rest", "bodies", "us per body and step", true, false, {curve}};
  context.save("B3", figure);
  return {fmt::format("per body and step: {}; ratio {:.2f}", numbers, ratio), ratio <= 1.3};
}

}  // namespace stiction::claims
