// A cylinder on a spring that slides or rolls on compliant ground (S section VI-B).

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/rollers.h"

namespace stiction::claims {
namespace {

constexpr double kMass = 0.5, kRadius = 0.05, kSpring = 100.0, kStart = 0.1;  // kg, m, N/m, m
constexpr double kStiffness = 1e4, kGravity = 9.81;                           // N/m of the ground, m/s^2
constexpr const char* kSchemes[] = {"implicit_euler", "symplectic_euler", "midpoint"};

World cylinder_world(double mu, const char* scheme, double h) {
  WorldOptions options = with_exact_law(LawKind::sap, h);
  options.formulation.scheme = &find_scheme(scheme);
  Model model = scenes::spring_cylinder(mu);
  // In the plane a ball of the cylinder's radius, with the cylinder's inertia, makes the same contact in one
  // point, which has the whole stiffness.
  for (PlacedShape& shape : model.shapes) {
    if (shape.body != 0) shape.shape = Sphere{kRadius};
  }
  World world(std::move(model), options);
  world.set_position("z", -kMass * kGravity / kStiffness);  // it rests from the start
  return world;
}

// Of the spring, of the motion along it, and of the spin: what is left of 0.5 J. The cylinder's settling on
// the compliant ground is no part of it.
double energy(const World& world) {
  const double x = world.position("x"), v = world.velocity("x"), w = world.velocity("turn");
  return 0.5 * (kMass * v * v + 0.5 * kMass * kRadius * kRadius * w * w + kSpring * x * x);
}
constexpr double kEnergy = 0.5 * kSpring * kStart * kStart;  // J

Curve energy_curve(const ClaimContext& context, double mu, const char* scheme, double end) {
  World world = cylinder_world(mu, scheme, 0.02);
  Curve curve{scheme, {}, {}};
  curve.add(0.0, energy(world) / kEnergy);
  run_until(context, end, &world,
            [&](const StepReport&) { curve.add(world.time(), energy(world) / kEnergy); });
  return curve;
}

double peak_to_peak(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *high - *low;
}

}  // namespace

ClaimResult energy_without_friction(const ClaimContext& context) {
  Figure figure{"Energy without friction, h 0.02 s", "t (s)", "energy / initial energy", false, false, {}};
  for (const char* scheme : kSchemes) figure.curves.push_back(energy_curve(context, 0.0, scheme, 5.0));
  context.save("S1", figure);
  const double period = 2.0 * std::numbers::pi * std::sqrt(kMass / kSpring);
  const Curve &implicit = figure.curves[0], &symplectic = figure.curves[1], &midpoint = figure.curves[2];
  double left = 1.0;
  for (std::size_t i = 0; i < implicit.x.size(); ++i) {
    if (implicit.x[i] >= 3.0 * period) {
      left = implicit.y[i];
      break;
    }
  }
  const double band = 100.0 * peak_to_peak(symplectic.y);
  const double drift = std::abs(midpoint.y.back() - midpoint.y.front());
  return {fmt::format(
              "implicit Euler has {:.3g} % after 3 periods; symplectic band {:.1f} %; midpoint drift {:.1e}",
              100.0 * left, band, drift),
          left < 0.01 && band > 26.0 && band < 30.0 && drift < 1e-8};
}

ClaimResult energy_of_rolling(const ClaimContext& context) {
  Figure figure{"Energy of rolling, h 0.02 s", "t (s)", "energy / initial energy", false, false, {}};
  double loss[2] = {}, ripple = 0.0;
  for (const int i : {1, 2}) {
    Curve curve = energy_curve(context, 1.0, kSchemes[i], 600.0);
    // Means over the first and the last 10 periods, which the band of symplectic Euler does not touch.
    const std::size_t ten_periods = 270;  // steps, of 0.544 s / 0.02 s
    const std::span<const double> all(curve.y);
    const double first = mean(all.first(ten_periods)), last = mean(all.last(ten_periods));
    loss[i - 1] = 100.0 * (first - last) / first;
    if (i == 2) {
      // In the first 5 s, about the slow loss.
      const std::size_t steps = 250;
      const Line line = fit_line(std::span<const double>(curve.x).first(steps), all.first(steps));
      std::vector<double> about;
      for (std::size_t k = 0; k < steps; ++k)
        about.push_back(curve.y[k] - line.offset - line.slope * curve.x[k]);
      ripple = 100.0 * peak_to_peak(about);
    }
    figure.curves.push_back(std::move(curve));
  }
  context.save("S2", figure);
  const auto is_tenth = [](double percent) { return percent > 7.0 && percent < 13.0; };
  // Friction f, regularised, slips at sigma w h f and takes sigma w h f^2. Rolling needs f = k x/3, so that
  // energy falls at the rate sigma w h k/9. A contact of two points, each with half of the force, takes half
  // of that.
  World one_step = cylinder_world(1.0, "midpoint", 0.02);
  one_step.step();
  const double w = touched_points(one_step.record()).front().w;
  const double sigma = one_step.options().formulation.contact.sigma;
  const double predicted = 100.0 * (1.0 - std::exp(-sigma * w * 0.02 * kSpring / 9.0 * 600.0));
  return {fmt::format(
              "midpoint ripple {:.3f} %; loss in 10 min: symplectic {:.1f} %, midpoint {:.1f} %; regularised "
              "friction in one point takes 1 - exp(-sigma w h k T/9) = {:.1f} %, in two points half the rate",
              ripple, loss[0], loss[1], predicted),
          ripple > 0.12 && ripple < 0.20 && is_tenth(loss[0]) && is_tenth(loss[1])};
}

ClaimResult order_of_rolling(const ClaimContext& context) {
  Figure figure{"Error of rolling over 5 s", "h (s)", "error of x (m)", true, true, {}};
  // The cylinder rolls on the point of contact, halfway into the ground: m_eff = m + I/r^2.
  const double r = kRadius - 0.5 * kMass * kGravity / kStiffness;
  const double rate = std::sqrt(kSpring / (kMass + 0.5 * kMass * kRadius * kRadius / (r * r)));
  double slopes[3] = {};
  for (int s = 0; s < 3; ++s) {
    Curve curve{kSchemes[s], {}, {}};
    for (const double h : {1e-3, 5e-4, 2.5e-4}) {
      World world = cylinder_world(1.0, kSchemes[s], h);
      double sum = 0.0;
      const RunResult result = run_until(context, 5.0, &world, [&](const StepReport&) {
        const double error = world.position("x") - kStart * std::cos(rate * world.time());
        sum += error * error;
      });
      curve.add(h, std::sqrt(sum / result.steps));
    }
    slopes[s] = log_slope(curve.x, curve.y);
    figure.curves.push_back(std::move(curve));
  }
  context.save("S3", figure);
  bool symplectic_is_better = true;
  for (std::size_t i = 0; i < figure.curves[0].y.size(); ++i)
    symplectic_is_better = symplectic_is_better && figure.curves[1].y[i] < figure.curves[0].y[i];
  const bool holds = std::abs(slopes[2] - 2.0) <= 0.15 && std::abs(slopes[0] - 1.0) <= 0.15 &&
                     std::abs(slopes[1] - 1.0) <= 0.15 && symplectic_is_better;
  return {
      fmt::format("slopes: implicit {:.2f}, symplectic {:.2f}, midpoint {:.2f}; symplectic error {} implicit",
                  slopes[0], slopes[1], slopes[2], symplectic_is_better ? "below" : "not below"),
      holds};
}

}  // namespace stiction::claims
