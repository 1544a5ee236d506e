#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/io/mjcf_sections.h"

namespace stiction {
namespace {

// A free joint's place comes first in MJCF, its quaternion first here.
void copy_position(JointType type, const double* theirs, double* ours) {
  if (type == JointType::free) {
    std::copy_n(theirs, 3, ours + 4);
    std::copy_n(theirs + 3, 4, ours);
  } else {
    std::copy_n(theirs, num_positions(type), ours);
  }
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

}  // namespace

void read_key(const MjcfElement& element, const MjcfScene& scene, const Model& model, Elements* elements) {
  element.source.ignore_all("keyframes are not a state yet; kept in the model's elements");
  const MjcfValues values(element);
  const Forest& forest = model.forest;
  const std::size_t num_q = std::size_t(forest.num_q), num_v = std::size_t(forest.num_v);
  Keyframe key;
  key.name = values.string("name");
  key.time = values.number("time", 0.0);
  key.q = model.q0;
  key.v = VecX::Zero(forest.num_v);
  const std::vector<double> q =
      values.has("qpos") ? values.numbers("qpos", num_q, num_q) : std::vector<double>();
  const std::vector<double> v =
      values.has("qvel") ? values.numbers("qvel", num_v, num_v) : std::vector<double>();

  std::size_t q_begin = 0, v_begin = 0;
  for (const MjcfBody& body : scene.bodies) {
    for (const Joint& joint : body.body.joints) {
      const JointPlace& place = forest.joints[std::size_t(forest.find_joint(joint.name))];
      double* ours = key.q.data() + place.q_begin;
      if (!q.empty()) copy_position(joint.type, q.data() + q_begin, ours);
      if (joint.type == JointType::ball || joint.type == JointType::free) {
        // MuJoCo takes a quaternion of zeros for no rotation, and so do some of its models.
        Eigen::Map<Vec4> quaternion(ours);
        if (quaternion.norm() == 0.0) quaternion = Vec4(1.0, 0.0, 0.0, 0.0);
        quaternion.normalize();
      }
      if (!v.empty() && joint.type == JointType::free) {
        const double* com = forest.constants[std::size_t(place.node_begin)].p;
        copy_free_velocity(v.data() + v_begin, ours, Vec3(com[0], com[1], com[2]),
                           key.v.data() + place.v_begin);
      } else if (!v.empty()) {
        std::copy_n(v.data() + v_begin, place.num_v, key.v.data() + place.v_begin);
      }
      q_begin += std::size_t(place.num_q);
      v_begin += std::size_t(place.num_v);
    }
  }

  // Some actuators have several controls or activations; their number is not known here.
  constexpr std::size_t kMaxPerActuator = 8;
  const std::size_t most = kMaxPerActuator * elements->actuators.size();
  const std::size_t num_mocap = elements->mocap_bodies.size();
  if (values.has("act")) key.activations = values.numbers("act", 0, most);
  if (values.has("ctrl")) key.controls = values.numbers("ctrl", elements->actuators.size(), most);
  if (values.has("mpos")) key.mocap_positions = values.numbers("mpos", 3 * num_mocap, 3 * num_mocap);
  if (values.has("mquat")) key.mocap_quaternions = values.numbers("mquat", 4 * num_mocap, 4 * num_mocap);
  elements->keyframes.push_back(std::move(key));
}

}  // namespace stiction
