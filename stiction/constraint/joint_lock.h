#pragma once
// A joint that is held at given positions: one equality for each of its velocities,
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

// Scratch: positions and velocities of the whole model.
struct LockScratch {
  VecX q, v;
};

// All locks of a step, each joint once at most.
void write_rows(const std::vector<JointLock>& locks, LockScratch* scratch, RowWriter* rows);

}  // namespace stiction
