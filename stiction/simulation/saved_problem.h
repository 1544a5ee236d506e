#pragma once
// Converts the contact problem of a step, taken from its record, to one that can be written to a file.

#include "stiction/contact/file/problem_file.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// options: those of the step.
SavedProblem saved_problem(const Model& model, const StepRecord& record, const ContactOptions& options);

// The points of the record's problem in physical terms, before a law is applied; units as in PhysicalPoint.
std::vector<PhysicalPoint> physical_points(const Model& model, const StepRecord& record,
                                           const ContactOptions& options);

}  // namespace stiction
