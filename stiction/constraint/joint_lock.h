#pragma once
// Holds a joint at given positions: one equality for each of its velocities,
//
//   phi = q - q_lock, for ball and free joints the rotation vector and the displacement from q_lock to q.

#include <array>
#include <vector>

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct JointLock {
  int joint = 0;
  std::array<double, 7> q = {};  // its positions
  bool operator==(const JointLock&) const = default;
};

inline int num_rows(const Forest& forest, const JointLock& lock) { return forest.joints[lock.joint].num_v; }

// Scratch memory: positions and velocities of the whole model.
struct LockScratch {
  VecX q, v;
};

// Writes all locks of a step, each joint at most once.
void write_rows(const std::vector<JointLock>& locks, LockScratch* scratch, RowWriter* rows);

}  // namespace stiction
