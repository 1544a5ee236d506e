#include <algorithm>

#include "stiction/io/mjcf/export/parts.h"
#include "stiction/multibody/positions.h"

namespace stiction {
namespace {

using Kind = MjcfJointPart::Kind;

void append(const double* values, int count, std::vector<double>* list) {
  list->insert(list->end(), values, values + count);
}

// In MJCF a free body's place comes before its quaternion.
std::vector<double> positions(const MjcfExport& out, const VecX& q) {
  std::vector<double> list;
  for (const MjcfJointPart& part : out.joint_parts) {
    const double* ours = q.data() + out.model.forest.joints[std::size_t(part.joint)].q_begin;
    if (part.kind == Kind::free) {
      append(ours + 4, 3, &list);
      append(ours, 4, &list);
    } else if (part.kind == Kind::ball) {
      append(ours, 4, &list);
    } else {
      list.push_back(part.scale * (ours[part.offset] - part.reference));
    }
  }
  return list;
}

// In MJCF a free body has the velocity of its origin in world axes, then its angular velocity in body axes;
// ours are the angular velocity and that of the centre of mass, in world axes.
std::vector<double> velocities(const MjcfExport& out, const VecX& q, const VecX& v) {
  const Forest& forest = out.model.forest;
  std::vector<double> list;
  for (const MjcfJointPart& part : out.joint_parts) {
    const JointIndices& place = forest.joints[std::size_t(part.joint)];
    const double *ours = v.data() + place.v_begin, *at = q.data() + place.q_begin;
    if (part.kind == Kind::free) {
      const double* com = forest.constants[std::size_t(place.node_begin)].p;
      const Mat3 R = rotation_from_quaternion(Vec4(at[0], at[1], at[2], at[3]));
      const Vec3 w(ours[0], ours[1], ours[2]), u(ours[3], ours[4], ours[5]);
      const Vec3 of_origin = u - w.cross(R * Vec3(com[0], com[1], com[2])), in_body = R.transpose() * w;
      append(of_origin.data(), 3, &list);
      append(in_body.data(), 3, &list);
    } else if (part.kind == Kind::ball) {
      append(ours, 3, &list);
    } else {
      list.push_back(part.scale * ours[part.offset]);
    }
  }
  return list;
}

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
  std::size_t count = 0;
  const auto has_one = [](const Actuator& actuator) {
    const bool is_taken_over = actuator.gain != "pid" && actuator.gain != "so3" && actuator.gain != "dcmotor";
    return is_taken_over && actuator.dynamics != "none";
  };
  for (const Actuator& actuator : elements.actuators)
    count += actuator.pid.is_used ? std::size_t(activation_count(actuator)) : has_one(actuator) ? 1 : 0;
  return count;
}

}  // namespace

void write_keyframes(MjcfExport* out, MjcfNode* keyframe) {
  const Model& model = out->model;
  const Elements& elements = model.elements;
  const VecX reference = reference_positions(model.forest);
  bool has_initial = false;
  for (const Keyframe& key : elements.keyframes) {
    MjcfNode& node = keyframe->add("key");
    out->set_name("key", key.name, &node);
    node.set_unless("time", key.time, 0.0);
    const VecX& q = key.q.size() == 0 ? reference : key.q;
    if (key.q.size() > 0) node.set("qpos", std::span<const double>(positions(*out, q)));
    if (key.v.size() > 0 && !key.v.isZero(0.0))
      node.set("qvel", std::span<const double>(velocities(*out, q, key.v)));
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
  keyframe->add("key")
      .set("name", out->make_up("key", "initial"))
      .set("qpos", std::span<const double>(positions(*out, model.q0)));
}

}  // namespace stiction
