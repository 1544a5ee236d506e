#pragma once
// The rows of the contact problem that are not contacts, in this order: joint limits, dry friction, locks,
// named constraints (loop closures, couplings), tendons, drives. Each kind has its file in
// stiction/constraint/.

#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/constraint/constraint_model.h"
#include "stiction/simulation/constraint/constraint_record.h"

namespace stiction {

// Marks the actuators and tendons that will be rows; explicit forces leave them out. None if theta is 0.
void choose_implicit_drives(const ConstraintModel& constraints, const ActuationModel& model,
                            const StepTheta& theta, ActuationRecord* actuation);

// Clears the rows of the problem and writes those of the step.
void add_constraint_rows(const ConstraintModel& constraints, const ConstraintSwitches& switches,
                         const ActuationModel& model, const ActuationRecord& actuation,
                         const RowInputs& inputs, LockScratch* scratch, ContactProblem* problem,
                         ConstraintRecord* record);

// After the solve: the forces of implicit drives.
void report_drives(const ConstraintRecord& constraints, const std::vector<double>& row_impulses, double h,
                   ActuationRecord* actuation);

}  // namespace stiction
