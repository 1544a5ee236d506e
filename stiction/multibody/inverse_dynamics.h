#pragma once
// Forces from motion: bias forces, inverse dynamics, joint reactions (recursive Newton-Euler;
// Featherstone, 5.3).
//
//   f_i = I_i A_i + V_i x* I_i V_i       of every node
//   f_i^c = f_i + sum f_j^c              j: children of i
//   tau_i = S_i . f_i^c
//
//   M(q) vdot + bias(q, v) = tau + J' wrenches       bias: Coriolis, centrifugal, gyroscopic terms, gravity

#include "stiction/multibody/kinematics.h"

namespace stiction {

// Work space: the force of every node, (moment about O, force) as 4 + 4 numbers.
struct NodeForces {
  explicit NodeForces(const Forest& forest)
      : forces(8 * forest.nodes.size()), accelerations(8 * forest.nodes.size()) {}
  AlignedVector<double> forces;         // after the pass: f^c, of the node and its descendants
  AlignedVector<double> accelerations;  // with vdot: (angular, linear) at O, minus gravity
};

// bias(q, v). Armature has no part in it.
void compute_bias(const Forest& forest, const Kinematics& kinematics, NodeForces* work, double* bias);

// tau = M vdot + bias, armature included.
void inverse_dynamics(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                      NodeForces* work, double* tau);

// tau += J' W for a wrench (moment, force) in world axes that acts on `body` at the point p_W.
void add_wrench(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p_W,
                const Vec6& wrench, double* tau);

// A wrench on a body.
struct BodyWrench {
  int body = 0;
  Vec3 p_W = Vec3::Zero();
  Vec6 wrench = Vec6::Zero();  // (moment, force) in W, at p_W
};

}  // namespace stiction
