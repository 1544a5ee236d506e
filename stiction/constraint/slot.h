#pragma once
// A pin in a straight slot: the origin of A stays on the x axis of B and slides along it without friction,
// where the slot has ends, between them,
//
//   phi = y_B . (p_A - p_B),  z_B . (p_A - p_B)             two equalities
//   phi = upper - x,  x - lower,  x = x_B . (p_A - p_B)     one limit for each end
//
// The axes turn with B, so their rates are those of A relative to the point of B that is at p_A:
// d/dt e_B . (p_A - p_B) = e_B . (v_A - v_B - w_B x (p_A - p_B)). The force on B acts at p_A too. Their
// curvature is that of the pin seen from B: e_B . (a_A - a_B - alpha_B x r - w_B x (w_B x r) - 2 w_B x v_r), with
// r = p_A - p_B and v_r = v_A - v_B - w_B x r.

#include <cmath>
#include <limits>

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct Slot : LoopClosure {
  Slot() { acts_at_first = true; }
  double lower = -std::numeric_limits<double>::infinity();  // m
  double upper = std::numeric_limits<double>::infinity();   // m
};

inline int num_rows(const Slot& slot) { return 2 + std::isfinite(slot.lower) + std::isfinite(slot.upper); }
void write_rows(const Slot& slot, const RowCompliance& compliance, int index, RowWriter* rows);
Vec6 wrench_on_first(const Slot& slot, const Pose& X_A, const Pose& X_B, int component, double force);

}  // namespace stiction
