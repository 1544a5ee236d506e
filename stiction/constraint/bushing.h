#pragma once
// Springs and dampers between two frames, along and about the axes of A,
//
//   phi_t = R_A' (p_B - p_A),   phi_r = log(R_A' R_B),   V = 1/2 sum k_i phi_i^2.
//
// The rows are the gradients of phi, so that the forces are those of the potential V and action and reaction
// are on one line: with all velocities at the origin of B,
//
//   d/dt phi_t = R_A' (v_B - v_A),   d/dt phi_r = Jl^-1(phi_r) R_A' (w_B - w_A),
//
// Jl^-1(r) = 1 - [r]/2 + c [r]^2 the inverse left Jacobian of SO(3), c as in multibody/passive_forces.h.

#include <array>

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct BushingSprings : LoopClosure {
  BushingSprings() { acts_at_second = true; }
  // Along, then about the axes of A; rigid entries are free directions.
  std::array<RowCompliance, 6> springs = {};
};

inline int num_rows(const BushingSprings&) { return 6; }
// The bushing has compliances of its own.
void write_rows(const BushingSprings& bushing, const RowCompliance& unused, int index, RowWriter* rows);
// (moment, force) in W on the first frame, about its origin.
Vec6 wrench_on_first(const BushingSprings& bushing, const Pose& X_A, const Pose& X_B, int component,
                     double force);

// phi, along and about the axes of A (m, rad).
Vec6 deflection(const Pose& X_A, const Pose& X_B);
// Its rate, for velocities (angular, of the frame's origin) in W.
Vec6 deflection_rate(const Pose& X_A, const Pose& X_B, const Vec6& V_A, const Vec6& V_B);
// V (J).
double spring_energy(const BushingSprings& bushing, const Vec6& phi);

}  // namespace stiction
