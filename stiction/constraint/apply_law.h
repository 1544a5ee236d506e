#pragma once
// Sets up a saved contact problem for any law: computes the parameters that the law reads from the physical
// data of every point (contact_rows.h).

#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/file/problem_file.h"

namespace stiction {

// The options of a saved problem.
ContactOptions options_of(const SavedProblem& saved);

void apply_law(const ContactOptions& options, SavedProblem* saved);

}  // namespace stiction
