#pragma once
// One judge for every solver of a dual contact problem (dual/problem.h): how far impulses lambda are from
// what they should be. It trusts nothing but the problem's numbers (J, A, W, r, R, friction, bounds) and
// lambda; velocities come from its own factors of A and its own loops, projections from its own formulas.
//
// With v = v_free + A^-1 J' lambda, s = J (v - v_free) + r + R lambda (explicit: W lambda + r + R lambda),
// per contact lambda = (lambda_t, lambda_n), s = (s_t, s_n), K = {|lambda_t| <= mu lambda_n}, K* = {mu |s_t|
// <= s_n} and s~ = s + mu |s_t| n (de Saxce):
//
//   primal               distance of lambda from K                                  N s     C eq. 15
//   dual                 distance of s~ from K*: of s_n below zero                   m/s     C eq. 15
//   complementarity      |lambda . s~|                                               J       C eq. 15
//   ccp_dual             distance of s from K*                                       m/s     C eq. 16
//   ccp_complementarity  |lambda . s|                                                J       C eq. 17
//   signorini            |lambda_n s_n|                                              J       C eq. 8
//   dissipation          |lambda_t . s_t + mu lambda_n |s_t||                        J       C eq. 12
//   natural_velocity     |lambda - P_K(lambda - rho s~)|/rho                         m/s
//   row_primal           distance of a scalar row's lambda from [lower, upper]       N s
//   row_natural          |lambda - clamp(lambda - rho s, lower, upper)|/rho of a row m/s
//
// each the largest of all contacts or rows, with rho = rows / trace of the block of W + R; blocks with a
// trace of zero, which nothing moves, do not count. Of all rows together:
//
//   natural_map          |lambda - P(lambda - rho s~)|, relative to |lambda|: the number by which collections
//                        of such problems compare solvers, free of units                    N s
//   momentum             |A (v - v_free) - J' lambda|, relative to |J' lambda|; by trees    N s
//   internal             |P lambda|, P the projection on null(J'): impulses that move nothing (explicit: on
//                        null(W'))                                                          N s
//
// The cone is the round one under every law: what a polygon or a relaxation is off by shows here. dual and
// complementarity tell Coulomb's law (NCP), ccp_* its convex relaxation.
//
// Relative figures: velocities to the scale's velocity, impulses to its impulse, energies to the product.

#include "stiction/contact/dual/problem.h"
#include "stiction/contact/residual.h"

namespace stiction {

// What errors are divided by. Zeros are replaced: the velocity by the largest |r| of a row, the impulse by
// the velocity times the largest rho of a block, i.e. what would stop the heaviest contact at that speed.
struct DualScale {
  double impulse = 0.0;   // N s, of a scene m g h
  double velocity = 0.0;  // m/s
};

struct DualResidual {
  Error primal, dual, complementarity;
  Error ccp_dual, ccp_complementarity;
  Error signorini, dissipation;
  Error natural_velocity, natural_map;
  Error row_primal, row_natural;
  Error momentum;  // zero of an explicit problem, which has no momentum
  Error internal;
  DualScale scale;  // as it was used
};

DualResidual check_dual_residual(const DualProblem& problem, const VecX& lambda, const DualScale& scale = {});

// N s: the part of lambda that moves nothing, by rank-revealing QR; columns of J (of W) whose remainder is
// below rank_tolerance times the largest count as dependent. 1e-9 for numbers with all digits, 1e-6 for those
// of files that were written with seven.
double internal_force(const DualProblem& problem, const VecX& lambda, double rank_tolerance = 1e-9);

}  // namespace stiction
