#include "stiction/constraint/joint_limit.h"

#include "stiction/math/rotation.h"

namespace stiction {

void write_rows(const JointLimit& limit, RowWriter* rows) {
  const RowInputs& in = rows->in;
  if (limit.is_ball) {
    const Vec3 rotation = quaternion_log<double>(in.q.segment<4>(limit.q));
    const double angle = rotation.norm();
    if (angle < 1e-12) return;
    // The velocity of a ball joint is in B's axes; the axis of the rotation is the same in both.
    const Vec3 axis = rotation / angle;
    const double rate = -axis.dot(in.v.segment<3>(limit.dof)),
                 free_rate = -axis.dot(in.v_free.segment<3>(limit.dof));
    if (!rows->can_reach(limit.upper - angle, rate, free_rate)) return;
    rows->begin();
    for (int i = 0; i < 3; ++i) rows->entry(limit.tree, limit.dof + i, -axis[i]);
    const Vec3 w = in.v.segment<3>(limit.dof);
    rows->set_curvature(-0.5 * (w.squaredNorm() - rate * rate) / std::tan(0.5 * angle));
    rows->end_limit(limit.upper - angle, {RowKind::limit, limit.joint, 1});
    return;
  }
  const double q = in.q[limit.q], v = in.v[limit.dof], free = in.v_free[limit.dof];
  if (rows->can_reach(q - limit.lower, v, free)) {
    rows->begin();
    rows->entry(limit.tree, limit.dof, 1.0);
    rows->end_limit(q - limit.lower, {RowKind::limit, limit.joint, 0});
  }
  if (rows->can_reach(limit.upper - q, -v, -free)) {
    rows->begin();
    rows->entry(limit.tree, limit.dof, -1.0);
    rows->end_limit(limit.upper - q, {RowKind::limit, limit.joint, 1});
  }
}

}  // namespace stiction
