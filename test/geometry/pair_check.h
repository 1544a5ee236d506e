#pragma once
// An independent check of the pair table (stiction/geometry/narrow_phase.h) that shares no code with it:
// surfaces and support functions of shapes from their definitions, and what must hold for the contact points
// of two shapes in given poses.
//
// In the unit direction n the shapes are g(n) = n . (p_B - p_A) - h_A(n) - h_B(-n) apart, h the support
// function about the shape's origin. Every n gives a lower bound of the signed distance d, and witness points
// that are d > 0 apart an upper one. So d = g(n) at the normal that is returned, witness points on both
// surfaces and no direction with a larger g prove an answer; for d > 0 the first two alone do.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "stiction/base/random.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"

namespace stiction::pair_check {

// |(x, y)|_p for x, y >= 0.
inline double p_norm(double x, double y, double p) {
  const double top = std::max(x, y);
  return top > 0.0 ? top * std::pow(1.0 + std::pow(std::min(x, y) / top, p), 1.0 / p) : 0.0;
}

// How far the shape reaches from its origin along the unit vector d (in S), m; not for half-spaces and
// surfaces.
inline double reach(const CollisionShape& s, const Vec3& d) {
  const double across = std::hypot(d.x(), d.y()), up = std::abs(d.z());
  switch (s.kind) {
    case ShapeKind::sphere:
      return s.size[0];
    case ShapeKind::capsule:
      return s.size[0] + s.size[1] * up;
    case ShapeKind::cylinder:
      return s.size[0] * across + s.size[1] * up + s.rounding;
    case ShapeKind::box:
      return s.size.dot(d.cwiseAbs()) + s.rounding;
    case ShapeKind::hull: {
      double farthest = -std::numeric_limits<double>::infinity();
      for (const Vec3& v : s.hull->vertices) farthest = std::max(farthest, d.dot(v));
      return farthest + s.rounding;
    }
    case ShapeKind::ellipsoid:
      return s.size.cwiseProduct(d).norm() + s.rounding;
    default: {
      const Vec3 u = s.size.cwiseProduct(d).cwiseAbs();
      return p_norm(p_norm(u.x(), u.y(), 2.0 / (2.0 - s.e2)), u.z(), 2.0 / (2.0 - s.e1)) + s.rounding;
    }
  }
}

inline double distance_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const Vec3 n = (b - a).cross(c - a).normalized();
  double nearest = std::numeric_limits<double>::infinity();
  bool is_above = true;
  const Vec3 corners[] = {a, b, c, a};
  for (int i = 0; i < 3; ++i) {
    const Vec3 from = corners[i], e = corners[i + 1] - from;
    is_above = is_above && n.cross(e).dot(p - from) >= 0.0;
    const double t = std::clamp((p - from).dot(e) / e.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (p - from - t * e).norm());
  }
  return is_above ? std::abs(n.dot(p - a)) : nearest;
}

// Of the top, the sides and the bottom of the terrain.
inline double distance_of_field(const HeightField& field, const Vec3& p) {
  double nearest = std::numeric_limits<double>::infinity();
  const auto triangle = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    nearest = std::min(nearest, distance_of_triangle(a, b, c, p));
  };
  const auto below = [&](const Vec3& x) { return Vec3(x.x(), x.y(), -field.size.base); };
  const auto wall = [&](const Vec3& a, const Vec3& b) {
    triangle(a, b, below(a));
    triangle(b, below(b), below(a));
  };
  const int last_row = field.rows - 1, last_col = field.cols - 1;
  for (int r = 0; r < last_row; ++r) {
    for (int c = 0; c < last_col; ++c) {
      const Vec3 a = field.point(r, c), b = field.point(r + 1, c + 1);
      triangle(a, field.point(r, c + 1), b);
      triangle(a, b, field.point(r + 1, c));
    }
    for (int c : {0, last_col}) wall(field.point(r, c), field.point(r + 1, c));
  }
  for (int c = 0; c < last_col; ++c)
    for (int r : {0, last_row}) wall(field.point(r, c), field.point(r, c + 1));
  const Vec3 corner = below(field.point(0, 0)), opposite = below(field.point(last_row, last_col));
  triangle(corner, below(field.point(0, last_col)), opposite);
  triangle(corner, opposite, below(field.point(last_row, 0)));
  return nearest;
}

// How far p (in S) lies from the surface, m. Of ellipsoids and superellipsoids to first order in that.
inline double off_surface(const CollisionShape& s, const Vec3& p) {
  const double across = std::hypot(p.x(), p.y()), up = std::abs(p.z());
  const auto corner = [](double x, double y) {  // signed distance from the quadrant x, y < 0
    return std::max(x, y) < 0.0 ? std::max(x, y) : std::hypot(std::max(x, 0.0), std::max(y, 0.0));
  };
  switch (s.kind) {
    case ShapeKind::sphere:
      return std::abs(p.norm() - s.size[0]);
    case ShapeKind::capsule:
      return std::abs(std::hypot(across, std::max(0.0, up - s.size[1])) - s.size[0]);
    case ShapeKind::cylinder:
      return std::abs(corner(across - s.size[0], up - s.size[1]) - s.rounding);
    case ShapeKind::box: {
      const Vec3 q = p.cwiseAbs() - s.size;
      const double outside = q.cwiseMax(0.0).norm();
      return std::abs((outside > 0.0 ? outside : q.maxCoeff()) - s.rounding);
    }
    case ShapeKind::half_space:
      return std::abs(p.z());
    case ShapeKind::hull: {
      if (s.rounding > 0.0) return std::abs(nearest_on_core(s, p).distance - s.rounding);
      double highest = -std::numeric_limits<double>::infinity();
      for (const HullFace& face : s.hull->faces)
        highest = std::max(highest, face.normal.dot(p) - face.offset);
      return std::abs(highest);
    }
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid: {
      if (s.rounding > 0.0) return std::abs(nearest_on_core(s, p).distance - s.rounding);
      // The gauge N is 1 on the surface; (N - 1)/|grad N| is the distance.
      const double p1 = 2.0 / s.e1, p2 = 2.0 / s.e2;
      const Vec3 x = p.cwiseAbs().cwiseQuotient(s.size);
      const double m = p_norm(x.x(), x.y(), p2), N = p_norm(m, x.z(), p1);
      if (!(N > 0.0)) return s.size.minCoeff();
      const double dm = std::pow(m / N, p1 - 1.0);
      const Vec3 gradient(m > 0.0 ? dm * std::pow(x.x() / m, p2 - 1.0) : 0.0,
                          m > 0.0 ? dm * std::pow(x.y() / m, p2 - 1.0) : 0.0, std::pow(x.z() / N, p1 - 1.0));
      return std::abs(N - 1.0) / gradient.cwiseQuotient(s.size).norm();
    }
    case ShapeKind::mesh: {
      double nearest = std::numeric_limits<double>::infinity();
      const TriangleMesh& m = s.mesh->mesh;
      for (const Triangle& t : m.triangles)
        nearest =
            std::min(nearest, distance_of_triangle(m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]], p));
      return nearest;
    }
    case ShapeKind::height_field:
      return distance_of_field(*s.field, p);
  }
  return std::numeric_limits<double>::infinity();
}

// How far the corners of the faces of a hull, or of the triangles of a mesh, lie from the planes of these, m:
// nearly flat faces are one (convex_hull.h, mesh_tree.h), and the surface is known no better than this.
inline double flatness(const CollisionShape& s) {
  double worst = 0.0;
  if (s.kind == ShapeKind::mesh) {
    for (std::size_t t = 0; t < s.mesh->facet_of.size(); ++t) {
      if (s.mesh->facet_of[t] < 0) continue;
      const MeshFacet& facet = s.mesh->facets[s.mesh->facet_of[t]];
      for (int v : s.mesh->mesh.triangles[t])
        worst = std::max(worst, facet.offset - facet.normal.dot(s.mesh->mesh.vertices[v]));
    }
  }
  if (s.kind != ShapeKind::hull) return worst;
  for (const HullFace& face : s.hull->faces)
    for (int i = face.begin; i < face.end; ++i)
      worst = std::max(worst, face.offset - face.normal.dot(s.hull->vertices[s.hull->corners[i].vertex]));
  return worst;
}

// g(n), n in W; of a half-space only where n is its own normal.
inline double separation(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                         const Vec3& n) {
  const auto reach_of = [](const CollisionShape& s, const Vec3& d) {
    return s.kind == ShapeKind::half_space ? 0.0 : reach(s, d);
  };
  return n.dot(X_WB.p - X_WA.p) - reach_of(A, X_WA.R.transpose() * n) -
         reach_of(B, -(X_WB.R.transpose() * n));
}

// Half the diagonal of the box around a shape, m; 0 for a half-space.
inline double extent(const CollisionShape& s) {
  return s.kind == ShapeKind::half_space ? 0.0 : s.box_half.norm();
}

// What tolerances are relative to, and what comes on top of them.
struct Scale {
  double size = 0.0;       // m, of both shapes and the distance between them
  double placement = 0.0;  // m, round-off of positions in W and flatness of faces
};
inline Scale scale_of(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB) {
  const double eps = std::numeric_limits<double>::epsilon();
  return {extent(A) + extent(B) + (X_WB.p - X_WA.p).norm(),
          8.0 * eps * (X_WA.p.norm() + X_WB.p.norm()) + 2.0 * (flatness(A) + flatness(B))};
}

struct Limits {
  double on_surface = 1e-12;  // of the size
  double distance = 1e-12;    // of the size: d = g(n)
  double other_side = 1e-9;   // of the size: swapped, and no direction separates better
  double turned = 1e-8;       // rad: normals of a pair and of the swapped pair
  int directions = 8;         // random ones to try
  bool is_generic = true;     // the poses are random: swapping must give the same force too
};

inline bool is_surface(const CollisionShape& s) { return !s.is_convex(); }

// The force on B of springs of stiffness 1 N/m times the weight.
inline Vec3 spring_force(const ContactPoints& points) {
  Vec3 force = Vec3::Zero();
  for (const ContactPoint& p : points) force += p.weight * std::max(0.0, -p.distance) * p.normal;
  return force;
}

// The first thing that is wrong with one point, or nothing.
inline std::string defect_of_point(const ContactPoint& point, const CollisionShape& A, const Pose& X_WA,
                                   const CollisionShape& B, const Pose& X_WB, const Scale& scale,
                                   double margin, const Limits& limits) {
  if (!point.p_A.allFinite() || !point.normal.allFinite() || !std::isfinite(point.distance) ||
      !std::isfinite(point.weight))
    return "not finite";
  if (std::abs(point.normal.norm() - 1.0) > 1e-12)
    return fmt::format("normal of length {}", point.normal.norm());
  if (!(point.weight >= 0.0 && point.weight <= 1.0 + 1e-12)) return fmt::format("weight {}", point.weight);
  if (point.distance > margin + 1e-15 * scale.size)
    return fmt::format("distance {} beyond the margin", point.distance);
  const double allowed = limits.on_surface * scale.size + scale.placement;
  const double off_a = off_surface(A, X_WA.R.transpose() * (point.p_A - X_WA.p));
  const double off_b = off_surface(B, X_WB.R.transpose() * (point.p_B() - X_WB.p));
  if (!(off_a <= allowed))
    return fmt::format("p_A is {:.3g} of the size off its surface", off_a / scale.size);
  if (!(off_b <= allowed))
    return fmt::format("p_B is {:.3g} of the size off its surface", off_b / scale.size);
  return {};
}

// The first thing that is wrong with the signed distance of two convex shapes, or nothing.
inline std::string defect_of_distance(const ContactPoint& nearest, const CollisionShape& A, const Pose& X_WA,
                                      const CollisionShape& B, const Pose& X_WB, const Scale& scale,
                                      const Limits& limits, Random* random) {
  Limits point_limits = limits;
  const std::string defect = defect_of_point(nearest, A, X_WA, B, X_WB, scale,
                                             std::numeric_limits<double>::infinity(), point_limits);
  if (!defect.empty()) return "nearest point: " + defect;
  const double along = separation(A, X_WA, B, X_WB, nearest.normal);
  if (!(std::abs(along - nearest.distance) <= limits.distance * scale.size + scale.placement))
    return fmt::format("signed distance {:.17g}, but {:.3g} of the size less along its normal",
                       nearest.distance, (nearest.distance - along) / scale.size);
  if (A.kind == ShapeKind::half_space || B.kind == ShapeKind::half_space) return {};
  const auto better = [&](const Vec3& n) {
    return separation(A, X_WA, B, X_WB, n) >
           nearest.distance + limits.other_side * scale.size + scale.placement;
  };
  std::vector<Vec3> tries;
  for (int i = 0; i < 3; ++i) {
    for (const double sign : {1.0, -1.0}) {
      tries.push_back(sign * X_WA.R.col(i));
      tries.push_back(sign * X_WB.R.col(i));
    }
  }
  for (int i = 0; i < limits.directions; ++i) {
    const auto u = random->unit_vector<3>();
    const Vec3 d(u[0], u[1], u[2]);
    tries.push_back(d);
    tries.push_back((nearest.normal + std::pow(10.0, -random->uniform(0.0, 6.0)) * d).normalized());
  }
  for (const Vec3& n : tries)
    if (better(n))
      return fmt::format("signed distance {:.17g}, but {:.17g} along ({}, {}, {})", nearest.distance,
                         separation(A, X_WA, B, X_WB, n), n.x(), n.y(), n.z());
  return {};
}

// What of the answer for a mesh or a height field follows from a closed form, or nothing.
inline std::string defect_of_surface(const ContactPoints& points, const CollisionShape& A, const Pose& X_WA,
                                     const CollisionShape& B, const Pose& X_WB, double margin,
                                     double allowed) {
  const bool surface_is_b = is_surface(B);
  const CollisionShape &surface = surface_is_b ? B : A, &shape = surface_is_b ? A : B;
  const Pose &X_WS = surface_is_b ? X_WB : X_WA, &X_WC = surface_is_b ? X_WA : X_WB;
  double deepest = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : points) deepest = std::min(deepest, point.distance);

  // A half-space is as deep as the lowest vertex.
  if (shape.kind == ShapeKind::half_space) {
    double lowest = std::numeric_limits<double>::infinity();
    const auto see = [&](const Vec3& v) {
      lowest = std::min(lowest, X_WC.R.col(2).dot(X_WS.p - X_WC.p + X_WS.R * v));
    };
    if (surface.kind == ShapeKind::mesh) {
      for (const Vec3& v : surface.mesh->mesh.vertices) see(v);
    } else {
      const HeightField& field = *surface.field;
      for (int r = 0; r < field.rows; ++r)
        for (int c = 0; c < field.cols; ++c) {
          see(field.point(r, c));
          see(Vec3(field.x(c), field.y(r), -field.size.base));
        }
    }
    if (lowest > margin + allowed && !points.empty()) return "points of a surface above a half-space";
    if (lowest < margin - allowed && !(std::abs(deepest - lowest) <= allowed))
      return fmt::format("deepest point {:.17g}, lowest vertex {:.17g}", deepest, lowest);
    return {};
  }
  if (is_surface(shape)) return {};

  for (const ContactPoint& point : points) {
    // The sign: where a gap is reported, the place on the surface is not inside the shape.
    const Vec3 p = X_WC.R.transpose() * ((surface_is_b ? point.p_B() : point.p_A) - X_WC.p);
    const double inside = core_radius(shape) - nearest_on_core(shape, p).distance;
    if (point.distance > allowed && inside > allowed)
      return fmt::format("a gap of {:.17g}, but {:.17g} inside", point.distance, inside);
  }
  // A sphere in front of a mesh is as near as the nearest triangle.
  if (shape.kind == ShapeKind::sphere && surface.kind == ShapeKind::mesh && !points.empty()) {
    const double gap = off_surface(surface, X_WS.R.transpose() * (X_WC.p - X_WS.p)) - core_radius(shape);
    if (gap > allowed && !(std::abs(deepest - gap) <= allowed))
      return fmt::format("nearest point {:.17g}, nearest triangle {:.17g}", deepest, gap);
  }
  return {};
}

// The first thing that is wrong with the answers for A and B in these poses, or nothing.
inline std::string defect(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                          const Pose& X_WB, double margin, const Limits& limits, Random* random,
                          ContactPoints* points) {
  points->clear();
  CollideOptions options;
  options.margin = margin;
  const bool has_surface = is_surface(A) || is_surface(B);
  const Scale scale = scale_of(A, X_WA, B, X_WB);
  collide(A, X_WA, B, X_WB, options, nullptr, points);
  if (points->size() > (has_surface ? 64u : 8u)) return fmt::format("{} points", points->size());
  double deepest = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : *points) {
    const std::string wrong = defect_of_point(point, A, X_WA, B, X_WB, scale, margin, limits);
    if (!wrong.empty()) return fmt::format("point {}: {}", &point - points->data(), wrong);
    deepest = std::min(deepest, point.distance);
    for (const ContactPoint& other : *points)
      if (&other != &point && other.feature == point.feature)
        return fmt::format("two points with the feature {:x}", point.feature);
  }

  // The same from the other side.
  static thread_local ContactPoints swapped;
  swapped.clear();
  collide(B, X_WB, A, X_WA, options, nullptr, &swapped);
  const double allowed = limits.other_side * scale.size + 2.0 * scale.placement;
  double swapped_deepest = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : swapped) swapped_deepest = std::min(swapped_deepest, point.distance);
  if (limits.is_generic) {
    if (points->empty() != swapped.empty()) return "points on one side of a swap only";
    const Vec3 sum = spring_force(*points) + spring_force(swapped);
    if (!(sum.norm() <= allowed + limits.turned * spring_force(*points).norm()))
      return fmt::format("force changes by {:.3g} of the size in a swap", sum.norm() / scale.size);
  }
  if (has_surface) return defect_of_surface(*points, A, X_WA, B, X_WB, margin, allowed);

  const ContactPoint nearest = signed_distance(A, X_WA, B, X_WB), other = signed_distance(B, X_WB, A, X_WA);
  const std::string wrong = defect_of_distance(nearest, A, X_WA, B, X_WB, scale, limits, random);
  if (!wrong.empty()) return wrong;
  if (!(std::abs(nearest.distance - other.distance) <= allowed))
    return fmt::format("signed distance {:.17g}, swapped {:.17g}", nearest.distance, other.distance);
  if (points->empty() != (nearest.distance > margin) && std::abs(nearest.distance - margin) > allowed)
    return fmt::format("{} points at the signed distance {:.17g}", points->size(), nearest.distance);
  if (points->empty()) return {};
  // Points along axes that share are deeper, by less than kShareWindow sqrt(2) of the overlap.
  const double deepest_allowed = std::min(1.36 * nearest.distance, nearest.distance) - allowed;
  if (!(deepest <= nearest.distance + allowed && deepest >= deepest_allowed))
    return fmt::format("deepest point {:.17g}, signed distance {:.17g}", deepest, nearest.distance);
  options.share_axes = false;
  points->clear();
  collide(A, X_WA, B, X_WB, options, nullptr, points);
  deepest = std::numeric_limits<double>::infinity();
  for (const ContactPoint& point : *points) deepest = std::min(deepest, point.distance);
  if (!(std::abs(deepest - nearest.distance) <= allowed) && !points->empty())
    return fmt::format("deepest point along the best axis {:.17g}, signed distance {:.17g}", deepest,
                       nearest.distance);
  return {};
}

// A pair of shapes and poses as text from which it can be built again.
inline std::string text_of(const CollisionShape& s, const Pose& X) {
  std::string text = fmt::format("{} size ({:.17g}, {:.17g}, {:.17g}) e1 {:.17g} e2 {:.17g} rounding {:.17g}",
                                 name_of(s.kind), s.size.x(), s.size.y(), s.size.z(), s.e1, s.e2, s.rounding);
  if (s.hull) text += fmt::format(", {} vertices", s.hull->vertices.size());
  text += "\n    R";
  for (int i = 0; i < 9; ++i) text += fmt::format(" {:.17g}", X.R(i / 3, i % 3));
  return text + fmt::format("\n    p {:.17g} {:.17g} {:.17g}", X.p.x(), X.p.y(), X.p.z());
}

}  // namespace stiction::pair_check
