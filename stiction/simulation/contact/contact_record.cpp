#include "stiction/simulation/contact/contact_record.h"

#include <algorithm>

#include "stiction/simulation/model_tables.h"

namespace stiction {

void set_surface_velocities(const Model& model, const std::vector<SurfaceVelocity>& given,
                            std::vector<Vec3>* velocities) {
  velocities->clear();
  if (given.empty() && !model.tables().has_surface_velocities) return;
  const CollisionModel& collision = *model.tables().collision;
  for (const CollisionItem& item : collision.items)
    velocities->push_back(model.shapes[item.shape].surface_velocity);
  for (const SurfaceVelocity& one : given) {
    const auto at = std::lower_bound(collision.shapes.begin(), collision.shapes.end(), one.shape);
    if (at != collision.shapes.end() && *at == one.shape)
      (*velocities)[at - collision.shapes.begin()] = one.v_B;
  }
  const bool all_stand =
      std::all_of(velocities->begin(), velocities->end(), [](const Vec3& v) { return v.isZero(); });
  if (all_stand) velocities->clear();
}

}  // namespace stiction
