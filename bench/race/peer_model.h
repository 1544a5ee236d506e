#pragma once
// A model and its states as plain numbers, for engines that are compiled with other flags than ours: no Eigen
// types.
//
// Bodies that are fixed to each other are merged, as ours are: no peer moves more bodies than we do. Bodies
// come in the order of our velocities, depth first, so that the numbers of hinges have the same place on all
// sides.

#include <array>
#include <string>
#include <vector>

namespace stiction::race {

enum class PeerJointKind { hinge, slide, free };

struct PeerJoint {
  std::string name;
  PeerJointKind kind = PeerJointKind::hinge;
  std::array<double, 3> axis = {0, 0, 1};    // unit, in the body
  std::array<double, 3> anchor = {0, 0, 0};  // m, in the body
  double reference = 0.0;                    // position at which the body is at its place on its parent
  double armature = 0.0;                     // kg m^2 or kg
  int q_begin = 0, v_begin = 0;
};

struct PeerBody {
  std::string name;
  int parent = -1;                                               // in the list, -1: the world
  std::array<double, 9> rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};  // R_PB by rows, joints at their references
  std::array<double, 3> place = {0, 0, 0};                       // m, p_PB
  double mass = 0.0;                                             // kg
  std::array<double, 3> com = {0, 0, 0};                         // m, in B
  std::array<double, 6> inertia = {0, 0, 0, 0, 0, 0};  // kg m^2, about com in B: xx, yy, zz, xy, xz, yz
  std::vector<PeerJoint> joints;                       // in order from the parent
};

struct PeerModel {
  std::vector<PeerBody> bodies;
  std::array<double, 3> gravity = {0, 0, -9.81};
  int num_q = 0, num_v = 0;
};

// States in the peer's own coordinates, one row of num_q or num_v numbers each.
struct PeerStates {
  int count = 0;
  std::vector<double> q, v, vdot, tau;
};

// What a peer gives for one state, in its own coordinates. Matrices by rows.
struct PeerAnswer {
  std::vector<double> M, bias, vdot;
  std::vector<double> tau_dq, tau_dv;  // at the given vdot; empty where the peer has no derivatives
  std::vector<double> vdot_dq, vdot_dv, vdot_dtau;  // at the given tau
};

}  // namespace stiction::race
