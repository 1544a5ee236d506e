#pragma once
// Rounding to the nearest single-precision number, for data that other engines store in single precision.

#include "stiction/math/matrix.h"

namespace stiction {

// Through memory, because g++ 12 sometimes drops both conversions (to float and back) where it vectorises the
// end of a loop.
inline double rounded_to_single(double x) {
  const volatile float single = static_cast<float>(x);
  return single;
}
inline Vec3 rounded_to_single(const Vec3& v) {
  return Vec3(rounded_to_single(v.x()), rounded_to_single(v.y()), rounded_to_single(v.z()));
}

}  // namespace stiction
