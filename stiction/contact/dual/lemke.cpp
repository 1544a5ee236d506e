// pyramid_lcp by Lemke's method (solver/lcp_lemke.h) on the classical complementarity problem of contact with
// polygonal friction cones (contact/dual/pyramid.h).
//
// Normals, friction and rows are solved at once and to round-off, without a fixed point between them; where W
// is positive semidefinite M is copositive and the method ends at a solution whenever contacts alone are in
// play (Anitescu and Potra, 1997); with rows that contradict each other it ends on a ray, which is reported
// as infeasible.
//
// What it gets wrong: friction leans towards the vertices of the polygon. Of the many solutions of a
// hyperstatic problem it returns a vertex of the set of solutions: few contacts carry everything, and which
// ones may change from one step to the next. Dense, with a number of pivots around the number of unknowns
// (facets + 2 a contact) but exponential at its worst. Its progress cannot be stopped half-way: there is no
// iterate before the last pivot, and the history has one entry.

#include <cmath>
#include <memory>

#include "stiction/contact/dual/solver.h"
#include "stiction/contact/dual/pyramid.h"
#include "stiction/contact/complementarity/lcp_lemke.h"

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
    if (report.residual <= options.tolerance) return report;

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

    // The impulses decide, not the pivots.
    lcp_.impulses(problem, z_, lambda);
    report.residual = error_of(problem, options, *lambda);
    if (options.history) options.history->push_back(report.residual);
    if (!std::isfinite(report.residual)) {
      report.status = SolveStatus::not_finite;
    } else if (report.residual > options.tolerance) {
      const double round_off = lcp_.dense().round_off(*lambda) / problem.velocity_scale();
      report.status = report.residual <= round_off ? SolveStatus::round_off : SolveStatus::stalled;
    }
    return report;
  }

 private:
  double error_of(const DualProblem& problem, const DualOptions& options, const VecX& lambda) {
    problem.velocities(lambda, &s_);
    return problem.natural_error(LawKind::pyramid_lcp, options.pyramid, lambda, s_) /
           problem.velocity_scale();
  }

  PyramidLcp lcp_;
  Lemke lemke_;
  VecX z_, s_;
};

}  // namespace

std::unique_ptr<DualSolver> make_lemke() { return std::make_unique<LemkeSolver>(); }

}  // namespace stiction
