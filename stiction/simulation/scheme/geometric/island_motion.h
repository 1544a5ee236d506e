#pragma once
// Poses of the bodies of an island at the end of the step, as functions of its velocities, and their
// derivatives.
//
// A free body moves to R = exp(h w) R_0, c = c_0 + h v. Bodies of a tree move with its joints. With the axes
// S_d (angular, velocity at the body's origin) of the velocities at the end of the step,
//
//   V  = sum of S_d v_d
//   dX = sum of S_d dxi_d
//   dS_d/dxi_e = S_e x S_d     if e is an ancestor of d
//
// where dxi = h dv for one-axis joints, h J dv for ball joints (body axes, J the right Jacobian of the
// exponential map) and free roots (world axes, the left Jacobian). The mass matrix and the bias are those at
// the start of the step, as in the explicit schemes.

#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/scheme/geometric/contact_conditions.h"

namespace stiction {

// J_l(r) with exp(r + dr) = exp(J_l dr) exp(r); the right Jacobian is J_l(-r).
Mat3 left_jacobian(const Vec3& r);

// The pose at the end of a prescribed motion.
Pose pose_after(const PrescribedMotion& motion, double h);

struct IslandTree {
  int tree = 0;   // of the forest
  int begin = 0;  // its first velocity in the island
  int size = 0;
  bool is_free_body = false;
  Vec3 c0 = Vec3::Zero();
  Mat3 R0 = Mat3::Identity();
  Mat3 turn = Mat3::Identity();  // h J_l(h w), of a free body
};

struct IslandBody {
  int node = -1, kinematic = -1;  // of the forest; both -1: it does not move
  int tree = -1;                  // of the island
  BodyState state;
  // For bodies of trees other than free bodies: by velocity between the root and the body, the axes at the
  // body's origin; by velocity of the tree, the derivative of the pose (rotation, displacement) and of the
  // velocity.
  std::vector<int> dofs;  // of the tree
  Eigen::Matrix<double, 6, Eigen::Dynamic> axes, d_pose, d_velocity;
};

class IslandMotion {
 public:
  std::vector<IslandTree> trees;
  std::vector<IslandBody> bodies;
  int num_v = 0;

  void begin(const Forest& forest, const Kinematics& start, const VecX& q0, const VecX& v_else, double h,
             Kinematics* at_end);
  int add_tree(int tree);
  // The body of a node or of a kinematic body, added when it is first needed.
  int add_body(int node, int kinematic);

  // v: num_v velocities, tree by tree.
  void move(const double* v, bool with_derivatives);

  // Generalised force on the body's tree of (moment about the body's origin, impulse), and its derivative by
  // the velocities at a constant impulse: += on tau, D (size x size of the tree).
  void add_force(const IslandBody& body, const Vec6& impulse, double* tau) const;
  void add_force_change(const IslandBody& body, const Vec6& impulse, Eigen::Map<MatX>* D) const;

 private:
  Vec6 axis_change(const IslandBody& body, int d, int e) const;
  void set_chain(IslandBody* body) const;
  void set_derivatives(const double* v, IslandBody* body) const;

  const Forest* forest_ = nullptr;
  const Kinematics* start_ = nullptr;
  Kinematics* end_ = nullptr;
  const VecX* q0_ = nullptr;
  double h_ = 0.0;
  bool has_joints_ = false;
  VecX v_, q_;
  std::vector<IslandBody> spare_;
  mutable AlignedVector<double> row_;  // scratch memory
};

}  // namespace stiction
