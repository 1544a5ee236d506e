#pragma once
// Muscles: force by length, velocity and activation (MJCF's muscle, after Millard et al. 2013).
//
//   f = -F0 (F_L(L) F_V(V) act + F_P(L)),   L = r0 + (l - l0) / L0,   V = l' / (L0 vmax)
//
//   L0 = (l1 - l0) / (r1 - r0)    optimal length: the range [l0, l1] of lengths is [r0, r1] of it
//   F_L   a bump of parabolas: 0 at lmin and lmax, 1 at L = 1, halfway up in the middle of either side
//   F_V   (1 + V)^2 while it shortens, 0 from V = -1; fvmax - (y - V)^2 / y with y = fvmax - 1 while it
//         lengthens, fvmax from V = y
//   F_P   0 up to L = 1, then fpmax x^2 / 2 up to b = (1 + lmax) / 2 and straight on, x = (L - 1) / (b - 1)
//
//   act' = (u - act) / tau,   tau = tau_on (1/2 + 3/2 act) for u > act, tau_off / (1/2 + 3/2 act) below,
//
// with u in [0, 1]; `smooth` joins the two over a band of u - act by 6 x^5 - 15 x^4 + 10 x^3.

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

// gain: force per unit of activation, bias: force without any; each with its derivatives (by length, by
// velocity).
struct MuscleForce {
  double gain = 0.0, bias = 0.0;
  double gain_by_length = 0.0, gain_by_velocity = 0.0, bias_by_length = 0.0;
};

// From MJCF's nine numbers: range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. A negative force is
// scale / acceleration, with the size of the acceleration that a unit force gives the model at q0.
MuscleCurves make_muscle(const std::array<double, 10>& parameters, const std::array<double, 2>& length_range,
                         double acceleration);

MuscleForce muscle_force(const MuscleCurves& muscle, double length, double velocity);

// parameters: tau_on (s), tau_off (s), smooth.
double muscle_activation_rate(double control, double activation, const std::array<double, 3>& parameters);

}  // namespace stiction
