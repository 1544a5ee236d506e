#pragma once
// Mobilities of the bodies of a tree on a free joint, from that of its root on, each body's from its parent's.
//
// Behind the velocity d a body moves as the one before it, p, does, and by the axis S_d besides: J_b = J_p + S_d e_d'.
// Row d of the factor A = L' D L (A: the mass matrix, and a diagonal) has the form L_dj = S_j' F_d at all
// ancestors j: F_d is the wrench at O that a unit acceleration of d asks of what is behind it, over D_d. L' U = J',
// solved from d on, then gives U_b = S_d' in row d and U_p - L_p^-T J_p' F_d S_d' above, so that
//
//   Y_b  = U_b' D^-1 U_b = (1 - S_d F_d') Y_p (1 - F_d S_d') + S_d S_d'/D_d
//   Y_bc = (1 - S_d F_d') Y_pc     for a body c that is not behind d
//
// The first six velocities of the tree are those of its root at O, S = 1: the first six numbers of row d are F_d.
// So bodies share the work for what they have above them, which point_mobility.h does again for each of them.

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
