#pragma once
// Dry friction in a joint: a force of at most `force` against the motion; it can hold the joint at rest.

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct JointFriction {
  int dof = 0, tree = 0;
  double force = 0.0;  // N or N m
};

inline int num_rows(const JointFriction&) { return 1; }

inline void write_rows(const JointFriction& friction, RowWriter* rows) {
  rows->begin();
  rows->entry(friction.tree, friction.dof, 1.0);
  rows->end_friction(friction.force, {RowKind::friction, friction.dof, 0});
}

}  // namespace stiction
