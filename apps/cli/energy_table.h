#pragma once
// The energy books of a run, `stiction run --energy`.

#include <nlohmann/json_fwd.hpp>

#include "stiction/simulation/energy.h"

namespace stiction::cli {

// A line for every entry that is not zero, the sums, and the largest relative error of a step.
void print_energy_table(const EnergyTotals& totals);

// Every entry by name, with "error", "largest_relative_error" and "worst_time".
nlohmann::json energy_books_json(const EnergyTotals& totals);

}  // namespace stiction::cli
