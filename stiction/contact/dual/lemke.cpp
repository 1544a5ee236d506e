// pyramid_lcp by Lemke's method (complementarity/lcp_lemke.h) on the classical complementarity problem of
// contact with polygonal friction cones (pyramid.h).
//
// Normals, friction and scalar rows are solved together and to round-off, without a fixed point between them.
// Where W is positive semidefinite, M is copositive, and without scalar rows the method ends at a solution
// (Anitescu and Potra, 1997); with rows that contradict each other it ends on a ray, reported as infeasible.
//
// Limits: friction is biased towards the vertices of the polygon. Of the many solutions of a hyperstatic
// problem it returns an extreme one: few contacts carry all of the load, and which ones may change from step
// to step. Dense, with about as many pivots as unknowns (facets + 2 a contact), but exponential in the worst
// case. It cannot be stopped early: there is no iterate before the last pivot, and the history has one entry.
// At mass ratios of 1e6 the pivots lose too many digits.

#include <cmath>
#include <memory>

#include "stiction/contact/complementarity/lcp_lemke.h"
#include "stiction/contact/dual/pyramid.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {
namespace {

constexpr int kPivotsPerUnknown = 100;

SolveStatus status_of(LcpStatus status) {
  switch (status) {
    case LcpStatus::solved:
      return SolveStatus::converged;
    case LcpStatus::ray:
      return SolveStatus::infeasible;
    case LcpStatus::max_pivots:
      return SolveStatus::max_iterations;
    case LcpStatus::singular:
      return SolveStatus::stalled;
    case LcpStatus::not_finite:
      return SolveStatus::not_finite;
  }
  return SolveStatus::not_finite;
}

class LemkeSolver : public DualSolver {
 public:
  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override {
    IslandReport report;
    report.residual = error_of(problem, options, *lambda);
    if (report.residual <= options.goal()) return report;

    lcp_.begin(problem, options.pyramid);
    if (!lcp_.dense().is_finite()) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    const LcpReport pivoting = lemke_.solve(lcp_.M(), lcp_.q(), kPivotsPerUnknown * lcp_.size(), &z_);
    report.iterations = pivoting.pivots;
    report.factorisations = pivoting.rebuilds;
    report.status = status_of(pivoting.status);
    if (pivoting.status != LcpStatus::solved) return report;

    // The status follows from the natural map error of the impulses, not from the pivots.
    lcp_.impulses(problem, z_, lambda);
    report.residual = error_of(problem, options, *lambda);
    if (options.history) options.history->push_back(report.residual);
    if (!std::isfinite(report.residual)) {
      report.status = SolveStatus::not_finite;
    } else if (report.residual > options.goal()) {
      const ErrorMeasure measure = options.measure(LawKind::pyramid_lcp);
      const bool is_best = lcp_.dense().is_at_round_off(problem, measure, *lambda, report.residual);
      report.status = is_best ? SolveStatus::round_off : SolveStatus::stalled;
    }
    return report;
  }

 private:
  double error_of(const DualProblem& problem, const DualOptions& options, const VecX& lambda) {
    problem.velocities(lambda, &s_);
    return problem.error(options.measure(LawKind::pyramid_lcp), lambda, s_);
  }

  PyramidLcp lcp_;
  Lemke lemke_;
  VecX z_, s_;
};

}  // namespace

std::unique_ptr<DualSolver> make_lemke() { return std::make_unique<LemkeSolver>(); }

}  // namespace stiction
