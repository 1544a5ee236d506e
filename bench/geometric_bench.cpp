// Steps of geometrically implicit contact: the examples of G section 6, and how the cost grows with contacts.

#include <cmath>
#include <string>

#include <benchmark/benchmark.h>

#include "scenes/geometric.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

WorldOptions with_formulation(const char* name, double h) {
  WorldOptions options;
  options.h = h;
  set_formulation(name, &options.formulation.contact);
  return options;
}

// Repeats the same part of the motion.
void measure(benchmark::State& state, const Model& model, const char* formulation, double h, double settle) {
  World world(model, with_formulation(formulation, h));
  world.simulate(settle);
  const State start = world.state();
  constexpr int kSteps = 50;
  for (auto _ : state) {
    world.set_state(start);
    for (int i = 0; i < kSteps; ++i) world.step();
  }
  const GeometricReport& report = world.record().report.geometric;
  state.counters["us_per_step"] = benchmark::Counter(
      1e-6 * kSteps, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["contacts"] = report.contacts;
  state.counters["unknowns"] = report.unknowns;
  state.counters["iterations"] = report.iterations;
}

void BM_rolling_disc(benchmark::State& state) {
  measure(state, scenes::rolling_disc(), "geometric_ncp", 0.01, 0.1);
}
BENCHMARK(BM_rolling_disc);

void BM_sphere_on_two_spheres(benchmark::State& state) {
  measure(state, scenes::sphere_on_two_spheres(), "geometric_ncp", 0.01, 0.5);
}
BENCHMARK(BM_sphere_on_two_spheres);

void BM_disc_on_layer(benchmark::State& state) {
  measure(state, scenes::disc_on_shallow_layer(), "geometric_quasi_rigid", 1e-4, 0.36);
}
BENCHMARK(BM_disc_on_layer);

// A row of balls on the floor that touch each other: one island of 2 n - 1 contacts.
Model row_of_balls(int n) {
  constexpr double kRadius = 0.1;
  ModelBuilder builder("row");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  for (int i = 0; i < n; ++i) {
    const std::string name = "ball" + std::to_string(i);
    builder.add_free_body(name, translation(2.0 * kRadius * i, 0.0, kRadius), solid_sphere(1.0, kRadius));
    builder.add_shape(name, name, {}, Sphere{kRadius});
  }
  builder.set_initial_velocity("ball0", {0.0, 0.0, 0.0, 0.5, 0.0, 0.0});
  return builder.build();
}

// A triangle of balls, each on two others: n^2 contacts that all push.
Model wall_of_balls(int n) {
  constexpr double kRadius = 0.1, kApart = 2.04 * kRadius;
  const double rise = std::sqrt(4.0 * kRadius * kRadius - 0.25 * kApart * kApart);
  ModelBuilder builder("wall");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n - k; ++i) {
      const std::string name = "ball" + std::to_string(k) + "_" + std::to_string(i);
      builder.add_free_body(name, translation(kApart * (i + 0.5 * k), 0.0, kRadius + rise * k),
                            solid_sphere(1.0, kRadius));
      builder.add_shape(name, name, {}, Sphere{kRadius});
    }
  }
  return builder.build();
}

void BM_wall_of_balls(benchmark::State& state) {
  measure(state, wall_of_balls(static_cast<int>(state.range(0))), "geometric_ncp", 1e-3, 0.01);
}
BENCHMARK(BM_wall_of_balls)->Arg(2)->Arg(4)->Arg(6)->Arg(8)->Arg(10);

void BM_row_of_balls(benchmark::State& state) {
  measure(state, row_of_balls(static_cast<int>(state.range(0))), "geometric_ncp", 1e-3, 0.0);
}
BENCHMARK(BM_row_of_balls)->Arg(1)->Arg(3)->Arg(10)->Arg(25)->Arg(50);

}  // namespace
}  // namespace stiction
