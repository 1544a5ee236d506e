#pragma once
// Keeps the distance of two points in a range: a rod if its bounds are equal, a rope if the lower one is 0,
//
//   phi = upper - |p_A - p_B|,  |p_A - p_B| - lower      for a rod: one equality
//
// With e along r = p_A - p_B and v, a the velocity and acceleration of A relative to B, |r| has the curvature
// e . a + (v^2 - (e . v)^2)/|r|.

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct Distance : LoopClosure {
  double lower = 0.0, upper = 0.0;  // m
  bool is_rod() const { return lower == upper; }
};

inline int num_rows(const Distance& distance) { return distance.is_rod() ? 1 : 2; }
void write_rows(const Distance& distance, const RowCompliance& compliance, int index, RowWriter* rows);
Vec6 wrench_on_first(const Distance& distance, const Pose& X_A, const Pose& X_B, int component, double force);

}  // namespace stiction
