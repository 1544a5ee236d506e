#include "stiction/simulation/output/contact_forces.h"

#include <algorithm>

#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

// Calls use(pair, point, force on B, moment on B) for the points of every pair that has impulses. Forces are
// averaged over the whole step.
template <class Use>
void for_each_force(const StepRecord& whole, const Use& use) {
  for_each_part(whole, [&](const StepRecord& record, double share) {
    const CollisionRecord& collision = record.collision;
    for (std::size_t k = 0; k < collision.pairs.size(); ++k) {
      const ShapePair& pair = collision.pairs[k];
      if (k >= record.contact.places.size() || record.contact.places[k].begin < 0) continue;
      // Contact points of a geometrically implicit step are those at its end.
      const auto found =
          std::find_if(record.geometric_contacts.begin(), record.geometric_contacts.end(),
                       [&](const GeometricContact& c) { return c.pair == static_cast<int>(k); });
      if (found != record.geometric_contacts.end()) {
        ContactPoint point;
        point.p_A = found->a_A;
        point.normal = found->n;
        point.distance = found->gap;
        use(pair, point, Vec3(share * (found->impulse / record.h)), Vec3(share * (found->moment / record.h)));
        continue;
      }
      for (int i = pair.begin; i < pair.end; ++i) {
        const int p = static_cast<int>(k), at = i - pair.begin;
        use(pair, collision.contact(pair, i), Vec3(share * contact_force(record, p, at)),
            Vec3(share * contact_moment(record, p, at)));
      }
    }
  });
}

Vec3 middle(const ContactPoint& point) { return point.p_A + 0.5 * point.distance * point.normal; }

// of_body -1: from all bodies.
Vec6 sum(const StepRecord& record, int of_body, int on_body, const Vec3& p_W) {
  Vec6 wrench = Vec6::Zero();
  for_each_force(
      record, [&](const ShapePair& pair, const ContactPoint& point, const Vec3& force, const Vec3& moment) {
        for (const bool is_B : {true, false}) {
          const int on = is_B ? pair.body_B : pair.body_A, of = is_B ? pair.body_A : pair.body_B;
          if (on != on_body || (of_body >= 0 && of != of_body)) continue;
          const Vec3 f = is_B ? force : Vec3(-force);
          wrench.head<3>() += (middle(point) - p_W).cross(f) + (is_B ? moment : Vec3(-moment));
          wrench.tail<3>() += f;
        }
      });
  return wrench;
}

}  // namespace

Vec3 contact_force(const StepRecord& r, int pair, int k) {
  const ContactPairMap& place = r.contact.places[pair];
  const double* impulse = r.contact.solution.impulses.data() + 4 * (place.begin + k);
  const double sign = place.is_swapped ? -1.0 : 1.0;
  return sign / r.h * Eigen::Map<const Vec3>(impulse);
}

Vec3 contact_moment(const StepRecord& r, int pair, int k) {
  if (r.contact.solution.moments.empty()) return Vec3::Zero();
  const ContactPairMap& place = r.contact.places[pair];
  const double* moment = r.contact.solution.moments.data() + 4 * (place.begin + k);
  const double sign = place.is_swapped ? -1.0 : 1.0;
  return sign / r.h * Eigen::Map<const Vec3>(moment);
}

void contact_forces(const StepRecord& record, std::vector<ContactForce>* forces) {
  forces->clear();
  for_each_force(
      record, [&](const ShapePair& pair, const ContactPoint& point, const Vec3& force, const Vec3& moment) {
        ContactForce out;
        out.shape_A = pair.shape_A;
        out.shape_B = pair.shape_B;
        out.body_A = pair.body_A;
        out.body_B = pair.body_B;
        out.p_W = middle(point);
        out.n = point.normal;
        out.distance = point.distance;
        out.force = force;
        out.moment = moment;
        forces->push_back(out);
      });
}

std::vector<ContactForce> contact_forces(const StepRecord& record) {
  std::vector<ContactForce> forces;
  contact_forces(record, &forces);
  return forces;
}

Vec6 contact_wrench(const StepRecord& record, int on_body, const Vec3& p_W) {
  return sum(record, -1, on_body, p_W);
}

Vec6 contact_wrench(const StepRecord& record, int of_body, int on_body, const Vec3& p_W) {
  return sum(record, of_body, on_body, p_W);
}

Vec3 static_contact_force(const Model& model, const StepRecord& record) {
  Vec3 total = Vec3::Zero();
  const std::vector<CollisionItem>& items = model.tables().collision->items;
  for_each_force(record, [&](const ShapePair& pair, const ContactPoint&, const Vec3& force, const Vec3&) {
    if (items[pair.item_A].is_static()) total += force;
    if (items[pair.item_B].is_static()) total -= force;
  });
  return total;
}

double deepest_overlap(const StepRecord& record) {
  double deepest = 0.0;
  for_each_part(record, [&](const StepRecord& part, double) {
    for (const ContactPoint& point : part.collision.points) deepest = std::max(deepest, -point.distance);
    for (const PressurePoint& point : part.collision.pressure_points)
      deepest = std::max(deepest, point.force() / point.stiffness);
  });
  return deepest;
}

}  // namespace stiction
