#pragma once
// Problems of contact with Coulomb friction from the Siconos collection, as files of the shared folder
// (data/fc3d/*.json).

#include <filesystem>
#include <vector>

#include "stiction/contact/file/fc3d_file.h"

namespace stiction {

// All problem files of the shared folder, by name; empty where the folder is absent.
std::vector<std::filesystem::path> fc3d_files();

// Under the sanitizers, where hundreds of contacts take minutes, tests leave out what has more than 30.
bool is_too_long_sanitized(const DualProblem& problem);

}  // namespace stiction
