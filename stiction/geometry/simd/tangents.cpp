#include "stiction/geometry/simd/tangents.h"

namespace stiction {

Tangents tangents(const Vec3& n) {
  // Two columns of the rotation with the quaternion (5, 2, 3, 1)/sqrt(39); c is 29 degrees or more from every
  // axis and 14 from every diagonal of two or three of them.
  const Vec3 a(19.0 / 39.0, 22.0 / 39.0, -26.0 / 39.0);
  const Vec3 c(34.0 / 39.0, -14.0 / 39.0, 13.0 / 39.0);
  // Within 1e-5 rad of -c the fraction has lost half of its digits.
  constexpr double kPole = 5e-11;

  Tangents out;
  const double closeness = 1.0 + c.dot(n);
  if (closeness > kPole) {
    out.t1 = a - (a.dot(n) / closeness) * (c + n);
  } else {
    out.t1 = (a - a.dot(n) * n).normalized();
  }
  out.t2 = n.cross(out.t1);
  return out;
}

}  // namespace stiction
