#include "stiction/constraint/loop_closure.h"

namespace stiction {
namespace {

// Velocity of a frame at p that is not in J v: of a kinematic body, or of the kinematic base of the frame's
// tree.
Vec6 prescribed_velocity_at(const Forest& forest, const Kinematics& kinematics, const AttachedFrame& frame,
                            const Vec3& p) {
  const int kinematic = frame.node >= 0 ? forest.trees[frame.tree].kinematic_base : frame.kinematic;
  return kinematic < 0 ? Vec6(Vec6::Zero()) : velocity_at(kinematics.prescribed[kinematic], p);
}

// Of a frame's origin p: angular and linear velocity and acceleration.
struct FrameMotion {
  Vec3 w = Vec3::Zero(), v = Vec3::Zero(), alpha = Vec3::Zero(), a = Vec3::Zero();
};

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

FrameMotion motion_of(const Forest& forest, const Kinematics& k, const AttachedFrame& frame, const Vec3& p) {
  if (frame.kinematic >= 0) {
    const PrescribedMotion& m = k.prescribed[frame.kinematic];
    const Vec3 w = m.V.head<3>(), alpha = m.A.head<3>(), r = p - m.X_WB.p;
    return {w, m.V.tail<3>() + w.cross(r), alpha, m.A.tail<3>() + alpha.cross(r) + w.cross(w.cross(r))};
  }
  if (frame.node < 0) return {};
  const NodeMotion& node = k.nodes[frame.node];
  const Vec3 r = p - vec3(k.origins.data() + 4 * frame.tree);
  const Vec3 w = vec3(node.w), v = vec3(node.v) + w.cross(r), alpha = vec3(node.alpha);
  // The node's acceleration is that of the velocity field at O, less gravity.
  return {w, v, alpha, vec3(node.a) + forest.gravity + alpha.cross(r) + w.cross(v)};
}

}  // namespace

RelativeMotion LoopClosureRows::relative_motion() const {
  const RowInputs& in = rows_.in;
  const FrameMotion A = motion_of(in.forest, in.kinematics, closure_.a, X_A.p),
                    B = motion_of(in.forest, in.kinematics, closure_.b, X_B.p);
  return {A.v - B.v, A.a - B.a, A.alpha - B.alpha, B.w, B.alpha};
}

LoopClosureRows::LoopClosureRows(const LoopClosure& closure, int index, RowWriter* rows)
    : X_A(pose_of(rows->in.kinematics, closure.a)),
      X_B(pose_of(rows->in.kinematics, closure.b)),
      apart(X_A.p - X_B.p),
      p_A(closure.acts_at_second ? X_B.p : X_A.p),
      p_B(closure.acts_at_first ? X_A.p : X_B.p),
      closure_(closure),
      index_(index),
      rows_(*rows) {
  const Forest& forest = rows->in.forest;
  if (!forest.kinematic_bodies.empty())
    outside_ = prescribed_velocity_at(forest, rows->in.kinematics, closure.a, p_A) -
               prescribed_velocity_at(forest, rows->in.kinematics, closure.b, p_B);
}

void LoopClosureRows::along(const Vec3& axis, double sign) {
  const Vec3 none = Vec3::Zero();
  rows_.begin();
  rows_.chain(closure_.a, closure_.common, p_A, none, axis, sign);
  rows_.chain(closure_.b, closure_.common, p_B, none, axis, -sign);
  rows_.set_bias(sign * axis.dot(outside_.tail<3>()));
}

void LoopClosureRows::about(const Vec3& axis, double sign) {
  const Vec3 none = Vec3::Zero();
  rows_.begin();
  rows_.chain(closure_.a, closure_.common, X_A.p, axis, none, sign);
  rows_.chain(closure_.b, closure_.common, X_B.p, axis, none, -sign);
  rows_.set_bias(sign * axis.dot(outside_.head<3>()));
}

}  // namespace stiction
