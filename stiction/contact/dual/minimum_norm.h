#pragma once
// Impulses of least norm (C II): in hyperstatic problems many impulses give the same motion, and the part of
// them that moves nothing, internal forces that stretch or squeeze bodies, is an artefact of the solver. With
// J_F the rows of the contacts that stick without compliance,
//
//   delta = lambda_F - P lambda_F,   P the projection on range(J_F),   J_F' delta = 0,
//   lambda_F := lambda_F - t delta,   t in [0, 1] the largest with all of them in their cones.
//
// No velocity changes, so that the law is met as before. Impulses of contacts that slide or are open, and
// those of drives, limits and other scalar rows, are kept: they are given by the law and the motion. The norm
// is that of the variables in which the cones are circular, moments over their friction lengths.
//
// P is computed by conjugate gradients on the normal equations of min |lambda_F - J_F x| (CGLS, Bjorck 1996),
// which ends after as many iterations as J_F has distinct singular values, and allocates nothing.
//
// Where t < 1 the answer lies between the given impulses and those of least norm. It is then not the least
// norm within the cones: to find that would be an optimisation over cones of its own.

#include "stiction/contact/dual/problem.h"

namespace stiction {

class MinimumNorm {
 public:
  // lambda: solves the problem. False, and lambda as it was: nothing to take away. By trees only.
  bool apply(const DualProblem& problem, VecX* lambda);

 private:
  void gather(const DualProblem& problem, const VecX& rows);
  void spread(const DualProblem& problem, const VecX& velocities, VecX* rows) const;

  std::vector<char> sticks_;  // by block
  VecX s_, rest_, along_, gradient_, direction_;
};

}  // namespace stiction
