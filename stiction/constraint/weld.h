#pragma once
// Holds two frames together: phi = p_A - p_B and log(R_A R_B'), three rows along and three about the axes of
// the world.

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct Weld : LoopClosure {};

inline int num_rows(const Weld&) { return 6; }
void write_rows(const Weld& weld, const RowCompliance& compliance, int index, RowWriter* rows);
Vec6 wrench_on_first(const Weld& weld, const Pose& X_A, const Pose& X_B, int component, double force);

}  // namespace stiction
