#pragma once
// Mobilities of the bodies of a tree on a free joint, from that of its root on, each body's from its
// parent's.
//
// A velocity d is that of an axis S_d between a body p and its child b, which moves as p does and by S_d
// times that velocity besides: J_b = J_p + S_d e_d'. Let A = L' D L be the mass matrix with its added
// diagonal. Row d of L is L_dj = S_j' F_d at all ancestors j of d, where F_d is, over D_d, the wrench at O
// that accelerates b and its descendants when d accelerates by one. Solving L' U_b = J_b' then gives S_d' in
// row d and U_p - L_p^-T J_p' F_d S_d' in the rows above it, so that
//
//   Y_b  = U_b' D^-1 U_b = (1 - S_d F_d') Y_p (1 - F_d S_d') + S_d S_d'/D_d
//   Y_bc = (1 - S_d F_d') Y_pc     for a body c that is no descendant of b
//
// The first six velocities of the tree are those of its root at O, S = 1: the first six numbers of row d are
// F_d. Each body's mobility follows from its parent's: the work for common ancestors is done once, while
// point_mobility.h repeats it for every body.

#include "stiction/simulation/contact/point_mobility.h"

namespace stiction {

bool is_on_free_joint(const Forest& forest, int tree);

// Of the root, which has the first six velocities.
BodyMobility root_mobility(const TreeInputs& in, int tree);

// From the mobility of a node to that of one below it.
void mobility_below(const TreeInputs& in, int above, const BodyMobility& Y_above, int node, BodyMobility* Y);

// Velocity of a due to impulses on b, two nodes of one tree.
void mobility_between(const TreeInputs& in, const BodyMobility& Y_root, int node_a, int node_b,
                      BodyMobility* Y);

}  // namespace stiction
