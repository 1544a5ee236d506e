#include "stiction/simulation/actuation/muscle.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kTiny = 1e-15;  // lower bound of widths, times and accelerations that are divided by

double safe(double x) { return std::max(kTiny, x); }

struct Curve {
  double value = 0.0, slope = 0.0;
};

// Piecewise quadratic in x: 0 at `foot`, 1/2 in the middle, 1 at `top`.
Curve half_bump(double x, double foot, double top) {
  const double width = 0.5 * (top - foot), size = safe(std::abs(width)), sign = width < 0.0 ? -1.0 : 1.0;
  const double from_foot = sign * (x - foot) / size, from_top = sign * (top - x) / size;
  if (from_foot <= 1.0) return {0.5 * from_foot * from_foot, sign * from_foot / size};
  return {1.0 - 0.5 * from_top * from_top, sign * from_top / size};
}

Curve active_by_length(const MuscleCurves& m, double L) {
  if (L < m.lmin || L > m.lmax) return {};
  return L <= 1.0 ? half_bump(L, m.lmin, 1.0) : half_bump(L, m.lmax, 1.0);
}

Curve active_by_velocity(const MuscleCurves& m, double V) {
  const double y = m.fvmax - 1.0;
  if (V <= -1.0) return {};
  if (V <= 0.0) return {(V + 1.0) * (V + 1.0), 2.0 * (V + 1.0)};
  if (V <= y) return {m.fvmax - (y - V) * (y - V) / safe(y), 2.0 * (y - V) / safe(y)};
  return {m.fvmax, 0.0};
}

Curve passive_by_length(const MuscleCurves& m, double L) {
  const double b = 0.5 * (1.0 + m.lmax), width = safe(b - 1.0);
  if (L <= 1.0) return {};
  if (L <= b) {
    const double x = (L - 1.0) / width;
    return {0.5 * m.fpmax * x * x, m.fpmax * x / width};
  }
  return {m.fpmax * (0.5 + (L - b) / width), m.fpmax / width};
}

}  // namespace

MuscleCurves make_muscle(const std::array<double, 10>& parameters, const std::array<double, 2>& length_range,
                         double acceleration) {
  MuscleCurves m;
  m.force = parameters[2] < 0.0 ? parameters[3] / safe(acceleration) : parameters[2];
  m.length = safe((length_range[1] - length_range[0]) / safe(parameters[1] - parameters[0]));
  m.lower = length_range[0];
  m.scaled_lower = parameters[0];
  m.lmin = parameters[4];
  m.lmax = parameters[5];
  m.vmax = parameters[6];
  m.fpmax = parameters[7];
  m.fvmax = parameters[8];
  return m;
}

MuscleForce muscle_force(const MuscleCurves& m, double length, double velocity) {
  const double by_l = 1.0 / m.length, by_v = 1.0 / safe(m.length * m.vmax);
  const double L = m.scaled_lower + (length - m.lower) * by_l, V = velocity * by_v;
  const Curve FL = active_by_length(m, L), FV = active_by_velocity(m, V), FP = passive_by_length(m, L);
  MuscleForce f;
  f.gain = -m.force * FL.value * FV.value;
  f.bias = -m.force * FP.value;
  f.gain_by_length = -m.force * FL.slope * FV.value * by_l;
  f.gain_by_velocity = -m.force * FL.value * FV.slope * by_v;
  f.bias_by_length = -m.force * FP.slope * by_l;
  return f;
}

double muscle_activation_rate(double control, double activation, const std::array<double, 3>& parameters) {
  const double u = std::clamp(control, 0.0, 1.0), speed = 0.5 + 1.5 * std::clamp(activation, 0.0, 1.0);
  const double on = parameters[0] * speed, off = parameters[1] / speed, smooth = parameters[2];
  const double rise = u - activation;
  double share = rise > 0.0 ? 1.0 : 0.0;  // weight of `on`
  if (smooth >= kTiny) {
    const double x = std::clamp(rise / smooth + 0.5, 0.0, 1.0);
    share = x * x * x * (10.0 + x * (6.0 * x - 15.0));
  }
  return rise / safe(off + share * (on - off));
}

}  // namespace stiction
