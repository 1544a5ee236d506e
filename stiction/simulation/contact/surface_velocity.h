#pragma once
// Conveyor belts: surfaces that move relative to their bodies.

#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// Velocity of the surface of a collision item relative to its body at the start of the step, in W.
// `velocities` is ContactRecord::surface_velocities, not empty.
Vec3 moving_surface_velocity(const Model& model, const CollisionRecord& collision,
                             const std::vector<Vec3>& velocities, int item);

// The same; zero if there are no moving surfaces.
inline Vec3 surface_velocity(const Model& model, const CollisionRecord& collision,
                             const std::vector<Vec3>& velocities, int item) {
  return velocities.empty() ? Vec3(Vec3::Zero())
                            : moving_surface_velocity(model, collision, velocities, item);
}

}  // namespace stiction
