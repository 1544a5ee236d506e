#pragma once
// The list of named models; tests, benchmarks, the command line, the viewer and Python iterate over it.

#include <string_view>
#include <vector>

#include "stiction/simulation/input_schedule.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

struct SceneEntry {
  const char* name;
  const char* description;
  Model (*make)();
  // The controls of its actuators over time; null: zero.
  InputSchedule (*schedule)(const Model& model) = nullptr;
};

const std::vector<SceneEntry>& scene_catalog();

// Null: there is none of this name.
const SceneEntry* find_scene(std::string_view name);

// Throws UserError with the closest name there is.
Model make_scene(std::string_view name);

}  // namespace stiction
