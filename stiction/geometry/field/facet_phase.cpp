#include "stiction/geometry/field/facet_phase.h"

#include <cmath>
#include <complex>

namespace stiction {
namespace {

// A symmetric tensor in a plane without its trace, as a complex number: its argument is twice the angle of the
// direction in which it is largest.
using Director = std::complex<double>;

// The direction of least curvature of a round shape where its normal is frame.normal; 1/m.
Director flattest(const PressureSide& side, const PlaneFrame& frame, const Vec3& near) {
  const CollisionShape& shape = side.field->shape;
  const Mat3& R = side.X_QS.R;
  const auto in_plane = [&](const Vec3& d) { return Director(frame.t1.dot(d), frame.t2.dot(d)); };
  if (shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder) {
    // Along the axis, as on the lateral surface; it fades towards the ends, which have no such direction.
    const double radius = shape.size[0] + shape.rounding;
    const Director axis = in_plane(R.col(2));
    if (shape.kind == ShapeKind::capsule) return axis * axis / (2.0 * radius);
    const Vec3 from = near - side.X_QS.p;
    const Director across = in_plane((from - from.dot(R.col(2)) * R.col(2)) / radius);
    return (axis * axis + across * across) / (2.0 * radius);
  }
  if (shape.kind != ShapeKind::ellipsoid) return {};
  // Radii of curvature are second derivatives of the support function h(u) = |D u|, D the radii of the ellipsoid:
  // (D^2 - v v'/h^2)/h, v = D^2 u, on the tangent plane.
  const Vec3 size = shape.size + Vec3::Constant(shape.rounding);
  const Vec3 u = R.transpose() * frame.normal, s = R.transpose() * frame.t1, t = R.transpose() * frame.t2;
  const Vec3 D2 = size.cwiseProduct(size), v = D2.cwiseProduct(u);
  const double h = size.cwiseProduct(u).norm();
  const auto radius = [&](const Vec3& a, const Vec3& b) {
    return (a.dot(D2.cwiseProduct(b)) - v.dot(a) * v.dot(b) / (h * h)) / h;
  };
  const double ss = radius(s, s), st = radius(s, t), tt = radius(t, t), determinant = ss * tt - st * st;
  // The curvature is the inverse: least where the radius is largest.
  return Director(0.5 * (ss - tt), st) / determinant;
}

Vec3 along(const Director& director, const PlaneFrame& frame) {
  const double angle = 0.5 * std::arg(director);
  return std::cos(angle) * frame.t1 + std::sin(angle) * frame.t2;
}

}  // namespace

Vec3 phase_of_round_pair(const PressureSide& A, const PressureSide& B, const Vec3& direction,
                         const Vec3& near) {
  const PlaneFrame frame = plane_frame(direction, 0.0);
  return along(flattest(A, frame, near) + flattest(B, frame, near), frame);
}

Vec3 phase_on(const PressureSide& other, const Vec3& direction) {
  if (other.field->shape.kind == ShapeKind::half_space) return other.X_QS.R.col(0);
  // The principal direction across u of the symmetric product of two axes, which are its singular directions.
  static const Vec3 a = Vec3(1.0, 1.2, 0.8).normalized(), b = Vec3(-0.9, 1.1, 1.0).normalized();
  const PlaneFrame frame = plane_frame(direction, 0.0);
  const Vec3 in_a = other.X_QS.R * a, in_b = other.X_QS.R * b;
  return along(
      Director(frame.t1.dot(in_a), frame.t2.dot(in_a)) * Director(frame.t1.dot(in_b), frame.t2.dot(in_b)),
      frame);
}

Vec3 turned_along(const Vec3& from, const Vec3& to, const Vec3& vector) {
  const double c = 1.0 + from.dot(to);
  if (!(c > 1e-12)) return vector;
  return vector - vector.dot(to) / c * (from + to);
}

}  // namespace stiction
