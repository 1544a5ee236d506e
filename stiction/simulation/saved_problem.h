#pragma once
// The contact problem of a step as one that can be saved, from the step's record.

#include "stiction/contact/file/problem_file.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// options: those that the step was taken with.
SavedProblem saved_problem(const Model& model, const StepRecord& record, const ContactOptions& options);

// What every point of the record's problem was before its law: units as in PhysicalPoint.
std::vector<PhysicalPoint> physical_points(const Model& model, const StepRecord& record,
                                           const ContactOptions& options);

}  // namespace stiction
