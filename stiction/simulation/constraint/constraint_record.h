#pragma once
// The rows of a step beside its contacts: what switches them, and whom they belong to.

#include <vector>

#include "stiction/constraint/joint_lock.h"
#include "stiction/constraint/row_owner.h"

namespace stiction {

// What is switched against the model, from outside. A joint is locked once at most.
struct ConstraintSwitches {
  std::vector<char> active;  // by ConstraintModel::constraints; empty: as the model says
  std::vector<JointLock> locks;
  std::vector<int> unlimited_joints;  // whose limits do not act
};

// The scalar rows of a step's contact problem, in its order.
struct ConstraintRecord {
  std::vector<RowOwner> owners;
};

}  // namespace stiction
