#include "stiction/contact/newton/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "stiction/base/parallel.h"
#include "stiction/contact/law/compliant_laws.h"
#include "stiction/contact/newton/conjugate_gradient.h"
#include "stiction/contact/newton/coupled_newton.h"
#include "stiction/contact/newton/island_system.h"
#include "stiction/contact/newton/line_search.h"
#include "stiction/math/factor_forecast.h"
#include "stiction/math/simd.h"
#include "stiction/math/supernodal_cholesky.h"
#include "stiction/math/swept_system.h"

namespace stiction {

// Iterations after which a continuation starts; the hardest steps of the papers' scenes take some 70.
static constexpr int kPatience = 100;

// The linear algebra and the iteration of one island.
struct NewtonSolver::IslandWork {
  IslandSystem system;
  BlockSparseMatrix H;
  SupernodalCholesky cholesky;
  PackedVector packed;
  FactorForecast forecast;
  ConjugateGradient conjugate_gradient;
  SweptSystem swept;
  CoupledNewton coupled;

  // Which linear solver this island uses; decided when the first direction is needed.
  std::optional<bool> is_cg, is_swept;

  bool takes_sweeps(const NewtonOptions& options);
  bool forecasts_conjugate_gradient(const NewtonOptions& options);
  bool takes_conjugate_gradient(const NewtonOptions& options) {
    if (!is_cg) is_cg = forecasts_conjugate_gradient(options);
    return *is_cg;
  }
  class CoupledSteps;

  bool factorise(IslandReport* report);
  void solve_with_factor(IslandSystem::Vector* x);
  bool take_start(const NewtonOptions& options);
  bool find_direction_by_sweeps(bool is_reused, double forcing, IslandReport* report);
  bool find_direction(const NewtonOptions& options, bool is_reused, double forcing, IslandReport* report);
  bool stride(const NewtonOptions& options, double tolerance, int most, bool is_guess, IslandReport* report);
  void descend(const NewtonOptions& options, double tolerance, int most, bool is_guess, IslandReport* report);
  IslandReport iterate(const ContactProblem& problem, const Island& island, const NewtonOptions& options,
                       IslandScratch* scratch);
};

bool NewtonSolver::IslandWork::takes_sweeps(const NewtonOptions& options) {
  constexpr int kMany = 100;         // particles; fewer are factorised in the time of about ten sweeps
  constexpr double kTooStiff = 300;  // stiffness(), above which too many sweeps are needed
  if (!is_swept) {
    is_swept = options.linear_solver == LinearSolver::automatic && system.num_trees() >= kMany &&
               system.is_of_particles() && system.stiffness() < kTooStiff;
  }
  return *is_swept;
}

bool NewtonSolver::IslandWork::forecasts_conjugate_gradient(const NewtonOptions& options) {
  if (options.linear_solver != LinearSolver::automatic)
    return options.linear_solver == LinearSolver::conjugate_gradient;
  // Velocities (a thousand free bodies) below which even a full matrix is factorised in less time than
  // hundreds of products take.
  constexpr int kSmall = 6000;
  if (system.v.size() < kSmall) return false;
  // Estimates: operations per second of a factorisation on one core, time of a patch in a product, and number
  // of products in one step. (A pile of a thousand bodies is four times faster with the factor.)
  constexpr double kOperationsPerSecond = 1e10, kProducts = 300.0, kSecondsPerPatch = 6e-8;
  constexpr double kMaxNumbers = 2.5e8;  // 2 GB
  system.forecast(&forecast);
  return forecast.numbers() > kMaxNumbers ||
         forecast.operations() / kOperationsPerSecond >
             kProducts * kSecondsPerPatch * (system.num_patches() + system.rows.size());
}

bool NewtonSolver::IslandWork::factorise(IslandReport* report) {
  for (double share = 0.0; share >= 0.0; share = next_share(share)) {
    system.assemble(&H);
    if (share > 0.0) add_share_of_diagonal(share, system.block_sizes(), &H);
    ++report->factorisations;
    if (!cholesky.factorise(&H).is_positive_definite()) continue;
    report->regularisation = std::max(report->regularisation, share);
    return true;
  }
  return false;
}

// Evaluates the system at v_start or, where that is not the minimum, at the first guess whose cost and
// gradient are smaller: then true.
bool NewtonSolver::IslandWork::take_start(const NewtonOptions& options) {
  const double cost = system.evaluate();
  const Gauge start = gauge(&system, true);
  const bool is_good =
      !(start.gradient > start.bound(options.absolute_tolerance, options.relative_tolerance));
  // Without contacts the rows are piecewise linear and take a step or two from v_start.
  if (is_good || system.num_patches() == 0 || options.max_iterations == 0) return false;
  // A guess must be clearly better: in piles a slightly smaller cost may come with other open and closed
  // points, which takes more iterations than it saves.
  constexpr double kShare = 0.5;
  IslandSystem::Vector& v_start = system.work[1];
  v_start = system.v;
  for (const VecX& guess : system.problem().v_guesses) {
    system.set_v(guess);
    if (system.evaluate() < cost && gauge(&system, true).gradient < kShare * start.gradient) return true;
  }
  if (system.problem().v_guesses.empty()) return false;
  system.v = v_start;
  system.evaluate();
  return false;
}

// Relative tolerance for H dv = -grad in iterative solvers (forcing term): loose far from the minimum,
// tighter as the gradient falls, never tighter than the goal needs. fall: ratio of the gradients of the last
// step.
static double forcing_of(double loosest, double fall, double gradient, double bound) {
  constexpr double kShareOfGoal = 0.3;
  return std::min(loosest, std::max(fall * fall, kShareOfGoal * bound / gradient));
}

// Loosest forcing terms, of sweeps and of conjugate gradients, whose iterations cost more.
static constexpr double kLoosestSweeps = 0.01, kLoosest = 0.1;

// False if they take too long; then the factorisation is used.
bool NewtonSolver::IslandWork::find_direction_by_sweeps(bool is_reused, double forcing,
                                                        IslandReport* report) {
  constexpr int kMost = 100;  // sweeps, about the time of a factorisation
  if (!is_reused) {
    system.assemble(&swept);
    if (!swept.prepare()) return false;
  }
  system.dv = -system.gradient;
  const int count = swept.solve(system.dv, system.scale, forcing, kMost, system.dv);
  report->products += count;
  return count < kMost;
}

// dv = -H^-1 grad, with the last factor of H where is_reused.
bool NewtonSolver::IslandWork::find_direction(const NewtonOptions& options, bool is_reused, double forcing,
                                              IslandReport* report) {
  if (takes_sweeps(options)) {
    if (find_direction_by_sweeps(is_reused, forcing, report)) return true;
    is_swept = false;
    is_reused = false;
  }
  if (!is_reused && !factorise(report)) return false;
  system.dv = -system.gradient;
  solve_with_factor(&system.dv);
  return true;
}

void NewtonSolver::IslandWork::solve_with_factor(IslandSystem::Vector* x) {
  H.pack(*x, &packed);
  cholesky.solve(H, &packed);
  H.unpack(packed, *x);
}

// Full steps from system.v, at which the system is evaluated. True if they reach the minimum; otherwise
// system.v is the iterate of lowest cost.
bool NewtonSolver::IslandWork::stride(const NewtonOptions& options, double tolerance, int most, bool is_guess,
                                      IslandReport* report) {
  // With several trees, a contact of one of them should not shorten the steps of the others.
  const bool is_alone = system.num_trees() == 1;
  constexpr double kTooShort = 0.2;
  constexpr int kMostInVain = 5;  // steps in a row that do not lower the cost
  IslandSystem::Vector& best = system.work[2];
  double last = 0.0, least_cost = std::numeric_limits<double>::infinity();
  bool has_factor = false;
  int in_vain = 0;
  for (int i = 0;; ++i) {
    if (i > 0) {
      system.evaluate();
      ++report->iterations;
    }
    const bool is_predicted = system.is_predicted();
    const Gauge measured = gauge(&system, report->iterations == 0 && !is_guess);
    const double now = measured.gradient, bound = measured.bound(options.absolute_tolerance, tolerance);
    if (!std::isfinite(now)) break;
    report->residual = measured.residual();
    if (now <= bound && !is_predicted && !(is_guess && i == 0)) return true;
    ++in_vain;
    if (system.cost() < least_cost) {
      least_cost = system.cost();
      best = system.v;
      in_vain = 0;
    }
    if (in_vain == kMostInVain || i == std::min(options.full_steps, most)) break;
    if (!takes_sweeps(options) && takes_conjugate_gradient(options)) break;

    const bool falls_fast = has_factor && !is_predicted && now < 0.1 * last && now * (now / last) <= bound;
    const double forcing = forcing_of(kLoosestSweeps, has_factor ? now / last : 1.0, now, bound);
    if (!find_direction(options, options.reuse_factor && falls_fast, forcing, report)) break;
    has_factor = !is_predicted;
    last = now;
    const bool is_searched = is_alone && !is_predicted;
    if (is_searched || system.has_barrier()) system.set_direction();
    const bool is_end =
        !is_predicted && system.dv.cwiseQuotient(system.scale).norm() <= resolved_velocity(system);
    double alpha = 1.0;
    if (is_searched && !is_end) {
      alpha = line_search(system, options.line_search, &report->line_evaluations);
      if (alpha < kTooShort) alpha = 1.0;
    }
    if (system.has_barrier()) alpha = std::min(alpha, system.longest_step());
    system.v += alpha * system.dv;
    if (is_end) {
      system.evaluate();  // the impulses of these velocities
      ++report->iterations;
      return true;
    }
    system.mark_reversals(alpha);
  }
  if (std::isfinite(least_cost)) system.v = best;
  system.forget_reversals();
  system.evaluate();
  return false;
}

// Newton's method from system.v, at which the system is evaluated. Adds to the counts of the report and sets
// its status and residual.
void NewtonSolver::IslandWork::descend(const NewtonOptions& options, double tolerance, int most,
                                       bool is_guess, IslandReport* report) {
  double last = 0.0;
  bool has_factor = false;
  int nudges = 0;
  report->status = SolveStatus::converged;
  if (options.full_steps > 0 && most > 0) {
    const int before = report->iterations;
    if (stride(options, tolerance, most, is_guess, report)) return;
    most -= report->iterations - before;
    is_guess = is_guess && report->iterations == before;
  }
  for (int i = 0;; ++i, ++report->iterations) {
    if (i > 0) system.evaluate();
    const Gauge measured = gauge(&system, report->iterations == 0 && !is_guess);
    const double now = measured.gradient, bound = measured.bound(options.absolute_tolerance, tolerance);
    report->residual = measured.residual();
    if (!std::isfinite(now)) {
      report->status = SolveStatus::not_finite;
      return;
    }
    // Even a guess within the tolerance takes one step: a Newton step balances momentum to round-off.
    if (now <= bound && !(is_guess && i == 0)) return;
    if (i == most) {
      report->status = SolveStatus::max_iterations;
      return;
    }

    bool has_direction = true;
    const bool is_by_sweeps = takes_sweeps(options);
    const double forcing =
        forcing_of(is_by_sweeps ? kLoosestSweeps : kLoosest, has_factor ? now / last : 1.0, now, bound);
    if (!is_by_sweeps && takes_conjugate_gradient(options)) {
      double share = 0.0;
      has_direction = conjugate_gradient.prepare(&system, &share);
      report->regularisation = std::max(report->regularisation, share);
      if (has_direction) report->products += conjugate_gradient.solve(&system, forcing);
    } else {
      // A new factor, unless the old one suffices for one last step.
      const bool falls_fast = has_factor && now < 0.1 * last && now * (now / last) <= bound;
      has_direction = find_direction(options, options.reuse_factor && falls_fast, forcing, report);
    }
    if (!has_direction) {
      report->status = SolveStatus::not_finite;
      return;
    }
    has_factor = true;
    last = now;
    system.set_direction();
    double alpha = line_search(system, options.line_search, &report->line_evaluations);
    // The step test: a whole Newton step below the round-off of v is at the minimum, even where round-off in
    // stiff contacts keeps the gradient above its bound. If the step was shortened, v is at a nonsmooth point
    // of the law, with the Hessian of the wrong side: a small extra step crosses it.
    constexpr int kMostNudges = 20;
    const double smallest = resolved_velocity(system), whole = system.dv.cwiseQuotient(system.scale).norm();
    if (alpha * whole <= smallest) {
      if (whole > smallest && nudges < kMostNudges) {
        alpha = std::min({1.0, std::ldexp(smallest / whole, ++nudges), system.longest_step()});
      } else {
        if (whole > smallest)
          report->status = now <= system.round_off() ? SolveStatus::round_off : SolveStatus::stalled;
        system.v += alpha * system.dv;
        system.evaluate();  // the impulses of these velocities
        ++report->iterations;
        return;
      }
    }
    system.v += alpha * system.dv;
  }
}

// What the iteration of a law without a cost takes from this one.
class NewtonSolver::IslandWork::CoupledSteps final : public ConvexSteps {
 public:
  CoupledSteps(IslandWork* work, const NewtonOptions& options) : work_(*work), options_(options) {}
  bool factorise(IslandReport* report) override { return work_.factorise(report); }
  bool find_direction(double tolerance, IslandReport* report) override {
    return work_.find_direction(options_, false, tolerance, report);
  }
  void solve(IslandSystem::Vector* x) override { work_.solve_with_factor(x); }
  void descend(double tolerance, int most, IslandReport* report) override {
    work_.descend(options_, tolerance, most, false, report);
  }
  bool avoids_factors() override { return work_.takes_conjugate_gradient(options_); }

 private:
  IslandWork& work_;
  const NewtonOptions& options_;
};

IslandReport NewtonSolver::IslandWork::iterate(const ContactProblem& problem, const Island& island,
                                               const NewtonOptions& options, IslandScratch* scratch) {
  IslandReport report;
  is_cg.reset();
  is_swept.reset();
  system.begin(problem, island, scratch);
  if (system.is_coupled()) {
    system.make_start_feasible();
    CoupledSteps steps(this, options);
    return coupled.solve(&system, options, &steps);
  }
  const double tolerance = options.relative_tolerance;
  system.make_start_feasible();
  const bool is_guess = take_start(options);
  descend(options, tolerance, std::min(options.max_iterations, kPatience), is_guess, &report);
  const bool is_done = is_solved(report.status) || report.status == SolveStatus::not_finite;
  if (is_done || options.max_iterations <= kPatience) return report;
  // Continuation: heavier bodies first, each solution as the start for lighter ones.
  constexpr double kLooseTolerance = 1e-3, kFirst = 1e6, kLighter = 0.1;
  for (double factor = kFirst; factor > 1.0; factor *= kLighter) {
    system.inertia_factor = factor;
    system.evaluate();
    descend(options, kLooseTolerance, std::min(options.max_iterations - report.iterations, kPatience), false,
            &report);
    if (report.status == SolveStatus::not_finite) return report;
  }
  system.inertia_factor = 1.0;
  system.evaluate();
  descend(options, tolerance, options.max_iterations - report.iterations, false, &report);
  return report;
}

NewtonSolver::NewtonSolver() : shared_(std::make_unique<IslandScratch>()) {}
NewtonSolver::~NewtonSolver() = default;
NewtonSolver::NewtonSolver(NewtonSolver&&) noexcept = default;
NewtonSolver& NewtonSolver::operator=(NewtonSolver&&) noexcept = default;

namespace {

Island all_islands(const ContactProblem& problem) {
  const Island &first = problem.islands.front(), &last = problem.islands.back();
  return {first.tree_begin, last.tree_end,     first.body_begin, last.body_end,   first.patch_begin,
          last.patch_end,   first.point_begin, last.point_end,   first.row_begin, last.row_end};
}

}  // namespace

void NewtonSolver::solve(const ContactProblem& problem, const NewtonOptions& options,
                         ContactSolution* solution) {
  IslandScratch& shared = *shared_;
  shared.resize(problem);
  if (works_.size() < problem.trees.size()) works_.resize(problem.trees.size());

  // Trees without contact move freely.
  solution->v = problem.v_free;
  solution->impulses.resize(4 * problem.frames.size());
  solution->moments.resize(4 * problem.friction_lengths.size());
  solution->row_impulses.resize(problem.rows.size());
  solution->report = {};
  const bool is_one = !options.use_islands && !problem.islands.empty();
  if (is_one) everything_ = all_islands(problem);
  const Island* islands = is_one ? &everything_ : problem.islands.data();
  const int count = is_one ? 1 : static_cast<int>(problem.islands.size());
  solution->islands.resize(static_cast<std::size_t>(count));

  for (int i = 0; i < count; ++i) {
    std::unique_ptr<IslandWork>& work = works_[problem.island_trees[islands[i].tree_begin]];
    if (!work) work = std::make_unique<IslandWork>();
  }
  parallel_for(count, 1, [&](int i) {
    const Island& island = islands[i];
    IslandWork& work = *works_[problem.island_trees[island.tree_begin]];
    solution->islands[i] = work.iterate(problem, island, options, &shared);
    for (int k = island.tree_begin; k < island.tree_end; ++k) {
      const ProblemTree& tree = problem.trees[problem.island_trees[k]];
      solution->v.segment(tree.v_begin, tree.num_v) =
          work.system.v.segment(work.system.offset_of(k - island.tree_begin), tree.num_v);
    }
    for (int k = island.row_begin; k < island.row_end; ++k)
      solution->row_impulses[problem.island_rows[k]] = work.system.rows.impulse(k - island.row_begin);
    for (int p = island.point_begin; p < island.point_end; ++p) {
      const int j = p - island.point_begin;
      const simd::Pack t = {work.system.points.tx[j], work.system.points.ty[j], work.system.points.tz[j],
                            0.0};
      simd::store(solution->impulses.data() + 4 * p,
                  simd::load(problem.frames[p].n) * work.system.points.gn[j] + t * work.system.points.gt[j]);
      if (!problem.friction_lengths.empty())
        simd::store(solution->moments.data() + 4 * p,
                    simd::load(work.system.points.turn.data() + 4 * j) * work.system.points.gt[j]);
    }
  });

  solution->report.islands = count;
  for (int i = 0; i < count; ++i)
    add_to_report(solution->islands[i], problem.island_trees[islands[i].tree_begin], &solution->report);
}

double NewtonSolver::evaluate(const ContactProblem& problem, const VecX& v, VecX* gradient, MatX* hessian) {
  NewtonOptions options;
  options.max_iterations = 0;
  options.use_islands = false;
  ContactSolution nothing;
  solve(problem, options, &nothing);  // sizes everything
  const auto n = problem.v_free.size();
  gradient->setZero(n);
  if (hessian) hessian->setZero(n, n);
  double cost = 0.0;
  for (std::size_t t = 0; t < problem.trees.size(); ++t) {
    const ProblemTree& tree = problem.trees[t];
    const VecX x = (v - problem.v_free).segment(tree.v_begin, tree.num_v);
    VecX y(tree.num_v);
    multiply_A(problem, static_cast<int>(t), x.data(), y.data());
    cost += 0.5 * x.dot(y);
    gradient->segment(tree.v_begin, tree.num_v) = y;
    for (int c = 0; hessian && c < tree.num_v; ++c) {
      const VecX unit = VecX::Unit(tree.num_v, c);
      multiply_A(problem, static_cast<int>(t), unit.data(), y.data());
      hessian->block(tree.v_begin, tree.v_begin + c, tree.num_v, 1) = y;
    }
  }
  if (problem.islands.empty()) return cost;

  const Island& island = everything_;
  IslandWork& work = *works_[problem.island_trees[island.tree_begin]];
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const ProblemTree& tree = problem.trees[problem.island_trees[i]];
    const int at = work.system.offset_of(i - island.tree_begin);
    work.system.v.segment(at, tree.num_v) = v.segment(tree.v_begin, tree.num_v);
    cost -= 0.5 * (v - problem.v_free)
                      .segment(tree.v_begin, tree.num_v)
                      .dot(gradient->segment(tree.v_begin, tree.num_v));
  }
  cost += work.system.evaluate();
  MatX H;
  if (hessian) {
    work.system.assemble(&work.H);
    H = work.H.to_dense();
    if (work.system.is_coupled()) {
      // Column by column.
      IslandSystem::Vector &unit = work.system.dv, &column = work.system.A_dv;
      for (Eigen::Index c = 0; c < H.cols(); ++c) {
        unit.setZero();
        unit[c] = 1.0;
        work.system.multiply_coupling(unit, &column);
        H.col(c) += column;
      }
    }
  }
  for (int i = island.tree_begin; i < island.tree_end; ++i) {
    const ProblemTree& row = problem.trees[problem.island_trees[i]];
    const int at = work.system.offset_of(i - island.tree_begin);
    gradient->segment(row.v_begin, row.num_v) = work.system.gradient.segment(at, row.num_v);
    for (int j = island.tree_begin; hessian && j < island.tree_end; ++j) {
      const ProblemTree& col = problem.trees[problem.island_trees[j]];
      hessian->block(row.v_begin, col.v_begin, row.num_v, col.num_v) =
          H.block(at, work.system.offset_of(j - island.tree_begin), row.num_v, col.num_v);
    }
  }
  return cost;
}

}  // namespace stiction
