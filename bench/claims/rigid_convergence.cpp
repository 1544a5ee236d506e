// How fast the solvers of rigid contact are on robots that stand and are pushed, and on a ball in a hand (C
// section IV-C, Figs. 16, 17): errors of one step, iteration by iteration; iterations and times along a
// motion, from zero impulses and from those of the step before.

#include <algorithm>
#include <cmath>
#include <complex>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <fmt/format.h>

#include "bench/claims/rigid_scenes.h"
#include "stiction/base/timer.h"
#include "stiction/contact/catalog.h"

namespace stiction::claims {
namespace {

struct History {
  Curve curve;
  IslandReport report;
};

// Errors after 0, 1, 2, ... iterations on one problem.
History dual_history(const std::string& name, const DualProblem& problem, int iterations) {
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
  return {curve, report};
}

// What the solution of a problem under Coulomb's law says of the rates of linear convergence.
struct Conditioning {
  int rows = 0, rank = 0;  // of W
  int sticking = 0, sliding = 0, open = 0;
  double condition = 0.0;  // of W + R on its range, scaled by its diagonal: largest over smallest eigenvalue
  // Sweeps and rounds in which an error falls to a tenth in the end, by the largest eigenvalue below 1 of their
  // linear maps.
  double sweeps = 0.0, rounds = 0.0;
};

// The iterations a decade of a linear map; eigenvalues of 1 are of null(J'): nothing moves along them.
double iterations_a_decade(const MatX& map) {
  constexpr double kOne = 1.0 - 1e-10;
  double largest = 0.0;
  const Eigen::EigenSolver<MatX> solver(map, false);
  for (const std::complex<double>& value : solver.eigenvalues())
    if (std::abs(value) < kOne) largest = std::max(largest, std::abs(value));
  return largest > 0.0 ? -1.0 / std::log10(largest) : 0.0;
}

// Rows that move freely at the solution: those of sticking contacts, the normal ones of sliding contacts with the
// friction that goes with them, and scalar rows between their bounds.
Conditioning conditioning_of(const DualProblem& problem) {
  constexpr double kAtBound = 1e-6, kRank = 1e-10;  // of the bound; of the largest eigenvalue
  VecX lambda = VecX::Zero(problem.num_rows());
  DualOptions exact;
  exact.tolerance = 1e-13;
  make_dual_solver(LawKind::coulomb_ncp, "semismooth_newton")->solve(problem, exact, &lambda);
  MatX W = problem.dense();
  W.diagonal() += problem.R;
  Conditioning out;
  out.rows = problem.num_rows();
  const VecX scale = W.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const VecX values =
      Eigen::SelfAdjointEigenSolver<MatX>(scale.asDiagonal() * W * scale.asDiagonal(), Eigen::EigenvaluesOnly)
          .eigenvalues();
  for (const double value : values) {
    if (value < kRank * values.maxCoeff()) continue;
    if (out.rank == 0) out.condition = values.maxCoeff() / value;
    ++out.rank;
  }

  std::vector<int> rows, block_of;      // rows that move, and their blocks
  std::vector<int> normal, tangential;  // among them
  MatX directions = MatX::Zero(out.rows, out.rows);
  const double most = lambda.lpNorm<Eigen::Infinity>();
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    const auto add = [&](int row, bool is_normal) {
      (is_normal ? normal : tangential).push_back(static_cast<int>(rows.size()));
      directions(row, static_cast<Eigen::Index>(rows.size())) = 1.0;
      rows.push_back(row);
      block_of.push_back(b);
    };
    if (!block.is_contact()) {
      const double x = lambda[block.begin], margin = kAtBound * most;
      if (x > block.lower + margin && x < block.upper - margin) add(block.begin, true);
      continue;
    }
    const int n = block.begin + block.tangents;
    const VecX friction = lambda.segment(block.begin, block.tangents);
    if (lambda[n] < kAtBound * most) {
      ++out.open;
      continue;
    }
    if (friction.norm() < (1.0 - kAtBound) * block.friction * lambda[n]) {
      ++out.sticking;
      for (int i = 0; i < block.tangents; ++i) add(block.begin + i, false);
      add(n, true);
    } else {
      ++out.sliding;
      directions.block(block.begin, static_cast<Eigen::Index>(rows.size()), block.tangents, 1) =
          friction / lambda[n];
      add(n, true);
    }
  }
  const auto count = static_cast<Eigen::Index>(rows.size());
  MatX active(count, count);
  const MatX moved = W * directions.leftCols(count);
  for (Eigen::Index i = 0; i < count; ++i) active.row(i) = moved.row(rows[static_cast<std::size_t>(i)]);

  // A sweep: -(D + L)^-1 U by blocks.
  MatX below = active, above = active;
  for (Eigen::Index i = 0; i < count; ++i)
    for (Eigen::Index j = 0; j < count; ++j)
      (block_of[static_cast<std::size_t>(j)] <= block_of[static_cast<std::size_t>(i)] ? above : below)(i, j) =
          0.0;
  out.sweeps = iterations_a_decade(below.fullPivLu().solve(above));
  // A round: normal rows at this friction, then friction.
  const MatX NN = active(normal, normal), NT = active(normal, tangential), TN = active(tangential, normal),
             TT = active(tangential, tangential);
  const auto solve = [&](const MatX& A, const MatX& B) {
    Eigen::CompleteOrthogonalDecomposition<MatX> decomposition(A.rows(), A.cols());
    decomposition.setThreshold(kRank);
    decomposition.compute(A);
    return MatX(decomposition.solve(B));
  };
  out.rounds = iterations_a_decade(solve(TT, TN * solve(NN, NT)));
  return out;
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
  // C stops at kRigidIterations, and so does the verdict; what comes after shows what a solver stopped short of.
  constexpr int kIterations = 100000, kPushed = 20;  // steps
  std::string text, short_of, causes, saturation;
  bool holds = true;
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
    DualProblem problem = *dual_of(world).problem;
    problem.penalty = 0.0;  // a cold start of ADMM's rho too
    const Conditioning c = conditioning_of(problem);
    causes += fmt::format(
        "; {}: {} rows of rank {} ({} contacts stick, {} slide, {} are open), condition {:.0e} on the range "
        "of J; "
        "linearised at the solution a sweep contact by contact takes {:.3g} sweeps a decade, a round of "
        "staggered "
        "projections {:.3g} rounds",
        robot->name, c.rows, c.rank, c.sticking, c.sliding, c.open, c.condition, c.sweeps, c.rounds);
    Figure figure{fmt::format("One step of {}, {:g} N", robot->name, robot->force),
                  "iteration",
                  "relative error",
                  true,
                  true,
                  {}};
    text += fmt::format("{}{} ({} rows):", text.empty() ? "" : "; ", robot->name, problem.num_rows());
    // Runs contact by contact, with each contact solved exactly and with the paper's own steps: how many there
    // are, and how many are above a goal when C stops.
    struct Saturated {
      int runs = 0, mild = 0, high = 0;
    } exact, literal;
    for (const std::string& name : all_rigid_formulations()) {
      context.check_stop();
      Curve curve;
      IslandReport report;
      if (is_newton(name)) {
        World primal = world_of(*robot, rigid_options(name, kRigidStep, 1e-6));
        primal.set_state(before);
        push(robot->body, Vec3(robot->force, 0.0, 0.0), &primal);
        primal.step();
        curve = newton_history(name, primal.record().contact.problem);
      } else {
        History history = dual_history(name, problem, kIterations);
        curve = std::move(history.curve);
        report = history.report;
      }
      constexpr double kMild = 1e-5, kHigh = 1e-9;
      const int mild = first_below(curve, kMild), high = first_below(curve, kHigh);
      const bool has_mild = mild > 0 && mild <= kRigidIterations;
      const bool has_high = high > 0 && high <= kRigidIterations;
      const bool is_named = name.ends_with("+admm") || name.ends_with("+admm_spectral") ||
                            name.ends_with("+staggered") || name == "convex_cone+newton";
      holds &= !is_named || has_high;
      if (is_named && !has_high)
        short_of += fmt::format(
            "{}{} on {} ({})", short_of.empty() ? "" : ", ", name, robot->name,
            high > 0 ? fmt::format("there after {}", high)
                     : fmt::format("{} after {} iterations, {:.0f} products each", name_of(report.status),
                                   report.iterations,
                                   static_cast<double>(report.products) / std::max(1, report.iterations)));
      if (is_per_contact(name)) {
        Saturated& runs = name.ends_with("+pgs_plain") ? literal : exact;
        ++runs.runs;
        runs.mild += !has_mild;
        runs.high += !has_high;
      }
      text += fmt::format(" {} {}/{} ({:.0e}),", name, mild > 0 ? std::to_string(mild) : "-",
                          high > 0 ? std::to_string(high) : "-", least(curve));
      constexpr double kFloor = 1e-18;  // a logarithm takes no zero
      for (double& y : curve.y) y = std::max(y, kFloor);
      figure.curves.push_back(std::move(curve));
    }
    text.pop_back();
    saturation += fmt::format(
        "{}on {} {} (above 1e-9 remain {} of {} runs contact by contact with each contact solved exactly and "
        "{} of {} with the paper's own steps, above 1e-5 {} and {})",
        saturation.empty() ? "" : ", ", robot->name,
        literal.high == literal.runs && exact.high == exact.runs ? "yes"
        : literal.high + exact.high == 0                         ? "no"
                                                                 : "some",
        exact.high, exact.runs, literal.high, literal.runs, exact.mild, literal.mild);
    context.save(std::string_view(which) == "quadruped" ? "C7" : "C7_humanoid", figure);
  }
  return {
      fmt::format("iterations to 1e-5 / to 1e-9 (least error within {}): {}. Within {}: those that are named "
                  "and miss 1e-9: {}; PGS saturates: {}. Why{}{}",
                  kIterations, text, kRigidIterations, short_of.empty() ? "none" : short_of, saturation,
                  causes, which_robots()),
      holds};
}

namespace {

constexpr int kParts[2] = {kCollision, kAssemble};

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

struct Along {
  std::vector<double> cold, warm;            // iterations by step
  std::vector<double> cold_time, warm_time;  // s, of the solver alone, by step
  std::vector<double> step_time;             // s, whole steps, warm
  std::vector<double> parts[2];              // s, by step, of kParts
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
    double before[2];
    for (int i = 0; i < 2; ++i) before[i] = timers.seconds(kParts[i]);
    Stopwatch whole(processor_seconds);
    const StepReport report = world.step();
    out.step_time.push_back(whole.seconds());
    for (int i = 0; i < 2; ++i) out.parts[i].push_back(timers.seconds(kParts[i]) - before[i]);
    out.unsolved += report.status != StepStatus::done;
    const ContactRecord& c = world.record().contact;
    if (c.problem.islands.empty()) continue;
    for (const bool is_warm : {false, true}) {
      problem = c.problem;
      if (!is_warm) {
        problem.v_start = problem.v_free;
        problem.v_guesses.clear();  // accelerations of the steps before
      }
      const ImpulseGuess none;
      Stopwatch watch(processor_seconds);
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
  std::string text;
  // Those whose median does not fall, by reason.
  std::string at_once, capped, without_guess, others;
  const auto put = [](std::string* list, const std::string& what) {
    *list += (list->empty() ? "" : ", ") + what;
  };
  for (const PushedRobot& robot : pushed_robots()) {
    // Without the impulses of the solver that it settled with: internal forces would be handed on.
    State start = standing(context, robot, kRigidStep).state();
    start.memory = {};
    Curve cold_times{fmt::format("{} cold", robot.name), {}, {}, true}, warm_times{robot.name, {}, {}};
    Curve cold_iterations = cold_times, warm_iterations = warm_times;
    text += fmt::format("{}{}:", text.empty() ? "" : "; ", robot.name);
    double index = 0.0;
    std::vector<double> parts[2];  // us, by formulation
    for (const std::string& name : all_rigid_formulations()) {
      const int steps = std::string_view(robot.kind) == "humanoid" ? kStepsOfHumanoid : kSteps;
      const Along along = measure(context, robot, start, name, steps);
      const double cold = median(along.cold), warm = median(along.warm);
      const double cold_us = 1e6 * median(along.cold_time), warm_us = 1e6 * median(along.warm_time);
      text += fmt::format(" {} {:g} > {:g}, {:.0f} > {:.0f} us, step {:.0f} us{},", name, cold, warm, cold_us,
                          warm_us, 1e6 * median(along.step_time),
                          along.unsolved > 0 ? fmt::format(" ({} unsolved)", along.unsolved) : "");
      for (int i = 0; i < 2; ++i) parts[i].push_back(1e6 * median(along.parts[i]));
      if (!(warm < cold)) {
        const bool takes_no_guess =
            name.ends_with("+lemke") || name.ends_with("+dantzig") || name.ends_with("+interior_point");
        const std::string what = fmt::format("{} on {} ({:g} > {:g}; means {:.3g} > {:.3g})", name,
                                             robot.name, cold, warm, mean(along.cold), mean(along.warm));
        put(takes_no_guess             ? &without_guess
            : cold <= 1.0              ? &at_once
            : warm >= kRigidIterations ? &capped
                                       : &others,
            what);
      }
      index += 1.0;
      cold_times.add(index, cold_us);
      warm_times.add(index, warm_us);
      cold_iterations.add(index, cold);
      warm_iterations.add(index, warm);
    }
    text.pop_back();
    text += fmt::format(" (of a step: collision {:.0f} us, assembly {:.0f} us, the rest is the solver)",
                        median(parts[0]), median(parts[1]));
    for (Curve* curve : {&cold_times, &warm_times}) times.curves.push_back(std::move(*curve));
    for (Curve* curve : {&cold_iterations, &warm_iterations}) iterations.curves.push_back(std::move(*curve));
  }
  context.save("C8", times);
  context.save("C8_iterations", iterations);
  const auto reason = [](const char* why, const std::string& list) {
    return list.empty() ? std::string() : fmt::format("; {}: {}", why, list);
  };
  return {
      fmt::format(
          "medians of {} steps ({} of the humanoid), cold > warm, processor time: {}. Medians that do not "
          "fall{}{}{}{}{}",
          kSteps, kStepsOfHumanoid, text,
          reason("one iteration or none is needed cold, than which there is not less", at_once),
          reason("the limit of iterations is met either way (C7 has the rate)", capped),
          reason(
              "the algorithm takes no guess: pivots begin at zero impulses, the interior point at the centre "
              "of the cones",
              without_guess),
          reason("others", others), which_robots()),
      at_once.empty() && capped.empty() && without_guess.empty() && others.empty()};
}

}  // namespace stiction::claims
