#pragma once
// Rotations: matrices R_AB, unit quaternions (w, x, y, z), and the exponential map between rotation vectors
// and both.
//
//   R(exp(r)) = 1 + sin t/t [r] + (1 - cos t)/t^2 [r]^2,   t = |r|          (Rodrigues)
//
// Everything is templated on the real type, so that dual numbers run through the same code; nothing branches
// on a derivative: small angles use series that are exact to round-off below kSmallAngle.

#include <cmath>

#include "stiction/math/matrix.h"

namespace stiction {

// Below this angle (rad) the fourth-order series of sin t/t and the like are exact to round-off:
// t^6/5040 < 1e-16.
inline constexpr double kSmallAngle = 5e-3;

// [a] with [a] b = a x b.
template <class T>
Mat3T<T> skew(const Vec3T<T>& a) {
  Mat3T<T> m;
  m << T(0), -a.z(), a.y(), a.z(), T(0), -a.x(), -a.y(), a.x(), T(0);
  return m;
}

// R_AB of a quaternion of any length except zero.
template <class T>
Mat3T<T> rotation_from_quaternion(const Vec4T<T>& q) {
  const T s = T(2) / q.squaredNorm();
  const T w = q[0], x = q[1], y = q[2], z = q[3];
  Mat3T<T> R;
  R << T(1) - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y),  //
      s * (x * y + w * z), T(1) - s * (x * x + z * z), s * (y * z - w * x),   //
      s * (x * z - w * y), s * (y * z + w * x), T(1) - s * (x * x + y * y);
  return R;
}

// Product of the rotations: R(a b) = R(a) R(b).
template <class T>
Vec4T<T> quaternion_product(const Vec4T<T>& a, const Vec4T<T>& b) {
  return Vec4T<T>(a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                  a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                  a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                  a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]);
}

template <class T>
Vec4T<T> quaternion_conjugate(const Vec4T<T>& q) {
  return Vec4T<T>(q[0], -q[1], -q[2], -q[3]);
}

// The unit quaternion of the rotation vector r (rad).
template <class T>
Vec4T<T> quaternion_exp(const Vec3T<T>& r) {
  using std::cos, std::sin, std::sqrt;
  const T t2 = r.squaredNorm();
  T c, s;  // cos(t/2), sin(t/2)/t
  if (t2 < T(kSmallAngle * kSmallAngle)) {
    c = T(1) - t2 / T(8) + t2 * t2 / T(384);
    s = T(0.5) - t2 / T(48) + t2 * t2 / T(3840);
  } else {
    const T t = sqrt(t2);
    c = cos(t * T(0.5));
    s = sin(t * T(0.5)) / t;
  }
  return Vec4T<T>(c, s * r.x(), s * r.y(), s * r.z());
}

// The shortest rotation vector (|r| <= pi) of a unit quaternion.
template <class T>
Vec3T<T> quaternion_log(const Vec4T<T>& q) {
  using std::atan2, std::sqrt;
  const T sign = q[0] < T(0) ? T(-1) : T(1);
  const Vec3T<T> u = sign * q.template tail<3>();
  const T c = sign * q[0];
  const T s2 = u.squaredNorm();
  if (s2 < T(kSmallAngle * kSmallAngle)) {
    // t/sin(t/2) by the series of 2 asin(s)/s, with s = sin(t/2).
    return (T(2) + s2 / T(3) + s2 * s2 * T(3.0 / 20.0)) * u;
  }
  const T s = sqrt(s2);
  return (T(2) * atan2(s, c) / s) * u;
}

// The rotation about a unit axis by an angle (rad).
template <class T>
Mat3T<T> rotation_about(const Vec3T<T>& axis, const T& angle) {
  using std::cos, std::sin;
  const T c = cos(angle), s = sin(angle);
  const Mat3T<T> k = skew(axis);
  return Mat3T<T>::Identity() + s * k + (T(1) - c) * (k * k);
}

template <class T>
Mat3T<T> rotation_exp(const Vec3T<T>& r) {
  return rotation_from_quaternion(quaternion_exp(r));
}

// The unit quaternion, w >= 0, of a rotation matrix.
Vec4 quaternion_from_rotation(const Mat3& R);

// The rotation vector, |r| <= pi, of a rotation matrix.
Vec3 rotation_log(const Mat3& R);

// R_z(yaw) R_y(pitch) R_x(roll), the fixed-axis angles of URDF.
Mat3 rotation_from_roll_pitch_yaw(double roll, double pitch, double yaw);

// Some right-handed frame whose third column is the unit vector z; continuous in z except at z = -e_x.
Mat3 frame_with_z(const Vec3& z);

// The rotation matrix closest to R, to round-off where R is off by less than 1e-3: Newton's polar iteration.
Mat3 orthonormalised(const Mat3& R);

}  // namespace stiction
