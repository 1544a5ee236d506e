#pragma once
// The signed distance of two polytopes from all their features, shapes and poses to try it on, and the wrench
// of a penalty law.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/polytope.h"
#include "test/math/random_rotations.h"

namespace stiction {

inline Vec3 random_direction(Random* random) {
  const auto d = random->unit_vector<3>();
  return Vec3(d[0], d[1], d[2]);
}

inline Mat3 random_rotation(Random* random) {
  return rotation_from_quaternion<double>(random_quaternion(random));
}

// Points spread over an ellipsoid, all of them corners of their hull.
inline CollisionShape round_hull(int vertices, const Vec3& radii, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < vertices; ++i) points.push_back(random_direction(&random).cwiseProduct(radii));
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(points)));
}

// A prism over a regular polygon of `sides` corners, upright, z from -h/2 to h/2.
inline CollisionShape prism(int sides, double radius, double height) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2.0 * 3.14159265358979323846 * i / sides;
    for (double z : {-0.5, 0.5})
      points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z * height);
  }
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(points)));
}

inline CollisionShape box_shape(double x, double y, double z) { return collision_shape(Box{Vec3(x, y, z)}); }

// A cube of half extent h with a corner cut off at half its edges.
inline CollisionShape cut_cube(double h) {
  std::vector<Vec3> points{h * Vec3(0.5, 1, 1), h * Vec3(1, 0.5, 1), h * Vec3(1, 1, 0.5)};
  for (int i = 0; i < 7; ++i)
    points.push_back(h * Vec3((i & 1) != 0 ? 1 : -1, (i & 2) != 0 ? 1 : -1, (i & 4) != 0 ? 1 : -1));
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(points)));
}

// The vertices of a polytope in W.
inline std::vector<Vec3> placed_vertices(const CollisionShape& shape, const Pose& X) {
  std::vector<Vec3> placed;
  for (const Vec3& v : shape.polytope->vertices) placed.push_back(X * v);
  return placed;
}

// How far apart the two are along n, from A to B.
inline double separation(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& n) {
  double top = -1e300, bottom = 1e300;
  for (const Vec3& p : a) top = std::max(top, n.dot(p));
  for (const Vec3& p : b) bottom = std::min(bottom, n.dot(p));
  return bottom - top;
}

inline double segment_distance(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
  // The ends against the other segment, and the inner minimum where it is inside both.
  const auto to_segment = [](const Vec3& x, const Vec3& a, const Vec3& b) {
    const Vec3 e = b - a;
    const double t = std::clamp((x - a).dot(e) / e.squaredNorm(), 0.0, 1.0);
    return (x - a - t * e).norm();
  };
  double least = std::min(
      {to_segment(p0, q0, q1), to_segment(p1, q0, q1), to_segment(q0, p0, p1), to_segment(q1, p0, p1)});
  const Vec3 e = p1 - p0, f = q1 - q0, r = q0 - p0, m = e.cross(f);
  if (m.squaredNorm() > 0.0) {
    const double s = r.cross(f).dot(m) / m.squaredNorm(), t = r.cross(e).dot(m) / m.squaredNorm();
    if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) least = std::min(least, std::abs(r.dot(m)) / m.norm());
  }
  return least;
}

// All faces, all pairs of edges, both ways round; if nothing separates the two, the largest is the answer.
// Otherwise the least distance of any vertex from any face and of any edge from any edge.
inline double reference_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB) {
  const std::vector<Vec3> a = placed_vertices(A, X_WA), b = placed_vertices(B, X_WB);
  double best = -1e300;
  for (const PolytopeFace& face : A.polytope->faces)
    best = std::max(best, separation(a, b, X_WA.R * face.normal));
  for (const PolytopeFace& face : B.polytope->faces)
    best = std::max(best, separation(a, b, -(X_WB.R * face.normal)));
  for (const PolytopeEdge& e : A.polytope->edges) {
    const Vec3 along = a[e.vertices[1]] - a[e.vertices[0]];
    for (const PolytopeEdge& f : B.polytope->edges) {
      const Vec3 other = b[f.vertices[1]] - b[f.vertices[0]];
      const Vec3 n = along.cross(other);
      const double length = n.norm();
      if (length < 1e-7 * along.norm() * other.norm()) continue;
      best = std::max({best, separation(a, b, n / length), separation(a, b, -n / length)});
    }
  }
  if (best <= 0.0) return best;

  double least = 1e300;
  for (const PolytopeEdge& e : A.polytope->edges)
    for (const PolytopeEdge& f : B.polytope->edges)
      least = std::min(
          least, segment_distance(a[e.vertices[0]], a[e.vertices[1]], b[f.vertices[0]], b[f.vertices[1]]));
  // A vertex above a face, inside its outline; outside it the edges are nearer.
  const auto above_faces = [&least](const CollisionShape& P, const std::vector<Vec3>& placed, const Pose& X,
                                    const std::vector<Vec3>& points) {
    for (const PolytopeFace& face : P.polytope->faces) {
      const Vec3 n = X.R * face.normal;
      for (const Vec3& p : points) {
        const double height = n.dot(p - X.p) - face.offset;
        if (height < 0.0 || height >= least) continue;
        bool inside = true;
        for (int i = face.begin; i < face.end && inside; ++i) {
          const Vec3& from = placed[P.polytope->corner_vertex[i]];
          const Vec3& to = placed[P.polytope->corner_vertex[i + 1 < face.end ? i + 1 : face.begin]];
          inside = n.dot((to - from).cross(p - from)) >= 0.0;
        }
        if (inside) least = height;
      }
    }
  };
  above_faces(A, a, X_WA, b);
  above_faces(B, b, X_WB, a);
  return least;
}

// Force and moment about `origin` on B of the law: stiffness x weight x overlap along the normal.
inline Vec6 penalty_wrench(const ContactPoints& points, double stiffness, const Vec3& origin) {
  Vec6 wrench = Vec6::Zero();
  for (const ContactPoint& point : points) {
    const Vec3 force = stiffness * point.weight * std::max(0.0, -point.distance) * point.normal;
    const Vec3 place = 0.5 * (point.p_A + point.p_B());
    wrench += stack<double>((place - origin).cross(force), force);
  }
  return wrench;
}

inline ContactPoints contacts(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, const CollideOptions& options = {}) {
  ContactPoints points;
  collide(A, X_WA, B, X_WB, options, nullptr, &points);
  return points;
}

// How far x lies from the surface of a polytope placed at X: zero on it.
inline double off_surface(const CollisionShape& shape, const Pose& X, const Vec3& x) {
  const Vec3 local = X.R.transpose() * (x - X.p);
  double highest = -1e300;
  for (const PolytopeFace& face : shape.polytope->faces)
    highest = std::max(highest, face.normal.dot(local) - face.offset);
  return std::abs(highest);
}

}  // namespace stiction
