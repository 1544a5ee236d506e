#pragma once
// Linear complementarity problems, ordinary and mixed: find lower <= z <= upper with w = M z + q and
//
//   w_i >= 0 where z_i = lower_i,   w_i <= 0 where z_i = upper_i,   w_i = 0 between.
//
// Ordinary: lower = 0, upper = infinity. Equations: no bounds, w_i = 0. M is any square matrix; the block of
// the equations may be singular. Four methods:
//
//   lemke      Lemke's method (lcp_lemke.h); with equations or other bounds, or where that ends on a ray, on
//              the scaled problem of mixed_lemke.h. Exact, exponential in the worst case.
//   pivoting   Dantzig's principal pivoting (box_pivoting.h), for positive semidefinite M.
//   pgs        projected Gauss-Seidel. Every M_ii must be positive.
//   newton     MixedSolver (mixed_newton.h).
//
// The first two end with a polish, which removes the round-off of many pivots: unknowns at their bounds stay
// there, the others solve M_II z_I = -q_I - M_IA z_A by LU, a Newton step on the min map. A solution is
// accepted by the test of mixed_newton.h: natural residual below the tolerance plus the round-off of w.
//
// Where M is positive semidefinite, which is tested, a ray proves that there is no solution: infeasible.
// Otherwise `ray` only means that none was found.
//
// R. W. Cottle, J.-S. Pang, R. E. Stone, The Linear Complementarity Problem, 1992.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stiction/contact/complementarity/box_pivoting.h"
#include "stiction/contact/complementarity/mixed_lemke.h"
#include "stiction/contact/complementarity/mixed_newton.h"

namespace stiction {

struct LinearComplementarity {
  MatX M;
  VecX q;
  VecX lower, upper;  // by unknown

  int size() const { return static_cast<int>(q.size()); }
  // 0 <= z perp M z + q >= 0 for the unknowns marked, M z + q = 0 with free z for the others.
  void set_bounds(const std::vector<char>& is_complementary);
};

enum class LinearMethod : std::uint8_t {
  automatic,  // lemke, then newton, then pivoting
  lemke,
  pivoting,
  pgs,
  newton,
};
inline constexpr std::array kLinearMethodNames = {"automatic", "lemke", "pivoting", "pgs", "newton"};
static_assert(kLinearMethodNames.size() == static_cast<std::size_t>(LinearMethod::newton) + 1);

enum class LinearStatus : std::uint8_t {
  solved,
  ray,         // pivoting found no solution
  infeasible,  // there is no solution
  stalled,     // a method ended above the tolerance
  max_iterations,
  zero_diagonal,  // pgs: an M_ii is not positive
  not_finite,
};

struct LinearOptions {
  double tolerance = 1e-10;  // of the natural residual
  LinearMethod method = LinearMethod::automatic;
  int max_pivots_per_unknown = 100;
  int max_sweeps = 10000;  // pgs
};

struct LinearReport {
  LinearStatus status = LinearStatus::stalled;
  LinearMethod method = LinearMethod::automatic;  // that found the answer
  int pivots = 0, sweeps = 0, newton_steps = 0;
  double residual = 0.0;  // natural
};

// The problem as a MixedProblem with F = M z + q; zeros of M are not stored.
class LinearMixedProblem : public MixedProblem {
 public:
  void set(const LinearComplementarity& problem);
  bool evaluate(const VecX& z, VecX* F) override;
  bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override;

 private:
  SparseRows M_;
  VecX q_;
};

class LcpSolver {
 public:
  // z: the start of pgs and newton, which pivoting does not need; then the answer, between the bounds.
  LinearReport solve(const LinearComplementarity& problem, const LinearOptions& options, VecX* z);

 private:
  LinearStatus solve_by(LinearMethod method, const LinearComplementarity& problem, VecX* z);
  LinearStatus lemke(const LinearComplementarity& problem, VecX* z);
  LinearStatus pivot(const LinearComplementarity& problem, VecX* z);
  LinearStatus sweep(const LinearComplementarity& problem, VecX* z);
  LinearStatus newton(MixedMethod method, VecX* z);

  LinearOptions options_;
  LinearReport report_;
  LinearMixedProblem mixed_;
  Lemke lemke_;
  MixedLemke mixed_lemke_;
  BoxPivoting pivoting_;
  MixedSolver newton_;
  std::vector<int> order_;
  VecX answer_, w_;
};

// LcpSolver::solve with a temporary workspace.
LinearReport solve_linear_complementarity(const LinearComplementarity& problem, const LinearOptions& options,
                                          VecX* z);

}  // namespace stiction
