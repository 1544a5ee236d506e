#include <algorithm>
#include <span>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/sections.h"
#include "stiction/simulation/actuation/actuation.h"

namespace stiction {
namespace {

// A free joint's place comes first in MJCF, its quaternion first here. Numbers that are not given stay.
void copy_position(JointType type, std::span<const double> theirs, double* ours) {
  for (std::size_t i = 0; i < theirs.size(); ++i)
    ours[type != JointType::free ? i : i < 3 ? 4 + i : i - 3] = theirs[i];
}

// MJCF: velocity of the origin in world axes, angular velocity in body axes. Ours: angular velocity in world
// axes, velocity of the centre of mass.
void copy_free_velocity(const double* theirs, const double* q, const Vec3& com, double* ours) {
  const Mat3 R = rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3]));
  const Vec3 w = R * Vec3(theirs[3], theirs[4], theirs[5]);
  const Vec3 v = Vec3(theirs[0], theirs[1], theirs[2]) + w.cross(R * com);
  std::copy_n(w.data(), 3, ours);
  std::copy_n(v.data(), 3, ours + 3);
}

// The joints of some bodies in a keyframe, and where their numbers begin in it.
struct KeyPart {
  std::size_t body_begin = 0, body_end = 0;
  std::size_t q_begin = 0, v_begin = 0;
};

constexpr const char* kTooShort =
    "has fewer numbers than the model; the others are those of the initial state";

// The numbers of a keyframe for all joints of a part; other numbers may follow if they are of another model.
void read_motion(const MjcfValues& values, const MjcfScene& scene, const Forest& forest, const KeyPart& part,
                 Keyframe* key) {
  std::size_t q_end = part.q_begin, v_end = part.v_begin;
  for (std::size_t b = part.body_begin; b < part.body_end; ++b) {
    for (const Joint& joint : scene.bodies[b].body.joints) {
      q_end += std::size_t(num_positions(joint.type));
      v_end += std::size_t(num_velocities(joint.type));
    }
  }
  const bool is_whole = part.body_begin == 0 && part.body_end == scene.bodies.size();
  const auto numbers = [&](const char* attribute, std::size_t count) {
    constexpr std::size_t kMost = 10'000'000;  // of a model that is attached in part
    if (!values.has(attribute)) return std::vector<double>();
    std::vector<double> given = values.numbers(attribute, is_whole ? 0 : count, kMost);
    if (is_whole && given.size() > count)
      values.fail(attribute, format("has {} numbers, not {}", given.size(), count));
    if (given.size() < count) values.approximate(attribute, kTooShort);
    return given;
  };
  const std::vector<double> q = numbers("qpos", q_end);
  std::vector<double> v = numbers("qvel", v_end);
  if (!v.empty()) v.resize(std::max(v.size(), v_end), 0.0);

  std::size_t q_begin = part.q_begin, v_begin = part.v_begin;
  for (std::size_t b = part.body_begin; b < part.body_end; ++b) {
    for (const Joint& joint : scene.bodies[b].body.joints) {
      const JointIndices& place = forest.joints[std::size_t(forest.find_joint(joint.name))];
      double* ours = key->q.data() + place.q_begin;
      if (q.size() > q_begin)
        copy_position(joint.type,
                      std::span(q).subspan(q_begin, std::min(q.size() - q_begin, std::size_t(place.num_q))),
                      ours);
      if (joint.type == JointType::ball || joint.type == JointType::free) {
        // MuJoCo takes a quaternion of zeros for no rotation, and so do some of its models.
        Eigen::Map<Vec4> quaternion(ours);
        if (quaternion.norm() == 0.0) quaternion = Vec4(1.0, 0.0, 0.0, 0.0);
        quaternion.normalize();
      }
      if (!v.empty() && joint.type == JointType::free) {
        const double* com = forest.constants[std::size_t(place.node_begin)].p;
        copy_free_velocity(v.data() + v_begin, ours, Vec3(com[0], com[1], com[2]),
                           key->v.data() + place.v_begin);
      } else if (!v.empty()) {
        std::copy_n(v.data() + v_begin, place.num_v, key->v.data() + place.v_begin);
      }
      q_begin += std::size_t(place.num_q);
      v_begin += std::size_t(place.num_v);
    }
  }
}

Keyframe initial_key(const MjcfElement& element, const Model& model) {
  element.source.honour();
  const MjcfValues values(element);
  Keyframe key;
  key.name = values.string("name");
  key.time = values.number("time", 0.0);
  key.q = model.q0;
  key.v = VecX::Zero(model.forest.num_v);
  return key;
}

// Activations or controls. Actuators that are not simulated may have several, in a number not known here.
std::vector<double> actuator_numbers(const MjcfValues& values, const char* attribute, std::size_t count,
                                     const Elements& elements) {
  if (!values.has(attribute)) return {};
  const bool knows_all = std::all_of(elements.actuators.begin(), elements.actuators.end(),
                                     [](const Actuator& a) { return missing_part(a).empty(); });
  if (knows_all) {
    std::vector<double> numbers = values.numbers(attribute, 0, count);
    if (numbers.size() < count) values.approximate(attribute, kTooShort);
    numbers.resize(count, 0.0);
    return numbers;
  }
  constexpr std::size_t kMaxPerActuator = 8;
  std::vector<double> numbers = values.numbers(attribute, 0, kMaxPerActuator * elements.actuators.size());
  if (numbers.size() == count) return numbers;
  values.ignore(attribute, "is about actuators that are not simulated as well");
  return {};
}

void normalise_quaternions(std::vector<double>* numbers) {
  for (std::size_t i = 0; i + 4 <= numbers->size(); i += 4) {
    Eigen::Map<Vec4> quaternion(numbers->data() + i);
    if (quaternion.norm() == 0.0) quaternion = Vec4(1.0, 0.0, 0.0, 0.0);
    quaternion.normalize();
  }
}

}  // namespace

void read_key(const MjcfElement& element, const MjcfScene& scene, const Model& model, Elements* elements) {
  Keyframe key = initial_key(element, model);
  const MjcfValues values(element);
  const bool has_motion = values.has("qpos") || values.has("qvel");
  if (has_motion && !scene.deformables.empty())
    return element.source.ignore_all("has positions of deformable bodies, which are not simulated");
  read_motion(values, scene, model.forest, {0, scene.bodies.size(), 0, 0}, &key);

  if (scene.leaves_out_actuators) {
    for (const char* name : {"act", "ctrl"})
      values.ignore(name, "is about actuators of deformable bodies as well, which are not simulated");
  } else {
    key.activations = actuator_numbers(values, "act", std::size_t(model.num_activations()), *elements);
    key.controls = actuator_numbers(values, "ctrl", elements->actuators.size(), *elements);
  }
  // Bodies whose numbers are not all given keep those of the initial state.
  std::vector<double> places, turns;
  for (const std::string& name : elements->mocap_bodies) {
    const Pose& X = model.forest.bodies[std::size_t(model.body(name))].X_PB;
    const Vec4 quaternion = quaternion_from_rotation(X.R);
    places.insert(places.end(), X.p.data(), X.p.data() + 3);
    turns.insert(turns.end(), quaternion.data(), quaternion.data() + 4);
  }
  const auto mocap_numbers = [&](const char* attribute, std::size_t of_one,
                                 const std::vector<double>& initial) {
    if (!values.has(attribute)) return std::vector<double>();
    std::vector<double> numbers = values.numbers(attribute, 0, initial.size());
    if (numbers.size() < initial.size()) values.approximate(attribute, kTooShort);
    numbers.resize(numbers.size() / of_one * of_one);
    numbers.insert(numbers.end(), initial.begin() + std::ptrdiff_t(numbers.size()), initial.end());
    return numbers;
  };
  key.mocap_positions = mocap_numbers("mpos", 3, places);
  key.mocap_quaternions = mocap_numbers("mquat", 4, turns);
  normalise_quaternions(&key.mocap_quaternions);
  elements->keyframes.push_back(std::move(key));
}

void read_attached_keys(const MjcfAttachment& attachment, int index, const MjcfScene& scene,
                        const Model& model, Elements* elements) {
  const auto bodies = scene.attached_bodies.find(index);
  if (bodies == scene.attached_bodies.end()) return;
  for (const MjcfElement& element : attachment.keys) {
    Keyframe key = initial_key(element, model);
    const MjcfValues values(element);
    if (!key.name.empty()) key.name = attachment.prefix + key.name;
    read_motion(values, scene, model.forest,
                {bodies->second.first, bodies->second.second, std::size_t(attachment.q_before),
                 std::size_t(attachment.v_before)},
                &key);
    const auto first = scene.attached_actuators.find(index);
    const std::size_t num_actuators = attachment.has_actuator.size();
    if (values.has("ctrl") && first != scene.attached_actuators.end()) {
      const std::vector<double> controls = values.numbers("ctrl", num_actuators, num_actuators);
      key.controls.assign(elements->actuators.size(), 0.0);
      std::size_t to = first->second;
      for (std::size_t i = 0; i < num_actuators; ++i)
        if (attachment.has_actuator[i]) key.controls[to++] = controls[i];
    }
    for (const char* name : {"act", "mpos", "mquat"})
      values.ignore(name, "of an attached model; only qpos, qvel and ctrl come along");
    elements->keyframes.push_back(std::move(key));
  }
}

}  // namespace stiction
