#include "stiction/geometry/derivative/nearest_motion.h"

#include <algorithm>

#include <Eigen/QR>

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/convex/support_set.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

// Whether n is the normal of a face, even if the corners of the face deviate from its plane by more than
// round-off.
bool is_on_face(const CollisionShape& shape, const Vec3& n) {
  if (shape.kind == ShapeKind::half_space) return true;
  if (shape.kind != ShapeKind::hull) return false;
  return std::any_of(shape.hull->faces.begin(), shape.hull->faces.end(), [&](const HullFace& face) {
    return (face.normal - n).squaredNorm() <= kOnFeature * kOnFeature;
  });
}

}  // namespace

LocalSurface local_surface(const CollisionShape& shape, const Pose& X_AS, const Vec3& n) {
  LocalSurface out;
  out.size = shape.ball_radius;
  const Vec3 n_S = X_AS.R.transpose() * n;
  SupportSet set;
  if (shape.kind != ShapeKind::half_space) set = support_set(shape, n_S);
  out.point = X_AS * set.centre;
  if (set.kind == SupportSet::Kind::flat || is_on_face(shape, n_S)) {
    out.num_flat = 2;
    out.flat = frame_with_z(n).leftCols<2>();
    return out;
  }
  out.H = X_AS.R * support_jet(shape, n_S).H * X_AS.R.transpose();
  if (set.kind == SupportSet::Kind::segment) {
    out.num_flat = 1;
    const Vec3 axis = X_AS.R * set.axis;
    out.flat.col(0) = (axis - n * n.dot(axis)).normalized();
  }
  return out;
}

Mat46 least_solution(const Eigen::Matrix4d& A, const Mat46& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

NearestMotion nearest_motion(LocalSurface a, LocalSurface b, const Pose& X_AB, const Vec3& n, const Vec3& x,
                             double d, const Mat36& x_moves) {
  // One flat face determines the normal; the flat axes of the other body do not matter.
  if (a.num_flat == 2 && b.num_flat == 2) (a.size >= b.size ? b : a).num_flat = 0;
  if (a.num_flat == 2) b.num_flat = 0;
  if (b.num_flat == 2) a.num_flat = 0;

  const MovingVector n_with_b = direction_of_b(n);
  const Mat36 y_moves = point_of_b(X_AB, x + d * n).d;
  const Eigen::Matrix<double, 3, 2> t = frame_with_z(n).leftCols<2>();

  // Unknowns: dn in the axes t, then u and v divided by a length, so that all numbers are of order 1.
  const Eigen::Matrix2d radii = t.transpose() * (a.H + b.H) * t + d * Eigen::Matrix2d::Identity();
  const double length = std::max(radii.cwiseAbs().maxCoeff(), std::min(a.size, b.size));
  Eigen::Matrix4d system = Eigen::Matrix4d::Identity();
  Mat46 right = Mat46::Zero();
  system.topLeftCorner<2, 2>() = radii / length;
  right.topRows<2>() = t.transpose() * (y_moves + b.H * n_with_b.d - x_moves) / length;
  int row = 2;
  for (int k = 0; k < a.num_flat; ++k, ++row) {
    const Eigen::Vector2d axis = t.transpose() * a.flat.col(k);
    system.row(row) << axis.transpose(), 0.0, 0.0;
    system.block<2, 1>(0, row) = axis;
  }
  for (int k = 0; k < b.num_flat; ++k, ++row) {
    const Eigen::Vector2d axis = t.transpose() * b.flat.col(k);
    system.row(row) << axis.transpose(), 0.0, 0.0;
    system.block<2, 1>(0, row) = -axis;
    right.row(row) = b.flat.col(k).transpose() * n_with_b.d;
  }
  const Mat46 found = least_solution(system, right);

  NearestMotion out;
  out.n = {n, t * found.topRows<2>()};
  out.x = {x, x_moves + a.H * out.n.d};
  for (int k = 0; k < a.num_flat; ++k) out.x.d += length * a.flat.col(k) * found.row(2 + k);
  out.d = {d, n.transpose() * (y_moves - x_moves)};
  return out;
}

MovingVector normal_motion(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                           const Vec3& n) {
  const LocalSurface a = local_surface(A, {}, n), b = local_surface(B, X_AB, -n);
  if (a.num_flat == 2 && (b.num_flat < 2 || a.size >= b.size)) return fixed_to_a(n);
  if (b.num_flat == 2) return direction_of_b(n);
  const double d = n.dot(b.point - a.point);
  // The body with a single point for this normal determines where the points are; for two edges any point
  // will do.
  return nearest_motion(a, b, X_AB, n, a.num_flat == 0 ? a.point : Vec3(b.point - d * n), d).n;
}

}  // namespace stiction
