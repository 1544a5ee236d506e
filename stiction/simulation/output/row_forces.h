#pragma once
// Forces of the scalar rows in a step: limits, dry friction, locks, loop closures, couplings, tendons,
// drives.

#include "stiction/simulation/step_record.h"

namespace stiction {

// Calls use(owner, force, part, row) for every row of a step, force in N or N m averaged over the whole step;
// `part` is the record that contains the row (StepRecord::parts).
template <class Use>
void for_each_row_force(const StepRecord& record, const Use& use) {
  for_each_part(record, [&](const StepRecord& part, double share) {
    for (std::size_t i = 0; i < part.constraints.owners.size(); ++i)
      use(part.constraints.owners[i],
          share * ((part.constraints.free_impulse(i) + part.contact.solution.row_impulses[i]) / part.h), part,
          static_cast<int>(i));
  });
}

// Forces of all rows of one owner (kind and index), summed by component (six).
Vec6 constraint_force(const StepRecord& r, RowKind kind, int index);
// Sum of J' force over all rows of a step, by velocity (N or N m).
void row_joint_forces(const StepRecord& r, VecX* tau);
// The same for the rows of one kind, on velocities [v_begin, v_begin + num_v) of the model; for kinds that
// act on one joint: limits, dry friction, locks.
Vec6 row_joint_forces(const StepRecord& r, RowKind kind, int v_begin, int num_v);

}  // namespace stiction
