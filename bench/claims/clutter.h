#pragma once
// The clutter of S section VI-C and I section XII-A as worlds.

#include "scenes/piles.h"
#include "stiction/simulation/world.h"

namespace stiction::claims {

inline constexpr double kSigmas[] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};

// Under sap: k 1e12 N/m, tau_d = h = 10 ms.
inline World near_rigid_clutter(int bodies, bool walls, double sigma) {
  scenes::ClutterOptions clutter;
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
