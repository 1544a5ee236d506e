#pragma once
// A solver of mixed complementarity problems (mixed_problem.h) that tries methods from fast to robust and
// reports where all of them fail:
//
//   min map       semismooth Newton on z - mid(l, z - D F, u) = 0. Unknowns whose z_i - D_i F_i lies beyond
//                 a bound move to it, the others solve J d = -F. Full steps, some of which may raise the
//                 merit, then a part of the step at the best point (watchdog), then again from slightly
//                 perturbed starts. Two to four steps from a good start, and exact where F is linear and the
//                 active bounds are found.
//   Fischer       Newton on Phi(z) = 0 (fischer.h) with a line search along the projected step that lowers
//                 1/2 |Phi|^2 below the largest of the last few; where the Newton matrix is singular or leads
//                 uphill, Levenberg and Marquardt: (H'H + nu I) d = -H'Phi with nu growing until it helps,
//                 which is steepest descent in the end. Then the same penalised.
//   pivoting      Josephy-Newton: the direction is the solution of the linearised complementarity problem by
//                 Lemke's method (mixed_lemke.h); line search as before. For small problems.
//   homotopy      the path of Phi_mu(z; t F(z) + (1 - t)(z - a)) = 0, mu = mu_0 (1 - t), from z near a at
//                 t = 0, followed by arc length through turning points to a solution at t = 1.
//
// All but the homotopy, the slowest, are repeated from perturbed starts before the homotopy is tried. F is
// evaluated between the bounds only. D_i = 1 / max_j |J_ij| at the start gives F the unit of z.
//
// Converged means, with the unscaled F and z:
//
//   |z_i - mid(l_i, z_i - F_i, u_i)| <= tolerance + min(16 eps (sum_j |J_ij z_j|), 1e4 tolerance)
//
// for all i. The second term is the round-off of F_i, which matters where numbers of 1e6 cancel. It is left
// out where a |z_j| exceeds 1e8, so that an iterate that diverges along a ray does not pass for a solution.
//
// The same start gives the same bits. A second solve of the same size and pattern allocates nothing, unless
// it needs a method that the first did not.
//
// S. P. Dirkse, M. C. Ferris, The PATH solver, Optim. Methods Softw. 5 (1995); T. De Luca, F. Facchinei,
// C. Kanzow, A semismooth equation approach, Math. Program. 75 (1996); M. C. Ferris, C. Kanzow, T. S. Munson,
// Feasible descent algorithms for mixed complementarity problems, Math. Program. 86 (1999); S. C. Billups,
// L. T. Watson, A probability-one homotopy algorithm for nonsmooth equations and complementarity problems,
// SIAM J. Optim. 12 (2002).

#include <cstdint>

#include "stiction/contact/complementarity/fischer.h"
#include "stiction/contact/complementarity/mixed_lemke.h"
#include "stiction/contact/complementarity/mixed_problem.h"
#include "stiction/contact/complementarity/row_system.h"

namespace stiction {

enum class MixedStatus : std::uint8_t {
  converged,
  stalled,         // every method ended without further progress
  max_iterations,  // too many
  not_defined,     // F has no finite value at the start
  infeasible,      // a lower bound lies above its upper bound
};

enum class MixedMethod : std::uint8_t {
  automatic,  // all of the following, in this order
  min_map,
  fischer_burmeister,
  penalised,
  pivoting,
  homotopy,
};

struct MixedOptions {
  double tolerance = 1e-10;   // of the natural residual, in units of z and F
  int max_iterations = 1000;  // Newton steps of all methods together
  MixedMethod method = MixedMethod::automatic;
  int restarts = 4;        // from perturbed starts, where all else failed
  std::uint64_t seed = 1;  // of the perturbations
};

struct MixedReport {
  MixedStatus status = MixedStatus::stalled;
  MixedMethod method = MixedMethod::min_map;  // that finished
  int iterations = 0;                         // linear systems solved, or linear problems
  int evaluations = 0;                        // of F, with or without its derivatives
  int restarts = 0;
  double residual = 0.0;  // natural_residual of the answer
};

class MixedSolver {
 public:
  // z: the start, anywhere; then the solution or the best point found. Between the bounds.
  MixedReport solve(MixedProblem& problem, const MixedOptions& options, VecX* z);

 private:
  struct Point {
    VecX z, F;
    SparseRows J;
  };
  enum class Outcome : std::uint8_t { converged, stalled, max_iterations };

  // mixed_newton.cpp
  Outcome solve_from_here();
  template <class Method>
  Outcome solve_from_all_starts(const VecX& start, const Method& method);
  Outcome follow_min_map(int patience);
  bool take_min_map_step();
  bool take_part_of_step(double best);
  void assemble_reduced();
  void scale_rows();
  double min_map_merit(const Point& point) const;
  bool has_converged();
  bool move_to(const VecX& z);
  void mark_unsolved(int rings);
  bool move_near(const VecX& z, double share, std::uint64_t seed);
  bool evaluate(const VecX& z, VecX* F);
  bool linearise(Point* point);
  void project(VecX* z) const;
  bool is_out_of_iterations() const { return report_.iterations >= options_.max_iterations; }
  void remember_best();

  // mixed_descent.cpp
  Outcome descend(const FischerShape& shape);
  Outcome descend_by_pivoting();
  double compute_fischer(const FischerShape& shape, const Point& point);
  double fischer_merit(const FischerShape& shape, const VecX& z, const VecX& F) const;
  void compute_gradient();
  bool search(const FischerShape& shape, double reference, int halvings);
  bool search_damped(const FischerShape& shape, double reference);
  void assemble_weighted(const VecX& of_unit, const VecX& of_J);
  void assemble_damped(double nu);

  // mixed_homotopy.cpp
  Outcome follow_homotopy(const VecX& anchor);
  double compute_homotopy(const VecX& anchor);
  void assemble_bordered();
  double inner_share(double limit) const;
  bool begin_path(const VecX& anchor);
  bool move_along_path(double share);
  int correct_path(const VecX& anchor);
  bool turn_tangent(const VecX& anchor);

  MixedProblem* problem_ = nullptr;
  MixedOptions options_;
  MixedReport report_;
  int n_ = 0;

  Point here_, there_;
  VecX row_scale_;  // D
  VecX direction_, right_side_, reduced_, start_, saved_z_, saved_direction_, settled_z_, best_z_;
  double best_merit_ = 0.0;
  std::vector<int> place_;  // in the reduced system, or -1 lower, -2 upper
  std::vector<char> is_marked_;
  SparseRows A_;
  RowSystem system_;

  VecX phi_, by_z_, by_F_, gradient_, weight_;
  double nu_ = 0.0;
  SparseRows damped_;
  RowSystem damped_system_;
  VecX damped_right_, damped_answer_;
  std::vector<int> cursor_;
  MixedLemke lemke_;
  MatX M_;
  VecX q_;

  double t_ = 0.0;
  VecX smoothing_;  // mu_0
  VecX by_t_, tangent_, path_right_, path_step_, path_z_;
  SparseRows bordered_;
  RowSystem bordered_system_;
};

}  // namespace stiction
