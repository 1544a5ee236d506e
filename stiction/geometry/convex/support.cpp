#include "stiction/geometry/convex/support.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

// Below this many vertices, testing all of them is faster than climbing.
constexpr int kScanVertices = 24;

int hull_support(const ConvexHull& hull, const Vec3& d, int hint) {
  const int count = static_cast<int>(hull.vertices.size());
  if (count <= kScanVertices) {
    int best = 0;
    double reach = hull.vertices[0].dot(d);
    for (int i = 1; i < count; ++i) {
      const double r = hull.vertices[i].dot(d);
      if (r > reach) reach = r, best = i;
    }
    return best;
  }
  int best = hint >= 0 && hint < count ? hint : 0;
  double reach = hull.vertices[best].dot(d);
  for (bool climbs = true; climbs;) {
    climbs = false;
    const int from = best;
    for (int k = hull.neighbour_begin[from]; k < hull.neighbour_begin[from + 1]; ++k) {
      const int i = hull.neighbours[k];
      const double r = hull.vertices[i].dot(d);
      if (r > reach) reach = r, best = i, climbs = true;
    }
  }
  return best;
}

// Value, slopes and second derivatives of N(x, y) = (x^q + y^q)^(1/q) at x, y >= 0, 1 < q <= 2.
struct DualNorm {
  double value = 0.0;
  double x = 0.0, y = 0.0;              // slopes, in [0, 1]
  double xx = 0.0, xy = 0.0, yy = 0.0;  // 1/m
};

// Smallest ratio used in second derivatives, which grow without bound towards zero, where the surface is
// flat.
constexpr double kFlattest = 1e-9;

DualNorm dual_norm(double x, double y, double q, bool with_curvature) {
  DualNorm n;
  const double top = std::max(x, y);
  if (!(top > 0.0)) return n;
  if (q == 2.0) {
    n.value = std::sqrt(x * x + y * y);
    n.x = x / n.value, n.y = y / n.value;
    n.xx = n.y * n.y / n.value, n.yy = n.x * n.x / n.value, n.xy = -n.x * n.y / n.value;
    return n;
  }
  n.value = top * std::pow(1.0 + std::pow(std::min(x, y) / top, q), 1.0 / q);
  const double u = x / n.value, v = y / n.value;
  n.x = std::pow(u, q - 1.0), n.y = std::pow(v, q - 1.0);
  if (with_curvature) {
    const double us = std::max(u, kFlattest), vs = std::max(v, kFlattest), c = (q - 1.0) / n.value;
    n.xx = c * std::pow(us, q - 2.0) * std::pow(v, q);
    n.yy = c * std::pow(vs, q - 2.0) * std::pow(u, q);
    n.xy = -c * n.x * n.y;
  }
  return n;
}

SupportJet superellipsoid_jet(const CollisionShape& shape, const Vec3& d, bool with_curvature) {
  const double q1 = 2.0 / (2.0 - shape.e1), q2 = 2.0 / (2.0 - shape.e2);
  const Vec3 u = shape.size.cwiseProduct(d).cwiseAbs();
  const DualNorm m = dual_norm(u.x(), u.y(), q2, with_curvature);
  const DualNorm h = dual_norm(m.value, u.z(), q1, with_curvature);
  const Vec3 a(std::copysign(shape.size.x(), d.x()), std::copysign(shape.size.y(), d.y()),
               std::copysign(shape.size.z(), d.z()));
  SupportJet jet;
  jet.h = h.value;
  jet.s = a.cwiseProduct(Vec3(h.x * m.x, h.x * m.y, h.y));
  if (!with_curvature) return jet;
  jet.H << h.xx * m.x * m.x + h.x * m.xx, h.xx * m.x * m.y + h.x * m.xy, h.xy * m.x,  //
      h.xx * m.x * m.y + h.x * m.xy, h.xx * m.y * m.y + h.x * m.yy, h.xy * m.y,       //
      h.xy * m.x, h.xy * m.y, h.yy;
  jet.H = a.asDiagonal() * jet.H * a.asDiagonal();
  return jet;
}

}  // namespace

double core_extent(const CollisionShape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return 0.0;
    case ShapeKind::capsule:
      return shape.size[1];
    case ShapeKind::cylinder:
      return std::sqrt(shape.size[0] * shape.size[0] + shape.size[1] * shape.size[1]);
    case ShapeKind::hull:
      return shape.box_half.norm();
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::box:
      return shape.size.norm();
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

SupportPoint core_support(const CollisionShape& shape, const Vec3& d, int hint) {
  switch (shape.kind) {
    case ShapeKind::capsule: {
      const bool upper = d.z() > 0.0;
      return {Vec3(0.0, 0.0, upper ? shape.size[1] : -shape.size[1]), upper ? 1 : 0};
    }
    case ShapeKind::ellipsoid: {
      const Vec3 u = shape.size.cwiseProduct(d);
      const double length = u.norm();
      if (!(length > 0.0)) return {Vec3(0.0, 0.0, shape.size.z()), 0};
      return {shape.size.cwiseProduct(u) / length, 0};
    }
    case ShapeKind::superellipsoid:
      return {superellipsoid_jet(shape, d, false).s, 0};
    case ShapeKind::cylinder: {
      const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
      const bool upper = d.z() > 0.0;
      const double z = upper ? shape.size[1] : -shape.size[1];
      if (!(across > 0.0)) return {Vec3(shape.size[0], 0.0, z), upper ? 1 : 0};
      const double scale = shape.size[0] / across;
      return {Vec3(scale * d.x(), scale * d.y(), z), upper ? 1 : 0};
    }
    case ShapeKind::box: {
      const bool x = d.x() > 0.0, y = d.y() > 0.0, z = d.z() > 0.0;
      return {Vec3(x ? shape.size.x() : -shape.size.x(), y ? shape.size.y() : -shape.size.y(),
                   z ? shape.size.z() : -shape.size.z()),
              (x ? 1 : 0) | (y ? 2 : 0) | (z ? 4 : 0)};
    }
    case ShapeKind::hull: {
      const int i = hull_support(*shape.hull, d, hint);
      return {shape.hull->vertices[i], i};
    }
    case ShapeKind::sphere:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return {};
}

SupportJet support_jet(const CollisionShape& shape, const Vec3& n) {
  SupportJet jet;
  switch (shape.kind) {
    case ShapeKind::ellipsoid: {
      const Vec3 u = shape.size.cwiseProduct(n);
      jet.h = u.norm();
      jet.s = shape.size.cwiseProduct(u) / jet.h;
      jet.H = (-1.0 / jet.h) * jet.s * jet.s.transpose();
      jet.H.diagonal() += shape.size.cwiseAbs2() / jet.h;
      return jet;
    }
    case ShapeKind::superellipsoid:
      return superellipsoid_jet(shape, n, true);
    case ShapeKind::cylinder: {
      jet.s = core_support(shape, n).p;
      jet.h = jet.s.dot(n);
      const double across2 = n.x() * n.x() + n.y() * n.y();
      if (across2 > 0.0) {
        const double k = shape.size[0] / (across2 * std::sqrt(across2));
        jet.H(0, 0) = k * n.y() * n.y(), jet.H(1, 1) = k * n.x() * n.x();
        jet.H(0, 1) = jet.H(1, 0) = -k * n.x() * n.y();
      }
      return jet;
    }
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  jet.s = core_support(shape, n).p;
  jet.h = jet.s.dot(n);
  return jet;
}

double core_reach(const CollisionShape& shape, const Vec3& n) {
  switch (shape.kind) {
    case ShapeKind::sphere:
      return 0.0;
    case ShapeKind::capsule:
      return shape.size[1] * std::abs(n.z());
    case ShapeKind::ellipsoid:
      return shape.size.cwiseProduct(n).norm();
    case ShapeKind::superellipsoid:
      return superellipsoid_jet(shape, n, false).h;
    case ShapeKind::cylinder:
      return shape.size[0] * std::sqrt(n.x() * n.x() + n.y() * n.y()) + shape.size[1] * std::abs(n.z());
    case ShapeKind::box:
      return shape.size.dot(n.cwiseAbs());
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return core_support(shape, n).p.dot(n);
}

}  // namespace stiction
