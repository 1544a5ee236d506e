#pragma once
// Problems of contact with Coulomb friction from the Siconos collection, as JSON files of the shared folder
// (data/fc3d/*.json). Every file has, or has been reduced to, u = W r + q with rows (normal, t1, t2) by
// contact and W by (row, column, value); here rows are (t1, t2, normal), W is taken as it is (not
// symmetrised) and R is zero.

#include <filesystem>
#include <vector>

#include "stiction/contact/dual_problem.h"

namespace stiction {

DualProblem load_fc3d(const std::filesystem::path& file);

// All problem files of the shared folder, by name; empty where the folder is absent.
std::vector<std::filesystem::path> fc3d_files();

}  // namespace stiction
