// Staggered projections (C Alg. 7; Kaufman, Sueda, James, Pai 2008): the contact law as two convex problems,
// each solved with the other's answer fixed, round after round,
//
//   lambda_N = argmin 1/2 x' (W + R)_NN x + (r + W_NT lambda_T)_N' x    over x_n >= 0, scalar rows in boxes,
//   lambda_T = argmin 1/2 x' (W + R)_TT x + (r + W_TN lambda_N)_T' x    over |x_t| <= mu lambda_n, a disc
//                                                                      or, for pyramid_lcp, the polygon.
//
// A fixed point is a solution: the first problem gives Signorini's condition, the second the friction of most
// dissipation at these normal impulses.
//
// Each half is solved by the ADMM of admm.h on its rows, with a factor, a penalty and multipliers of its own
// that are kept from round to round, to a natural map error of kInner times that of the last round, so that
// early rounds are cheap. A round is a map of lambda_T, whose fixed point iteration is accelerated by
// Anderson's method (anderson.h); a proposal after which the error more than doubles is rejected.
//
// From lambda = 0 each half stays in the range of its own rows of J: no internal forces among normal or among
// tangential impulses beyond what their sets ask for.
//
// Limits: the rounds need not converge. Where friction carries weight (a ladder, a wedge, a grasp) the halves
// are strongly coupled; plain rounds then cycle or diverge, and acceleration helps in many of these cases but
// not in all. An iteration in the report is a round, of tens of solves.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/contact/dual/admm.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {
namespace {

constexpr double kInner = 0.2;      // error that a half is solved to, relative to that of the last round
constexpr double kInnerGoal = 0.1;  // and its smallest value, relative to the tolerance
constexpr int kInnerIterations = 300;
constexpr double kWorseError = 2.0;  // growth of the error above which a proposal is rejected
// Rounds without a better error, the larger of the two: stalled.
constexpr int kPatience = 200;
constexpr double kPatienceShare = 0.2;  // of max_iterations
constexpr int kRoundOffRounds = 15;     // rounds without a better error, where it is within round-off
constexpr double kStill = 1e-15;        // of lambda_T: a smaller change is none

class StaggeredSolver final : public DualSolver {
 public:
  explicit StaggeredSolver(LawKind law)
      : law_(law), normals_(law, AdmmRows::normals), tangents_(law, AdmmRows::tangents) {}

  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override;

 private:
  double error_at(const VecX& lambda);
  double relative_error_at(const VecX& lambda);
  void begin(const DualProblem& problem, const DualOptions& options);
  SolveStatus solve_half(Admm* half, double goal, IslandReport* report, VecX* lambda);
  void take_friction(const VecX& from, VecX* to) const;
  void project(VecX* lambda) const;

  LawKind law_;
  Admm normals_, tangents_;
  Anderson anderson_;
  const DualProblem* problem_ = nullptr;
  ErrorMeasure measure_;
  VecX s_, best_, friction_, change_, weights_, plain_, next_;
};

double StaggeredSolver::error_at(const VecX& lambda) {
  problem_->velocities(lambda, &s_);
  return problem_->error(measure_, lambda, s_);
}

// The error that the halves are measured by.
double StaggeredSolver::relative_error_at(const VecX& lambda) {
  problem_->velocities(lambda, &s_);
  return problem_->error({law_, measure_.pyramid}, lambda, s_);
}

void StaggeredSolver::begin(const DualProblem& problem, const DualOptions& options) {
  problem_ = &problem;
  measure_ = options.measure(law_);
  normals_.begin(problem, measure_);
  tangents_.begin(problem, measure_);
  anderson_.begin(problem.num_rows());
  // Norm of friction: |lambda| / sqrt(rho); the other rows do not count.
  weights_.setZero(problem.num_rows());
  for (const DualBlock& block : problem.blocks)
    if (block.rho > 0.0)
      for (int i = 0; i < block.tangents; ++i) weights_[block.begin + i] = 1.0 / std::sqrt(block.rho);
}

// Copies the friction rows.
void StaggeredSolver::take_friction(const VecX& from, VecX* to) const {
  for (int i = 0; i < weights_.size(); ++i)
    if (weights_[i] > 0.0) (*to)[i] = from[i];
}

// Projects friction on the cones at the present normal impulses, since a half that needed no iteration has
// not.
void StaggeredSolver::project(VecX* lambda) const {
  for (const DualBlock& block : problem_->blocks) {
    if (!block.is_contact() || !(block.rho > 0.0)) continue;
    double* x = lambda->data() + block.begin;
    x[block.tangents] = std::max(0.0, x[block.tangents]);
    project_on_section(law_, measure_.pyramid, block.friction * x[block.tangents], block.tangents, x);
  }
}

SolveStatus StaggeredSolver::solve_half(Admm* half, double goal, IslandReport* report, VecX* lambda) {
  const IslandReport inner = half->iterate(goal, kInnerIterations, nullptr, lambda);
  report->factorisations += inner.factorisations;
  report->products += inner.iterations;
  return inner.status;
}

IslandReport StaggeredSolver::solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) {
  STICTION_ASSERT(lambda->size() == problem.num_rows());
  const double goal = options.goal();
  const double patience = std::max<double>(kPatience, kPatienceShare * options.max_iterations);
  begin(problem, options);

  IslandReport report;
  report.status = SolveStatus::max_iterations;
  double error = error_at(*lambda), best_error = error, trial_error = error;
  best_ = *lambda;
  if (!std::isfinite(error)) report.status = SolveStatus::not_finite;
  if (error <= goal) report.status = SolveStatus::converged;
  bool is_trial = false, is_tight = false;
  int since_best = 0;
  friction_.setZero(problem.num_rows());
  change_.setZero(problem.num_rows());
  take_friction(*lambda, &friction_);

  while (report.status == SolveStatus::max_iterations && report.iterations < options.max_iterations) {
    ++report.iterations;
    // Normal impulses at this friction, friction at these normal impulses.
    const double relative = measure_.is_absolute ? relative_error_at(*lambda) : error;
    // An absolute goal is as far below the error as the relative one would be.
    const double relative_goal = measure_.is_absolute ? relative * std::min(1.0, goal / error) : goal;
    const double inner_goal =
        is_tight ? kInnerGoal * relative_goal : std::max(kInnerGoal * relative_goal, kInner * relative);
    const SolveStatus normal = solve_half(&normals_, inner_goal, &report, lambda);
    const SolveStatus tangential = solve_half(&tangents_, inner_goal, &report, lambda);
    project(lambda);
    error = error_at(*lambda);
    if (options.history) options.history->push_back(error);
    ++since_best;
    if (error < best_error) {
      since_best = 0;
      best_error = error;
      best_ = *lambda;
    }
    if (!std::isfinite(error) || normal == SolveStatus::not_finite || tangential == SolveStatus::not_finite)
      report.status = SolveStatus::not_finite;
    else if (best_error <= goal)
      report.status = SolveStatus::converged;
    else if (best_error <= problem.round_off(measure_, best_) && since_best >= kRoundOffRounds)
      report.status = SolveStatus::round_off;
    else if (since_best >= patience)
      report.status = SolveStatus::stalled;
    if (report.status != SolveStatus::max_iterations) break;

    // The friction that the next round starts from.
    if (is_trial && error > kWorseError * trial_error) {
      is_trial = false;
      anderson_.clear();
      friction_ = plain_;
    } else {
      change_ = -friction_;
      for (int i = 0; i < weights_.size(); ++i)
        if (weights_[i] > 0.0) change_[i] += (*lambda)[i];
      // Where the halves needed no iteration, friction has not changed: solve them to a smaller error.
      const bool is_still =
          weights_.cwiseProduct(change_).norm() <= kStill * weights_.cwiseProduct(friction_).norm();
      const bool is_cut = normal == SolveStatus::max_iterations || tangential == SolveStatus::max_iterations;
      if (is_still && is_tight && !is_cut)
        report.status =
            best_error <= problem.round_off(measure_, best_) ? SolveStatus::round_off : SolveStatus::stalled;
      is_tight = is_still;
      plain_ = friction_ + change_;
      trial_error = error;
      is_trial = anderson_.mix(friction_, change_, weights_, &next_);
      friction_.swap(next_);
    }
    take_friction(friction_, lambda);
  }
  *lambda = best_;
  report.residual = best_error;
  return report;
}

}  // namespace

std::unique_ptr<DualSolver> make_staggered(LawKind law) { return std::make_unique<StaggeredSolver>(law); }

}  // namespace stiction
