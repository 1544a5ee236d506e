#pragma once
// Positions and velocities of a model in MuJoCo's order (qpos, qvel), and back.
//
//   const MujocoOrder order(model);
//   VecX qpos = order.qpos(state.q), qvel = order.qvel(state.q, state.v);
//   state.q = order.q(qpos);
//   state.v = order.v(qpos, qvel);
//
// MuJoCo's bodies are in the order of the tree, depth first, and so are its joints. What differs from ours:
//
//                  MuJoCo                                      ours
//   free joint     place, then quaternion                      quaternion, then place
//                  velocity of the body's origin in world      angular velocity in world axes, then the
//                  axes, then angular velocity in body axes    velocity of the centre of mass
//   screw          a hinge, and a slide that follows it        one position
//   planar         two slides and a hinge                      one joint
//   universal      two hinges                                  one joint
//
// Ball joints, hinges and slides are the same. Models that come from no MJCF file have the order of the file
// that write_mjcf makes of them (stiction/io/mjcf/export/export.h).

#include <vector>

#include "stiction/simulation/model/model.h"

namespace stiction {

// A single joint of MJCF and the position of the model that it moves by.
struct MjcfJointPart {
  enum class Kind { hinge, slide, ball, free } kind = Kind::hinge;
  int joint = 0;                        // in Forest::joints
  int offset = 0;                       // of its position and velocity in the joint
  double scale = 1.0, reference = 0.0;  // position = scale (q - reference), for the slide of a screw
  bool follows = false;                 // the slide of a screw: nothing of ours but what its hinge says
};

// The kinds of MJCF's joints that a joint becomes, in order.
std::vector<MjcfJointPart::Kind> mjcf_kinds(JointType type);

class MujocoOrder {
 public:
  // The model must stay where it is.
  explicit MujocoOrder(const Model& model);

  int num_qpos() const { return num_qpos_; }
  int num_qvel() const { return num_qvel_; }
  // Throw UserError for another number of values, or a quaternion of zeros.
  VecX qpos(const VecX& q) const;
  VecX qvel(const VecX& q, const VecX& v) const;
  VecX q(const VecX& qpos) const;
  VecX v(const VecX& qpos, const VecX& qvel) const;

 private:
  void add_joints(int body);
  void check(const char* what, const VecX& values, int expected) const;

  const Model& model_;
  std::vector<MjcfJointPart> parts_;  // in MuJoCo's order
  int num_qpos_ = 0, num_qvel_ = 0;
};

}  // namespace stiction
