#pragma once
// The rows of the contact problem that are not contacts, in this order: joint limits, dry friction, locks,
// named constraints (loop closures, couplings), tendons, drives. Each kind has its file in
// stiction/constraint/.

#include "stiction/contact/options.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/constraint/constraint_model.h"
#include "stiction/simulation/constraint/constraint_record.h"

namespace stiction {

// Marks the actuators and tendons that will be rows; explicit forces leave them out. None if theta is 0.
void choose_implicit_drives(const ConstraintModel& constraints, const ActuationModel& model,
                            const StepTheta& theta, ActuationRecord* actuation);

// Appends the rows of bushings, springs of tendons and drives that are implicit.
void add_force_rows(const ConstraintModel& constraints, const ConstraintSwitches& switches,
                    const ActuationModel& model, const ActuationRecord& actuation, const RowInputs& inputs,
                    ContactProblem* problem, ConstraintRecord* record);

// What add_force_rows needs at theta, of a scheme with StepTheta::is_iterated.
struct ForceRowsThere {
  const ActuationRecord& actuation;
  const RowInputs& inputs;
};

// How fast violations of rows go under a law. Rigid laws leave violated limits and open loops as they leave
// overlaps.
RowRecovery row_recovery(const ContactOptions& contact);

// The impulse of a row at u = u_free: clamp(offset - slope u_free).
double free_impulse(const ContactProblem& problem, int row, const VecX& v_free);

// Clears the rows of the problem and writes those of the step. there: null for other schemes.
void add_constraint_rows(const ConstraintModel& constraints, const ConstraintSwitches& switches,
                         const ActuationModel& model, const ActuationRecord& actuation,
                         const RowInputs& inputs, const ForceRowsThere* there, LockScratch* scratch,
                         ContactProblem* problem, ConstraintRecord* record);

// After the solve: the forces of implicit drives.
void report_drives(const ConstraintRecord& constraints, const std::vector<double>& row_impulses, double h,
                   ActuationRecord* actuation);

}  // namespace stiction
