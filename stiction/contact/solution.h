#pragma once
// The result of every solver of a contact problem: velocities, impulses, and a report on its convergence.

#include <cstdint>
#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

enum class SolveStatus : std::uint8_t {
  converged,
  round_off,  // above the tolerance, but no further than the round-off of the gradient: as good as doubles
              // are
  stalled,    // an iteration no longer changes anything, above the tolerance
  max_iterations,
  infeasible,  // the solver found that there is no solution, or none that its method can reach
  not_finite,  // a number in the problem, or grown from it, is not finite
};
const char* name_of(SolveStatus status);
inline bool is_solved(SolveStatus status) { return status <= SolveStatus::round_off; }

struct IslandReport {
  SolveStatus status = SolveStatus::converged;
  int iterations = 0, factorisations = 0, line_evaluations = 0;
  int products = 0;  // H x of conjugate gradients
  // newton: |D grad l| / max(|D A v|, |D J' gamma|), S eq. 32; the solvers of impulses: the largest error of
  // the law's natural map, relative to the velocities of the kind of row, or C's absolute criterion where an
  // absolute tolerance is asked for (dual/problem.h, law/rigid_laws.h).
  double residual = 0.0;
  // Points of rigid laws whose stabilisation was dropped (no penetration recovery, no rebound) because the
  // island had no solution with it (rigid_solver.h); the status is that of the problem without it.
  int dropped_stabilisation = 0;
  // Under icf_coupled: 1 where no solution was found and the answer is that of icf_lagged
  // (newton/coupled_newton.h); the status is that of the lagged problem.
  int lagged_fallbacks = 0;
  double penalty = 0.0;         // rho of ADMM at the end, in its own units; 0: another solver
  double regularisation = 0.0;  // added to the diagonal, relative to it; 0 unless a factorisation failed
};

struct SolveReport {
  SolveStatus status = SolveStatus::converged;  // the worst of all islands
  int islands = 0;
  int iterations = 0;                                                  // largest over islands
  int total_iterations = 0, factorisations = 0, line_evaluations = 0;  // of all islands
  int products = 0;                                                    // of all islands
  int dropped_stabilisation = 0;                                       // points of all islands
  int lagged_fallbacks = 0;                                            // islands with the lagged answer
  double residual = 0.0;                                               // the largest
  int worst_tree = -1;  // the smallest tree of the island with the worst status, or with the largest residual
};

// Adds the report of an island, whose smallest tree is given, to that of all.
void add_to_report(const IslandReport& island, int tree, SolveReport* report);

struct ContactSolution {
  VecX v;
  AlignedVector<double> impulses;    // N s on B, in W, four numbers per point
  AlignedVector<double> moments;     // N m s on B at the point, likewise; empty: no such friction
  std::vector<double> row_impulses;  // N s or N m s, by row of the problem
  std::vector<IslandReport> islands;
  SolveReport report;
};

}  // namespace stiction
