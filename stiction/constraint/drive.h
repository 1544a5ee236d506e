#pragma once
// Actuators and tendon springs whose force decreases with length and velocity at constant rates (position and
// velocity servos), integrated implicitly within their bounds: one row along the transmission (row_laws.h).

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct ImplicitDrive {
  int actuator = 0;
  double lower = 0.0, upper = 0.0;  // N or N m, its own bounds and those of the joint or tendon it acts on
};

inline int num_rows(const ImplicitDrive&) { return 1; }

// owner: RowKind::actuator or tendon_spring with its index, which is also its row in `transmissions`.
inline void write_rows(const ForceElement& element, const MomentRows& transmissions, RowOwner owner,
                       RowWriter* rows) {
  rows->begin();
  rows->moment_row(transmissions, owner.index, 1.0);
  rows->end_force(element, owner);
}

}  // namespace stiction
