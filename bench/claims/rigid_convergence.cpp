// How fast the solvers of rigid contact are on robots that stand and are pushed, and on a ball in a hand (C
// section IV-C, Figs. 16, 17): errors of one step, iteration by iteration; iterations and times along a
// motion, from zero impulses and from those of the step before.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"
#include "stiction/base/timer.h"
#include "stiction/contact/catalog.h"

namespace stiction::claims {
namespace {

// Errors after 0, 1, 2, ... iterations on one problem.
Curve dual_history(const std::string& name, const DualProblem& problem, int iterations) {
  const CatalogEntry* entry = find_in_catalog(name);
  std::vector<double> history;
  DualOptions options;
  options.accelerates = false;  // Gauss-Seidel as the paper has it
  options.tolerance = 1e-13;    // no solver stops for want of being asked
  options.max_iterations = iterations;
  options.history = &history;
  VecX lambda = VecX::Zero(problem.num_rows());
  const IslandReport report = make_dual_solver(entry->law, entry->solver)->solve(problem, options, &lambda);
  Curve curve{figure_name(name), {}, {}};
  // Solvers that pivot have no history but an end.
  if (history.empty()) history.push_back(report.residual);
  for (std::size_t k = 0; k < history.size(); ++k) curve.add(static_cast<double>(k + 1), history[k]);
  return curve;
}

// e_m (S eq. 32) of Newton's method, stopped after every number of iterations.
Curve newton_history(const std::string& name, const ContactProblem& problem) {
  NewtonSolver solver;
  ContactSolution solution;
  NewtonOptions options;
  options.relative_tolerance = 1e-13;
  solver.solve(problem, options, &solution);
  const int last = solution.report.iterations;
  Curve curve{figure_name(name), {}, {}};
  for (int k = 1; k <= last; ++k) {
    options.max_iterations = k;
    solver.solve(problem, options, &solution);
    curve.add(k, solution.report.residual);
  }
  return curve;
}

// The first iteration at which a goal is met; 0: never.
int first_below(const Curve& curve, double goal) {
  const auto found = std::find_if(curve.y.begin(), curve.y.end(), [=](double y) { return y <= goal; });
  return found == curve.y.end() ? 0 : static_cast<int>(found - curve.y.begin()) + 1;
}

double least(const Curve& curve) {
  return curve.y.empty() ? 0.0 : *std::min_element(curve.y.begin(), curve.y.end());
}

}  // namespace

ClaimResult convergence_of_a_step(const ClaimContext& context) {
  constexpr int kIterations = 1000, kPushed = 20;  // steps
  std::string text, short_of;
  bool holds = true;
  int reached = 0, saturated = 0;                  // runs of per-contact solvers of our own
  int literal_reached = 0, literal_saturated = 0;  // and of the paper's
  for (const char* which : {"quadruped", "humanoid"}) {
    const auto robot = std::find_if(pushed_robots().begin(), pushed_robots().end(),
                                    [&](const PushedRobot& r) { return std::string_view(r.kind) == which; });
    World world = standing(context, *robot, kRigidStep);
    State before = world.state();
    for (int k = 0; k < kPushed; ++k) {
      push(robot->body, Vec3(robot->force, 0.0, 0.0), &world);
      before = world.state();
      world.step();
    }
    const DualProblem problem = *dual_of(world).problem;
    Figure figure{fmt::format("One step of {}, {:g} N", robot->name, robot->force),
                  "iteration",
                  "relative error",
                  true,
                  true,
                  {}};
    text += fmt::format("{}{} ({} rows):", text.empty() ? "" : "; ", robot->name, problem.num_rows());
    for (const std::string& name : all_rigid_formulations()) {
      context.check_stop();
      Curve curve;
      if (is_newton(name)) {
        World primal = world_of(*robot, rigid_options(name, kRigidStep, 1e-6));
        primal.set_state(before);
        push(robot->body, Vec3(robot->force, 0.0, 0.0), &primal);
        primal.step();
        curve = newton_history(name, primal.record().contact.problem);
      } else {
        curve = dual_history(name, problem, kIterations);
      }
      constexpr double kMild = 1e-5, kHigh = 1e-9;
      const int mild = first_below(curve, kMild), high = first_below(curve, kHigh);
      const bool is_named =
          name.ends_with("+admm") || name.ends_with("+staggered") || name == "convex_cone+newton";
      holds &= !is_named || high > 0;
      if (is_named && high == 0)
        short_of += fmt::format("{}{} on {}", short_of.empty() ? "" : ", ", name, robot->name);
      if (name.ends_with("+pgs_plain"))
        (high > 0 ? literal_reached : literal_saturated) += 1;
      else if (is_per_contact(name))
        (high > 0 ? reached : saturated) += 1;
      text += fmt::format(" {} {}/{} ({:.0e}),", name, mild > 0 ? std::to_string(mild) : "-",
                          high > 0 ? std::to_string(high) : "-", least(curve));
      constexpr double kFloor = 1e-18;  // a logarithm takes no zero
      for (double& y : curve.y) y = std::max(y, kFloor);
      figure.curves.push_back(std::move(curve));
    }
    text.pop_back();
    context.save(std::string_view(which) == "quadruped" ? "C7" : "C7_humanoid", figure);
  }
  return {fmt::format(
              "iterations to 1e-5 / to 1e-9 (least error within 1000): {}. Above 1e-9 saturate {} of {} runs "
              "contact by contact with each contact solved exactly, and {} of {} with the paper's own steps; "
              "of the "
              "others that are named, {}{}",
              text, saturated, reached + saturated, literal_saturated, literal_reached + literal_saturated,
              short_of.empty() ? "none" : short_of, which_robots()),
          holds};
}

namespace {

constexpr int kParts[3] = {kCollision, kAssemble, kSolve};

struct Along {
  std::vector<double> cold, warm;            // iterations by step
  std::vector<double> cold_time, warm_time;  // s, of the solver alone, by step
  std::vector<double> step_time;             // s, whole steps, warm
  std::vector<double> parts[3];              // s, by step, of kParts
  int unsolved = 0;                          // of the steps
};

// The problems of a motion under one formulation, each solved once more from zeros and from the impulses of
// the step before; Newton's method from the free velocities and from those of the step before.
Along measure(const ClaimContext& context, const PushedRobot& robot, const State& start,
              const std::string& name, int steps) {
  WorldOptions options = rigid_options(name, kRigidStep, 1e-6);
  options.formulation.times_stages = true;
  World world = world_of(robot, options);
  world.set_state(start);
  const Formulation& f = world.options().formulation;
  RigidSolver solver;
  NewtonSolver newton;
  ContactSolution solution;
  ContactProblem problem;
  const StageTimers& timers = world.workspace().timers;
  Along out;
  for (int k = 0; k < steps; ++k) {
    context.check_stop();
    if (robot.force > 0.0) push(robot.body, Vec3(robot.force, 0.0, 0.0), &world);
    double before[3];
    for (int i = 0; i < 3; ++i) before[i] = timers.seconds(kParts[i]);
    Stopwatch whole;
    const StepReport report = world.step();
    out.step_time.push_back(whole.seconds());
    for (int i = 0; i < 3; ++i) out.parts[i].push_back(timers.seconds(kParts[i]) - before[i]);
    out.unsolved += report.status != StepStatus::done;
    const ContactRecord& c = world.record().contact;
    if (c.problem.islands.empty()) continue;
    for (const bool is_warm : {false, true}) {
      problem = c.problem;
      if (!is_warm) problem.v_start = problem.v_free;
      const ImpulseGuess none;
      Stopwatch watch;
      if (is_newton(name))
        newton.solve(problem, f.newton, &solution);
      else
        solver.solve(problem, find_in_catalog(name)->solver, f.dual, is_warm ? c.guess : none, &solution);
      (is_warm ? out.warm_time : out.cold_time).push_back(watch.seconds());
      (is_warm ? out.warm : out.cold).push_back(solution.report.iterations);
    }
  }
  return out;
}

}  // namespace

ClaimResult cold_and_warm(const ClaimContext& context) {
  // Gauss-Seidel runs into its 10,000 iterations in every step of the humanoid.
  constexpr int kSteps = 100, kStepsOfHumanoid = 10;
  Figure times{"Time of a solve", "solver, in the order of the list", "median (us)", false, true, {}};
  Figure iterations{"Iterations of a solve", "solver, in the order of the list", "median", false, false, {}};
  std::string text, exceptions;
  for (const PushedRobot& robot : pushed_robots()) {
    // Without the impulses of the solver that it settled with: internal forces would be handed on.
    State start = standing(context, robot, kRigidStep).state();
    start.memory = {};
    Curve cold_times{fmt::format("{} cold", robot.name), {}, {}, true}, warm_times{robot.name, {}, {}};
    Curve cold_iterations = cold_times, warm_iterations = warm_times;
    text += fmt::format("{}{}:", text.empty() ? "" : "; ", robot.name);
    double index = 0.0;
    std::vector<double> parts[3];  // us, by formulation
    for (const std::string& name : all_rigid_formulations()) {
      const int steps = std::string_view(robot.kind) == "humanoid" ? kStepsOfHumanoid : kSteps;
      const Along along = measure(context, robot, start, name, steps);
      const double cold = median(along.cold), warm = median(along.warm);
      const double cold_us = 1e6 * median(along.cold_time), warm_us = 1e6 * median(along.warm_time);
      text += fmt::format(" {} {:g} > {:g}, {:.0f} > {:.0f} us, step {:.0f} us{},", name, cold, warm, cold_us,
                          warm_us, 1e6 * median(along.step_time),
                          along.unsolved > 0 ? fmt::format(" ({} unsolved)", along.unsolved) : "");
      for (int i = 0; i < 3; ++i) parts[i].push_back(1e6 * median(along.parts[i]));
      // Pivots start over.
      const bool pivots = name.ends_with("+lemke") || name.ends_with("+dantzig");
      if (!(warm < cold || pivots))
        exceptions += fmt::format("{}{} on the {}", exceptions.empty() ? "" : ", ", name, robot.name);
      index += 1.0;
      cold_times.add(index, cold_us);
      warm_times.add(index, warm_us);
      cold_iterations.add(index, cold);
      warm_iterations.add(index, warm);
    }
    text.pop_back();
    text +=
        fmt::format(" (of a step: collision {:.0f} us, assembly {:.0f} us, solve {:.0f} .. {:.0f} us)",
                    median(parts[0]), median(parts[1]), *std::min_element(parts[2].begin(), parts[2].end()),
                    *std::max_element(parts[2].begin(), parts[2].end()));
    for (Curve* curve : {&cold_times, &warm_times}) times.curves.push_back(std::move(*curve));
    for (Curve* curve : {&cold_iterations, &warm_iterations}) iterations.curves.push_back(std::move(*curve));
  }
  context.save("C8", times);
  context.save("C8_iterations", iterations);
  return {fmt::format(
              "medians of {} steps ({} of the humanoid), cold > warm: {}. Of the solvers that iterate, "
              "warm starts spare iterations to all{}{}",
              kSteps, kStepsOfHumanoid, text, exceptions.empty() ? "" : " but " + exceptions, which_robots()),
          exceptions.empty()};
}

}  // namespace stiction::claims
