#include "stiction/simulation/contact/contact_record.h"

#include <algorithm>
#include <utility>

namespace stiction {
namespace {

void find_surface_velocities(const Model& model, const CollisionModel& collision, ContactRecord* record) {
  std::vector<Vec3>& velocities = record->surface_velocities;
  velocities.clear();
  for (const CollisionItem& item : collision.items)
    velocities.push_back(model.shapes[item.shape].surface_velocity);
  for (const SurfaceVelocity& given : record->given_surface_velocities) {
    const auto at = std::lower_bound(collision.shapes.begin(), collision.shapes.end(), given.shape);
    if (at != collision.shapes.end() && *at == given.shape)
      velocities[at - collision.shapes.begin()] = given.v_B;
  }
  const bool all_stand =
      std::all_of(velocities.begin(), velocities.end(), [](const Vec3& v) { return v.isZero(); });
  if (all_stand) velocities.clear();
}

}  // namespace

ContactRecord::ContactRecord(std::shared_ptr<const ContactModel> contact_model, const Model& of,
                             const CollisionModel& collision)
    : model(std::move(contact_model)) {
  find_surface_velocities(of, collision, this);
}

void set_surface_velocities(const std::vector<SurfaceVelocity>& given, const Model& model,
                            const CollisionModel& collision, ContactRecord* record) {
  if (given == record->given_surface_velocities) return;
  record->given_surface_velocities = given;
  find_surface_velocities(model, collision, record);
}

}  // namespace stiction
