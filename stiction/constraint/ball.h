#pragma once
// Holds two points together (MJCF's connect): phi = p_A - p_B, three rows along the axes of the world.

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct Ball : LoopClosure {};

inline int num_rows(const Ball&) { return 3; }
void write_rows(const Ball& ball, const RowCompliance& compliance, int index, RowWriter* rows);
// (moment, force) in W on the first frame, of the row of one component.
Vec6 wrench_on_first(const Ball& ball, const Pose& X_A, const Pose& X_B, int component, double force);

}  // namespace stiction
