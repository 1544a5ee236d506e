#pragma once
// Keeps a joint within its range.
//
//   one position   phi = q - lower, upper - q
//   ball           phi = largest - angle a from the reference orientation, J = -(axis u of that rotation),
//                  curvature -(|w|^2 - (u . w)^2) cot(a/2)/2 at a constant w
//
// A row is written only if the step can reach the limit.

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct JointLimit {
  int joint = 0;
  int q = 0, dof = 0, tree = 0;  // position and velocity of the model
  double lower = 0.0, upper = 0.0;
  bool is_ball = false;  // upper: the largest angle from the reference orientation
};

// An upper bound.
inline int num_rows(const JointLimit& limit) { return limit.is_ball ? 1 : 2; }
void write_rows(const JointLimit& limit, RowWriter* rows);

}  // namespace stiction
