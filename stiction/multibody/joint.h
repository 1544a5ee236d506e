#pragma once
// Joints: how a body B may move relative to its parent P.
//
// With all its joints at their reference positions a body has the pose X_PB in its parent; its joints move it
// from there, in order (MJCF's convention; URDF has one joint per body, at the body's origin):
//
//   X_PB(q) = X_PB  T_1(q_1)  T_2(q_2) ...      T_j: motion about the anchor p_BJ and the axes given in B.
//
//   type        q                         v                          T
//   fixed       -                         -                          identity
//   revolute    angle (rad)               rad/s                      rotation about `axis` through the anchor
//   continuous  same, never limited
//   prismatic   displacement (m)          m/s                        translation along `axis`
//   screw       angle (rad)               rad/s                      as revolute, plus `pitch` m/rad along it
//   universal   two angles (rad)          rad/s                      rotation about `axis`, then `axis2`
//   ball        quaternion (w, x, y, z)   angular velocity in B      rotation about the anchor
//   planar      (x, y, angle)             their rates                translation along `axis2` and
//                                                                    `axis` x `axis2`, rotation about `axis`
//   free        quaternion and origin     angular velocity and       any motion; only on a child of the world
//               of B in the world         velocity of the centre
//                                         of mass, in world axes

#include <array>
#include <optional>
#include <string>

#include "stiction/math/spatial.h"

namespace stiction {

enum class JointType { fixed, revolute, continuous, prismatic, screw, universal, ball, planar, free };

// Sizes of a joint's q and v.
int num_positions(JointType type);
int num_velocities(JointType type);
const char* name_of(JointType type);

// "This joint follows that one": q = multiplier * q_other + offset. A constraint of the model enforces it.
struct Mimic {
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;
};

inline constexpr int kMaxJointDofs = 6;
using PerDof = std::array<double, kMaxJointDofs>;

inline constexpr PerDof per_dof(double value) { return {value, value, value, value, value, value}; }

struct Joint {
  std::string name = {};
  JointType type = JointType::revolute;
  Vec3 axis = Vec3::UnitZ();   // unit, in B
  Vec3 axis2 = Vec3::UnitX();  // unit, in B; universal: second axis; planar: x, normal to `axis`
  Vec3 p_BJ = Vec3::Zero();    // m, anchor in B
  double pitch = 0.0;          // m/rad, screw
  double reference = 0.0;      // q at which the body is at X_PB (revolute, continuous, prismatic, screw)

  PerDof armature = per_dof(0.0);       // reflected inertia: kg m^2 or kg, added to the diagonal of M
  PerDof damping = per_dof(0.0);        // N m s/rad or N s/m
  PerDof stiffness = per_dof(0.0);      // N m/rad or N/m; ball and free: about `neutral`
  PerDof friction_loss = per_dof(0.0);  // N m or N, dry friction in the joint
  // q at which the spring is at rest; ball: quaternion; free: quaternion and origin.
  std::array<double, 7> neutral = {0, 0, 0, 0, 0, 0, 0};
  bool limited = false;
  PerDof lower = per_dof(0.0);  // ball: unused; upper[0] is the largest angle from the reference orientation
  PerDof upper = per_dof(0.0);
  double effort_limit = 0.0;    // N m or N, 0: none
  double velocity_limit = 0.0;  // rad/s or m/s, 0: none
  std::optional<Mimic> mimic = std::nullopt;
};

// The neutral position of a joint: zeros, the identity for quaternions, `reference` where it has one.
std::array<double, 7> reference_position(const Joint& joint);

// T(q) of the table above. For `free`, the pose itself in the world. Templated, so that dual numbers can
// check the hand-written passes.
template <class T>
PoseT<T> joint_motion(const Joint& joint, const T* q) {
  const auto turn = [&](const Vec3& axis, const T& angle) {
    const Vec3T<T> anchor = joint.p_BJ.cast<T>();
    const Mat3T<T> R = rotation_about<T>(axis.cast<T>(), angle);
    return PoseT<T>{R, anchor - R * anchor};
  };
  const auto slide = [](const Vec3& axis, const T& travel) {
    return PoseT<T>{Mat3T<T>::Identity(), axis.cast<T>() * travel};
  };
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::continuous:
      return turn(joint.axis, q[0] - T(joint.reference));
    case JointType::prismatic:
      return slide(joint.axis, q[0] - T(joint.reference));
    case JointType::screw: {
      const T angle = q[0] - T(joint.reference);
      return slide(joint.axis, T(joint.pitch) * angle) * turn(joint.axis, angle);
    }
    case JointType::universal:
      return turn(joint.axis, q[0]) * turn(joint.axis2, q[1]);
    case JointType::ball: {
      const Mat3T<T> R = rotation_from_quaternion(Vec4T<T>(q[0], q[1], q[2], q[3]));
      const Vec3T<T> anchor = joint.p_BJ.cast<T>();
      return {R, anchor - R * anchor};
    }
    case JointType::planar:
      return slide(joint.axis2, q[0]) * slide(joint.axis.cross(joint.axis2), q[1]) * turn(joint.axis, q[2]);
    case JointType::free:
      return {rotation_from_quaternion(Vec4T<T>(q[0], q[1], q[2], q[3])), Vec3T<T>(q[4], q[5], q[6])};
  }
  return {};
}

}  // namespace stiction
