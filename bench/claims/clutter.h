#pragma once
// The clutter of S section VI-C and I section XII-A as worlds.

#include "scenes/piles.h"
#include "stiction/simulation/world.h"

namespace stiction::claims {

inline constexpr double kSigmas[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

// A pile is chaotic, and piles of other objects end in other places, such as a cube that rocks on two balls for
// long: what is judged by means is judged by those of many piles.
inline constexpr int kPiles = 24;

// Under sap: k 1e12 N/m, tau_d = h = 10 ms. pile: 0, that of figures 9 to 14, or another one.
inline World near_rigid_clutter(int bodies, bool walls, double sigma, int pile = 0) {
  scenes::ClutterOptions clutter;
  clutter.seed = static_cast<std::uint64_t>(pile) + 1;
  clutter.bodies = bodies;
  clutter.walls = walls;
  clutter.stiffness = 1e12;
  clutter.relaxation_time = 0.01;
  WorldOptions options;
  options.h = 0.01;
  options.formulation.contact.law = LawKind::sap;
  options.formulation.contact.sigma = sigma;
  options.formulation.newton.full_steps = 0;  // a line search in every iteration, as in the paper
  return World(scenes::clutter(clutter), options);
}

}  // namespace stiction::claims
