#include "stiction/constraint/joint_lock.h"

#include "stiction/multibody/positions.h"

namespace stiction {

void write_rows(const std::vector<JointLock>& locks, LockScratch* scratch, RowWriter* rows) {
  if (locks.empty()) return;
  const Forest& forest = rows->in.forest;
  // The distance of every joint from its locked position, as a velocity over one second.
  scratch->q = rows->in.q;
  for (const JointLock& lock : locks) {
    const JointIndices& joint = forest.joints[lock.joint];
    for (int i = 0; i < joint.num_q; ++i) scratch->q[joint.q_begin + i] = lock.q[i];
  }
  scratch->v.resize(forest.num_v);
  position_difference(forest, scratch->q.data(), rows->in.q.data(), 1.0, scratch->v.data());
  for (const JointLock& lock : locks) {
    const JointIndices& joint = forest.joints[lock.joint];
    if (joint.num_v == 0) continue;
    const int tree = forest.nodes[joint.node_begin].tree;
    for (int d = joint.v_begin; d < joint.v_begin + joint.num_v; ++d) {
      rows->begin();
      rows->entry(tree, d, 1.0);
      rows->end_equality(scratch->v[d], {RowKind::lock, d, 0});
    }
  }
}

}  // namespace stiction
