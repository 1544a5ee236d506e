#include "stiction/geometry/derivative/pair_motion.h"

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/derivative/nearest_motion.h"

namespace stiction {

Attachment on_vertex(const MovingVector& point) { return {3, Mat3::Identity(), point}; }

Attachment on_line(const MovingVector& point, const Vec3& along) {
  return {2, frame_with_z(along.normalized()).transpose(), point};
}

Attachment on_plane(const MovingVector& point, const Vec3& normal) {
  Attachment attachment{1, Mat3::Zero(), point};
  attachment.across.row(0) = normal.transpose();
  return attachment;
}

void move_place(const Attachment& a, const Attachment& b, const MovingVector& n, double s, MovingVector* x,
                MovingNumber* distance) {
  Eigen::Matrix4d system = Eigen::Matrix4d::Zero();
  Mat46 right = Mat46::Zero();
  int row = 0;
  for (int k = 0; k < a.rows; ++k, ++row) {
    system.row(row).head<3>() = a.across.row(k);
    right.row(row) = a.across.row(k) * a.point.d;
  }
  for (int k = 0; k < b.rows; ++k, ++row) {
    system.row(row) << b.across.row(k), b.across.row(k) * n.v;
    right.row(row) = b.across.row(k) * (b.point.d - s * n.d);
  }
  const Mat46 found = least_solution(system, right);
  *x = {a.point.v, found.topRows<3>()};
  *distance = {s, found.row(3)};
}

PointMotion rounded_point(const MovedShape& A, const MovedShape& B, const MovingVector& x,
                          const MovingVector& n, const MovingNumber& s, const ContactPoint& point) {
  const auto exit_along = [](const MovedShape& body, const MovingVector& from, const MovingVector& out,
                             const Vec3& q) {
    MovingNumber way;
    if (body.shape.kind == ShapeKind::half_space || core_radius(body.shape) == 0.0) return way;
    way.v = out.v.dot(q - from.v);
    const Vec3 q_S = body.X_AS.R.transpose() * (q - body.X_AS.p);
    const Vec3 nu = body.X_AS.R * nearest_on_core(body.shape, q_S).normal;
    way.d = -nu.transpose() * (from.d + way.v * out.d - body.place(q).d) / nu.dot(out.v);
    return way;
  };
  const MovingNumber exit_a = exit_along(A, x, n, point.p_A);
  const MovingNumber exit_b = exit_along(B, x + s * n, -1.0 * n, point.p_B());
  return {x + exit_a * n, n, s - exit_a - exit_b};
}

PointMotion move_nearest(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                         const ContactPoint& point) {
  const Vec3& n = point.normal;
  const double ra = core_radius(A), rb = core_radius(B);
  const NearestMotion near = nearest_motion(local_surface(A, {}, n), local_surface(B, X_AB, -n), X_AB, n,
                                            point.p_A - ra * n, point.distance + ra + rb);
  return {near.x + ra * near.n, near.n, near.d - (ra + rb)};
}

}  // namespace stiction
