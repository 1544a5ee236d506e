#include "stiction/multibody/positions.h"

#include <cmath>

#include "stiction/multibody/node_kinds.h"

namespace stiction {

using node_kinds::put;
using node_kinds::quaternion_at;

namespace {

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
    if (place.num_v > 0 && moves_in_world(forest.nodes[place.node_begin].kind)) {
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
    with_node_kind(node.kind, [&](auto kind) {
      kind.integrate(forest.constants[n], q0 + node.q_begin, v + node.v_begin, h, q1 + node.q_begin);
    });
  }
}

void position_difference(const Forest& forest, const double* q0, const double* q1, double h, double* v) {
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const Node& node = forest.nodes[n];
    with_node_kind(node.kind, [&](auto kind) {
      kind.difference(forest.constants[n], q0 + node.q_begin, q1 + node.q_begin, h, v + node.v_begin);
    });
  }
}

bool normalise_quaternions(const Forest& forest, double* q) {
  constexpr double kNoDirection = 1e-100;  // squared length
  for (const Node& node : forest.nodes) {
    if (!has_quaternion(node.kind)) continue;
    const double length2 = quaternion_at(q + node.q_begin).squaredNorm();
    if (!(length2 > kNoDirection)) return false;
  }
  // A quaternion of unit length to round-off is left alone, so that a saved state is restored bit for bit.
  constexpr double kRoundOff = 1e-14;
  for (const Node& node : forest.nodes) {
    if (!has_quaternion(node.kind)) continue;
    const Vec4 quaternion = quaternion_at(q + node.q_begin);
    if (std::abs(quaternion.squaredNorm() - 1.0) > kRoundOff)
      put(Vec4(quaternion.normalized()), q + node.q_begin);
  }
  return true;
}

}  // namespace stiction
