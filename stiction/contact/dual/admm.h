#pragma once
// ADMM for the dual of a contact problem (C Alg. 3 and III-E): impulses x that satisfy the dynamics and
// impulses z in the law's sets are made equal by a penalty D,
//
//   x = z - (W + R + D)^-1 (s~(z) + gamma),     s~ = (W + R) z + r + shift,
//   z = P(y),   y := y + alpha (x - z),         gamma = D (y - z),
//
// P the projection on the sets, gamma -> -s~ the multiplier, alpha = 1.6 over-relaxation. This is Alg. 3 in
// the variables in which it is one fixed point iteration on y, that of the normal map s~(P(y)) + D (y - P(y))
// = 0. The linear system is solved for a correction, so that the round-off of (W + R + D)^-1 does not affect
// the answer. An iteration is one product with W and one solve with the factor (dual/factor.h).
//
//   convex_cone    shift = 0: a convex problem, converges from any start;
//   coulomb_ncp    shift = mu |gamma_t| n, de Saxce's correction at the multiplier, every iteration: no
//                  guarantee, good in practice. (At s_t(z) instead it converges on fewer problems.)
//
// What we add:
// - Anderson acceleration of y (anderson.h), undone where the step |x - z|_D more than doubles. Most of the
//   accuracy comes from it: 1e-9 within tens or hundreds of iterations, where plain ADMM is very slow.
// - One penalty scale per contact, D = rho d: d is the mean diagonal of the block of W + R, rounded to powers
//   of 16 about the geometric mean of all contacts, so that similar contacts share one d. (With one scale per
//   row the projection P would not be Euclidean.) Scalar rows have their own d, equalities a thousandth of
//   it.
// - rho has no unit. It starts at a tenth of |r| / |lambda| for the lambda that would stop all rows, norms
//   weighted by 1/d and d; or at 0.3, if that lambda is far outside the sets or the first iterations diverge
//   (no impulse stops r). Where primal and dual residual differ by more than a factor of 10, rho is
//   multiplied by the root of their ratio, within [0.1, 10], at most every 20 to 60 iterations, since a
//   change costs a factorisation and the memory of Anderson's method. Where the error has not halved for 100
//   iterations, rho jumps up and down alternately. (C: kappa^+-0.05, kappa the condition number of W, which
//   takes power iterations and does not depend on the solution.)
//
// From lambda = 0 the iterates stay in the range of J as long as all impulses are inside their cones and d is
// the same for all contacts: at stiction the answer has no internal forces.
//
// Limits: where many contacts slide or open at very different stiffness it needs thousands of iterations, and
// under coulomb_ncp the error may stop falling whatever rho is. The answer is the best z of all iterations.
//
// `admm_spectral` is the iteration as C has it, for comparison: one penalty rho (1/kg) for all rows, no
// over-relaxation, no acceleration, and the spectral rule (C III-E, after Carpentier, Le Lidec, Montaut
// 2024). Where the primal residual |x - z| exceeds the dual one rho |z - z of before| by a factor of 10, both
// the largest of all rows, rho is multiplied by kappa^0.05, and divided by it in the opposite case; kappa =
// L/m, L and m the largest and the smallest eigenvalue of W + R, by power iterations, the inverse ones with W
// + R + 1e-6 L, since m may be zero in hyperstatic problems, where C's kappa does not exist. rho starts at
// sqrt(L m) (L/m)^0.4, which C does not say; it is that of ContactBench. C compares residuals of different
// units, N and m/s^2; so does this. For coulomb_ncp, which C's Alg. 3 does not have, the shift is that above.
//
// Both start from the rho that the island ended with in the step before (DualProblem::penalty), as from its
// impulses (C III-E).
//
// The same iteration solves the two halves of staggered projections, normal or tangential rows with the
// others fixed: AdmmRows.

#include "stiction/contact/dual/anderson.h"
#include "stiction/contact/dual/factor.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {

enum class AdmmRows {
  all,
  normals,   // normal and scalar rows; sets: half-lines and boxes
  tangents,  // friction rows; sets: sections of the cones at the present normal impulses
};

// How the penalty is chosen.
enum class AdmmPenalty {
  by_contact,  // a scale per contact, rho balanced
  spectral,    // one for all rows, by C's rule
};

class Admm {
 public:
  Admm(LawKind law, AdmmRows rows, AdmmPenalty penalty = AdmmPenalty::by_contact)
      : law_(law), rows_(rows), is_spectral_(penalty == AdmmPenalty::spectral) {}

  // Sets the scales of the rows that are solved for. The factorisation waits for the first iteration.
  void begin(const DualProblem& problem, const ErrorMeasure& measure);
  // Iterates until the error of the rows that are solved for is at most `goal`; the other rows of lambda are
  // only read. The error of normals or tangents is always the relative one. The first call after begin starts
  // from lambda, later ones continue from the state of the last one, with its penalty and factor. history:
  // gets the error after every iteration.
  IslandReport iterate(double goal, int max_iterations, std::vector<double>* history, VecX* lambda);

 private:
  void set_scales();
  double estimated_rho(const VecX& lambda, IslandReport* report);
  bool set_rho(double rho, IslandReport* report);
  void start(const VecX& lambda);
  void project_block(const DualBlock& block, double* x, const double* z) const;
  void project(const VecX& y, VecX* z) const;
  double error() const;
  void evaluate();
  bool step(IslandReport* report);
  double balanced_rho();
  double first_spectral_rho(IslandReport* report);
  double spectral_rho() const;
  bool is_on_plateau();
  double rho_after_plateau();

  LawKind law_;
  AdmmRows rows_;
  bool is_spectral_;
  const DualProblem* problem_ = nullptr;
  ErrorMeasure measure_;
  DualFactor factor_;
  Anderson anderson_;
  bool has_started_ = false;
  double rho_ = 0.0;
  double spectral_factor_ = 1.0;  // kappa^0.05
  VecX d_, D_, weights_;  // by row; d = 0 and D infinite for rows that are not solved for; weights: sqrt(D)
  VecX y_, z_, s_, g_, plain_, trial_, z_plain_, best_;
  double error_ = 0.0, best_error_ = 0.0;
  // Whether y is a proposal of Anderson's method (else trial_), and the length of the step before it.
  bool is_trial_ = false;
  double trial_step_ = 0.0;
  int since_rho_ = 0;
  double wait_ = 0.0;
  double first_rho_ = 0.0, progress_error_ = 0.0;
  int since_progress_ = 0, since_best_ = 0, plateaus_ = 0, plateaus_in_a_row_ = 0;
};

}  // namespace stiction
