#include <array>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/derivative/nearest_motion.h"
#include "stiction/geometry/derivative/pair_motion.h"
#include "stiction/geometry/polytope/box_box.h"
#include "stiction/geometry/polytope/polytope_pairs.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kOnSurface = 1e-9;        // of the size: largest distance of a point from its feature
constexpr double kInBlend = 1e-7;          // largest error of a blended normal
constexpr int kFeatureIndex = 0x1fffffff;  // without the mark of a second direction (polytope_manifold.cpp)
constexpr double kAnywhere = 1e300;

// The normal of an axis defined by features of the two.
MovingVector move_axis(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                       const SeparatingAxis& axis) {
  if (axis.kind == AxisKind::face_of_a) return fixed_to_a(axis.n);
  if (axis.kind == AxisKind::face_of_b) return direction_of_b(axis.n);
  const auto along = [&](const Polytope& P, int edge) {
    if (axis.kind == AxisKind::edges_of_boxes) return Vec3(Vec3::Unit(edge));
    const std::array<int, 2>& ends = P.edges[edge].vertices;
    return Vec3((P.vertices[ends[1]] - P.vertices[ends[0]]).normalized());
  };
  const MovingVector e = fixed_to_a(along(*A.polytope, axis.i));
  const MovingVector n = normalized(cross(e, direction_of_b(X_AB.R * along(*B.polytope, axis.j))));
  return n.v.dot(axis.n) < 0.0 ? -1.0 * n : n;
}

// n as a sum of up to three of the axes with positive factors, which are held fixed: the best axes first.
MovingVector move_blend(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                        const AxisList& axes, const Vec3& n) {
  const int count = axes.count + 1;
  const auto axis = [&](int k) -> const SeparatingAxis& { return k == 0 ? axes.best : axes.others[k - 1]; };
  const auto blend = [&](const Vec3& factors, const std::array<int, 3>& which, MovingVector* out) {
    if (!(factors.minCoeff() >= -kInBlend)) return false;
    MovingVector sum;
    for (int k = 0; k < 3; ++k)
      if (factors[k] > 0.0) sum = sum + factors[k] * move_axis(A, B, X_AB, axis(which[k]));
    if (!((sum.v - n).norm() <= kInBlend)) return false;
    *out = {n, sum.d - n * (n.transpose() * sum.d)};
    return true;
  };
  MovingVector out = fixed_to_a(n);
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j) {
      const Vec3 &u = axis(i).n, &v = axis(j).n;
      const double c = u.dot(v), sine2 = u.cross(v).squaredNorm(), nu = n.dot(u), nv = n.dot(v);
      if (!(sine2 > 0.0)) continue;
      if (blend(Vec3(nu - c * nv, nv - c * nu, 0.0) / sine2, {i, j, 0}, &out)) return out;
    }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j)
      for (int k = 0; k < j; ++k) {
        const Vec3 &u = axis(i).n, &v = axis(j).n, &w = axis(k).n;
        const Vec3 vw = v.cross(w), wu = w.cross(u), uv = u.cross(v);
        const double volume = u.dot(vw);
        if (volume == 0.0) continue;
        if (blend(Vec3(n.dot(vw), n.dot(wu), n.dot(uv)) / volume, {i, j, k}, &out)) return out;
      }
  return out;
}

// The normal of a point of overlapping polytopes: one of the axes of the pair, or a blend of several.
MovingVector move_overlap_normal(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                 const Vec3& n) {
  AxisList axes;
  int separating = -1;
  if (A.kind == ShapeKind::box && B.kind == ShapeKind::box)
    find_box_axes(A.size, B.size, X_AB, kAnywhere, &separating, &axes);
  else
    find_polytope_axes(*A.polytope, *B.polytope, X_AB, kAnywhere, Vec3::Zero(), &axes);
  // The best of the axes with this normal; where several have it, the support sets decide.
  if ((axes.best.n - n).norm() <= kOnFeature) {
    return axes.best.kind == AxisKind::edges_of_boxes || axes.best.kind == AxisKind::edges
               ? move_axis(A, B, X_AB, axes.best)
               : normal_motion(A, B, X_AB, n);
  }
  for (int k = 0; k < axes.count; ++k)
    if ((axes.others[k].n - n).norm() <= kOnFeature) return move_axis(A, B, X_AB, axes.others[k]);
  return move_blend(A, B, X_AB, axes, n);
}

// The attachment of the point of a core on the line through p along n, if the polytope has such a feature
// there.
bool attachment_of(const MovedShape& body, const Feature& feature, const Vec3& p, const Vec3& n,
                   Attachment* out) {
  const Polytope& P = *body.shape.polytope;
  const Pose& X = body.X_AS;
  const int i = feature.index & kFeatureIndex;
  if (feature.kind == FeatureKind::vertex && i < int(P.vertices.size())) {
    *out = on_vertex(body.place(X * P.vertices[i]));
  } else if (feature.kind == FeatureKind::edge && i < int(P.edges.size())) {
    const Vec3 from = X * P.vertices[P.edges[i].vertices[0]], to = X * P.vertices[P.edges[i].vertices[1]];
    const Vec3 e = (to - from).normalized(), across_n = e.cross(n);
    const double way = across_n.dot(e.cross(p - from)) / across_n.squaredNorm();
    *out = on_line(body.place(from + e * e.dot(p - way * n - from)), e);
  } else if (feature.kind == FeatureKind::face && i < int(P.faces.size())) {
    const Vec3 normal = X.R * P.faces[i].normal;
    const double above = normal.dot(p - X.p) - P.faces[i].offset;
    *out = on_plane(body.place(p - above / normal.dot(n) * n), normal);
  } else {
    return false;
  }
  const Vec3 off = p - out->point.v;
  const Vec3 missing = body.shape.rounding > 0.0 ? Vec3(off - n * n.dot(off)) : off;
  return missing.norm() <= kOnSurface * (P.size + X.p.cwiseAbs().maxCoeff());
}

}  // namespace

PointMotion move_polytope_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                                const ContactPoint& point) {
  const Vec3& n = point.normal;
  const MovedShape body_a{A, {}, false}, body_b{B, X_AB, true};
  Attachment a, b;
  // Nearest points that are not corners of an intersection have hashed features (polytope_axes.cpp).
  if (!attachment_of(body_a, feature_of_a(point), point.p_A, n, &a) ||
      !attachment_of(body_b, feature_of_b(point), point.p_B(), n, &b) || a.rows + b.rows != 4)
    return move_nearest(A, B, X_AB, point);
  const bool is_overlap = separation_along(A, B, X_AB, n) < 0.0;
  const MovingVector n_moves = is_overlap ? move_overlap_normal(A, B, X_AB, n) : normal_motion(A, B, X_AB, n);
  MovingVector x;
  MovingNumber s;
  move_place(a, b, n_moves, n.dot(b.point.v - a.point.v), &x, &s);
  return rounded_point(body_a, body_b, x, n_moves, s, point);
}

}  // namespace stiction
