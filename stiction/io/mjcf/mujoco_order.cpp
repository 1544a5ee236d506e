#include "stiction/io/mjcf/mujoco_order.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction {
namespace {

using Kind = MjcfJointPart::Kind;

int positions_of(Kind kind) { return kind == Kind::free ? 7 : kind == Kind::ball ? 4 : 1; }
int velocities_of(Kind kind) { return kind == Kind::free ? 6 : kind == Kind::ball ? 3 : 1; }

bool is_free(const Body& body) { return body.joints.size() == 1 && body.joints[0].type == JointType::free; }

// The bodies of a model in the order of MuJoCo's: depth first, free bodies below others after them.
std::vector<int> depth_first(const Forest& forest) {
  std::vector<std::vector<int>> children(forest.bodies.size());
  for (std::size_t b = 1; b < forest.bodies.size(); ++b)
    children[static_cast<std::size_t>(forest.bodies[b].parent)].push_back(static_cast<int>(b));
  std::vector<int> order, moved;
  std::vector<int> open(children[0].rbegin(), children[0].rend());  // the next one last
  const auto write_open = [&] {
    while (!open.empty()) {
      const int next = open.back();
      open.pop_back();
      order.push_back(next);
      const std::vector<int>& below = children[static_cast<std::size_t>(next)];
      for (auto child = below.rbegin(); child != below.rend(); ++child)
        if (!is_free(forest.bodies[static_cast<std::size_t>(*child)])) open.push_back(*child);
      for (const int child : below)
        if (is_free(forest.bodies[static_cast<std::size_t>(child)])) moved.push_back(child);
    }
  };
  write_open();
  open.assign(moved.rbegin(), moved.rend());
  write_open();
  return order;
}

Vec3 centre_of(const Forest& forest, const JointIndices& place) {
  return Eigen::Map<const Vec3>(forest.constants[static_cast<std::size_t>(place.node_begin)].p);
}

}  // namespace

std::vector<Kind> mjcf_kinds(JointType type) {
  switch (type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return {Kind::hinge};
    case JointType::prismatic:
      return {Kind::slide};
    case JointType::screw:
      return {Kind::hinge, Kind::slide};
    case JointType::universal:
      return {Kind::hinge, Kind::hinge};
    case JointType::planar:
      return {Kind::slide, Kind::slide, Kind::hinge};
    case JointType::ball:
      return {Kind::ball};
    case JointType::free:
      return {Kind::free};
  }
  return {};
}

MujocoOrder::MujocoOrder(const Model& model) : model_(model) {
  for (const int body : depth_first(model.forest)) add_joints(body);
  for (const MjcfJointPart& part : parts_) {
    num_qpos_ += positions_of(part.kind);
    num_qvel_ += velocities_of(part.kind);
  }
}

void MujocoOrder::add_joints(int body) {
  const Forest& forest = model_.forest;
  for (std::size_t j = 0; j < forest.bodies[static_cast<std::size_t>(body)].joints.size(); ++j) {
    const auto place = std::find_if(forest.joints.begin(), forest.joints.end(), [&](const JointIndices& p) {
      return p.body == body && p.index_in_body == static_cast<int>(j);
    });
    const int index = static_cast<int>(place - forest.joints.begin());
    const Joint& joint = forest.joint(index);
    int k = 0;
    for (const Kind kind : mjcf_kinds(joint.type)) {
      MjcfJointPart part{kind, index, k++, 1.0, 0.0, false};
      if (joint.type == JointType::screw && kind == Kind::slide)
        part = {kind, index, 0, joint.pitch, joint.reference, true};
      parts_.push_back(part);
    }
  }
}

void MujocoOrder::check(const char* what, const VecX& values, int expected) const {
  STICTION_USER_CHECK(values.size() == expected, "{} of model '{}' has {} numbers, not {}", what, model_.name,
                      expected, values.size());
}

VecX MujocoOrder::qpos(const VecX& q) const {
  check("q", q, model_.num_q());
  VecX out(num_qpos_);
  double* to = out.data();
  for (const MjcfJointPart& part : parts_) {
    const double* ours = q.data() + model_.forest.joints[static_cast<std::size_t>(part.joint)].q_begin;
    if (part.kind == Kind::free) {
      std::copy_n(ours + 4, 3, to);
      std::copy_n(ours, 4, to + 3);
    } else if (part.kind == Kind::ball) {
      std::copy_n(ours, 4, to);
    } else {
      *to = part.scale * (ours[part.offset] - part.reference);
    }
    to += positions_of(part.kind);
  }
  return out;
}

VecX MujocoOrder::q(const VecX& qpos) const {
  check("qpos", qpos, num_qpos_);
  VecX out = model_.q0;
  const double* from = qpos.data();
  for (const MjcfJointPart& part : parts_) {
    double* ours = out.data() + model_.forest.joints[static_cast<std::size_t>(part.joint)].q_begin;
    if (part.kind == Kind::free) {
      std::copy_n(from, 3, ours + 4);
      std::copy_n(from + 3, 4, ours);
    } else if (part.kind == Kind::ball) {
      std::copy_n(from, 4, ours);
    } else if (!part.follows) {
      ours[part.offset] = *from;
    }
    from += positions_of(part.kind);
  }
  return out;
}

VecX MujocoOrder::qvel(const VecX& q, const VecX& v) const {
  check("q", q, model_.num_q());
  check("v", v, model_.num_v());
  VecX out(num_qvel_);
  double* to = out.data();
  for (const MjcfJointPart& part : parts_) {
    const JointIndices& place = model_.forest.joints[static_cast<std::size_t>(part.joint)];
    const double *ours = v.data() + place.v_begin, *at = q.data() + place.q_begin;
    if (part.kind == Kind::free) {
      const Mat3 R = rotation_from_quaternion(Vec4(at[0], at[1], at[2], at[3]));
      const Vec3 w(ours[0], ours[1], ours[2]), of_centre(ours[3], ours[4], ours[5]);
      const Vec3 of_origin = of_centre - w.cross(R * centre_of(model_.forest, place));
      const Vec3 in_body = R.transpose() * w;
      std::copy_n(of_origin.data(), 3, to);
      std::copy_n(in_body.data(), 3, to + 3);
    } else if (part.kind == Kind::ball) {
      std::copy_n(ours, 3, to);
    } else {
      *to = part.scale * ours[part.offset];
    }
    to += velocities_of(part.kind);
  }
  return out;
}

VecX MujocoOrder::v(const VecX& qpos, const VecX& qvel) const {
  check("qpos", qpos, num_qpos_);
  check("qvel", qvel, num_qvel_);
  VecX out = VecX::Zero(model_.num_v());
  const double *from = qvel.data(), *at = qpos.data();
  for (const MjcfJointPart& part : parts_) {
    const JointIndices& place = model_.forest.joints[static_cast<std::size_t>(part.joint)];
    double* ours = out.data() + place.v_begin;
    if (part.kind == Kind::free) {
      const Vec4 quaternion(at[3], at[4], at[5], at[6]);
      STICTION_USER_CHECK(quaternion.norm() > 0.0, "qpos of model '{}': the quaternion of joint '{}' is zero",
                          model_.name, model_.forest.joint(part.joint).name);
      const Mat3 R = rotation_from_quaternion(Vec4(quaternion.normalized()));
      const Vec3 w = R * Vec3(from[3], from[4], from[5]);
      const Vec3 of_centre = Vec3(from[0], from[1], from[2]) + w.cross(R * centre_of(model_.forest, place));
      std::copy_n(w.data(), 3, ours);
      std::copy_n(of_centre.data(), 3, ours + 3);
    } else if (part.kind == Kind::ball) {
      std::copy_n(from, 3, ours);
    } else if (!part.follows) {
      ours[part.offset] = *from;
    }
    from += velocities_of(part.kind);
    at += positions_of(part.kind);
  }
  return out;
}

}  // namespace stiction
