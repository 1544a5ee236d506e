#include "stiction/simulation/contact/surface_velocity.h"

#include "stiction/simulation/model_tables.h"

namespace stiction {

Vec3 moving_surface_velocity(const Model& model, const CollisionRecord& collision,
                             const std::vector<Vec3>& velocities, int item) {
  const Vec3& v_B = velocities[item];
  if (v_B.isZero()) return Vec3::Zero();
  const PlacedShape& shape = model.shapes[model.tables().collision->items[item].shape];
  return collision.motions[item].X_WS.R * (shape.X_BS.R.transpose() * v_B);
}

}  // namespace stiction
