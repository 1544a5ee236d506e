// The numbers of MuJoCo's law of contact (contact/law/mujoco_law.h) that pairs of shapes of a model file have here.
// Standard input: {"file": path, "pairs": [[shape, shape], ...]}, shapes counted from 0; output: {"inverse_masses":
// [1/kg of every shape that can touch, null of others], "pairs": [null of shapes that cannot touch, or
// {"solref", "solref_friction", "solimp", "margin", "found_within", "impratio", "inverse_mass", "friction"}]},
// friction: of sliding, torsion and rolling, found_within: the distance (m) within which points are sought.

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "stiction/io/model_file.h"
#include "stiction/simulation/model_tables.h"
#include "test/tools/probe.h"

namespace {

using namespace stiction;
using nlohmann::json;

// -1: it cannot touch.
int item_of(const CollisionModel& collision, int shape) {
  const auto found = std::lower_bound(collision.shapes.begin(), collision.shapes.end(), shape);
  const bool is_there = found != collision.shapes.end() && *found == shape;
  return is_there ? static_cast<int>(found - collision.shapes.begin()) : -1;
}

json evaluate(const json& question) {
  const Model model = load_model_file(question.at("file").get<std::string>());
  const ModelTables& tables = model.tables();
  const CollisionModel& collision = *tables.collision;
  json masses = json::array(), pairs = json::array();
  for (int shape = 0; shape < static_cast<int>(model.shapes.size()); ++shape) {
    const int i = item_of(collision, shape);
    masses.push_back(i < 0 ? json() : json(tables.contact->soft.inverse_masses[static_cast<std::size_t>(i)]));
  }
  for (const json& asked : question.at("pairs")) {
    const int i = item_of(collision, asked.at(0)), j = item_of(collision, asked.at(1));
    if (i < 0 || j < 0) {
      pairs.push_back(json());
      continue;
    }
    const PairMaterial pair = tables.contact->pair(std::min(i, j), std::max(i, j));
    pairs.push_back({{"is_given", pair.mujoco.is_given},
                     {"solref", pair.mujoco.solref},
                     {"solref_friction", pair.mujoco.solref_friction},
                     {"solimp", pair.mujoco.solimp},
                     {"margin", pair.mujoco.margin},
                     {"found_within", collision.margin(std::min(i, j), std::max(i, j))},
                     {"impratio", pair.mujoco.impratio},
                     {"inverse_mass", pair.mujoco.inverse_mass},
                     {"friction", {pair.static_friction, pair.torsional_friction, pair.rolling_friction}}});
  }
  return {{"inverse_masses", masses}, {"pairs", pairs}};
}

}  // namespace

int main() { return answer_question(evaluate); }
