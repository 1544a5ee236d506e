#pragma once
// Conversion of our models and states to the conventions of the peers, and of their answers to ours.
//
// Hinges and slides mean the same on all sides; free bodies do not. With v our velocities and u the peer's,
//
//   v = T(q) u,   vdot = T udot + Tdot u,   tau_peer = T' tau,   M_peer = T' M T,
//   bias_peer = T' (bias + M Tdot u).
//
// For a free body at R with its centre of mass at c in the body, v = (angular, linear of c) in world axes and
// u = (linear of the origin, angular):   T = [0, R; L, -R [c]],   L = 1 (MuJoCo) or R (Pinocchio), angular
// parts of u in the body.

#include "bench/race/peer_model.h"
#include "stiction/multibody/tree.h"

namespace stiction::race {

enum class PeerKind { mujoco, pinocchio };

// Throws UserError for joints that are not hinges, slides or free, and for kinematic bodies.
PeerModel make_peer_model(const Forest& forest);

VecX peer_positions(const PeerModel& model, PeerKind kind, const VecX& q);

// T, its rate along u, and its derivative along a displacement dx of the positions (both in the peer's
// coordinates).
MatX velocity_map(const PeerModel& model, PeerKind kind, const VecX& q);
MatX velocity_map_rate(const PeerModel& model, PeerKind kind, const VecX& q, const VecX& u);
// Of Tdot, for changes dx of the positions and du of u.
MatX velocity_map_rate_change(const PeerModel& model, PeerKind kind, const VecX& q, const VecX& u,
                              const VecX& dx, const VecX& du);

}  // namespace stiction::race
