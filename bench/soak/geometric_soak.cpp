// Random drops of smooth bodies under geometric_ncp: no state that is not finite, no overlap beyond 1e-8 of
// the size, and steps that fall back on the explicit geometry listed and rare.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "stiction/base/parallel.h"
#include "stiction/base/random.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kAllowedOverlap = 1e-8;    // of the size
constexpr double kAllowedFallbacks = 1e-3;  // of the steps

struct DropResult {
  long steps = 0, fallbacks = 0, halvings = 0, iterations = 0;
  double overlap = 0.0;      // of the size, of all steps but those that fell back
  double overlap_all = 0.0;  // of all steps
  double end = 0.0;          // s
  bool failed = false;
  std::string notes;
};

Shape random_shape(Random* random, double* size) {
  const Vec3 radii(random->uniform(0.03, 0.1), random->uniform(0.03, 0.1), random->uniform(0.03, 0.1));
  *size = radii.maxCoeff();
  switch (random->uniform_int(0, 3)) {
    case 0:
      return Sphere{radii.x()};
    case 1:
    case 2:
      return Ellipsoid{radii};
    default:
      return Superellipsoid{radii, random->uniform(0.4, 1.0), random->uniform(0.4, 1.0)};
  }
}

Model random_drop(Random* random) {
  ModelBuilder builder("drop");
  const auto material = [random] {
    ContactMaterial m;
    m.static_friction = random->uniform() < 0.1 ? 0.0 : random->uniform(0.05, 1.0);
    if (random->uniform() < 0.3) m.restitution = random->uniform(0.0, 0.9);
    if (random->uniform() < 0.3) m.torsional_friction = 0.01;
    return m;
  };
  const Mat3 tilt = rotation_about<double>(Vec3::UnitY(), random->uniform() < 0.5 ? 0.0 : 0.2);
  builder.add_shape("floor", "world", {tilt, Vec3::Zero()}, HalfSpace{});
  builder.set_material("floor", material());
  const int bodies = random->uniform_int(1, 5);
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "body" + std::to_string(i);
    double size = 0.0;
    const Shape shape = random_shape(random, &size);
    const auto axis = random->unit_vector<3>();
    const Mat3 R = rotation_about<double>(Vec3(axis[0], axis[1], axis[2]), random->uniform(0.0, 3.0));
    const Vec3 p(random->uniform(-0.08, 0.08), random->uniform(-0.08, 0.08), 0.15 + 0.21 * i);
    Inertia inertia = solid_inertia(shape, 1000.0);
    builder.add_free_body(name, {R, p}, inertia);
    builder.add_shape(name, name, {}, shape);
    builder.set_material(name, material());
    std::vector<double> v;
    for (int k = 0; k < 6; ++k) v.push_back(random->uniform(-1.0, 1.0) * (k < 3 ? 5.0 : 1.0));
    builder.set_initial_velocity(name, v);
  }
  return builder.build();
}

// The deepest overlap now, over the size of the smaller shape.
double deepest(const World& world) {
  const CollisionModel& model = *world.model().tables().collision;
  const auto pose = [&](const CollisionItem& item) {
    return world.body_pose(world.model().forest.bodies[item.body].name) *
           world.model().shapes[item.shape].X_BS;
  };
  double worst = 0.0;
  for (std::size_t i = 0; i < model.items.size(); ++i) {
    for (std::size_t j = i + 1; j < model.items.size(); ++j) {
      const CollisionShape &A = model.items[i].geometry, &B = model.items[j].geometry;
      const Pose X_A = pose(model.items[i]), X_B = pose(model.items[j]);
      const bool is_plane = A.kind == ShapeKind::half_space;
      if (!is_plane && (X_A.p - X_B.p).norm() > A.ball_radius + B.ball_radius) continue;
      const double size = is_plane ? B.ball_radius : std::min(A.ball_radius, B.ball_radius);
      worst = std::max(worst, -signed_distance(A, X_A, B, X_B).distance / size);
    }
  }
  return worst;
}

DropResult drop(std::uint64_t seed, double duration) {
  Random random(seed);
  const Model model = random_drop(&random);
  WorldOptions options;
  options.h = std::exp(random.uniform(std::log(1e-3), std::log(20e-3)));
  set_formulation("geometric_ncp", &options.formulation.contact);
  World world(model, options);
  DropResult out;
  bool has_fallen_back = false;
  try {
    while (world.time() < duration) {
      world.step();
      const GeometricReport& report = world.record().report.geometric;
      ++out.steps;
      out.halvings += report.halvings;
      out.iterations += report.iterations;
      const double overlap = deepest(world);
      out.overlap_all = std::max(out.overlap_all, overlap);
      if (report.fallbacks > 0 || report.missed > 0) {
        ++out.fallbacks;
        has_fallen_back = true;
        if (out.notes.size() < 300)
          out.notes += fmt::format("  seed {} h {:.4g} t {:.4f} bodies {}: fell back, residual {:.1e}\n",
                                   seed, options.h, world.time(), model.forest.trees.size(), report.residual);
      } else if (!has_fallen_back) {
        if (overlap > kAllowedOverlap && out.overlap <= kAllowedOverlap)
          out.notes += fmt::format("  seed {} h {:.4g} t {:.4f}: overlap {:.2e}\n", seed, options.h,
                                   world.time(), overlap);
        out.overlap = std::max(out.overlap, overlap);
      } else if (overlap <= kAllowedOverlap) {
        has_fallen_back = false;  // the penetration that it left has been recovered
      }
    }
  } catch (const SimulationError& error) {
    out.failed = true;
    out.notes += fmt::format("  seed {}: {}\n", seed, error.what());
  }
  return out;
}

}  // namespace
}  // namespace stiction

int main(int argc, char** argv) {
  using namespace stiction;
  int drops = 10000, first = 1;
  double duration = 2.0;
  CLI::App app("Drops random smooth bodies under geometric_ncp");
  app.add_option("--drops", drops, "How many");
  app.add_option("--first", first, "The first seed");
  app.add_option("--duration", duration, "Seconds of each");
  CLI11_PARSE(app, argc, argv);

  std::vector<DropResult> results(static_cast<std::size_t>(drops));
  parallel_for(drops, 1, [&](int i) {
    results[static_cast<std::size_t>(i)] = drop(static_cast<std::uint64_t>(first + i), duration);
  });
  DropResult all;
  int failures = 0;
  for (const DropResult& one : results) {
    all.steps += one.steps;
    all.fallbacks += one.fallbacks;
    all.halvings += one.halvings;
    all.iterations += one.iterations;
    all.overlap = std::max(all.overlap, one.overlap);
    all.overlap_all = std::max(all.overlap_all, one.overlap_all);
    failures += one.failed;
    std::fputs(one.notes.c_str(), stdout);
  }
  const double share = static_cast<double>(all.fallbacks) / static_cast<double>(std::max(all.steps, 1L));
  fmt::print(
      "{} drops, {} steps: {} failed, {} halvings, {} steps fell back ({:.4f} %), {:.2f} iterations a step, "
      "deepest overlap {:.2e} of the size ({:.2e} with what fell back)\n",
      drops, all.steps, failures, all.halvings, all.fallbacks, 100.0 * share,
      static_cast<double>(all.iterations) / static_cast<double>(std::max(all.steps, 1L)), all.overlap,
      all.overlap_all);
  const bool holds = failures == 0 && share < kAllowedFallbacks && all.overlap <= kAllowedOverlap;
  return holds ? 0 : 1;
}
