#pragma once
// Functions whose zeros are the solutions of one complementarity condition, for Newton methods:
//
//   phi(a, b) = a + b - sqrt(a^2 + b^2 + 2 mu^2)          Fischer and Burmeister, smoothed where mu > 0
//   phi_p(a, b) = share phi(a, b) + (1 - share) a+ b+     penalised: steeper where both are positive
//
// phi = 0 where a, b >= 0 and a b = mu^2. A condition with bounds l <= z <= u (mixed_problem.h) becomes
//
//   Phi = phi(z - l, -phi(u - z, -F)),     phi(z - l, F),     -phi(u - z, -F),     F
//
// with two bounds, one, the other, none. 1/2 |Phi|^2 of all conditions has a continuous gradient: the merit
// that line searches lower.
//
// A. Fischer, A special Newton-type optimization method, Optimization 24 (1992); S. C. Billups, Algorithms
// for complementarity problems and generalized equations, 1995; B. Chen, X. Chen, C. Kanzow, A penalized
// Fischer-Burmeister NCP-function, Math. Program. 88 (2000).

namespace stiction {

struct FischerShape {
  double share = 1.0;  // of phi; the rest is the penalty. 1: without penalty
  double mu = 0.0;     // smoothing, in units of z
};

// Phi and an element of its generalised derivative.
struct FischerValue {
  double value = 0.0, by_z = 0.0, by_F = 0.0, by_mu = 0.0;
};

FischerValue fischer(double z, double F, double lower, double upper, const FischerShape& shape);

}  // namespace stiction
