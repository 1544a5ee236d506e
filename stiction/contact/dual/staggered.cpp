// Staggered projections (C Alg. 7; Kaufman, Sueda, James, Pai 2008): the law of contact as two convex
// problems, each of which takes the other's answer as given,
//
//   lambda_N = argmin 1/2 x' (W + R)_NN x + (r + W_NT lambda_T)_N' x    over x_n >= 0, scalar rows in boxes,
//   lambda_T = argmin 1/2 x' (W + R)_TT x + (r + W_TN lambda_N)_T' x    over |x_t| <= mu lambda_n, a disc
//                                                                      or, for pyramid_lcp, the polygon,
//
// round after round. A fixed point is a solution: the first problem gives Signorini's condition, the second
// one the friction that takes the most power at these normal impulses.
//
// Each half is solved by the ADMM of admm.h on its rows, with a factor, a penalty and multipliers of its own
// that stay from round to round, to a natural map error of kInner times that of the last round: early rounds
// are cheap. A round is a map of lambda_T, which Anderson's acceleration (anderson.h) drives to its fixed
// point; its proposal is taken back where the error more than doubles.
//
// From lambda = 0 each half stays in the range of its own rows of J: no internal forces among normal or among
// tangential impulses beyond what their sets ask for.
//
// What it gets wrong: the rounds need not converge. Friction that carries weight (a ladder, a wedge, a
// grasp) couples the halves strongly; plain rounds then cycle or diverge, and Anderson's mixture mends many
// of these cases but not all. An iteration in the report is a round, of tens of solves.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/dual/admm.h"

namespace stiction {
namespace {

constexpr double kInner = 0.2;      // error of a half, of the last round's
constexpr double kInnerGoal = 0.1;  // and of the tolerance, at the least
constexpr int kInnerIterations = 300;
constexpr double kWorseError = 2.0;  // a proposal is taken back where the error grows by more
constexpr int kPatience = 200;       // rounds without a better error: it cycles
constexpr int kRoundOffRounds = 15;  // without a better error within the round-off: no more to be had
constexpr double kStill = 1e-15;     // of lambda_T: a round that changes less changes nothing
constexpr double kRoundOff = 16.0 * std::numeric_limits<double>::epsilon();  // of |lambda_b| / rho_b

class StaggeredSolver final : public DualSolver {
 public:
  explicit StaggeredSolver(LawKind law)
      : law_(law), normals_(law, AdmmRows::normals), tangents_(law, AdmmRows::tangents) {}

  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override;

 private:
  double error_at(const VecX& lambda);
  double round_off() const;
  void begin(const DualProblem& problem, const DualOptions& options);
  SolveStatus solve_half(Admm* half, double goal, IslandReport* report, VecX* lambda);
  void take_friction(const VecX& from, VecX* to) const;
  void project(VecX* lambda) const;

  LawKind law_;
  Admm normals_, tangents_;
  Anderson anderson_;
  const DualProblem* problem_ = nullptr;
  Pyramid pyramid_;
  VecX s_, best_, friction_, change_, weights_, plain_, next_;
};

double StaggeredSolver::error_at(const VecX& lambda) {
  problem_->velocities(lambda, &s_);
  return problem_->natural_error(law_, pyramid_, lambda, s_);
}

double StaggeredSolver::round_off() const {
  double most = 0.0;
  for (const DualBlock& block : problem_->blocks)
    if (block.rho > 0.0)
      most = std::max(most, kRoundOff * norm_of(best_.data() + block.begin, block.size()) / block.rho);
  return most;
}

void StaggeredSolver::begin(const DualProblem& problem, const DualOptions& options) {
  problem_ = &problem;
  pyramid_ = options.pyramid;
  normals_.begin(problem, options.pyramid);
  tangents_.begin(problem, options.pyramid);
  anderson_.begin(problem.num_rows());
  // Impulses are compared as velocities; rows without friction do not count.
  weights_.setZero(problem.num_rows());
  for (const DualBlock& block : problem.blocks)
    if (block.rho > 0.0)
      for (int i = 0; i < block.tangents; ++i) weights_[block.begin + i] = 1.0 / std::sqrt(block.rho);
}

// Rows of friction.
void StaggeredSolver::take_friction(const VecX& from, VecX* to) const {
  for (int i = 0; i < weights_.size(); ++i)
    if (weights_[i] > 0.0) (*to)[i] = from[i];
}

// A half that was good enough as it was has not looked at the cones at the new normal impulses.
void StaggeredSolver::project(VecX* lambda) const {
  for (const DualBlock& block : problem_->blocks) {
    if (!block.is_contact() || !(block.rho > 0.0)) continue;
    double* x = lambda->data() + block.begin;
    x[block.tangents] = std::max(0.0, x[block.tangents]);
    project_on_section(law_, pyramid_, block.friction * x[block.tangents], block.tangents, x);
  }
}

SolveStatus StaggeredSolver::solve_half(Admm* half, double goal, IslandReport* report, VecX* lambda) {
  const IslandReport inner = half->iterate(goal, kInnerIterations, 1.0, nullptr, lambda);
  report->factorisations += inner.factorisations;
  report->products += inner.iterations;
  return inner.status;
}

IslandReport StaggeredSolver::solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) {
  STICTION_ASSERT(lambda->size() == problem.num_rows());
  const double scale = problem.velocity_scale(), goal = options.tolerance * scale;
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
    const double inner_goal = is_tight ? kInnerGoal * goal : std::max(kInnerGoal * goal, kInner * error);
    const SolveStatus normal = solve_half(&normals_, inner_goal, &report, lambda);
    const SolveStatus tangential = solve_half(&tangents_, inner_goal, &report, lambda);
    project(lambda);
    error = error_at(*lambda);
    if (options.history) options.history->push_back(error / scale);
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
    else if (best_error <= round_off() && since_best >= kRoundOffRounds)
      report.status = SolveStatus::round_off;
    else if (since_best >= kPatience)
      report.status = SolveStatus::stalled;
    if (report.status != SolveStatus::max_iterations) break;

    // The friction that the next round begins with.
    if (is_trial && error > kWorseError * trial_error) {
      is_trial = false;
      anderson_.clear();
      friction_ = plain_;
    } else {
      change_ = -friction_;
      for (int i = 0; i < weights_.size(); ++i)
        if (weights_[i] > 0.0) change_[i] += (*lambda)[i];
      // Halves that were good enough as they were leave friction alone: then ask more of them.
      const bool is_still =
          weights_.cwiseProduct(change_).norm() <= kStill * weights_.cwiseProduct(friction_).norm();
      const bool is_cut = normal == SolveStatus::max_iterations || tangential == SolveStatus::max_iterations;
      if (is_still && is_tight && !is_cut)
        report.status = best_error <= round_off() ? SolveStatus::round_off : SolveStatus::stalled;
      is_tight = is_still;
      plain_ = friction_ + change_;
      trial_error = error;
      is_trial = anderson_.mix(friction_, change_, weights_, &next_);
      friction_.swap(next_);
    }
    take_friction(friction_, lambda);
  }
  *lambda = best_;
  report.residual = best_error / scale;
  return report;
}

}  // namespace

std::unique_ptr<DualSolver> make_staggered(LawKind law) {
  STICTION_ASSERT(law == LawKind::pyramid_lcp || law == LawKind::coulomb_ncp);
  return std::make_unique<StaggeredSolver>(law);
}

}  // namespace stiction
