#pragma once
// The output of `stiction run --json` at the end of a run.

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "apps/cli/run_statistics.h"
#include "stiction/simulation/settle.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

// Fields are added over time, never renamed. Times in s: `begin` at the start, `wall` of all steps.
nlohmann::json run_answer(const std::string& scene, const World& world, const Energies& start,
                          const RunStatistics& statistics, double begin, double wall);

nlohmann::json settled_json(const SettleReport& report);

}  // namespace stiction::cli
