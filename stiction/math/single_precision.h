#pragma once
// Rounding to the nearest single-precision number, for data that other engines keep so.

#include "stiction/math/matrix.h"

namespace stiction {

// Through memory: where g++ 12 vectorises the end of a loop, it takes two conversions to float and back for
// none.
inline double rounded_to_single(double x) {
  const volatile float single = static_cast<float>(x);
  return single;
}
inline Vec3 rounded_to_single(const Vec3& v) {
  return Vec3(rounded_to_single(v.x()), rounded_to_single(v.y()), rounded_to_single(v.z()));
}

}  // namespace stiction
