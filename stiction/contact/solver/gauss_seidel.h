#pragma once
// The loop of sweeps that Gauss-Seidel methods share: one block after the other is given the impulse that its
// law asks for while all others rest,
//
//   lambda_b := lambda_b + omega (solve_one(lambda_b, s_b) - lambda_b),    s = (W + R) lambda + r,
//
// in the order of the blocks, until the law's error is within the tolerance. A `Law` has
//
//   begin(problem, options)        what it computes once for a problem;
//   step(block, s, x) -> error     x := solve_one(x, s); the error (m/s) is that before the step;
//   error(block, x, s) -> error    alone, at velocities that are all of the same impulses;
//   project(block, x)              back on the law's set, after a step that was stretched (omega > 1).
//
// A sweep sees every block at other impulses, so the errors it meets are no judgement of what it returns. The
// error of all blocks at the same impulses costs about as much as a sweep; it is taken where the sweep has
// met nothing far above the tolerance (kFar), at the last sweep, and where nothing moves any more. It is
// always taken before the first sweep, and once more from fresh velocities before `converged` is said.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/contact/dual_solver.h"

namespace stiction {

class GaussSeidel {
 public:
  template <class Law>
  IslandReport solve(const DualProblem& problem, const DualOptions& options, Law* law, VecX* lambda);

 private:
  static constexpr int kSweepsToRefresh = 50;  // velocities are summed afresh, against drift
  static constexpr double kFar = 100.0;        // times the tolerance: not worth a judgement
  static constexpr double kStill = 1e-15;  // of the largest impulse: a sweep that changes no more is stuck
  // Of |lambda_b| / rho_b, which is what s_b is a difference of: round-off.
  static constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();

  struct Sweep {
    double seen = 0.0;     // m/s: the largest error that a block had when its turn came
    double change = 0.0;   // N s: the largest change of an impulse
    double largest = 0.0;  // N s
  };
  struct Judgement {
    double error = 0.0;      // m/s; NaN if one of a block is
    double round_off = 0.0;  // m/s
  };

  template <class Law>
  Sweep sweep(const DualProblem& problem, double relaxation, Law* law);
  template <class Law>
  Judgement judge(const DualProblem& problem, Law* law) const;

  DualSweep sweep_;
};

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
    if (!(error <= out.seen)) out.seen = error;  // NaN stays
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
GaussSeidel::Judgement GaussSeidel::judge(const DualProblem& problem, Law* law) const {
  Judgement out;
  double s[kMostRows];
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    if (!(block.rho > 0.0)) continue;
    const double* x = sweep_.lambda().data() + block.begin;
    sweep_.velocity(b, s);
    const double error = law->error(b, x, s);
    if (!(error <= out.error)) out.error = error;  // NaN stays
    // s is a difference of what the impulses and the free motion bring.
    const double terms =
        norm_of(x, block.size()) / block.rho + norm_of(problem.r.data() + block.begin, block.size());
    out.round_off = std::max(out.round_off, kRoundOff * terms);
  }
  return out;
}

template <class Law>
IslandReport GaussSeidel::solve(const DualProblem& problem, const DualOptions& options, Law* law,
                                VecX* lambda) {
  STICTION_ASSERT(lambda->size() == problem.num_rows());
  const double scale = problem.velocity_scale(), goal = options.tolerance * scale;
  law->begin(problem, options);
  sweep_.begin(problem, *lambda, options.uses_delassus);

  IslandReport report;
  report.status = SolveStatus::max_iterations;
  Judgement judged = judge(problem, law);
  if (judged.error <= goal) report.status = SolveStatus::converged;
  if (!std::isfinite(judged.error)) report.status = SolveStatus::not_finite;
  while (report.status == SolveStatus::max_iterations && report.iterations < options.max_iterations) {
    ++report.iterations;
    const Sweep swept = sweep(problem, options.relaxation, law);
    if (report.iterations % kSweepsToRefresh == 0) sweep_.refresh();

    const bool is_still = swept.change <= kStill * swept.largest;
    const bool is_last = report.iterations == options.max_iterations;
    const bool is_far = swept.seen > kFar * std::max(goal, judged.round_off);
    if (options.history || is_still || is_last || !is_far) judged = judge(problem, law);
    if (options.history) options.history->push_back(judged.error / scale);
    if (!std::isfinite(swept.seen) || !std::isfinite(swept.largest)) report.status = SolveStatus::not_finite;
    if (report.status != SolveStatus::max_iterations || (is_far && !is_still && !is_last)) continue;

    // What is said of the impulses is said from fresh velocities.
    if (judged.error <= std::max(goal, judged.round_off) || is_still || is_last) {
      sweep_.refresh();
      judged = judge(problem, law);
    }
    if (!std::isfinite(judged.error))
      report.status = SolveStatus::not_finite;
    else if (judged.error <= goal)
      report.status = SolveStatus::converged;
    else if (judged.error <= judged.round_off)
      report.status = SolveStatus::round_off;
    else if (is_still)
      report.status = SolveStatus::stalled;
  }
  *lambda = sweep_.lambda();
  report.residual = judged.error / scale;
  return report;
}

}  // namespace stiction
