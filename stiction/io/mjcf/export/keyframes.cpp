#include <algorithm>

#include "stiction/io/mjcf/export/parts.h"
#include "stiction/io/mjcf/mujoco_order.h"
#include "stiction/multibody/positions.h"

namespace stiction {
namespace {

std::vector<double> numbers(const VecX& x) { return {x.begin(), x.end()}; }

// MuJoCo refuses lists of another length.
void set_list(const char* attribute, const std::vector<double>& values, std::size_t expected,
              const std::string& owner, MjcfExport* out, MjcfNode* node) {
  if (values.empty()) return;
  if (values.size() != expected)
    return out->ignore("key", attribute, owner, "does not have as many numbers as the model asks for");
  node->set(attribute, std::span<const double>(values));
}

// Of the actuators as they are written: those of a kind that MJCF's general form cannot take over have none.
std::size_t num_activations(const Elements& elements) {
  const auto has_one = [](const Actuator& actuator) {
    const bool is_taken_over = actuator.gain != "pid" && actuator.gain != "so3" && actuator.gain != "dcmotor";
    return is_taken_over && actuator.dynamics != "none";
  };
  return std::size_t(std::count_if(elements.actuators.begin(), elements.actuators.end(), has_one));
}

}  // namespace

void write_keyframes(MjcfExport* out, MjcfNode* keyframe) {
  const Model& model = out->model;
  const Elements& elements = model.elements;
  const VecX reference = reference_positions(model.forest);
  const MujocoOrder order(model);
  bool has_initial = false;
  for (const Keyframe& key : elements.keyframes) {
    MjcfNode& node = keyframe->add("key");
    out->set_name("key", key.name, &node);
    node.set_unless("time", key.time, 0.0);
    const VecX& q = key.q.size() == 0 ? reference : key.q;
    if (key.q.size() > 0) node.set("qpos", numbers(order.qpos(q)));
    if (key.v.size() > 0 && !key.v.isZero(0.0)) node.set("qvel", numbers(order.qvel(q, key.v)));
    const std::size_t num_mocap = model.forest.kinematic_bodies.size();
    set_list("act", key.activations, num_activations(elements), key.name, out, &node);
    set_list("ctrl", key.controls, elements.actuators.size(), key.name, out, &node);
    set_list("mpos", key.mocap_positions, 3 * num_mocap, key.name, out, &node);
    set_list("mquat", key.mocap_quaternions, 4 * num_mocap, key.name, out, &node);
    has_initial = has_initial || (key.q.size() > 0 && key.q == model.q0);
  }

  // A model in MJCF starts at the reference position.
  constexpr double kRoundOff = 1e-12;
  if (model.q0.size() == 0 || (model.q0 - reference).cwiseAbs().maxCoeff() <= kRoundOff) return;
  out->approximate("key", "qpos", model.name,
                   "the model starts at the reference position; where it should start is a keyframe");
  if (has_initial) return;
  keyframe->add("key").set("name", out->make_up("key", "initial")).set("qpos", numbers(order.qpos(model.q0)));
}

}  // namespace stiction
