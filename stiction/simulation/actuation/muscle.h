#pragma once
// Muscles: force as a function of length, velocity and activation (MJCF's muscle, after Millard et al. 2013).
//
//   f = -F0 (F_L(L) F_V(V) act + F_P(L)),   L = r0 + (l - l0) / L0,   V = l' / (L0 vmax)
//
//   L0    optimal length (l1 - l0) / (r1 - r0): maps the range [l0, l1] of lengths to [r0, r1] of L
//   F_L   piecewise quadratic bump: 0 at lmin and lmax, 1 at L = 1, 1/2 in the middle of either side
//   F_V   shortening:   (1 + V)^2, and 0 for V < -1
//         lengthening:  fvmax - (y - V)^2 / y with y = fvmax - 1, and fvmax for V > y
//   F_P   0 for L < 1, then fpmax x^2 / 2 with x = (L - 1) / (b - 1) up to b = (1 + lmax) / 2, linear beyond
//
//   act' = (u - act) / tau,   tau = tau_on (1/2 + 3/2 act)     for u > act
//                             tau = tau_off / (1/2 + 3/2 act)  for u < act
//
// with u in [0, 1]; `smooth` is the width of a band of u - act over which 6 x^5 - 15 x^4 + 10 x^3 blends the
// two tau.

#include <array>

namespace stiction {

struct MuscleCurves {
  double force = 1.0;               // N, F0
  double length = 1.0;              // m, L0
  double lower = 0.0;               // m, l0
  double scaled_lower = 0.75;       // r0
  double lmin = 0.5, lmax = 1.6;    // of L
  double vmax = 1.5;                // L0 per second
  double fpmax = 1.3, fvmax = 1.2;  // of F0
};

// gain: force per unit of activation; bias: force without activation; each with its derivatives by length and
// velocity.
struct MuscleForce {
  double gain = 0.0, bias = 0.0;
  double gain_by_length = 0.0, gain_by_velocity = 0.0, bias_by_length = 0.0;
};

// From MJCF's nine numbers: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. If the force is
// negative, it is computed as scale / acceleration, the acceleration being that caused by a unit force of the
// muscle at q0.
MuscleCurves make_muscle(const std::array<double, 10>& parameters, const std::array<double, 2>& length_range,
                         double acceleration);

MuscleForce muscle_force(const MuscleCurves& muscle, double length, double velocity);

// parameters: tau_on (s), tau_off (s), smooth.
double muscle_activation_rate(double control, double activation, const std::array<double, 3>& parameters);

}  // namespace stiction
