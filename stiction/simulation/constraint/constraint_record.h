#pragma once
// The scalar rows of a step (all constraints but contacts): their switches, and the constraint that each
// belongs to.

#include <vector>

#include "stiction/constraint/joint_lock.h"
#include "stiction/constraint/row_owner.h"

namespace stiction {

// Inputs that override the model. A joint is locked at most once.
struct ConstraintSwitches {
  std::vector<char> active;  // by ConstraintModel::constraints; empty: as the model says
  std::vector<JointLock> locks;
  std::vector<int> unlimited_joints;  // whose limits do not act
};

// The scalar rows of a step's contact problem, in its order.
struct ConstraintRecord {
  std::vector<RowOwner> owners;
  // N s, by row: how much of the row's impulse the free motion has already (StepTheta::is_iterated). Empty:
  // no row has such a part.
  std::vector<double> in_free_motion;
  double free_impulse(std::size_t row) const { return in_free_motion.empty() ? 0.0 : in_free_motion[row]; }
};

}  // namespace stiction
