#pragma once
// What must hold for every model that a loader lets pass.

#include <string>

#include "stiction/base/check.h"
#include "stiction/io/compatibility_report.h"
#include "stiction/io/model_json.h"
#include "stiction/simulation/world.h"

namespace stiction::fuzz {

// Loads, and returns 0 for LLVMFuzzerTestOneInput: bad input is a UserError, what fails in the motion a
// SimulationError, and everything else is a finding.
template <class Load>
int try_model(const Load& load) {
  CompatibilityReport report;
  Model model;
  try {
    model = load(&report);
  } catch (const UserError&) {
    return 0;
  }
  for (const CompatibilityEntry& entry : report.entries)
    STICTION_ASSERT(entry.status == Compatibility::honoured || !entry.why.empty());
  STICTION_ASSERT(model.q0.size() == model.num_q());

  // Copies make large models of small files; what they could show, small ones show in less time.
  constexpr std::size_t kLargest = 50;  // bodies and shapes
  if (model.forest.bodies.size() + model.shapes.size() > kLargest) return 0;
  const std::string json = model_to_json(model);
  STICTION_ASSERT(model_to_json(model_from_json(json)) == json);
  try {
    World(std::move(model)).step();
  } catch (const SimulationError&) {
  }
  return 0;
}

}  // namespace stiction::fuzz
