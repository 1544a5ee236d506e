#include "stiction/geometry/query/time_of_impact.h"

#include <algorithm>

namespace stiction {
namespace {

Vec3 centre_at_start(const CollisionShape& shape, const ShapeMotion& motion) {
  return motion.X_WS * shape.box_centre;
}

// Radius around the centre that contains all points that may touch the other shape within `duration`.
double touching_radius(const CollisionShape& shape, const ShapeMotion& motion, const CollisionShape& other,
                       const ShapeMotion& other_motion, double duration) {
  if (shape.kind != ShapeKind::half_space) return shape.ball_radius;
  const double apart = (centre_at_start(other, other_motion) - motion.X_WS.p).norm();
  return apart + other.ball_radius + duration * (other_motion.v - motion.v).norm();
}

// The initial position of the point of a shape that is at p_W when the shape is at X_after.
Vec3 point_at_start(const ShapeMotion& motion, const Pose& X_after, const Vec3& p_W) {
  return motion.X_WS * (X_after.R.transpose() * (p_W - X_after.p));
}

}  // namespace

Pose pose_after(const CollisionShape& shape, const ShapeMotion& motion, double time) {
  const Vec3 c = centre_at_start(shape, motion) + time * motion.v;
  const Mat3 R = rotation_exp<double>(time * motion.w) * motion.X_WS.R;
  return {R, c - R * shape.box_centre};
}

TimeOfImpact time_of_impact(const CollisionShape& A, const ShapeMotion& motion_A, const CollisionShape& B,
                            const ShapeMotion& motion_B, double duration) {
  const bool is_convex = A.is_convex() && B.is_convex();
  const double r_A = touching_radius(A, motion_A, B, motion_B, duration),
               r_B = touching_radius(B, motion_B, A, motion_A, duration);
  const Vec3 v = motion_A.v - motion_B.v;
  const double touching = kTouchingDistance * std::min(A.ball_radius, B.ball_radius);

  TimeOfImpact out;
  Pose X_WA = motion_A.X_WS, X_WB = motion_B.X_WS;
  while (true) {
    const ContactPoint nearest = signed_distance(A, X_WA, B, X_WB);
    const Vec3& n = nearest.normal;
    const double rotation_speed = is_convex
                                      ? motion_A.w.cross(n).norm() * r_A + motion_B.w.cross(n).norm() * r_B
                                      : motion_A.w.norm() * r_A + motion_B.w.norm() * r_B;
    const double approach = (is_convex ? n.dot(v) : v.norm()) + rotation_speed;

    const bool touches = nearest.distance <= touching, gives_up = out.advances == kMaxAdvances;
    if (touches || gives_up) {
      out.status = out.time == 0.0 && touches ? ImpactStatus::overlaps
                   : touches                  ? ImpactStatus::touches
                                              : ImpactStatus::not_converged;
      out.at_impact = out.speculative = nearest;
      out.speculative.p_A = point_at_start(motion_A, X_WA, nearest.p_A);
      const Vec3 p_B = point_at_start(motion_B, X_WB, nearest.p_B());
      out.speculative.distance = n.dot(p_B - out.speculative.p_A);
      return out;
    }
    if (!(approach > 0.0) || !(nearest.distance < approach * (duration - out.time))) {
      out.status = ImpactStatus::none;
      out.time = duration;
      return out;
    }
    out.time += nearest.distance / approach;
    ++out.advances;
    X_WA = pose_after(A, motion_A, out.time);
    X_WB = pose_after(B, motion_B, out.time);
  }
}

}  // namespace stiction
