#pragma once
// The rows of the contact problem that are not contacts: limits, dry friction, locks, couplings, ties,
// tendons and drives, in this order. phi is taken at the start of the step and u = J v + bias is its rate.
//
//   limit of a joint      phi = q - lower, upper - q; a row only where the step can reach it
//   limit of a ball       phi = largest - angle, J = -(axis of the turn)
//   coupling              phi = q1 - r1 - sum c_i (q2 - r2)^i
//   point (connect)       phi = p_A - p_B, three rows along the axes of the world
//   pose (weld)           the same and phi = log(R_A R_B'), three rows
//   distance              phi = upper - |p_A - p_B|, |p_A - p_B| - lower; one equality for a rod
//   bushing               phi = p_B - p_A and log(R_A' R_B) along the axes of A
//
//   tendons               limits, friction, couplings of lengths; springs and dampers implicitly
//   drives                actuators with a constant stiffness and damping (position and velocity servos),
//                         implicitly, within their effort and that of their joint
//
// What moves both ends of a tie alike is left out of J: a violation is carried along by it.

#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// Needs mass and added_diagonal of the record; writes rows of its problem and their owners.
void add_constraint_rows(const Model& model, const State& now, const ConstraintOptions& options,
                         const StepTheta& theta, StepRecord* r);
// Before the forces are computed: which actuators and tendons will be rows, and are left out of the explicit
// forces.
void choose_implicit_drives(const StepTheta& theta, StepRecord* r);
// After the solve: their forces as they acted.
void report_drives(StepRecord* r);

// The impulse of a row divided by h, N or N m.
double row_force(const StepRecord& r, int row);
// Forces of all rows of a kind and index added up by component (six): constraints.
Vec6 constraint_force(const StepRecord& r, RowKind kind, int index);
// J' of all rows of the last step over h, by velocity (N or N m).
void row_joint_forces(const StepRecord& r, VecX* tau);
// The same of the rows of one kind on velocities [v_begin, v_begin + num_v) of the model, for kinds that act
// on one joint: limits, dry friction, locks.
Vec6 row_joint_forces(const StepRecord& r, RowKind kind, int v_begin, int num_v);

}  // namespace stiction
