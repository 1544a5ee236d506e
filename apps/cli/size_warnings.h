#pragma once
// Masses and sizes that no robot or thing around it has: mostly millimetres or grams taken for metres or kilograms.

#include <string>
#include <vector>

#include "stiction/simulation/model/model.h"

namespace stiction::cli {

// A sentence for each kind of odd number, with how many there are and the worst of them.
std::vector<std::string> size_warnings(const Model& model);

}  // namespace stiction::cli
