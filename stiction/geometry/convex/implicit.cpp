#include "stiction/geometry/convex/implicit.h"

#include <cmath>

#include "stiction/base/check.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

ImplicitValue plane(const Vec3& normal, double offset, const Vec3& x) {
  return {normal.dot(x) - offset, normal, Mat3::Zero()};
}

// scale/2 (x' D x - 1) with D diagonal.
ImplicitValue quadric(const Vec3& diagonal, double scale, const Vec3& x) {
  const Vec3 Dx = diagonal.cwiseProduct(x);
  return {0.5 * scale * (x.dot(Dx) - 1.0), scale * Dx, scale * Mat3(diagonal.asDiagonal())};
}

// The distance from the segment |z| <= l: from its axis, or from an end.
ImplicitValue segment_distance(double half_length, double radius, const Vec3& x) {
  const NearestPoint near = nearest_on_segment(half_length, x);
  ImplicitValue v{near.distance - radius, near.normal, Mat3::Zero()};
  if (!(near.distance > 0.0)) return v;
  v.hessian = Mat3::Identity() - near.normal * near.normal.transpose();
  if (std::abs(x.z()) < half_length) v.hessian(2, 2) -= 1.0;
  v.hessian /= near.distance;
  return v;
}

// Sums of powers below this are zero: their squares would underflow.
constexpr double kTinyPower = 1e-120;

// A power of a number in [0, 1] and its first two derivatives.
struct Power {
  double value, slope, curvature;
};
Power power(double u, double p) {
  if (p == 2.0) return {u * u, 2.0 * u, 2.0};
  const double second = std::pow(u, p - 2.0);
  return {second * u * u, p * second * u, p * (p - 1.0) * second};
}

// s/2 (N^2 - 1). With S = |x/a|^p2 + |y/b|^p2 and T = S^(p1/p2) + |z/c|^p1: N^2 = T^(2/p1). The coordinates
// are divided by the largest first, since N^2 is homogeneous of degree two.
ImplicitValue gauge(const CollisionShape& shape, const Vec3& x) {
  const double p1 = 2.0 / shape.e1, p2 = 2.0 / shape.e2, scale = shape.size.minCoeff();
  const Vec3 y = x.cwiseQuotient(shape.size);
  const double largest = y.cwiseAbs().maxCoeff();
  ImplicitValue v;
  if (!(largest > 0.0)) {
    v.f = -0.5 * scale;
    return v;
  }
  const Vec3 u = y.cwiseAbs() / largest;
  const Power a = power(u.x(), p2), b = power(u.y(), p2), c = power(u.z(), p1);
  const double sum = a.value + b.value, S = sum > kTinyPower ? sum : 0.0, r = p1 / p2;
  const double Sr = S > 0.0 ? std::pow(S, r) : 0.0;
  // Derivatives of S^r, zero on the axis unless r = 1.
  const double first = S > 0.0 ? r * Sr / S : (r == 1.0 ? 1.0 : 0.0);
  const double second = S > 0.0 ? r * (r - 1.0) * Sr / (S * S) : 0.0;
  const double T = Sr + c.value;
  const Vec3 gT(first * a.slope, first * b.slope, c.slope);
  Mat3 HT = Mat3::Zero();
  HT(0, 0) = first * a.curvature + second * a.slope * a.slope;
  HT(1, 1) = first * b.curvature + second * b.slope * b.slope;
  HT(0, 1) = HT(1, 0) = second * a.slope * b.slope;
  HT(2, 2) = c.curvature;
  const double q = 2.0 / p1, N2 = std::pow(T, q), d1 = q * N2 / T, d2 = q * (q - 1.0) * N2 / (T * T);
  v.f = 0.5 * scale * (largest * largest * N2 - 1.0);
  const Vec3 to_x(std::copysign(1.0 / shape.size.x(), x.x()), std::copysign(1.0 / shape.size.y(), x.y()),
                  std::copysign(1.0 / shape.size.z(), x.z()));
  v.gradient = 0.5 * scale * largest * d1 * to_x.cwiseProduct(gT);
  v.hessian =
      0.5 * scale * (to_x.asDiagonal() * Mat3(d1 * HT + d2 * gT * gT.transpose()) * to_x.asDiagonal());
  return v;
}

// The distance from the core minus the rounding. Where the core has radii of curvature W across the normal, a
// surface at distance d from it has W + d: the Hessian of the distance is (W + d)^-1 across the normal, and
// zero along flat directions.
ImplicitValue rounded(const CollisionShape& shape, const Vec3& x) {
  const NearestPoint near = nearest_on_core(shape, x);
  const Vec3& n = near.normal;
  ImplicitValue v{near.distance - shape.rounding, n, Mat3::Zero()};
  const double d = near.distance;
  if (shape.kind == ShapeKind::box) {
    // The surface is curved in the directions in which x lies beyond the box, and flat in the others.
    if (!(d > 0.0)) return v;
    for (int i = 0; i < 3; ++i)
      if (std::abs(x[i]) > shape.size[i]) v.hessian(i, i) = 1.0 / d;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) v.hessian(i, j) -= n[i] * n[j] / d;
    return v;
  }
  if (shape.kind == ShapeKind::cylinder) {
    const double across = std::hypot(x.x(), x.y());
    const bool off_axis = std::abs(n.z()) < 1.0 && across > 0.0;
    // Curvatures around the axis, and around the rim in the plane of axis and normal.
    const Vec3 around = off_axis ? Vec3(-x.y() / across, x.x() / across, 0.0) : Vec3::Zero();
    if (off_axis) v.hessian += std::hypot(n.x(), n.y()) / across * around * around.transpose();
    if (off_axis && std::abs(n.z()) > 0.0 && d > 0.0) {
      const Vec3 along = n.cross(around);
      v.hessian += along * along.transpose() / d;
    }
    return v;
  }
  const Mat3 frame = frame_with_z(n);
  const Eigen::Matrix<double, 3, 2> t = frame.leftCols<2>();
  Eigen::Matrix2d radii = t.transpose() * support_jet(shape, n).H * t;
  radii.diagonal().array() += d;
  const double det = radii(0, 0) * radii(1, 1) - radii(0, 1) * radii(1, 0);
  Eigen::Matrix2d inverse;
  inverse << radii(1, 1), -radii(0, 1), -radii(1, 0), radii(0, 0);
  v.hessian = t * (inverse / det) * t.transpose();
  return v;
}

bool is_rounded_as_one(const CollisionShape& shape) {
  return shape.rounding > 0.0 &&
         (shape.kind == ShapeKind::box || shape.kind == ShapeKind::cylinder ||
          shape.kind == ShapeKind::ellipsoid || shape.kind == ShapeKind::superellipsoid);
}

}  // namespace

int num_implicit_functions(const CollisionShape& shape) {
  if (is_rounded_as_one(shape)) return 1;
  switch (shape.kind) {
    case ShapeKind::cylinder:
      return 3;
    case ShapeKind::box:
      return 6;
    case ShapeKind::hull:
      return static_cast<int>(shape.hull->faces.size());
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::half_space:
      return 1;
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return 0;
}

ImplicitValue implicit_of_core(const CollisionShape& shape, const Vec3& x) {
  if (shape.kind == ShapeKind::superellipsoid) return gauge(shape, x);
  return quadric(shape.size.cwiseAbs2().cwiseInverse(), shape.size.minCoeff(), x);
}

ImplicitValue implicit(const CollisionShape& shape, int i, const Vec3& x) {
  STICTION_ASSERT(i >= 0 && i < num_implicit_functions(shape));
  if (is_rounded_as_one(shape)) return rounded(shape, x);
  const auto below_or_above = [&](int axis, double half, bool upper) {
    return plane((upper ? 1.0 : -1.0) * Vec3::Unit(axis), half, x);
  };
  switch (shape.kind) {
    case ShapeKind::sphere: {
      const double r = core_radius(shape);
      return quadric(Vec3::Constant(1.0 / (r * r)), r, x);
    }
    case ShapeKind::capsule:
      return segment_distance(shape.size[1], core_radius(shape), x);
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
      return implicit_of_core(shape, x);
    case ShapeKind::cylinder: {
      const double r = shape.size[0];
      if (i > 0) return below_or_above(2, shape.size[1], i == 2);
      return quadric(Vec3(1.0 / (r * r), 1.0 / (r * r), 0.0), r, x);
    }
    case ShapeKind::box:
      return below_or_above(i / 2, shape.size[i / 2], i % 2 == 1);
    case ShapeKind::hull: {
      const HullFace& face = shape.hull->faces[i];
      return plane(face.normal, face.offset + shape.rounding, x);
    }
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return plane(Vec3::UnitZ(), 0.0, x);
}

}  // namespace stiction
