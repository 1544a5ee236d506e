#include "stiction/geometry/convex/witness_points.h"

#include <algorithm>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support_set.h"

namespace stiction {
namespace {

constexpr int kMaxProjections = 3;

// A point between both support points that takes the curvatures into account: the remaining slope is divided
// as in a step of Newton's method, and A's point moves by its share.
Vec3 shared_place(const DirectionSearch& cores, const DirectionValue& v) {
  const Mat3 frame = frame_with_z(v.n);
  const Eigen::Matrix<double, 3, 2> t = frame.leftCols<2>(), t_b = cores.X_AB.R.transpose() * t;
  const Eigen::Matrix2d Ha = t.transpose() * v.a.H * t;
  Eigen::Matrix2d M = Ha + t_b.transpose() * v.b.H * t_b;
  M.diagonal().array() += v.g;
  const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
  if (det == 0.0) return v.a.s;
  const Eigen::Vector2d r = t.transpose() * v.gradient;
  const Eigen::Vector2d dn(M(1, 1) * r[0] - M(0, 1) * r[1], M(0, 0) * r[1] - M(1, 0) * r[0]);
  return v.a.s + t * (Ha * dn) / det;
}

}  // namespace

double outside_both(const DirectionSearch& cores, const Vec3& x, double g, const Vec3& n) {
  const Pose& X = cores.X_AB;
  return std::max(outside_core(cores.A, x), outside_core(cores.B, X.R.transpose() * (x + g * n - X.p)));
}

WitnessPoints witness_points(const DirectionSearch& cores, const DirectionValue& v, double good_enough) {
  const CollisionShape &A = cores.A, &B = cores.B;
  const Pose& X = cores.X_AB;
  const Vec3 step = v.g * v.n;
  const auto in_b = [&](const Vec3& x) { return Vec3(X.R.transpose() * (x + step - X.p)); };
  WitnessPoints best;
  const auto take = [&](const Vec3& x, double off) {
    if (off < best.off) best = {x, off};
    return best.off <= good_enough;
  };
  // Candidates known to lie in one of the cores.
  const auto look_from_a = [&](const Vec3& x) { return take(x, outside_core(B, in_b(x))); };
  const auto look_from_b = [&](const Vec3& x) { return take(x, outside_core(A, x)); };

  const Vec3 from_b = X * v.b.s - step;
  if (look_from_a(v.a.s) || look_from_b(from_b)) return best;
  const bool is_round = !v.a.H.isZero(0.0) && !v.b.H.isZero(0.0);
  if (is_round) {
    const Vec3 x = shared_place(cores, v);
    if (x.allFinite() && take(x, outside_both(cores, x, v.g, v.n))) return best;
  }

  // Crossing points of edges, midpoints of edges and flat parts.
  const Vec3 n_b = -(X.R.transpose() * v.n);
  const SupportSet a = support_set(A, v.n), b = support_set(B, n_b);
  if (a.kind == SupportSet::Kind::segment && b.kind == SupportSet::Kind::segment) {
    const SegmentPoints near =
        nearest_of_segments(a.centre, a.axis, a.half, X * b.centre - step, X.R * b.axis, b.half);
    if (look_from_a(near.a) || look_from_b(near.b)) return best;
  }
  if (a.kind != SupportSet::Kind::point && look_from_a(middle_of_support(A, v.n))) return best;
  if (b.kind != SupportSet::Kind::point && look_from_b(X * middle_of_support(B, n_b) - step)) return best;

  // Alternating projections: the point of each core nearest to the one found on the other.
  const auto has_nearest = [](const CollisionShape& s) { return s.kind != ShapeKind::superellipsoid; };
  Vec3 x = v.a.s, y = from_b;
  for (int k = 0; k < kMaxProjections; ++k) {
    if (has_nearest(B)) {
      x = X * nearest_on_core(B, in_b(x)).p - step;
      if (look_from_b(x)) return best;
    }
    if (has_nearest(A)) {
      y = nearest_on_core(A, y).p;
      if (look_from_a(y)) return best;
    }
    std::swap(x, y);
  }
  return best;
}

}  // namespace stiction
