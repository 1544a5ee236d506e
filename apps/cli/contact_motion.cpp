#include "apps/cli/contact_motion.h"

#include <algorithm>

#include "stiction/multibody/jacobian.h"
#include "stiction/simulation/contact/surface_velocity.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction::cli {
namespace {

// Of the points of one pair of bodies in a step.
struct Sum {
  double force = 0.0, slip = 0.0, gap = 0.0;  // N, and its products with m/s and m
  double points = 0.0, plain_slip = 0.0;      // and m/s where all points count alike
};

}  // namespace

void ContactMotion::add_part(const StepRecord& part) {
  const Forest& forest = model_.forest;
  moving_.prescribed = part.kinematics.prescribed;
  compute_positions(forest, part.q_start.data(), &moving_);
  compute_velocities(forest, part.v_next.data(), &moving_);
  std::map<std::pair<int, int>, Sum> sums;
  const auto add_point = [&](const ShapePair& pair, const Vec3& p_A, const Vec3& p_B, const Vec3& n,
                             double gap, const Vec3& force) {
    const double normal = std::max(0.0, n.dot(force));
    const std::vector<Vec3>& belts = part.contact.surface_velocities;
    const Vec3 v = point_velocity(forest, moving_, pair.body_B, p_B) -
                   point_velocity(forest, moving_, pair.body_A, p_A) +
                   surface_velocity(model_, part.collision, belts, pair.item_B) -
                   surface_velocity(model_, part.collision, belts, pair.item_A);
    Sum& sum = sums[std::minmax(pair.body_A, pair.body_B)];
    sum.force += normal;
    const double slip = (v - n.dot(v) * n).norm();
    sum.points += 1.0;
    sum.plain_slip += slip;
    sum.slip += normal * slip;
    sum.gap += normal * gap;
  };
  for (std::size_t k = 0; k < part.collision.pairs.size(); ++k) {
    if (k >= part.contact.places.size() || part.contact.places[k].begin < 0) continue;
    const ShapePair& pair = part.collision.pairs[k];
    const auto is_of_pair = [&](const GeometricContact& c) { return c.pair == static_cast<int>(k); };
    if (std::any_of(part.geometric_contacts.begin(), part.geometric_contacts.end(), is_of_pair)) continue;
    for (int i = pair.begin; i < pair.end; ++i) {
      const ContactPoint point = part.collision.contact(pair, i);
      const Vec3 p = point.p_A + 0.5 * point.distance * point.normal;
      const Vec3 force = contact_force(part, static_cast<int>(k), i - pair.begin);
      const double vn = point.normal.dot(point_velocity(forest, moving_, pair.body_B, p) -
                                         point_velocity(forest, moving_, pair.body_A, p));
      add_point(pair, p, p, point.normal, point.distance + part.h * vn, force);
    }
  }
  // Contacts at the end of the step have their gap there.
  for (const GeometricContact& c : part.geometric_contacts)
    add_point(part.collision.pairs[static_cast<std::size_t>(c.pair)], c.a_A, c.a_B, c.n, c.gap,
              c.impulse / part.h);
  for (const auto& [bodies, sum] : sums) {
    const bool presses = sum.force > 0.0;
    // What has not pressed yet only comes near.
    if (!presses && pairs_.find(bodies) == pairs_.end()) continue;
    PairMotion& motion = pairs_[bodies];
    motion.slip += part.h * (presses ? sum.slip / sum.force : sum.plain_slip / sum.points);
    if (presses) motion.lift = std::max(motion.lift, sum.gap / sum.force);
  }
}

void ContactMotion::add(const StepRecord& record) {
  for_each_part(record, [&](const StepRecord& part, double) { add_part(part); });
}

}  // namespace stiction::cli
