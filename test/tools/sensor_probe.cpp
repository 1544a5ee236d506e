// Values of the sensors of a model file in given motions, for comparisons with other engines. Everything is
// of one instant: positions, velocities, accelerations, controls. Standard input: {"file": path, "states":
// [{"q", "v", "a", "time", "controls", "activations"}, ...]}; output:
// {"sensors": [{"name", "kind", "size"}], "states": [[value, ...], ...]}.

#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "stiction/io/model_file.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/sensor_record.h"
#include "test/tools/probe.h"

namespace {

using namespace stiction;
using nlohmann::json;

VecX vector_of(const json& list) {
  const std::vector<double> numbers = list;
  return Eigen::Map<const VecX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

class Probe {
 public:
  explicit Probe(const Model& model)
      : model_(model),
        step_(model),
        sensors_(model, std::make_shared<const SensorModel>(model), model.tables().actuation),
        state_(model) {
    step_.h = model.elements.options.timestep;
  }

  json describe() const {
    json list = json::array();
    for (std::size_t i = 0; i < sensors_.model->sensors.size(); ++i)
      list.push_back({{"name", model_.elements.sensors[i].name},
                      {"kind", model_.elements.sensors[i].kind},
                      {"size", sensors_.model->sensors[i].size}});
    return list;
  }

  // As after a step from this very state that changed its velocities by h a.
  json answer(const json& question) {
    state_.q = vector_of(question.at("q"));
    state_.v = vector_of(question.at("v"));
    state_.time = question.at("time");
    state_.activations = vector_of(question.at("activations"));
    compute_positions(model_.forest, state_.q.data(), &step_.kinematics);
    compute_velocities(model_.forest, state_.v.data(), &step_.kinematics);
    set_controls(*model_.tables().actuation, vector_of(question.at("controls")), &step_.actuation);
    compute_tendon_forces(*model_.tables().actuation, step_.kinematics, state_.q.data(), state_.v.data(),
                          &step_.actuation);
    compute_body_forces(model_.forest, *model_.tables().body_forces, step_.kinematics, &scratch_,
                        &step_.body_forces);
    compute_actuator_forces(*model_.tables().actuation, state_.v.data(), state_.activations, step_.h,
                            step_.body_forces.gravity_compensation.data(), &step_.actuation, 0.0,
                            state_.time == 0.0);
    step_.v_start = state_.v;
    step_.v_next = state_.v + step_.h * vector_of(question.at("a"));
    read_sensors(model_, state_, step_.kinematics, &step_, kAllSensors, &sensors_);
    return sensors_.values;
  }

 private:
  const Model& model_;
  StepRecord step_;
  std::vector<NodeWrench> scratch_;
  SensorRecord sensors_;
  State state_;
};

json evaluate(const json& question) {
  const Model model = load_model_file(question.at("file").get<std::string>());
  Probe probe(model);
  json states = json::array();
  for (const json& state : question.at("states")) states.push_back(probe.answer(state));
  return {{"sensors", probe.describe()}, {"states", states}};
}

}  // namespace

int main() { return answer_question(evaluate); }
