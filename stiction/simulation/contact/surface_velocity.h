#pragma once
// Belts: surfaces that move against their bodies.

#include "stiction/simulation/collision/collision_record.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {

// Velocity of the surface of a collision item against its body at the start of the step, in W. `velocities` is
// ContactRecord::surface_velocities.
inline Vec3 surface_velocity(const Model& model, const CollisionRecord& collision, const std::vector<Vec3>& velocities,
                             int item) {
  if (velocities.empty()) return Vec3::Zero();
  const Vec3& v_B = velocities[item];
  if (v_B.isZero()) return Vec3::Zero();
  const PlacedShape& shape = model.shapes[model.tables().collision->items[item].shape];
  return collision.motions[item].X_WS.R * (shape.X_BS.R.transpose() * v_B);
}

}  // namespace stiction
