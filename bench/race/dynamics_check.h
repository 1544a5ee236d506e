#pragma once
// Do a peer and we give the same answers? Compared in the peer's coordinates (peer_coordinates.h), relative
// to the largest number of each answer; derivatives along random directions, so that every entry takes part.

#include "bench/race/our_dynamics.h"
#include "bench/race/peer_coordinates.h"

namespace stiction::race {

// Two sides do the same if M, forces and their derivatives agree but for round-off (worst scene: 9e-15), and
// accelerations but for round-off times the condition of M (worst scene: 3e-11). A wrong model or convention
// shows in the first digits.
inline constexpr double kForceTolerance = 1e-9, kAccelerationTolerance = 1e-8;

// Our states in a peer's coordinates.
PeerStates peer_states(const PeerModel& model, PeerKind kind, const std::vector<OurState>& states);

// Largest relative differences.
struct Deviations {
  double M = 0.0, bias = 0.0, vdot = 0.0;
  double tau_derivatives = 0.0, vdot_derivatives = 0.0;

  double stages() const { return M > bias ? M : bias; }
  void include(const Deviations& other);
};

Deviations deviations(const PeerModel& model, PeerKind kind, int state, const PeerAnswer& peer,
                      OurDynamics* ours);

}  // namespace stiction::race
