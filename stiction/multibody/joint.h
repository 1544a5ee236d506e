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

//
// A joint is a sequence of at most three elementary motions (motions_of): about or along an axis, a ball, or
// free. Its sizes, its T(q) and the nodes that it becomes in a tree (tree.h) follow from them. To add a type:
// the enumerator, its name, its case of motions_of, its line above; the compiler names the rest.

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "stiction/math/spatial.h"

namespace stiction {

enum class JointType { fixed, revolute, continuous, prismatic, screw, universal, ball, planar, free };

constexpr const char* name_of(JointType type) {
  switch (type) {
    case JointType::fixed:
      return "fixed";
    case JointType::revolute:
      return "revolute";
    case JointType::continuous:
      return "continuous";
    case JointType::prismatic:
      return "prismatic";
    case JointType::screw:
      return "screw";
    case JointType::universal:
      return "universal";
    case JointType::ball:
      return "ball";
    case JointType::planar:
      return "planar";
    case JointType::free:
      return "free";
  }
  return nullptr;  // not a type
}

// The types are numbered from 0 without gaps.
inline constexpr int kNumJointTypes = [] {
  int count = 0;
  while (name_of(static_cast<JointType>(count)) != nullptr) ++count;
  return count;
}();

// Their names in the order of the enumeration, for files and other languages.
inline constexpr auto kJointTypeNames = [] {
  std::array<const char*, kNumJointTypes> names = {};
  for (int i = 0; i < kNumJointTypes; ++i) names[i] = name_of(static_cast<JointType>(i));
  return names;
}();

// The elementary motions; node_kinds.h holds what each of them can do.
enum class NodeKind : std::uint8_t {
  axis,  // hinge, slide or screw
  ball,
  free
};

// Sizes of a joint's q and v.
int num_positions(JointType type);
int num_velocities(JointType type);
// Whether its q begins with a quaternion.
bool has_quaternion(JointType type);

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

// One elementary motion of a joint. With kind `axis`, the body rotates about `axis` through the anchor by
// turn (q - reference) and moves along it by slide (q - reference).
struct ElementaryMotion {
  NodeKind kind = NodeKind::axis;
  Vec3 axis = Vec3::UnitZ();  // unit, in B
  double turn = 0.0;          // 1 or 0
  double slide = 0.0;         // m per unit of q
  double reference = 0.0;     // of q
};

struct ElementaryMotions {
  std::array<ElementaryMotion, 3> list = {};
  int count = 0;
  bool uses_axis = false, uses_axis2 = false;  // Joint::axis, Joint::axis2

  const ElementaryMotion* begin() const { return list.data(); }
  const ElementaryMotion* end() const { return list.data() + count; }
};

// The elementary motions of a joint, in order from the parent.
ElementaryMotions motions_of(const Joint& joint);

// The q of a joint at which its body is at X_PB: zeros, the identity for quaternions, `reference` where it
// has one.
std::array<double, 7> reference_position(const Joint& joint);

// T(q) of the table above. For `free`, the pose itself in the world. Templated, so that dual numbers can
// check the hand-written passes.
template <class T>
PoseT<T> joint_motion(const Joint& joint, const T* q) {
  const Vec3T<T> anchor = joint.p_BJ.cast<T>();
  PoseT<T> X;
  for (const ElementaryMotion& motion : motions_of(joint)) {
    switch (motion.kind) {
      case NodeKind::axis: {
        const Vec3T<T> axis = motion.axis.cast<T>();
        const T travel = q[0] - T(motion.reference);
        Mat3T<T> R = Mat3T<T>::Identity();
        if (motion.turn != 0.0) R = rotation_about<T>(axis, travel);
        X = X * PoseT<T>{R, anchor - R * anchor + axis * (T(motion.slide) * travel)};
        q += 1;
        break;
      }
      case NodeKind::ball: {
        const Mat3T<T> R = rotation_from_quaternion(Vec4T<T>(q[0], q[1], q[2], q[3]));
        X = X * PoseT<T>{R, anchor - R * anchor};
        q += 4;
        break;
      }
      case NodeKind::free:
        X = X *
            PoseT<T>{rotation_from_quaternion(Vec4T<T>(q[0], q[1], q[2], q[3])), Vec3T<T>(q[4], q[5], q[6])};
        q += 7;
        break;
    }
  }
  return X;
}

}  // namespace stiction
