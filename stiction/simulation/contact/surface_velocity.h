#pragma once
// Belts: surfaces that move against their bodies.

#include "stiction/simulation/step_record.h"

namespace stiction {

// Velocity of the surface of a collision item against its body at the start of the step, in W.
inline Vec3 surface_velocity(const Model& model, const StepRecord& r, int item) {
  if (r.contact.surface_velocities.empty()) return Vec3::Zero();
  const Vec3& v_B = r.contact.surface_velocities[item];
  if (v_B.isZero()) return Vec3::Zero();
  const PlacedShape& shape = model.shapes[r.collision.model->items[item].shape];
  return r.collision.motions[item].X_WS.R * (shape.X_BS.R.transpose() * v_B);
}

}  // namespace stiction
