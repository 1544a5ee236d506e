#pragma once
// The sweeps that Gauss-Seidel methods share. A sweep solves one block after the other, in order, with all
// other impulses fixed,
//
//   lambda_b := lambda_b + omega (solve_one(lambda_b, s_b) - lambda_b),    s = (W + R) lambda + r,
//
// and is repeated until the law's error is within the tolerance. A `Law` has
//
//   begin(problem, options)        what it computes once for a problem;
//   step(block, s, x) -> error     x := solve_one(x, s); returns the error (ErrorMeasure) before the step;
//   error(block, x, s) -> error    the error alone;
//   project(block, x)              back on the law's set, after an over-relaxed or accelerated step.
//
// A sweep is a map lambda -> T(lambda) whose fixed points are the solutions. After kPlainSweeps, unless
// DualOptions::accelerates is off, Anderson acceleration (anderson.h), in the norm |lambda_b| / sqrt(rho_b),
// proposes where the next sweep starts. Proposals are projected back on the sets. One after which the step
// |T(lambda) - lambda| grows tenfold is rejected, and kRest plain sweeps follow; if the errors have not
// halved in kFruitless sweeps, acceleration is switched off. Plain sweeps are slow on long chains of
// contacts: a tower of ten cubes takes tens of thousands of them, and hundreds of accelerated ones.
//
// A sweep sees each block at different impulses, so that the errors it meets are not the error of its result.
// The error of all blocks at the same impulses costs about as much as a sweep. It is computed before the
// first sweep, where a sweep met no error far above the tolerance (kFar), at the last sweep, and where
// impulses no longer change; and again from recomputed velocities before `converged` is reported. The answer
// is the result of the last sweep, or of the one that met the smallest errors if that is better.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/contact/dual/anderson.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/dual/sweep.h"

namespace stiction {

class GaussSeidel {
 public:
  template <class Law>
  IslandReport solve(const DualProblem& problem, const DualOptions& options, Law* law, VecX* lambda);

 private:
  static constexpr int kSweepsToWriteOut = 5;  // before a W of few rows is assembled, which pays off
  static constexpr int kSweepsToRefresh = 50;  // between recomputations of the velocities, against drift
  static constexpr int kSweepsToDoubt = 25;    // between tests whether the problem is infeasible
  static constexpr int kPlainSweeps = 5;
  static constexpr int kRest = 3;             // plain sweeps after a rejected proposal
  static constexpr double kWorseStep = 10.0;  // growth of the step above which a proposal is rejected
  // Stalled: the errors have not halved in the largest of so many sweeps, so many by block, and that share of
  // max_iterations.
  static constexpr int kPatience = 400, kPatienceByBlock = 2;
  static constexpr double kPatienceShare = 0.5;
  static constexpr int kFruitless = 300;   // sweeps without halving, after which acceleration is switched off
  static constexpr double kFar = 100.0;    // times the tolerance: no need to compute the error
  static constexpr double kStill = 1e-15;  // of the largest impulse: a smaller change is none
  // Round-off of s_b, relative to |lambda_b| / rho_b + |r_b|, the size of its terms.
  static constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();

  struct Sweep {
    double seen = 0.0;     // the largest error of a block just before it was solved
    double change = 0.0;   // N s: the largest change of an impulse
    double largest = 0.0;  // N s
  };
  struct ResidualCheck {
    double error = 0.0;  // NaN if one of a block is
    double round_off = 0.0;
  };

  void begin_mixing(const DualProblem& problem, int after);
  template <class Law>
  Sweep sweep(const DualProblem& problem, double relaxation, Law* law);
  template <class Law>
  ResidualCheck check_residual(const DualProblem& problem, const ErrorMeasure& measure, Law* law) const;
  template <class Law>
  void mix(const DualProblem& problem, int iteration, Law* law);

  DualSweep sweep_;
  Anderson anderson_;
  VecX before_, step_, next_, plain_, best_, weights_;
  // Whether the last sweep started at a proposal (else at plain_), the step before it, and the sweep after
  // which to accelerate again.
  bool is_trial_ = false;
  double trial_step_ = 0.0;
  int mixes_after_ = 0;
};

inline void GaussSeidel::begin_mixing(const DualProblem& problem, int after) {
  anderson_.begin(problem.num_rows());
  weights_.setZero(problem.num_rows());
  for (const DualBlock& block : problem.blocks)
    if (block.rho > 0.0) weights_.segment(block.begin, block.size()).setConstant(1.0 / std::sqrt(block.rho));
  is_trial_ = false;
  mixes_after_ = after;
}

template <class Law>
GaussSeidel::Sweep GaussSeidel::sweep(const DualProblem& problem, double relaxation, Law* law) {
  Sweep out;
  double s[kMostRows], x[kMostRows];
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    if (!(block.rho > 0.0)) continue;
    const double* old = sweep_.lambda().data() + block.begin;
    std::copy_n(old, block.size(), x);
    sweep_.velocity(b, s);
    const double error = law->step(b, s, x);
    keep_worst(error, &out.seen);
    if (relaxation != 1.0) {
      for (int i = 0; i < block.size(); ++i) x[i] = old[i] + relaxation * (x[i] - old[i]);
      if (relaxation > 1.0) law->project(b, x);
    }
    double change = 0.0;
    for (int i = 0; i < block.size(); ++i) {
      change = std::max(change, std::abs(x[i] - old[i]));
      out.largest = std::max(out.largest, std::abs(x[i]));
    }
    if (change > 0.0) sweep_.set(b, x);
    out.change = std::max(out.change, change);
  }
  return out;
}

template <class Law>
GaussSeidel::ResidualCheck GaussSeidel::check_residual(const DualProblem& problem,
                                                       const ErrorMeasure& measure, Law* law) const {
  ResidualCheck out;
  double s[kMostRows];
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    if (!(block.rho > 0.0)) continue;
    const double* x = sweep_.lambda().data() + block.begin;
    sweep_.velocity(b, s);
    const double error = law->error(b, x, s);
    keep_worst(error, &out.error);
    // s is a difference of what the impulses and the free motion bring.
    const double size = norm_of(x, block.size());
    const double terms = size / block.rho + norm_of(problem.r.data() + block.begin, block.size());
    out.round_off =
        std::max(out.round_off, problem.error_of_velocity(measure, block, kRoundOff * terms, size));
  }
  return out;
}

// Anderson's proposal for the start of the next sweep, from the step of the last one at before_.
template <class Law>
void GaussSeidel::mix(const DualProblem& problem, int iteration, Law* law) {
  step_ = sweep_.lambda() - before_;
  const double length = step_.cwiseProduct(weights_).norm();
  if (is_trial_ && !(length <= kWorseStep * trial_step_)) {
    is_trial_ = false;
    anderson_.clear();
    mixes_after_ = iteration + kRest;
    sweep_.restart(plain_);
    return;
  }
  plain_ = sweep_.lambda();
  trial_step_ = length;
  is_trial_ = anderson_.mix(before_, step_, weights_, &next_);
  if (!is_trial_) return;
  for (int b = 0; b < problem.num_blocks(); ++b)
    if (problem.blocks[b].rho > 0.0) law->project(b, next_.data() + problem.blocks[b].begin);
  sweep_.restart(next_);
}

template <class Law>
IslandReport GaussSeidel::solve(const DualProblem& problem, const DualOptions& options, Law* law,
                                VecX* lambda) {
  STICTION_ASSERT(lambda->size() == problem.num_rows());
  const double goal = options.goal();
  const ErrorMeasure measure = options.measure(LawKind::coulomb_ncp);  // of round-off, the same for all laws
  const auto check = [&] { return check_residual(problem, measure, law); };
  law->begin(problem, options);
  sweep_.begin(problem, *lambda, options.uses_delassus);

  IslandReport report;
  report.status = SolveStatus::max_iterations;
  ResidualCheck checked = check();
  if (checked.error <= goal) report.status = SolveStatus::converged;
  if (!std::isfinite(checked.error)) report.status = SolveStatus::not_finite;
  if (report.status == SolveStatus::max_iterations)
    begin_mixing(problem, options.accelerates ? kPlainSweeps : options.max_iterations);
  // Plain sweeps may take thousands to halve the error and still converge.
  const int patience =
      options.accelerates
          ? std::max({kPatience, kPatienceByBlock * problem.num_blocks(),
                      static_cast<int>(kPatienceShare * static_cast<double>(options.max_iterations))})
          : options.max_iterations;
  double least_seen = checked.error, progress = checked.error;
  int since_progress = 0;
  best_ = *lambda;
  while (report.status == SolveStatus::max_iterations && report.iterations < options.max_iterations) {
    ++report.iterations;
    if (since_progress == kFruitless && mixes_after_ < options.max_iterations) {
      mixes_after_ = options.max_iterations;
      progress = std::numeric_limits<double>::infinity();
      sweep_.restart(*lambda);
    }
    if (report.iterations > kSweepsToWriteOut) sweep_.write_out();
    const bool is_mixed = report.iterations > mixes_after_;
    if (is_mixed) before_ = sweep_.lambda();
    const Sweep swept = sweep(problem, options.relaxation, law);
    if (report.iterations % kSweepsToRefresh == 0) sweep_.refresh();
    if (swept.seen < least_seen) {
      least_seen = swept.seen;
      best_ = sweep_.lambda();
    }
    ++since_progress;
    if (swept.seen <= 0.5 * progress) {
      progress = swept.seen;
      since_progress = 0;
    }

    const bool is_still = swept.change <= kStill * swept.largest;
    const bool is_last = report.iterations == options.max_iterations;
    const bool is_far = swept.seen > kFar * std::max(goal, checked.round_off);
    if (options.history || is_still || is_last || !is_far) checked = check();
    if (options.history) options.history->push_back(checked.error);
    if (!std::isfinite(swept.seen) || !std::isfinite(swept.largest)) {
      report.status = SolveStatus::not_finite;
    } else if (!is_far || is_still || is_last) {
      // The status is decided at recomputed velocities.
      if (checked.error <= std::max(goal, checked.round_off) || is_still || is_last) {
        sweep_.refresh();
        checked = check();
      }
      if (!std::isfinite(checked.error))
        report.status = SolveStatus::not_finite;
      else if (checked.error <= goal)
        report.status = SolveStatus::converged;
      else if (checked.error <= checked.round_off)  // also reached by impulses that grow without bound
        report.status =
            problem.is_contradicted_by(sweep_.lambda()) ? SolveStatus::infeasible : SolveStatus::round_off;
      else if (is_still)
        report.status = SolveStatus::stalled;
    }
    if (report.status == SolveStatus::max_iterations && since_progress >= patience) {
      checked = check();
      report.status = SolveStatus::stalled;
    }
    const bool goes_on = report.status == SolveStatus::max_iterations && !is_last;
    if (goes_on && report.iterations % kSweepsToDoubt == 0 && problem.is_contradicted_by(sweep_.lambda()))
      report.status = SolveStatus::infeasible;
    else if (goes_on && is_mixed)
      mix(problem, report.iterations, law);
  }
  *lambda = sweep_.lambda();
  if (report.status == SolveStatus::infeasible) {
    checked = check();
  } else if (!is_solved(report.status)) {
    sweep_.restart(best_);
    const ResidualCheck other = check();
    if (!(checked.error <= other.error)) {
      checked = other;
      *lambda = best_;
    }
  }
  report.residual = checked.error;
  return report;
}

}  // namespace stiction
