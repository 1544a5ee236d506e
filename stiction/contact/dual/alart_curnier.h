#pragma once
// The conditions of contact as equations that Newton's method can solve (P. Alart, A. Curnier, A mixed
// formulation for frictional contact problems prone to Newton like solution methods, CMAME 92, 1991): with
// z = lambda - rho s of a block, rho > 0,
//
//   phi(lambda, s) = lambda - P(z) = 0,
//
//   coulomb_ncp   P_n = max(0, z_n),  P_t = z_t, or mu P_n z_t/|z_t| where |z_t| > mu P_n: the radius of the
//                 disc is that of the new normal impulse, so that normal and friction converge together;
//   convex_cone   P the nearest point of the cone K;
//   a scalar row  P = clamp(z, lower, upper).
//
// P is piecewise smooth. G is its derivative on the smooth piece that contains z, with e = z_t/|z_t|:
//
//   open                    0
//   sticking                1
//   sliding, coulomb_ncp    G_tt = mu z_n/|z_t| (1 - e e'),   G_tn = mu e,   G_nn = 1,   G_nt = 0
//   sliding, convex_cone    G = w w' + (mu P_n/|z_t|) (1 - e e') on the tangents, symmetric,
//                           with w = (mu e, 1)/sqrt(1 + mu^2) and P = (w . z) w

#include "stiction/contact/dual/problem.h"

namespace stiction {

enum class BlockPiece : std::uint8_t { open, sticking, sliding };

// p := P(z). G := its derivative, size x size, row-major, unless nullptr.
BlockPiece project_block(LawKind law, const DualBlock& block, const double* z, double* p, double* G);

}  // namespace stiction
