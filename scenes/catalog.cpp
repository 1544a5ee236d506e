#include "scenes/catalog.h"

#include <string>

#include "scenes/all_joints.h"
#include "scenes/arm.h"
#include "scenes/free_bodies_and_arms.h"
#include "scenes/hand.h"
#include "scenes/humanoid.h"
#include "scenes/pendulums.h"
#include "scenes/quadruped.h"
#include "stiction/base/check.h"
#include "stiction/simulation/name_lookup.h"

namespace stiction {

const std::vector<SceneEntry>& scene_catalog() {
  static const std::vector<SceneEntry> catalog = {
      {"pendulum", "A rod on a hinge, 30 degrees off the vertical.", scenes::pendulum},
      {"double_pendulum", "Two rods on parallel hinges, held level: chaotic.", scenes::double_pendulum},
      {"spring_mass", "A block on a vertical slide and a spring.", scenes::spring_mass},
      {"spinning_body", "A free brick with three different principal moments, without gravity.",
       scenes::spinning_body},
      {"chain", "Fifty links on hinges, stretched out level from the world.", scenes::chain},
      {"arm", "An arm of seven hinges on a fixed base.", scenes::arm},
      {"hand", "A fixed palm with three fingers and a thumb of four hinges each.", scenes::hand},
      {"quadruped", "A four-legged robot with twelve hinges and a free trunk.", scenes::quadruped},
      {"humanoid", "A humanoid with 24 hinges and a free pelvis.", scenes::humanoid},
      {"free_bodies_and_arms", "Forty free bodies between two arms.", scenes::free_bodies_and_arms},
      {"all_joints", "Every kind of joint in one tree on a fixed pedestal.", scenes::all_joints},
      {"all_joints_free", "Every kind of joint on a free base.", scenes::all_joints_free},
      {"all_joints_mujoco", "Every kind of joint that MuJoCo has, on a fixed pedestal.",
       scenes::all_joints_mujoco},
  };
  return catalog;
}

Model make_scene(std::string_view name) {
  std::vector<std::string> names;
  for (const SceneEntry& entry : scene_catalog()) {
    if (entry.name == name) return entry.make();
    names.push_back(entry.name);
  }
  std::string known;
  for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
  throw_user_error(format("{} (scenes: {})", unknown_name_message("scene", name, names), known));
}

}  // namespace stiction
