#pragma once
// MuJoCo's dynamics, stage by stage, on a model of bodies and joints alone: no geoms, sites or anything else
// that its kinematics would move along.

#include <memory>

#include "bench/race/contestant.h"
#include "bench/race/peer_model.h"

namespace stiction::race {

// Coordinates of a free body: q = (origin in the world, quaternion w, x, y, z), v = (velocity of the origin
// in world axes, angular velocity in the body's axes).
class MujocoPeer {
 public:
  MujocoPeer(const PeerModel& model, const PeerStates& states);
  ~MujocoPeer();

  static std::string version();
  PeerAnswer answer(int state);  // without derivatives

  // The ways to do the work; each run goes once over all states.
  std::vector<Contestant> dynamics_stages();
  std::vector<Contestant> forward_dynamics();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> self_;
};

}  // namespace stiction::race
