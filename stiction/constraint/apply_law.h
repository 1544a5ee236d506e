#pragma once
// Poses a saved contact problem under any law: the numbers that the law reads, from what every point was
// before (contact_rows.h).

#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/file/problem_file.h"

namespace stiction {

// The options under which a problem was posed.
ContactOptions options_of(const SavedProblem& saved);

void apply_law(const ContactOptions& options, SavedProblem* saved);

}  // namespace stiction
