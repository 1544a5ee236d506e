#include "test/contact/dual/stored_problems.h"

#include <algorithm>

#include "stiction/base/shared_files.h"
#include "test/base/fewer.h"

namespace stiction {

std::vector<std::filesystem::path> fc3d_files() {
  std::vector<std::filesystem::path> files;
  const auto folder = shared_file("data/fc3d");
  if (!folder) return files;
  for (const auto& entry : std::filesystem::directory_iterator(*folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

bool is_too_long_sanitized(const DualProblem& problem) { return kSanitized && problem.num_blocks() > 30; }

}  // namespace stiction
