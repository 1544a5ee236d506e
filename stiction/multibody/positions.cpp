#include "stiction/multibody/positions.h"

#include <cmath>

namespace stiction {

namespace {

Vec4 quaternion_at(const double* q) { return Vec4(q[0], q[1], q[2], q[3]); }
Vec3 vector_at(const double* q) { return Vec3(q[0], q[1], q[2]); }

void put(const Vec4& value, double* q) {
  for (int i = 0; i < 4; ++i) q[i] = value[i];
}

void put(const Vec3& value, double* q) {
  for (int i = 0; i < 3; ++i) q[i] = value[i];
}

// Pose of a body in the world with all joints at their references.
Pose reference_pose(const Forest& forest, int body) {
  Pose X;
  for (int b = body; b != 0; b = forest.bodies[b].parent) X = forest.bodies[b].X_PB * X;
  return X;
}

}  // namespace

VecX reference_positions(const Forest& forest) {
  VecX q = VecX::Zero(forest.num_q);
  for (size_t j = 0; j < forest.joints.size(); ++j) {
    const JointIndices& place = forest.joints[j];
    const Joint& joint = forest.joint(static_cast<int>(j));
    const auto reference = reference_position(joint);
    for (int k = 0; k < place.num_q; ++k) q[place.q_begin + k] = reference[k];
    if (joint.type == JointType::free) {
      const Pose X_WB = reference_pose(forest, place.body);
      put(quaternion_from_rotation(X_WB.R), q.data() + place.q_begin);
      put(X_WB.p, q.data() + place.q_begin + 4);
    }
  }
  return q;
}

void integrate_positions(const Forest& forest, const double* q0, const double* v, double h, double* q1) {
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const Node& node = forest.nodes[n];
    const double* from = q0 + node.q_begin;
    const double* rate = v + node.v_begin;
    double* to = q1 + node.q_begin;
    switch (node.kind) {
      case NodeKind::axis:
        to[0] = from[0] + h * rate[0];
        break;
      case NodeKind::ball: {
        const Vec4 turned =
            quaternion_product(quaternion_at(from), quaternion_exp<double>(h * vector_at(rate)));
        put(Vec4(turned.normalized()), to);
        break;
      }
      case NodeKind::free: {
        // The centre of mass moves along a straight line; the origin follows from it and the new orientation.
        const Vec3 com = vector_at(forest.constants[n].p);
        const Vec4 before = quaternion_at(from);
        const Vec4 after =
            quaternion_product(quaternion_exp<double>(h * vector_at(rate)), before).normalized();
        Vec3 p = vector_at(from + 4) + h * vector_at(rate + 3);
        if (!com.isZero(0.0))
          p += rotation_from_quaternion(before) * com - rotation_from_quaternion(after) * com;
        put(after, to);
        put(p, to + 4);
        break;
      }
    }
  }
}

void position_difference(const Forest& forest, const double* q0, const double* q1, double h, double* v) {
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const Node& node = forest.nodes[n];
    const double* from = q0 + node.q_begin;
    const double* to = q1 + node.q_begin;
    double* rate = v + node.v_begin;
    switch (node.kind) {
      case NodeKind::axis:
        rate[0] = (to[0] - from[0]) / h;
        break;
      case NodeKind::ball: {
        const Vec4 turn = quaternion_product(quaternion_conjugate(quaternion_at(from)), quaternion_at(to));
        put(Vec3(quaternion_log(turn) / h), rate);
        break;
      }
      case NodeKind::free: {
        const Vec3 com = vector_at(forest.constants[n].p);
        const Vec4 before = quaternion_at(from), after = quaternion_at(to);
        const Vec3 c0 = vector_at(from + 4) + rotation_from_quaternion(before) * com;
        const Vec3 c1 = vector_at(to + 4) + rotation_from_quaternion(after) * com;
        put(Vec3(quaternion_log(quaternion_product(after, quaternion_conjugate(before))) / h), rate);
        put(Vec3((c1 - c0) / h), rate + 3);
        break;
      }
    }
  }
}

bool normalise_quaternions(const Forest& forest, double* q) {
  constexpr double kNoDirection = 1e-100;  // squared length
  for (const Node& node : forest.nodes) {
    if (node.kind == NodeKind::axis) continue;
    const double length2 = quaternion_at(q + node.q_begin).squaredNorm();
    if (!(length2 > kNoDirection)) return false;
  }
  // A quaternion of unit length to round-off is left alone, so that a saved state is restored bit for bit.
  constexpr double kRoundOff = 1e-14;
  for (const Node& node : forest.nodes) {
    if (node.kind == NodeKind::axis) continue;
    const Vec4 quaternion = quaternion_at(q + node.q_begin);
    if (std::abs(quaternion.squaredNorm() - 1.0) > kRoundOff)
      put(Vec4(quaternion.normalized()), q + node.q_begin);
  }
  return true;
}

}  // namespace stiction
