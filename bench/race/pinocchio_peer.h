#pragma once
// Pinocchio's dynamics. Its types stay in one translation unit, compiled for the processor its packages are
// built for.

#include <memory>

#include "bench/race/contestant.h"
#include "bench/race/peer_model.h"

namespace stiction::race {

// Coordinates of a free body: q = (origin in the world, quaternion x, y, z, w), v = (velocity of the origin,
// angular velocity), both in the body's axes.
class [[gnu::visibility("default")]] PinocchioPeer {
 public:
  PinocchioPeer(const PeerModel& model, const PeerStates& states);
  ~PinocchioPeer();

  static std::string version();
  PeerAnswer answer(int state);

  // The ways to do the work; each run goes once over all states.
  std::vector<Contestant> dynamics_stages();
  std::vector<Contestant> forward_dynamics();
  std::vector<Contestant> inverse_dynamics_derivatives();
  std::vector<Contestant> forward_dynamics_derivatives();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace stiction::race
