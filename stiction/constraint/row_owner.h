#pragma once
// The constraint to which a scalar row of the contact problem belongs.

namespace stiction {

enum class RowKind : unsigned char {
  limit,         // index: of the joint; force along its velocity
  friction,      // index: velocity of the model
  lock,          // index: velocity of the model
  constraint,    // index: in ConstraintModel::constraints
  tendon_limit,  // index: of the tendon, as for the next two
  tendon_friction,
  tendon_spring,
  actuator,  // index: of the actuator
};

struct RowOwner {
  RowKind kind = RowKind::limit;
  int index = 0;
  int component = 0;  // loop closures: along x, y, z, about x, y, z; limits: 0 lower, 1 upper
};

}  // namespace stiction
