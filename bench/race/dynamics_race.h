#pragma once
// Our dynamics against MuJoCo's and Pinocchio's, on the same models and the same random states.
//
//   dynamics_stages               poses, Jacobians, mass matrix, its factor, bias
//   forward_dynamics              (q, v, tau) -> vdot
//   inverse_dynamics_derivatives  d tau / d (q, v, vdot)      Pinocchio only
//   forward_dynamics_derivatives  d vdot / d (q, v, tau)      Pinocchio only
//
// Where a side has several ways to do the work, its fastest one counts; the note says which. Before a scene
// is raced, the answers of all sides are compared; a peer that disagrees with us is not timed, its row has
// failed.

#include "bench/race/race.h"

namespace stiction::race {

std::vector<RaceRow> race_dynamics();

// Runs our side of one race alone for `seconds`, for a profiler.
void profile_dynamics(const std::string& scene, const std::string& race, double seconds);

}  // namespace stiction::race
