#pragma once
// The residual check of a dual contact problem (dual/problem.h), one for all solvers: how far the impulses
// lambda are from a solution. It reads only the problem's numbers (J, A, W, r, R, friction, bounds) and
// lambda; factors of A, products and projections are its own code, shared with no solver.
//
// With v = v_free + A^-1 J' lambda and s = J (v - v_free) + r + R lambda (explicit: W lambda + r + R lambda),
// per contact lambda = (lambda_t, lambda_n), s = (s_t, s_n), s~ = s + mu |s_t| n (de Saxce),
// K = {|lambda_t| <= mu lambda_n} and K* = {mu |s_t| <= s_n}:
//
//   primal               distance of lambda from K                                  N s     C eq. 15
//   dual                 distance of s~ from K*: of s_n below zero                   m/s     C eq. 15
//   complementarity      |lambda . s~|                                               J       C eq. 15
//   ccp_dual             distance of s from K*                                       m/s     C eq. 16
//   ccp_complementarity  |lambda . s|                                                J       C eq. 17
//   signorini            |lambda_n s_n|                                              J       C eq. 8
//   dissipation          |lambda_t . s_t + mu lambda_n |s_t||                        J       C eq. 12
//   natural_velocity     |lambda - P_K(lambda - rho s~)|/rho                         m/s
//   law                  the same fixed point of the law that was to be solved, below           m/s
//   row_primal           distance of a scalar row's lambda from [lower, upper]       N s
//   row_natural          |lambda - clamp(lambda - rho s, lower, upper)|/rho          m/s     of a scalar row
//
// each the largest of all contacts or rows, with rho = rows / trace of the block of W + R; immovable blocks
// (trace zero) do not count. Over all rows together:
//
//   natural_map          |lambda - P(lambda - rho s~)|, relative to |lambda|: the
//                        number by which collections of problems compare solvers     N s
//   momentum             |A (v - v_free) - J' lambda|, relative to |J' lambda|       N s     by trees only
//   internal             |P lambda|, P the projection on null(J') (explicit: on
//                        null(W')): impulses that move nothing                       N s
//
// The cone is circular under every law, so that the errors of a polygon or of the convex relaxation show.
// dual and complementarity measure Coulomb's law (NCP), ccp_* its convex relaxation. `law` alone depends on
// the law (law/rigid_laws.h) and goes to zero with the tolerance of every solver:
//
//   coulomb_ncp          natural_velocity
//   convex_cone          |lambda - P_K(lambda - rho s)|/rho                                  C eqs. 16 to 20
//   pyramid_lcp          of (lambda_n - max(0, lambda_n - rho s_n), lambda_t - P(lambda_t - rho s_t)), P the
//                        nearest point of the polygon at mu lambda_n, the length over rho           C III-A
//   raisim               of min(lambda_n/rho, s_n) and of the conditions of least energy over K and s_n = 0,
//                        s_t = -beta N,  0 <= beta,  0 = beta (mu lambda_n - |lambda_t|),
//                        N = lambda_t/|lambda_t| + mu D_tn/D_nn,  D = W + R (C eq. 24): what s_t has across N,
//                        and the smaller of what it has along -N and of (mu lambda_n - |lambda_t|)/rho
//
// Relative errors: velocities over the scale's velocity, impulses over its impulse, energies over the
// product.

#include "stiction/contact/dual/problem.h"
#include "stiction/contact/residual.h"
#include "stiction/contact/solution.h"

namespace stiction {

// The scales of relative errors. Zeros are replaced: the velocity by the largest |r| of a row, the impulse by
// the velocity times the largest rho of a block: what stops the heaviest contact at that speed.
struct DualScale {
  double impulse = 0.0;   // N s, e.g. m g h of the scene
  double velocity = 0.0;  // m/s
};

struct DualResidual {
  Error primal, dual, complementarity;
  Error ccp_dual, ccp_complementarity;
  Error signorini, dissipation;
  Error natural_velocity, natural_map;
  Error law;
  Error row_primal, row_natural;
  Error momentum;  // zero for an explicit problem, which has no A
  Error internal;
  DualScale scale;  // as it was used
};

// The law that was to be solved.
struct PosedLaw {
  LawKind kind = LawKind::coulomb_ncp;
  Pyramid pyramid = {};
};

DualResidual check_dual_residual(const DualProblem& problem, const VecX& lambda, const DualScale& scale = {},
                                 const PosedLaw& law = {});

// lambda of a problem by trees that the impulses, moments and row impulses of a solution amount to, so that it is the
// solution that is judged and not what a solver keeps. What a contact has no rows for (friction where there is none) is
// left out: check_residual sees it. The row that is added to a group has the lambda at which its s is zero.
VecX lambda_of(const DualProblem& problem, const ContactSolution& solution);

// The larger of each error, of two islands; one that is NaN stays NaN.
void take_larger(const DualResidual& other, DualResidual* worst);

// N s: the part of lambda that moves nothing, by rank-revealing QR; columns of J (of W) whose remainder is
// below rank_tolerance times the largest count as dependent: 1e-9 for numbers in double precision, 1e-6 for
// files written with seven digits.
double internal_force(const DualProblem& problem, const VecX& lambda, double rank_tolerance = 1e-9);

}  // namespace stiction
