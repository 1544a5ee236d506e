// Forces of actuators and passive forces of a model file in many states, for comparisons with other engines.
//
// In: a line {"file": path, "states": count, "h": step}, then for every state q, v, controls, activations.
// Out: a line {"fields": [...]}, then for every state the arrays of these names, each a number of entries and
// the entries. All numbers after the lines are doubles of this machine.

#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/io/model_file.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/actuation/body_forces.h"
#include "test/tools/probe.h"

namespace {

using namespace stiction;
using Numbers = std::vector<double>;

constexpr const char* kFields[] = {"tendon_length",     "tendon_velocity", "actuator_length",
                                   "actuator_velocity", "actuator_force",  "activation_rate",
                                   "next_activation",   "joint_forces",    "passive"};

VecX read_vector(int size) {
  VecX v(size);
  std::cin.read(reinterpret_cast<char*>(v.data()), std::streamsize(sizeof(double)) * size);
  STICTION_USER_CHECK(std::cin.good(), "the states end too early");
  return v;
}

void write(const double* numbers, std::size_t size) {
  const double count = double(size);
  std::cout.write(reinterpret_cast<const char*>(&count), sizeof count);
  std::cout.write(reinterpret_cast<const char*>(numbers), std::streamsize(sizeof(double) * size));
}

template <class Item>
void write(const std::vector<Item>& items, double Item::*field) {
  Numbers numbers;
  for (const Item& item : items) numbers.push_back(item.*field);
  write(numbers.data(), numbers.size());
}

void answer(const Model& model, int num_states, double h) {
  const Forest& forest = model.forest;
  Kinematics kinematics(forest);
  const ActuationModel actuators(model);
  const BodyForcesModel body_forces(model);
  ActuationRecord actuation(actuators, forest.num_v);
  BodyForcesRecord bodies(forest);
  std::vector<NodeWrench> scratch;
  for (int i = 0; i < num_states; ++i) {
    const VecX q = read_vector(forest.num_q), v = read_vector(forest.num_v);
    const VecX controls = read_vector(int(model.elements.actuators.size()));
    const VecX activations = read_vector(model.num_activations());
    compute_positions(forest, q.data(), &kinematics);
    compute_velocities(forest, v.data(), &kinematics);
    set_controls(actuators, controls, &actuation);
    VecX passive = VecX::Zero(forest.num_v);
    add_spring_forces(forest, q.data(), passive.data());
    add_damping_forces(forest, v.data(), passive.data());
    compute_tendon_forces(actuators, kinematics, q.data(), v.data(), &actuation);
    passive += actuation.tendon_forces;
    compute_body_forces(forest, body_forces, kinematics, &scratch, &bodies);
    add_body_forces(body_forces, actuators, bodies, passive.data());
    compute_actuator_forces(actuators, v.data(), activations, h, bodies.gravity_compensation.data(),
                            &actuation, 0.0, true);

    write(actuation.tendons, &TendonRecord::length);
    write(actuation.tendons, &TendonRecord::velocity);
    write(actuation.actuators, &ActuatorRecord::length);
    write(actuation.actuators, &ActuatorRecord::velocity);
    write(actuation.actuators, &ActuatorRecord::force);
    write(actuation.activation_rates.data(), actuation.activation_rates.size());
    write(actuation.next_activations.data(), actuation.next_activations.size());
    write(actuation.joint_forces.data(), std::size_t(forest.num_v));
    write(passive.data(), std::size_t(forest.num_v));
  }
}

}  // namespace

int main() {
  return run_probe([] {
    std::string line;
    std::getline(std::cin, line);
    const nlohmann::json question = nlohmann::json::parse(line);
    const Model model = load_model_file(question.at("file").get<std::string>());
    std::cout << nlohmann::json{{"fields", kFields}}.dump() << "\n";
    answer(model, question.at("states"), question.at("h"));
  });
}
