#include "python/bindings/simulation/overrides.h"

#include <utility>

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction::python {
namespace {

using SetNumber = void (World::*)(std::string_view, double);

const std::vector<std::pair<const char*, SetNumber>>& kinds() {
  static const std::vector<std::pair<const char*, SetNumber>> list = {
      {"mass", &World::set_mass},
      {"friction", &World::set_friction},
      {"stiffness", &World::set_stiffness},
      {"gain", static_cast<SetNumber>(&World::set_gain)},
      {"joint_damping", &World::set_joint_damping},
      {"joint_armature", &World::set_joint_armature},
      {"joint_stiffness", &World::set_joint_stiffness},
      {"joint_friction", &World::set_joint_friction},
  };
  return list;
}

}  // namespace

std::vector<std::string> override_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : kinds()) names.emplace_back(kind.first);
  return names;
}

void apply_override(const std::string& kind, const std::string& name, double value, World* world) {
  for (const auto& known : kinds()) {
    if (kind != known.first) continue;
    (world->*known.second)(name, value);
    return;
  }
  throw_user_error(unknown_name_message("override", kind, override_kinds()));
}

}  // namespace stiction::python
