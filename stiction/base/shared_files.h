#pragma once

// Large or third-party files that are not in the repository: robot models, problem collections, papers' data.
//
// They lie in the folder named by the environment variable STICTION_SHARED, or in ../shared as seen from the
// working folder. Nothing may fail because they are missing; a test that needs one skips:
//
//   const auto file = shared_file("data/fc3d/Rover1039.json");
//   if (!file) GTEST_SKIP() << missing_shared_file("data/fc3d/Rover1039.json");

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace stiction {

// The file or folder, if it exists.
std::optional<std::filesystem::path> shared_file(std::string_view relative);

// A sentence that says where shared_file looked.
std::string missing_shared_file(std::string_view relative);

}  // namespace stiction
