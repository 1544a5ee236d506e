#pragma once
// Poses, velocities and accelerations of all bodies: one pass from the roots to the leaves of every tree.
//
// All spatial vectors (angular, linear) of a tree are in world axes at one point O of the tree: the origin of
// its root node (a free root: the centre of mass of its base). Nothing is ever transformed from link to link:
//
//   R_i = R_p R_pi(q),   p_i = p_p + R_p p_pi(q),   S_i = (a, p_i x a)          hinge with world axis a
//   V_i = V_p + S_i v_i,   A_i = A_p + V_p x (S_i v_i)                          A: acceleration at zero vdot
//
// (Featherstone, chapter 5, in one common frame; the acceleration at the roots is minus gravity, so that
// inertial and gravity forces come out together.) Accelerations are spatial: the rate of change of the
// velocity field at the fixed point O.
//
// Mass enters as the pseudo-inertia J = [ int x x' dm, int x dm; int x' dm, int dm ] about O. It transforms
// by J_O = X J X' with the 4x4 pose X: one rule for second moments, first moments and mass, in full vector
// lanes.

#include "stiction/math/aligned_vector.h"
#include "stiction/multibody/tree.h"

namespace stiction {

// Vectors are four numbers with the last one unused, matrices three such columns.
struct alignas(32) NodeMotion {
  double R[12];     // R_WN
  double p[4];      // m, origin of N from O, in W; fourth number 1
  double w[4];      // rad/s, angular velocity
  double v[4];      // m/s, velocity field at O
  double alpha[4];  // rad/s^2, angular acceleration at zero vdot
  double a[4];      // m/s^2, acceleration field at O at zero vdot, minus gravity
  double J[16];     // pseudo-inertia of the node's own mass about O, in W
};

// Pose and motion of a kinematic body, prescribed by the caller.
struct PrescribedMotion {
  Pose X_WB;
  Vec6 V = Vec6::Zero();  // (angular, velocity of B's origin), in W
  Vec6 A = Vec6::Zero();  // (angular, classical acceleration of B's origin), in W
};

struct Kinematics {
  explicit Kinematics(const Forest& forest);

  AlignedVector<NodeMotion> nodes;
  // S by velocity: (angular, linear) as 4 + 4 numbers, and the same as six rows of `axis_stride` numbers.
  AlignedVector<double> axes;
  AlignedVector<double> axis_rows;
  int axis_stride = 0;
  AlignedVector<double> origins;  // O of every tree in W, 4 numbers each
  // w, v, alpha, a at O of the world or kinematic body that a tree is rooted at, minus gravity; 16 numbers
  // each.
  AlignedVector<double> bases;
  std::vector<PrescribedMotion> prescribed;  // one per kinematic body; set before compute_positions

  // Work space of the passes.
  AlignedVector<double> q, sine, cosine;

  const double* axis(int dof) const { return axes.data() + 8 * dof; }
};

// Poses, joint axes and inertias in the world. Sets R, p, J of the nodes, `axes`, `axis_rows` and `origins`.
void compute_positions(const Forest& forest, const double* q, Kinematics* kinematics);

// Velocities, and accelerations at zero vdot. Needs compute_positions; sets w, v, alpha, a of the nodes and
// `bases`.
void compute_velocities(const Forest& forest, const double* v, Kinematics* kinematics);

// Readers. All in world axes.
Pose body_pose(const Forest& forest, const Kinematics& kinematics, int body);
// (angular, velocity of the body's origin).
Vec6 body_velocity(const Forest& forest, const Kinematics& kinematics, int body);
// Velocity of the point of `body` that is now at p_W.
Vec3 point_velocity(const Forest& forest, const Kinematics& kinematics, int body, const Vec3& p_W);
// Jdot v: (angular, classical acceleration of the body's origin) at zero vdot, without gravity.
Vec6 body_bias_acceleration(const Forest& forest, const Kinematics& kinematics, int body);
// (angular, classical acceleration of the body's origin) under vdot.
Vec6 body_acceleration(const Forest& forest, const Kinematics& kinematics, const double* vdot, int body);

// Poses of all bodies at once: R as three columns of four numbers and p as four, 16 numbers a body.
void compute_body_poses(const Forest& forest, const Kinematics& kinematics, AlignedVector<double>* poses);

}  // namespace stiction
