#include "stiction/multibody/joint.h"

#include "stiction/multibody/node_kinds.h"

namespace stiction {

ElementaryMotions motions_of(const Joint& joint) {
  const auto hinge = [](const Vec3& axis, double reference = 0.0) {
    return ElementaryMotion{NodeKind::axis, axis, 1.0, 0.0, reference};
  };
  const auto slide = [](const Vec3& axis, double reference = 0.0) {
    return ElementaryMotion{NodeKind::axis, axis, 0.0, 1.0, reference};
  };
  const Vec3 &axis = joint.axis, &axis2 = joint.axis2;
  switch (joint.type) {
    case JointType::fixed:
      return {.list = {}, .count = 0};
    case JointType::revolute:
    case JointType::continuous:
      return {.list = {hinge(axis, joint.reference)}, .count = 1, .uses_axis = true};
    case JointType::prismatic:
      return {.list = {slide(axis, joint.reference)}, .count = 1, .uses_axis = true};
    case JointType::screw:
      return {.list = {ElementaryMotion{NodeKind::axis, axis, 1.0, joint.pitch, joint.reference}},
              .count = 1,
              .uses_axis = true};
    case JointType::universal:
      return {.list = {hinge(axis), hinge(axis2)}, .count = 2, .uses_axis = true, .uses_axis2 = true};
    case JointType::planar:
      return {.list = {slide(axis2), slide(axis.cross(axis2)), hinge(axis)},
              .count = 3,
              .uses_axis = true,
              .uses_axis2 = true};
    case JointType::ball:
      return {.list = {ElementaryMotion{.kind = NodeKind::ball}}, .count = 1};
    case JointType::free:
      return {.list = {ElementaryMotion{.kind = NodeKind::free}}, .count = 1};
  }
  return {};
}

int num_positions(JointType type) {
  int count = 0;
  for (const ElementaryMotion& motion : motions_of({.type = type})) count += num_positions(motion.kind);
  return count;
}

int num_velocities(JointType type) {
  int count = 0;
  for (const ElementaryMotion& motion : motions_of({.type = type})) count += num_velocities(motion.kind);
  return count;
}

bool has_quaternion(JointType type) {
  const ElementaryMotions motions = motions_of({.type = type});
  return motions.count > 0 && has_quaternion(motions.begin()->kind);
}

std::array<double, 7> reference_position(const Joint& joint) {
  std::array<double, 7> q = {};
  int at = 0;
  for (const ElementaryMotion& motion : motions_of(joint)) {
    q[static_cast<std::size_t>(at)] = has_quaternion(motion.kind) ? 1.0 : motion.reference;
    at += num_positions(motion.kind);
  }
  return q;
}

}  // namespace stiction
