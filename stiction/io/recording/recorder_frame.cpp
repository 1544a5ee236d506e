#include "stiction/io/recording/recorder_frame.h"

#include <algorithm>

#include "stiction/simulation/output/contact_forces.h"

namespace stiction {
namespace {

// Friction counts as sliding from this share of its limit on: regularised laws come close to the limit but do
// not reach it.
constexpr double kSlidingShare = 0.99;

recorded::Vector3 floats(const Vec3& x) {
  return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
}

// Of anisotropic friction, the smaller coefficient.
double friction_of(const PairMaterial& material) {
  return material.dynamic_friction *
         (material.friction_direction_side == 0 ? 1.0 : std::min(1.0, material.anisotropy_ratio));
}

// The geometrically implicit step has its own list of contacts.
bool is_geometric(const StepRecord& record, int pair) {
  return std::any_of(record.geometric_contacts.begin(), record.geometric_contacts.end(),
                     [pair](const GeometricContact& contact) { return contact.pair == pair; });
}

recorded::Contact* next_contact(const ShapePair& pair, RecorderFrame* frame) {
  const auto at = static_cast<std::size_t>(frame->num_contacts++);
  if (at == frame->contacts.size()) frame->contacts.emplace_back();
  recorded::Contact* contact = &frame->contacts[at];
  contact->body_a = pair.body_A;
  contact->body_b = pair.body_B;
  contact->shape_a = pair.shape_A;
  contact->shape_b = pair.shape_B;
  contact->moment.reset();
  return contact;
}

void set_place(const Vec3& point, const Vec3& normal, double distance, recorded::Contact* contact) {
  contact->point = floats(point);
  contact->normal = floats(normal);
  contact->distance = static_cast<float>(distance);
}

void set_force(const Vec3& force, const Vec3& n, double mu, recorded::Contact* contact) {
  contact->force = floats(force);
  const double normal = force.dot(n), limit = kSlidingShare * mu * normal, squared = force.squaredNorm();
  contact->sliding = squared > 0.0 && squared - normal * normal >= limit * limit;
}

// share: of the step's time that the part took.
void copy_contacts_of_part(const StepRecord& record, double share, RecorderFrame* frame) {
  const CollisionRecord& collision = record.collision;
  const std::size_t places = std::min(collision.pairs.size(), record.contact.places.size());
  const bool has_moments = !record.contact.solution.moments.empty();
  for (std::size_t k = 0; k < places; ++k) {
    if (record.contact.places[k].begin < 0 || is_geometric(record, static_cast<int>(k))) continue;
    const ShapePair& pair = collision.pairs[k];
    const double mu = friction_of(record.contact.materials[k]);
    for (int i = pair.begin; i < pair.end; ++i) {
      const ContactPoint point = collision.contact(pair, i);
      const Vec3 force = share * contact_force(record, static_cast<int>(k), i - pair.begin);
      if (point.distance > 0.0 && force.squaredNorm() == 0.0) continue;
      recorded::Contact* out = next_contact(pair, frame);
      set_place(point.p_A + 0.5 * point.distance * point.normal, point.normal, point.distance, out);
      set_force(force, point.normal, mu, out);
      if (has_moments)
        out->moment = floats(share * contact_moment(record, static_cast<int>(k), i - pair.begin));
    }
  }
  for (const GeometricContact& contact : record.geometric_contacts) {
    const auto k = static_cast<std::size_t>(contact.pair);
    recorded::Contact* out = next_contact(collision.pairs[k], frame);
    const double mu = k < record.contact.materials.size() ? friction_of(record.contact.materials[k]) : 0.0;
    set_place(0.5 * (contact.a_A + contact.a_B), contact.n, contact.gap, out);
    set_force(share * (contact.impulse / record.h), contact.n, mu, out);
    if (contact.moment.squaredNorm() > 0.0) out->moment = floats(share * (contact.moment / record.h));
  }
}

}  // namespace

void copy_contacts(const StepRecord& record, RecorderFrame* frame) {
  frame->num_contacts = 0;
  for_each_part(record,
                [frame](const StepRecord& part, double share) { copy_contacts_of_part(part, share, frame); });
}

}  // namespace stiction
