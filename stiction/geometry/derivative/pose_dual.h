#pragma once
// Numbers and vectors that depend on the pose of B in A, with their derivatives (forward differentiation):
// the formulas of contact points are written once and yield values and derivatives.
//
// The pose X_AB moves by xi = (phi, t), a small rotation about B's origin and a translation, both in A's
// axes. A point y and a direction u fixed to B move by
//   dy = phi x (y - p_AB) + t,        du = phi x u,
// what is fixed to A does not move.

#include "stiction/math/spatial.h"

namespace stiction {

using Row6 = Eigen::Matrix<double, 1, 6>;
using Mat36 = Eigen::Matrix<double, 3, 6>;

struct MovingNumber {
  double v = 0.0;
  Row6 d = Row6::Zero();
};

struct MovingVector {
  Vec3 v = Vec3::Zero();
  Mat36 d = Mat36::Zero();
};

inline MovingVector fixed_to_a(const Vec3& x) { return {x, Mat36::Zero()}; }

// A direction fixed to B, given in A's axes.
inline MovingVector direction_of_b(const Vec3& u) {
  MovingVector out{u, Mat36::Zero()};
  out.d.leftCols<3>() = -skew(u);
  return out;
}

// A point fixed to B, given in A.
inline MovingVector point_of_b(const Pose& X_AB, const Vec3& y) {
  MovingVector out{y, Mat36::Zero()};
  out.d.leftCols<3>() = -skew(Vec3(y - X_AB.p));
  out.d.rightCols<3>().setIdentity();
  return out;
}

inline MovingNumber operator-(const MovingNumber& a, const MovingNumber& b) { return {a.v - b.v, a.d - b.d}; }
inline MovingNumber operator-(const MovingNumber& a, double b) { return {a.v - b, a.d}; }
inline MovingNumber operator-(double a, const MovingNumber& b) { return {a - b.v, -b.d}; }
inline MovingNumber operator/(const MovingNumber& a, const MovingNumber& b) {
  const double quotient = a.v / b.v;
  return {quotient, (a.d - quotient * b.d) / b.v};
}

inline MovingVector operator+(const MovingVector& a, const MovingVector& b) { return {a.v + b.v, a.d + b.d}; }
inline MovingVector operator-(const MovingVector& a, const MovingVector& b) { return {a.v - b.v, a.d - b.d}; }
inline MovingVector operator*(double a, const MovingVector& b) { return {a * b.v, a * b.d}; }
inline MovingVector operator*(const MovingNumber& a, const MovingVector& b) {
  return {a.v * b.v, a.v * b.d + b.v * a.d};
}
inline MovingNumber dot(const MovingVector& a, const MovingVector& b) {
  return {a.v.dot(b.v), a.v.transpose() * b.d + b.v.transpose() * a.d};
}
inline MovingVector cross(const MovingVector& a, const MovingVector& b) {
  return {a.v.cross(b.v), skew(a.v) * b.d - skew(b.v) * a.d};
}
// Of a nonzero vector.
inline MovingNumber norm(const MovingVector& a) {
  const double length = a.v.norm();
  return {length, (a.v / length).transpose() * a.d};
}
inline MovingVector normalized(const MovingVector& a) {
  const double length = a.v.norm();
  const Vec3 u = a.v / length;
  return {u, (a.d - u * (u.transpose() * a.d)) / length};
}
// The component of a perpendicular to the unit vector e.
inline MovingVector across(const MovingVector& a, const MovingVector& e) { return a - dot(a, e) * e; }

}  // namespace stiction
