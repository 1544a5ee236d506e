// Spheres and cubes that fall into a box, under sap in the near-rigid regime (S section VI-C).

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "bench/claims/clutter.h"
#include "bench/claims/measure.h"

namespace stiction::claims {
namespace {

constexpr double kGravity = 9.81;  // m/s^2

// Cost and scaled gradient after k = 0, 1, ... iterations: the solver is the same every time, so that
// stopping it after k iterations gives the k-th of the whole run.
struct IterationHistory {
  std::vector<double> cost, gradient;
};
IterationHistory iteration_history(const StepRecord& r, NewtonOptions options, int iterations,
                                   NewtonSolver* solver, NewtonSolver* check_residual) {
  IterationHistory history;
  ContactSolution solution;
  VecX gradient;
  for (int k = 0; k <= iterations; ++k) {
    options.max_iterations = k;
    solver->solve(r.contact.problem, options, &solution);
    history.cost.push_back(check_residual->evaluate(r.contact.problem, solution.v, &gradient, nullptr));
    history.gradient.push_back(solution.report.residual);
  }
  return history;
}

// (l - l*)/(l0 - l*) of the last step by iteration, l* of a solution to round-off. It is shown down to
// round-off.
Curve cost_curve(const StepRecord& r, NewtonOptions options, NewtonSolver* solver,
                 NewtonSolver* check_residual) {
  options.relative_tolerance = 1e-13;
  ContactSolution solution;
  solver->solve(r.contact.problem, options, &solution);
  const IterationHistory history =
      iteration_history(r, options, solution.report.iterations, solver, check_residual);
  const double least = *std::min_element(history.cost.begin(), history.cost.end());
  constexpr double kRoundOff = 1e-14;  // of the cost at the start
  Curve curve;
  for (std::size_t k = 0; k < history.cost.size(); ++k) {
    const double above = history.cost[k] - least;
    if (above <= kRoundOff * std::abs(history.cost[0])) break;
    curve.add(static_cast<double>(k), above / (history.cost[0] - least));
  }
  return curve;
}

}  // namespace

ClaimResult iterations_of_clutter(const ClaimContext& context) {
  World world = near_rigid_clutter(40, true, 1e-3);
  Figure figure{
      "Newton iterations of a step, 40 bodies", "t (s)", "iterations", false, false, {{"sap", {}, {}}}};
  std::vector<double> late;
  int most = 0;
  const RunResult result = run_until(context, 10.0, &world, [&](const StepReport& report) {
    figure.curves[0].add(world.time(), report.contact.iterations);
    most = std::max(most, report.contact.iterations);
    if (world.time() > 5.0) late.push_back(report.contact.iterations);
  });
  context.save("S4", figure);
  return {fmt::format("mean {:.2f} after 5 s, most {}, unconverged steps {}", mean(late), most,
                      result.unconverged),
          !result.failed && mean(late) <= 4.0 && most <= 30};
}

ClaimResult cost_falls(const ClaimContext& context) {
  World world = near_rigid_clutter(40, true, 1e-3);
  // All trees as one system, as in the paper, and every factor new: one sequence of costs.
  NewtonOptions& options = world.options().formulation.newton;
  options.use_islands = false;
  options.reuse_factor = false;
  NewtonSolver solver, check_residual;
  int iterations = 0, rises = 0;
  double best_order = 0.0, best_time = 0.0;
  std::vector<double> orders;
  IterationHistory best;
  // Fig. 10: the cost above its least, over that at the start, in a transient step and in a later one.
  constexpr int kShown[] = {60, 520};
  constexpr double kPaper = 1e-5;  // tolerance of S VI-C
  Figure costs{"Cost above the least over that at the start", "iteration", "", false, true, {}};
  std::string shown;
  int step = 0;
  run_until(context, 10.0, &world, [&](const StepReport& report) {
    const int n = report.contact.iterations;
    ++step;
    if (n == 0) return;
    context.check_stop();
    if (std::find(std::begin(kShown), std::end(kShown), step) != std::end(kShown)) {
      Curve curve = cost_curve(world.record(), options, &solver, &check_residual);
      curve.name = fmt::format("step {}", step);
      NewtonOptions as_paper = options;
      as_paper.relative_tolerance = kPaper;
      ContactSolution solution;
      solver.solve(world.record().contact.problem, as_paper, &solution);
      shown += fmt::format("{}{} in {} iterations", shown.empty() ? "" : ", ", curve.name,
                           solution.report.iterations);
      costs.curves.push_back(std::move(curve));
    }
    IterationHistory history = iteration_history(world.record(), options, n, &solver, &check_residual);
    constexpr double kRoundOff = 1e-13;  // of the cost at the start
    for (int k = 1; k <= n; ++k) {
      ++iterations;
      rises += history.cost[k] > history.cost[k - 1] + kRoundOff * std::abs(history.cost[0]);
    }
    // Order of the tail of transient steps: of the last three gradients above round-off.
    if (n < 5 || world.time() > 2.0) return;
    NewtonOptions tight = options;
    tight.relative_tolerance = 1e-13;
    ContactSolution solution;
    solver.solve(world.record().contact.problem, tight, &solution);
    history = iteration_history(world.record(), tight, solution.report.iterations, &solver, &check_residual);
    constexpr double kFloor = 1e-12;  // of the gradient: below it round-off takes over
    std::size_t last = history.gradient.size() - 1;
    while (last > 2 && history.gradient[last] < kFloor) --last;
    const double e2 = history.gradient[last], e1 = history.gradient[last - 1],
                 e0 = history.gradient[last - 2];
    const double order = std::log(e2 / e1) / std::log(e1 / e0);
    orders.push_back(order);
    if (order > best_order) {
      best_order = order;
      best_time = world.time();
      best = history;
    }
  });
  Figure figure{fmt::format("Scaled gradient of the step at {:.2f} s", best_time),
                "iteration",
                "e_m",
                false,
                true,
                {{"sap", {}, {}}}};
  for (std::size_t k = 0; k < best.gradient.size(); ++k)
    figure.curves[0].add(static_cast<double>(k), best.gradient[k]);
  context.save("S5", figure);
  context.save("S5_cost", costs);
  // The median of the transient steps: the best of them proves little, where a quadratic piece ends the
  // iteration at once.
  std::sort(orders.begin(), orders.end());
  const double median = orders.empty() ? 0.0 : orders[orders.size() / 2];
  const auto quadratic =
      std::count_if(orders.begin(), orders.end(), [](double order) { return order >= 1.7; });
  return {fmt::format(
              "cost falls in {} of {} iterations; median order of the tails of transient steps {:.2f} ({} of "
              "{} at 1.7 or more); to 1e-5 {} (S: 21 and 5)",
              iterations - rises, iterations, median, quadratic, orders.size(), shown),
          rises == 0 && iterations > 0 && median >= 1.7};
}

ClaimResult accuracy_of_clutter(const ClaimContext& context) {
  Figure figure{"Errors of a step, 40 bodies", "t (s)", "error", false, true, {}};
  double largest_m = 0.0, largest_mu = 0.0;
  bool failed = false;
  for (const bool walls : {true, false}) {
    World world = near_rigid_clutter(40, walls, 1e-3);
    NewtonSolver check_residual;
    const std::string where = walls ? ", walls" : ", no walls";
    Curve e_m{"e_m" + where, {}, {}}, e_mu{"e_mu" + where, {}, {}};
    failed |= run_until(context, 10.0, &world, [&](const StepReport& report) {
                e_m.add(world.time(), report.contact.residual);
                e_mu.add(world.time(), slackness(world.record(), &check_residual));
              }).failed;
    largest_m = std::max(largest_m, *std::max_element(e_m.y.begin(), e_m.y.end()));
    largest_mu = std::max(largest_mu, *std::max_element(e_mu.y.begin(), e_mu.y.end()));
    figure.curves.push_back(std::move(e_m));
    figure.curves.push_back(std::move(e_mu));
  }
  context.save("S7", figure);
  return {fmt::format("largest e_m {:.1e}, largest e_mu {:.1e}", largest_m, largest_mu),
          !failed && largest_m < 1e-5 && largest_mu < 1e-12};
}

namespace {

constexpr double kStep = 0.01, kMu = 1.0, kEnd = 10.0;  // s, -, s: of the clutter of S VI-C

// Slips (m/s) in the last half second of a run: of the contacts that stick, and of all.
struct Slips {
  std::vector<double> sticking, all;
};
Slips slips_until(const ClaimContext& context, double end, World* world) {
  constexpr double kWindow = 0.5;     // s
  constexpr double kSliding = 0.999;  // of the largest friction
  Slips out;
  run_until(context, end, world, [&](const StepReport&) {
    if (world->time() < end - kWindow) return;
    for (const TouchedPoint& p : touched_points(world->record())) {
      const double tangential = (p.impulse - p.normal_impulse() * p.n).norm();
      const bool sticks = tangential < kSliding * p.numbers[SapNumber::kMu] * p.normal_impulse();
      if (sticks) out.sticking.push_back(p.slip());
      out.all.push_back(p.slip());
    }
  });
  return out;
}

// How slip depends on sigma where nothing else does: in the pile that a run with sigma 1e-3 has left, after
// another second. The log-log slope of the contacts that stick.
double slope_of_pile(const ClaimContext& context) {
  World pile = near_rigid_clutter(40, true, 1e-3);
  run_until(context, kEnd, &pile);
  Curve curve;
  for (const double sigma : kSigmas) {
    World world = near_rigid_clutter(40, true, sigma);
    world.set_state(pile.state());
    curve.add(sigma, mean(slips_until(context, kEnd + 1.0, &world).sticking));
  }
  return log_slope(curve.x, curve.y);
}

}  // namespace

ClaimResult slip_at_rest(const ClaimContext& context) {
  // S VI-C 2: the "mean slip velocity among all contacts" of "a static configuration with objects in
  // stiction". Here some objects still move at 10 s; a contact that slides is not in stiction and does not
  // count. One that sticks may slip by more than sigma mu h g where it carries more than a body's weight.
  Figure figure{"Mean slip at rest, 40 bodies", "sigma", "slip (m/s)", true, true, {}};
  Curve bound{"sigma mu h g", {}, {}, true};
  bool is_below = true;
  double slope = 0.0, slope_below = 0.0, slope_of_all = 0.0, sticking = 1.0;
  int all_below = 0;  // of the twelve runs
  std::string slips;
  for (const bool walls : {true, false}) {
    Curve curve{walls ? "walls" : "no walls", {}, {}}, of_all = curve;
    of_all.name += ", all";
    for (const double sigma : kSigmas) {
      World world = near_rigid_clutter(40, walls, sigma);
      const Slips found = slips_until(context, kEnd, &world);
      const double stuck = mean(found.sticking), all = mean(found.all);
      const double share = static_cast<double>(found.sticking.size()) / static_cast<double>(found.all.size());
      sticking = std::min(sticking, share);
      const double bound_here = sigma * kMu * kStep * kGravity;
      curve.add(sigma, stuck);
      of_all.add(sigma, all);
      all_below += all < bound_here;
      is_below = is_below && stuck < bound_here;
      slips += fmt::format(" {:.2g} ({:.2g})", stuck / bound_here, all / bound_here);
      if (walls) bound.add(sigma, bound_here);
    }
    slips += walls ? " (walls)," : " (no walls)";
    if (walls) {
      slope = log_slope(curve.x, curve.y);
      slope_of_all = log_slope(of_all.x, of_all.y);
      const std::size_t most = curve.x.size() - 1;
      slope_below = log_slope(std::span(curve.x).first(most), std::span(curve.y).first(most));
    }
    figure.curves.push_back(std::move(curve));
    figure.curves.push_back(std::move(of_all));
  }
  figure.curves.push_back(bound);
  context.save("S8", figure);
  return {
      fmt::format(
          "mean slip over sigma mu h g of the contacts that stick (of all), for sigma 1e-6 .. 1e-1:{}; slope "
          "with walls {:.2f} (of all {:.2f}), up to 1e-2 {:.2f}, of one pile whose sigma alone is changed "
          "{:.2f}: at 1e-1 objects may creep by sigma mu h g T = {:.2g} m, their own size, into a pile that "
          "needs less friction; below for {} sigma (of all in {} of 12 runs); at least {:.0f} % of the "
          "contacts stick, the others belong to objects that still move at 10 s",
          slips, slope, slope_of_all, slope_below, slope_of_pile(context),
          0.1 * kMu * kStep * kGravity * kEnd, is_below ? "every" : "not every", all_below, 100.0 * sticking),
      is_below && std::abs(slope - 1.0) <= 0.1};
}

namespace {

// Mean iterations of the steps of all piles: in all of them, while objects fall, and later.
struct PileIterations {
  double all = 0.0, falling = 0.0, later = 0.0;
  // Of the steps after 2 s: the share that takes one iteration, and what nine of ten take at most.
  double one = 0.0, most = 0.0;
};
PileIterations iterations_of_piles(const ClaimContext& context, double sigma, int full_steps,
                                   const std::function<void(int pile, const World&)>& look = nullptr) {
  constexpr double kFalls = 2.0;  // s
  double sums[2] = {};
  int steps[2] = {};
  std::vector<int> later;
  for (int pile = 0; pile < kPiles; ++pile) {
    World world = near_rigid_clutter(40, true, sigma, pile);
    world.options().formulation.newton.full_steps = full_steps;
    run_until(context, kEnd, &world, [&](const StepReport& report) {
      const int part = world.time() < kFalls ? 0 : 1;
      sums[part] += report.contact.iterations;
      ++steps[part];
      if (part == 1) later.push_back(report.contact.iterations);
      if (look) look(pile, world);
    });
  }
  const auto ninth = later.begin() + static_cast<std::ptrdiff_t>(later.size() * 9 / 10);
  std::nth_element(later.begin(), ninth, later.end());
  const auto ones = std::count_if(later.begin(), later.end(), [](int n) { return n <= 1; });
  return {(sums[0] + sums[1]) / (steps[0] + steps[1]), sums[0] / steps[0], sums[1] / steps[1],
          static_cast<double>(ones) / static_cast<double>(later.size()), static_cast<double>(*ninth)};
}

}  // namespace

ClaimResult conditioning_by_sigma(const ClaimContext& context) {
  Figure condition{"Condition number of the Hessian at rest", "sigma", "condition number", true, true, {}};
  Figure iterations{"Mean Newton iterations of a step", "sigma", "iterations", true, false, {}};
  Curve kappa{"walls", {}, {}}, count{"all steps", {}, {}}, falling{"before 2 s", {}, {}},
      later{"after 2 s", {}, {}};
  std::vector<double> log_sigma;
  std::string ones, most;
  for (const double sigma : kSigmas) {
    // Of the figure's pile the condition number, of all piles the iterations.
    constexpr double kWindow = 0.1;  // s
    NewtonSolver check_residual;
    std::vector<double> late;
    const PileIterations piles = iterations_of_piles(context, sigma, 0, [&](int pile, const World& world) {
      if (pile == 0 && world.time() > kEnd - kWindow)
        late.push_back(condition_number(world.record(), &check_residual));
    });
    kappa.add(sigma, mean(late));
    count.add(sigma, piles.all);
    falling.add(sigma, piles.falling);
    later.add(sigma, piles.later);
    ones += fmt::format("{}{:.0f}", ones.empty() ? "" : ", ", 100.0 * piles.one);
    most += fmt::format("{}{:.0f}", most.empty() ? "" : ", ", piles.most);
    log_sigma.push_back(std::log(sigma));
  }
  condition.curves.push_back(kappa);
  // The same piles at the least sigma with full steps first, as is our default.
  const PileIterations free_steps = iterations_of_piles(context, kSigmas[0], NewtonOptions().full_steps);
  const double slope = log_slope(kappa.x, kappa.y);
  const Line line = fit_line(log_sigma, count.y), before = fit_line(log_sigma, falling.y),
             after = fit_line(log_sigma, later.y);
  std::string numbers;
  for (std::size_t i = 0; i < kappa.x.size(); ++i)
    numbers += fmt::format("{}{:.1e} / {:.2f} ({:.1f}, {:.2f})", i == 0 ? "" : ", ", kappa.y[i], count.y[i],
                           falling.y[i], later.y[i]);
  iterations.curves = {count, falling, later};
  context.save("S9", condition);
  context.save("S9_iterations", iterations);
  return {
      fmt::format(
          "condition number / mean iterations over {} piles (before, after 2 s) for sigma 1e-6 .. 1e-1: "
          "{}; slope {:.2f}; R^2 of the iterations in log(sigma) {:.2f} (before 2 s {:.2f}, after {:.2f}). "
          "Where objects strike each other, "
          "iterations grow faster than log(sigma): an exact line search stops at the first point that "
          "begins to stick along the direction (slips by less than sigma w mu gamma_n); with full steps "
          "first, our "
          "default, they are {:.1f} before 2 s at sigma 1e-6. After 2 s they are no line because a step "
          "takes at "
          "least one iteration: that many take {} % of the steps, so that a larger sigma has nothing left to "
          "save; a small one is paid for by the others (nine of ten steps take at most {})",
          kPiles, numbers, slope, line.r_squared, before.r_squared, after.r_squared, free_steps.falling, ones,
          most),
      std::abs(slope + 1.0) <= 0.15 && line.r_squared > 0.9};
}

}  // namespace stiction::claims
