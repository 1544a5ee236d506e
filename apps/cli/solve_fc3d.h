#pragma once
// `stiction solve` on a file of a collection (stiction/contact/file/fc3d_file.h).

#include <string>

#include "apps/cli/contact_arguments.h"
#include "stiction/contact/file/fc3d_file.h"

namespace stiction::cli {

// Prints the answer and its residuals, as text or JSON; returns the exit code. Throws UserError for a
// formulation that cannot solve such a problem.
int solve_fc3d(const Fc3dProblem& problem, const std::string& file, const ContactArguments& arguments,
               bool json);

}  // namespace stiction::cli
