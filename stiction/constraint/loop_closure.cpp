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

}  // namespace

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
