#pragma once
// Linear complementarity problems as files: the lcp-json/1 format of collections of test problems.
//
//   {"format": "lcp-json/1", "name": "deudeu", "n": 2, "comp": [0, 1],
//    "M": [[2, 1], [1, 2]], "q": [-5, -6], "solutions": [[1.333, 2.333]]}
//
// comp: 1 for 0 <= z_i perp (M z + q)_i >= 0, 0 for an equation (M z + q)_i = 0 with free z_i; without it all
// are complementary. solutions: those that are known, none where the list is empty; other keys are ignored.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/complementarity/linear_complementarity.h"

namespace stiction {

struct SavedLcp {
  std::string name;
  std::vector<char> is_complementary;
  LinearComplementarity problem;  // with the bounds that comp gives
  std::vector<VecX> solutions;
};

// Throw UserError, with the file and the key, where the text is no such problem or a number is not finite.
SavedLcp lcp_from_json(std::string_view text, const std::string& file);
SavedLcp load_lcp(const std::filesystem::path& file);

std::string lcp_to_json(const SavedLcp& saved);
void save_lcp(const SavedLcp& saved, const std::filesystem::path& file);

}  // namespace stiction
