#pragma once
// Joints: what lets a body B move against its parent P.
//
// A body hangs on its parent at the pose X_PB when all its joints are at their reference positions, and moves
// by its joints in order (MJCF's convention; URDF has one joint a body, at the body's origin):
//
//   X_PB(q) = X_PB  T_1(q_1)  T_2(q_2) ...      T_j: motion about the anchor p_BJ and the axes given in B.
//
// type        q                               v                                          T
// fixed       -                               -                                          identity
// revolute    angle (rad)                     rad/s                                      turn about `axis`
// through the anchor continuous  same, never limited prismatic   travel (m)                      m/s slide
// along `axis` screw       angle (rad)                     rad/s                                      turn
// and slide `pitch` (m/rad) per angle universal   two angles                      rad/s turn about `axis`,
// then about `axis2` ball        quaternion (w, x, y, z)         angular velocity in B's axes turn about the
// anchor planar      (x, y, angle)                   their rates                                slide along
// `axis2` and `axis` x `axis2`, then turn about `axis` free        quaternion of B, origin of B,   angular
// velocity, velocity of the body's   any motion; hangs on the world only
//             both in the world               centre of mass, both in world axes

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

// "This joint follows that one": q = multiplier * q_other + offset. Kept by the model; enforced as a
// constraint.
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
  Vec3 axis = Vec3::UnitZ();  // unit, in B
  Vec3 axis2 =
      Vec3::UnitX();         // unit, in B; universal: second axis; planar: first direction, normal to `axis`
  Vec3 p_BJ = Vec3::Zero();  // m, anchor in B
  double pitch = 0.0;        // m/rad, screw
  double reference = 0.0;    // position at which the body is at X_PB (revolute, continuous, prismatic, screw)

  PerDof armature = per_dof(0.0);   // reflected inertia: kg m^2 or kg, added to the diagonal of M
  PerDof damping = per_dof(0.0);    // N m s/rad or N s/m
  PerDof stiffness = per_dof(0.0);  // N m/rad or N/m; ball and free: about the neutral orientation and place
  PerDof friction_loss = per_dof(0.0);  // N m or N, dry friction in the joint
  // Where the spring rests; ball: quaternion; free: quaternion and origin, as in q.
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

// T(q), the motion of the body against its place at the reference position, in B's axes (see the table
// above). For `free`, the pose itself in the world. Templated, so that dual numbers check the hand-written
// passes.
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
