#include "stiction/geometry/convex/support_set.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/implicit.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {

SupportSet support_set(const CollisionShape& shape, const Vec3& n) {
  SupportSet set;
  set.centre = core_support(shape, n).p;
  const auto edge = [&](const Vec3& centre, const Vec3& axis, double half) {
    set.kind = SupportSet::Kind::segment;
    set.centre = centre, set.axis = axis, set.half = half;
  };
  switch (shape.kind) {
    case ShapeKind::capsule:
      if (std::abs(n.z()) <= kOnNonsmoothDirection) edge(Vec3::Zero(), Vec3::UnitZ(), shape.size[1]);
      break;
    case ShapeKind::cylinder:
      if (std::abs(n.z()) <= kOnNonsmoothDirection)
        edge(Vec3(set.centre.x(), set.centre.y(), 0.0), Vec3::UnitZ(), shape.size[1]);
      if (n.head<2>().norm() <= kOnNonsmoothDirection) set.kind = SupportSet::Kind::flat;
      break;
    case ShapeKind::box: {
      int flat = 0, axis = 0;
      for (int i = 0; i < 3; ++i)
        if (std::abs(n[i]) <= kOnNonsmoothDirection) ++flat, axis = i;
      if (flat == 1) {
        set.centre[axis] = 0.0;
        edge(set.centre, Vec3::Unit(axis), shape.size[axis]);
      }
      if (flat == 2) set.kind = SupportSet::Kind::flat;
      break;
    }
    case ShapeKind::hull: {
      const ConvexHull& hull = *shape.hull;
      const int v = core_support(shape, n).vertex;
      int other = -1, count = 0;
      for (int k = hull.neighbour_begin[v]; k < hull.neighbour_begin[v + 1]; ++k) {
        const Vec3 e = hull.vertices[hull.neighbours[k]] - hull.vertices[v];
        if (std::abs(n.dot(e)) <= kOnNonsmoothDirection * e.norm()) other = hull.neighbours[k], ++count;
      }
      if (count == 1) {
        const Vec3 e = hull.vertices[other] - hull.vertices[v];
        edge(0.5 * (hull.vertices[other] + hull.vertices[v]), e.normalized(), 0.5 * e.norm());
      }
      if (count > 1) set.kind = SupportSet::Kind::flat;
      break;
    }
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return set;
}

Vec3 middle_of_support(const CollisionShape& shape, const Vec3& n) {
  const Vec3 s = core_support(shape, n).p;
  Vec3 middle = s;
  if (shape.kind == ShapeKind::box) {
    for (int i = 0; i < 3; ++i)
      if (std::abs(n[i]) < kOnNonsmoothDirection) middle[i] = 0.0;
  } else if (shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder) {
    if (std::abs(n.z()) < kOnNonsmoothDirection) middle.z() = 0.0;
    if (n.head<2>().norm() < kOnNonsmoothDirection) middle.head<2>().setZero();
  } else if (shape.kind == ShapeKind::hull) {
    // The mean of the vertices at the same height.
    const ConvexHull& hull = *shape.hull;
    const int v = core_support(shape, n).vertex;
    int count = 1;
    for (int k = hull.neighbour_begin[v]; k < hull.neighbour_begin[v + 1]; ++k) {
      const Vec3& other = hull.vertices[hull.neighbours[k]];
      if (std::abs(n.dot(other - s)) <= kOnNonsmoothDirection * (other - s).norm()) middle += other, ++count;
    }
    middle /= count;
  }
  return middle;
}

double outside_core(const CollisionShape& shape, const Vec3& q) {
  const double across = std::sqrt(q.x() * q.x() + q.y() * q.y()), up = std::abs(q.z());
  switch (shape.kind) {
    case ShapeKind::capsule:
      return std::hypot(across, std::max(0.0, up - shape.size[1]));
    case ShapeKind::cylinder: {
      const double r = across - shape.size[0], z = up - shape.size[1];
      return r > 0.0 && z > 0.0 ? std::hypot(r, z) : std::max(r, z);
    }
    case ShapeKind::box: {
      const Vec3 beyond = q.cwiseAbs() - shape.size;
      const double most = beyond.maxCoeff();
      return most > 0.0 ? beyond.cwiseMax(0.0).norm() : most;
    }
    case ShapeKind::ellipsoid: {
      const Vec3 u = q.cwiseQuotient(shape.size);
      const double N = u.norm();
      if (N == 0.0) return -shape.size.minCoeff();
      return (N - 1.0) * N / u.cwiseQuotient(shape.size).norm();
    }
    case ShapeKind::superellipsoid: {
      const ImplicitValue v = implicit_of_core(shape, q);
      const double slope = v.gradient.norm();
      return slope == 0.0 ? -shape.size.minCoeff() : v.f / slope;
    }
    case ShapeKind::hull: {
      double most = -1e300;
      for (const HullFace& face : shape.hull->faces) most = std::max(most, face.normal.dot(q) - face.offset);
      return most;
    }
    case ShapeKind::sphere:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return q.norm();
}

}  // namespace stiction
