// The clutter under sap and the icf laws: iterations, conditioning, penetration (I section XII-A).

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/piles.h"

namespace stiction::claims {
namespace {

constexpr double kEnd = 3.0;         // s
constexpr double kTolerance = 1e-5;  // of the paper

World icf_clutter(LawKind law, double h, double stiffness) {
  scenes::ClutterOptions clutter;
  clutter.stiffness = stiffness;
  WorldOptions options = with_law(law, h);
  options.formulation.newton.relative_tolerance = kTolerance;
  // All bodies in one system, as in the paper: an iteration is one of all bodies.
  options.formulation.newton.use_islands = false;
  return World(scenes::clutter(clutter), options);
}

}  // namespace

ClaimResult iterations_of_icf(const ClaimContext& context) {
  constexpr double kSettling = 2.0;  // s, when impacts subside
  const NamedLaw laws[] = {kSap, kLaggedPlain, kLagged, kSimilar};
  Figure figure{
      "Newton iterations of a step, h 2e-3 s", "t (s)", "iterations, mean over 50 ms", false, false, {}};
  Figure condition_figure{"Mean condition number by step size", "h (s)", "condition number", true, true, {}};
  Figure count_figure{"Mean iterations by step size", "h (s)", "iterations", true, false, {}};
  std::map<LawKind, double> transient, rest, slope;
  for (const NamedLaw& law : laws) {
    Curve curve{law.name, {}, {}}, condition{law.name, {}, {}}, count{law.name, {}, {}};
    for (const double h : {5e-4, 1e-3, 2e-3, 5e-3, 1e-2}) {
      World world = icf_clutter(law.law, h, 1e7);
      NewtonSolver judge;
      std::vector<double> early, late, window, conditions;
      double sampled = 0.02, shown = 0.05;
      run_until(context, kEnd, &world, [&](const StepReport& report) {
        (world.time() < kSettling ? early : late).push_back(report.contact.iterations);
        window.push_back(report.contact.iterations);
        if (h == 2e-3 && world.time() > shown) {
          curve.add(world.time(), mean(window));
          window.clear();
          shown += 0.05;
        }
        if (world.time() < sampled) return;
        sampled += 0.1;
        const double kappa = condition_number(world.record(), &judge);
        if (kappa > 0.0) conditions.push_back(kappa);
      });
      condition.add(h, mean(conditions));
      const double sum = mean(early) * early.size() + mean(late) * late.size();
      count.add(h, sum / static_cast<double>(early.size() + late.size()));
      if (h != 2e-3) continue;
      transient[law.law] = mean(early);
      rest[law.law] = mean(late);
    }
    slope[law.law] = log_slope(condition.x, condition.y);
    figure.curves.push_back(std::move(curve));
    condition_figure.curves.push_back(std::move(condition));
    count_figure.curves.push_back(std::move(count));
  }
  context.save("I4", figure);
  context.save("I4_conditioning", condition_figure);
  context.save("I4_iterations", count_figure);
  const LawKind sap = LawKind::sap, plain = LawKind::icf_lagged_plain, lagged = LawKind::icf_lagged,
                similar = LawKind::icf_similar;
  const bool more_in_transient = transient[plain] > transient[sap] && transient[similar] > transient[sap];
  const bool fewer_at_rest = rest[plain] < rest[sap] && rest[lagged] < rest[sap] && rest[similar] < rest[sap];
  const bool regularised = transient[lagged] < transient[plain];
  const bool conditioning = slope[plain] > 0.5 && slope[similar] > 0.5 && slope[sap] < 0.1;
  std::string numbers;
  for (const NamedLaw& law : laws)
    numbers += fmt::format("{} {:.2f} / {:.2f} / {:.2f}; ", law.name, transient[law.law], rest[law.law],
                           slope[law.law]);
  return {
      fmt::format("mean iterations before 2 s / after / slope of the condition number in h: {}more in the "
                  "transient {}, fewer at rest {}, regularised fewer {}, conditioning {}",
                  numbers, more_in_transient, fewer_at_rest, regularised, conditioning),
      more_in_transient && fewer_at_rest && regularised && conditioning};
}

ClaimResult stiffness_sweep(const ClaimContext& context) {
  const NamedLaw laws[] = {kSap, kLagged, kSimilar};
  Figure depth_figure{"Mean penetration at rest, h 2e-3 s", "k (N/m)", "depth (m)", true, true, {}};
  Figure count_figure{"Mean iterations of a step", "k (N/m)", "iterations", true, false, {}};
  bool holds = true;
  std::string numbers;
  for (const NamedLaw& law : laws) {
    Curve depth{law.name, {}, {}}, count{law.name, {}, {}};
    bool failed = false;
    int unconverged = 0;
    for (int exponent = 4; exponent <= 12; ++exponent) {
      const double k = std::pow(10.0, exponent);
      World world = icf_clutter(law.law, 2e-3, k);
      double sum = 0.0, depths = 0.0, points = 0.0;
      const RunResult result = run_until(context, kEnd, &world, [&](const StepReport& report) {
        sum += report.contact.iterations;
        if (world.time() < kEnd - 1.25) return;
        for (const ContactPoint& point : world.record().collision.points) {
          if (point.distance >= 0.0) continue;
          depths -= point.distance;
          points += 1.0;
        }
      });
      failed |= result.failed;
      unconverged += result.unconverged;
      depth.add(k, depths / std::max(points, 1.0));
      count.add(k, sum / std::max(result.steps, 1));
    }
    const double slope = log_slope(depth.x, depth.y);
    const double growth = *std::max_element(count.y.begin(), count.y.begin() + 4) / count.y[0];
    const double flat = depth.y[8] / depth.y[4];  // from 1e8 to 1e12
    if (law.law == LawKind::sap)
      holds = holds && flat > 0.5;
    else
      holds = holds && std::abs(slope + 1.0) <= 0.1;
    holds = holds && growth <= 1.2 && !failed;
    numbers += fmt::format(
        "{}{}: slope {:.2f}, iterations at most {:.2f}x those at 1e4 up to 1e7 ({:.2f} .. {:.2f}), "
        "failed steps {}, unconverged {}",
        numbers.empty() ? "" : "; ", law.name, slope, growth, count.y.front(), count.y.back(),
        failed ? "yes" : "none", unconverged);
    if (law.law == LawKind::sap) numbers += fmt::format(", depth at 1e12 {:.2f} of that at 1e8", flat);
    depth_figure.curves.push_back(std::move(depth));
    count_figure.curves.push_back(std::move(count));
  }
  context.save("I5", depth_figure);
  context.save("I5_iterations", count_figure);
  return {numbers, holds};
}

}  // namespace stiction::claims
