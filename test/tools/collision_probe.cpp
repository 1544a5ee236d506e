// What touches in given states of a model file, for comparisons with other engines.
// Standard input: {"file": path, "states": [[q ...], ...]}; output: {"states": [[{"shapes": [i, j], "names":
// [a, b], "distance": of the deepest point, "points": how many}, ...], ...]}, at rest, points up to 1e-4 m
// apart included.

#include <algorithm>
#include <string>

#include <nlohmann/json.hpp>

#include "stiction/geometry/narrow_phase.h"
#include "stiction/io/model_file.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/model_tables.h"
#include "test/tools/probe.h"

namespace {

using namespace stiction;
using nlohmann::json;

// Every pair by itself, as other engines have it: also points that another shape of the body covers.
json touching_pairs(const Model& model, const CollisionModel& shapes, const CollisionRecord& c) {
  json pairs = json::array();
  for (const ShapePair& pair : c.pairs) {
    CollideOptions options;
    options.margin = pair.margin;
    PairMemory memory;
    ContactPoints points;
    const CollisionShape &A = shapes.items[size_t(pair.item_A)].geometry,
                         &B = shapes.items[size_t(pair.item_B)].geometry;
    if (pair_entry(A.kind, B.kind).function == nullptr) continue;
    collide(A, c.motions[size_t(pair.item_A)].X_WS, B, c.motions[size_t(pair.item_B)].X_WS, options, &memory,
            &points);
    if (points.empty()) continue;
    double deepest = points[0].distance;
    for (const ContactPoint& point : points) deepest = std::min(deepest, point.distance);
    pairs.push_back(
        {{"shapes", {pair.shape_A, pair.shape_B}},
         {"names", {model.shapes[size_t(pair.shape_A)].name, model.shapes[size_t(pair.shape_B)].name}},
         {"distance", deepest},
         {"points", points.size()}});
  }
  return pairs;
}

json evaluate(const json& question) {
  const Model model = load_model_file(question.at("file").get<std::string>());
  const CollisionModel& shapes = *model.tables().collision;
  Kinematics kinematics(model.forest);
  CollisionRecord collision(shapes);
  CollisionWorkspace work(shapes);
  const VecX at_rest = VecX::Zero(model.num_v());
  json states = json::array();
  for (const json& state : question.at("states")) {
    const std::vector<double> q = state;
    compute_positions(model.forest, q.data(), &kinematics);
    compute_velocities(model.forest, at_rest.data(), &kinematics);
    find_pairs(model, kinematics, 0.0, {}, &collision, &work);
    find_contacts(model, 0.0, {}, &collision, &work);
    states.push_back(touching_pairs(model, shapes, collision));
  }
  return {{"states", states}};
}

}  // namespace

int main() { return answer_question(evaluate); }
