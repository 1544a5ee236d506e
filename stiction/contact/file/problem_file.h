#pragma once
// A contact problem as a JSON file, so that it can be solved alone, by other laws and other solvers. Numbers
// only; every double comes back bit for bit. docs/problem_files.md describes the format.
//
// Trees that nothing touches are not in a file. Beside the parameters of the law that posed the problem, a
// file has the physical numbers of every point (PhysicalPoint), from which the parameters of another law can
// be computed (stiction/constraint/apply_law.h). Older versions of the format are read too
// (docs/file_formats.md).

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/contact/residual.h"

namespace stiction {

struct SavedProblem {
  ContactProblem problem;
  std::vector<PhysicalPoint> points;  // one for each point of the problem, also where no patch owns it
  // The options of the law; see ContactOptions.
  Dissipation dissipation = Dissipation::hunt_crossley;
  double v_s = 0.0;    // m/s
  double sigma = 0.0;  // share of w
  double beta = 0.0;
  const char* solver = "newton";  // one of the catalog's for the law
};

std::string problem_to_json(const SavedProblem& saved);
// `file` is the name that messages begin with. Throws UserError for what is not a problem.
SavedProblem problem_from_json(std::string_view text, const std::string& file);

void save_problem(const SavedProblem& saved, const std::filesystem::path& file);
SavedProblem load_problem(const std::filesystem::path& file);

}  // namespace stiction
