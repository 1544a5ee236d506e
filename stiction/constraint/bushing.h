#pragma once
// Springs and dampers between two frames, along and about the axes of A:
// phi = R_A' (p_B - p_A) and log(R_A' R_B).

#include <array>

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct BushingSprings : LoopClosure {
  std::array<RowCompliance, 6> springs =
      {};  // along, then about the axes of A; rigid entries are free directions
};

inline int num_rows(const BushingSprings&) { return 6; }
// The bushing has compliances of its own.
void write_rows(const BushingSprings& bushing, const RowCompliance& unused, int index, RowWriter* rows);
Vec6 wrench_on_first(const BushingSprings& bushing, const Pose& X_A, const Pose& X_B, int component,
                     double force);

}  // namespace stiction
