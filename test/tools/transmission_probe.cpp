// Lengths and moment arms of the tendons and actuators of a model file, for comparisons with other engines.
// Standard input: {"file": path, "states": [[q ...], ...]}; output: {"states": [{"tendons": [{"length",
// "moment"}], "actuators": [...]}]}.

#include <string>

#include <nlohmann/json.hpp>

#include "stiction/io/model_file.h"
#include "stiction/simulation/actuation/transmission.h"
#include "test/tools/probe.h"

namespace {

using namespace stiction;
using nlohmann::json;

json answer(double length, const VecX& moment) {
  return {{"length", length}, {"moment", std::vector<double>(moment.begin(), moment.end())}};
}

json evaluate(const json& question) {
  const Model model = load_model_file(question.at("file").get<std::string>());
  const Transmissions transmissions(model);
  TransmissionState at(transmissions);
  Kinematics kinematics(model.forest);
  json states = json::array();
  for (const json& state : question.at("states")) {
    const std::vector<double> q = state;
    compute_positions(model.forest, q.data(), &kinematics);
    json tendons = json::array(), actuators = json::array();
    transmissions.compute(kinematics, q.data(), &at);
    for (int i = 0; i < transmissions.num_tendons(); ++i)
      tendons.push_back(answer(at.tendon_lengths[i], at.tendon_rows.dense(i, model.num_v())));
    for (int i = 0; i < transmissions.num_actuators(); ++i)
      actuators.push_back(answer(at.actuator_lengths[i], at.actuator_rows.dense(i, model.num_v())));
    states.push_back({{"tendons", tendons}, {"actuators", actuators}});
  }
  return {{"states", states}};
}

}  // namespace

int main() { return answer_question(evaluate); }
