#pragma once
// The rows of a step beside its contacts, and what became of them.

#include <memory>
#include <vector>

#include "stiction/simulation/constraint/constraint_model.h"

namespace stiction {

// A joint that is held where it is.
struct JointLock {
  int joint = 0;
  std::array<double, 7> q = {};  // its positions
  bool operator==(const JointLock&) const = default;
};

// What is switched against the model, from outside. A joint is locked once at most.
struct ConstraintSwitches {
  std::vector<char> active;  // by ConstraintModel::constraints; empty: as the model says
  std::vector<JointLock> locks;
  std::vector<int> unlimited_joints;  // whose limits do not act
};

enum class RowKind : unsigned char {
  limit,         // index: of the joint; pushes along its velocity
  friction,      // index: velocity of the model
  lock,          // index: velocity of the model
  constraint,    // index: in ConstraintModel::constraints
  tendon_limit,  // index: of the tendon, and so on
  tendon_friction,
  tendon_spring,
  actuator,
};

struct RowOwner {
  RowKind kind = RowKind::limit;
  int index = 0;
  int component = 0;  // ties: along x, y, z, about x, y, z; limits: 0 lower, 1 upper
};

struct ConstraintRecord {
  explicit ConstraintRecord(std::shared_ptr<const ConstraintModel> constraint_model)
      : model(std::move(constraint_model)) {}

  std::shared_ptr<const ConstraintModel> model;
  // assemble_problem: by row of the problem
  std::vector<RowOwner> owners;
  // begin
  ConstraintSwitches switches;
};

}  // namespace stiction
