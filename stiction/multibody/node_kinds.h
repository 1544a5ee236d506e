#pragma once
// The kinds of nodes, one block each: sizes, frame, integration of velocities, difference of positions. All
// blocks have the same members in the same order; a kind without one of them does not compile.
//
// The vectorised passes (kinematics, dynamics, derivatives) and the springs hold their own code per kind, in
// switches without a default, or ask moves_in_world.

#include <algorithm>

#include "stiction/math/eigenvalues.h"
#include "stiction/multibody/tree.h"

namespace stiction {

namespace node_kinds {

inline Vec4 quaternion_at(const double* q) { return Vec4(q[0], q[1], q[2], q[3]); }
inline Vec3 vector_at(const double* q) { return Vec3(q[0], q[1], q[2]); }
inline void put(const Vec4& value, double* q) {
  for (int i = 0; i < 4; ++i) q[i] = value[i];
}
inline void put(const Vec3& value, double* q) {
  for (int i = 0; i < 3; ++i) q[i] = value[i];
}

// Inertia about the node's origin, from its pseudo-inertia.
inline Mat3 inertia_of(const NodeConstants& c) {
  const double* J = c.pseudo_inertia;
  Mat3 S;
  S << J[0], J[4], J[8], J[1], J[5], J[9], J[2], J[6], J[10];
  return S.trace() * Mat3::Identity() - S;
}

// The smallest principal moment, 0 where it is round-off.
inline double least_moment(const NodeConstants& c) {
  constexpr double kRoundOff = 1e-14;  // relative to the inertia
  const Mat3 I = inertia_of(c);
  const double least = principal_moments(I)[0];
  return least <= kRoundOff * I.norm() ? 0.0 : least;
}

}  // namespace node_kinds

// A hinge, slide or screw.
struct AxisNode {
  static constexpr int kNumPositions = 1, kNumVelocities = 1;
  static constexpr bool kHasQuaternion = false;  // at the beginning of its q
  static constexpr bool kMovesInWorld = false;   // q is the pose of the body in the world, v is in world axes

  // The axes of the node in the body's frame, and the constants R and p (tree.h) of the node, for a body that
  // is at X_NpB in its parent node when q is at the reference.
  static Mat3 R_BN(const ElementaryMotion& motion) { return frame_with_z(motion.axis); }
  static Mat3 constant_R(const Pose& X_NpB, const ElementaryMotion& motion) {
    return X_NpB.R * frame_with_z(motion.axis) *
           rotation_about<double>(Vec3::UnitZ(), -motion.turn * motion.reference);
  }
  static Vec3 constant_p(const Pose& X_NpB, const Vec3& anchor) { return X_NpB * anchor; }
  // The least inertia of the node's own mass against its velocities: kg m^2 or kg.
  static double least_inertia(const NodeConstants& c) {
    const double mass = c.pseudo_inertia[15];
    return c.turn != 0.0 ? node_kinds::inertia_of(c)(2, 2) + mass * c.slide * c.slide : mass;
  }

  static void integrate(const NodeConstants&, const double* q0, const double* v, double h, double* q1) {
    q1[0] = q0[0] + h * v[0];
  }
  static void difference(const NodeConstants&, const double* q0, const double* q1, double h, double* v) {
    v[0] = (q1[0] - q0[0]) / h;
  }
};

// q: quaternion; v: angular velocity in the body's axes.
struct BallNode {
  static constexpr int kNumPositions = 4, kNumVelocities = 3;
  static constexpr bool kHasQuaternion = true;
  static constexpr bool kMovesInWorld = false;

  static Mat3 R_BN(const ElementaryMotion&) { return Mat3::Identity(); }
  static Mat3 constant_R(const Pose& X_NpB, const ElementaryMotion&) { return X_NpB.R; }
  static Vec3 constant_p(const Pose& X_NpB, const Vec3& anchor) { return X_NpB * anchor; }
  static double least_inertia(const NodeConstants& c) { return node_kinds::least_moment(c); }

  static void integrate(const NodeConstants&, const double* q0, const double* v, double h, double* q1) {
    using namespace node_kinds;
    const Vec4 rotated = quaternion_product(quaternion_at(q0), quaternion_exp<double>(h * vector_at(v)));
    put(Vec4(rotated.normalized()), q1);
  }
  static void difference(const NodeConstants&, const double* q0, const double* q1, double h, double* v) {
    using namespace node_kinds;
    const Vec4 rotation = quaternion_product(quaternion_conjugate(quaternion_at(q0)), quaternion_at(q1));
    put(Vec3(quaternion_log(rotation) / h), v);
  }
};

// q: quaternion and origin of the body in the world; v: angular velocity, velocity of the centre of mass.
struct FreeNode {
  static constexpr int kNumPositions = 7, kNumVelocities = 6;
  static constexpr bool kHasQuaternion = true;
  static constexpr bool kMovesInWorld = true;

  static Mat3 R_BN(const ElementaryMotion&) { return Mat3::Identity(); }
  static Mat3 constant_R(const Pose& X_NpB, const ElementaryMotion&) { return X_NpB.R; }
  static Vec3 constant_p(const Pose&, const Vec3& com) { return com; }
  static double least_inertia(const NodeConstants& c) {
    return std::min(node_kinds::least_moment(c), c.pseudo_inertia[15]);
  }

  // The centre of mass moves along a straight line; the origin follows from it and the new orientation.
  static void integrate(const NodeConstants& c, const double* q0, const double* v, double h, double* q1) {
    using namespace node_kinds;
    const Vec3 com = vector_at(c.p);
    const Vec4 before = quaternion_at(q0);
    const Vec4 after = quaternion_product(quaternion_exp<double>(h * vector_at(v)), before).normalized();
    Vec3 p = vector_at(q0 + 4) + h * vector_at(v + 3);
    if (!com.isZero(0.0)) p += rotation_from_quaternion(before) * com - rotation_from_quaternion(after) * com;
    put(after, q1);
    put(p, q1 + 4);
  }
  static void difference(const NodeConstants& c, const double* q0, const double* q1, double h, double* v) {
    using namespace node_kinds;
    const Vec3 com = vector_at(c.p);
    const Vec4 before = quaternion_at(q0), after = quaternion_at(q1);
    const Vec3 c0 = vector_at(q0 + 4) + rotation_from_quaternion(before) * com;
    const Vec3 c1 = vector_at(q1 + 4) + rotation_from_quaternion(after) * com;
    put(Vec3(quaternion_log(quaternion_product(after, quaternion_conjugate(before))) / h), v);
    put(Vec3((c1 - c0) / h), v + 3);
  }
};

// Calls f with the block of a kind.
template <class F>
[[gnu::always_inline]] constexpr decltype(auto) with_node_kind(NodeKind kind, F&& f) {
  switch (kind) {
    case NodeKind::axis:
      return f(AxisNode());
    case NodeKind::ball:
      return f(BallNode());
    case NodeKind::free:
      return f(FreeNode());
  }
  __builtin_unreachable();
}

constexpr int num_positions(NodeKind kind) {
  return with_node_kind(kind, [](auto node) { return node.kNumPositions; });
}
constexpr int num_velocities(NodeKind kind) {
  return with_node_kind(kind, [](auto node) { return node.kNumVelocities; });
}
constexpr bool has_quaternion(NodeKind kind) {
  return with_node_kind(kind, [](auto node) { return node.kHasQuaternion; });
}
// Such a node is the root of a tree on the world, its origin is the centre of mass, and its axes S are those
// of the world and do not rotate with the body.
constexpr bool moves_in_world(NodeKind kind) {
  return with_node_kind(kind, [](auto node) { return node.kMovesInWorld; });
}

}  // namespace stiction
