#pragma once
// Two segments: their nearest points, and the interval where they run side by side. Inline, because a pair of
// capsules costs little more than this.

#include <algorithm>
#include <cmath>

#include "stiction/math/matrix.h"

namespace stiction::segment_pair {

// Not std::clamp, whose references compile to branches.
inline double limited(double x, double half) { return std::min(std::max(x, -half), half); }

// Two segments: d from centre to centre, axes a and b of unit length.
struct Segments {
  Vec3 d, a, b;
  double half_a, half_b;  // m

  // Points of the axes closer than this (m) are equal to round-off: there is no direction between them.
  double same_place() const { return 1e-14 * (half_a + half_b); }
};
struct Places {
  double s, t;  // m along the axes
};

[[gnu::always_inline]] inline double dot(const Vec3& x, const Vec3& y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// d . a, d . b, a . b and |a x b|^2.
struct Products {
  double da, db, c, sine2;
};
[[gnu::always_inline]] inline Products products_of(const Segments& x) {
  const Vec3 across(x.a[1] * x.b[2] - x.a[2] * x.b[1], x.a[2] * x.b[0] - x.a[0] * x.b[2],
                    x.a[0] * x.b[1] - x.a[1] * x.b[0]);
  return {dot(x.d, x.a), dot(x.d, x.b), dot(x.a, x.b), dot(across, across)};
}

// Square of the sine of the angle between nearly parallel axes: below this the nearest point of the lines is
// not well defined, and an end of one segment is compared with the other.
inline constexpr double kLeastSine2 = 1e-20;
inline Places nearest_places_of_parallel(const Segments& x, const Products& of) {
  Places best{0.0, 0.0};
  double least = 1e300;
  const auto look = [&](double s, double t) {
    const double length2 = (x.d + t * x.b - s * x.a).squaredNorm();
    if (length2 < least) least = length2, best = {s, t};
  };
  for (const double s : {-x.half_a, x.half_a}) look(s, limited(of.c * s - of.db, x.half_b));
  for (const double t : {-x.half_b, x.half_b}) look(limited(of.da + of.c * t, x.half_a), t);
  return best;
}
[[gnu::always_inline]] inline Places nearest_places(const Segments& x, const Products& of) {
  // The nearest points of the two lines, clamped to one segment; then the nearest point on the other,
  // clamped, and back (C. Ericson, "Real-Time Collision Detection", 2005, 5.1.9).
  const double s = limited((of.da - of.c * of.db) / of.sine2, x.half_a);
  const double t = limited(of.c * s - of.db, x.half_b);
  return {limited(of.da + of.c * t, x.half_a), t};
}

// The ends of the interval side by side, measured along a + sign b, which is parallel to the mean of the
// axes.
struct Stretch {
  Places first, last;
  double sign;
  bool exists() const { return first.s < last.s; }
};
[[gnu::always_inline]] inline Stretch stretch_of(const Segments& x, const Products& of) {
  const double sign = std::copysign(1.0, of.c), inverse = 1.0 / (1.0 + std::abs(of.c));
  const double apart = (of.da + sign * of.db) * inverse;
  const double low = std::max(-x.half_a, apart - x.half_b), high = std::min(x.half_a, apart + x.half_b);
  return {{low, sign * (low - apart)}, {high, sign * (high - apart)}, sign};
}

}  // namespace stiction::segment_pair
