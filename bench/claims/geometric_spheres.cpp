// A sphere that rolls and slides on two fixed spheres (G section 6.2).
//
// The paper calls the contact that slides from the start "contact 1" in one place and "contact 2" in another;
// here the roles are found, not given.

#include <cmath>

#include <fmt/format.h>

#include "bench/claims/measure.h"
#include "scenes/geometric.h"
#include "stiction/simulation/formulation.h"

namespace stiction::claims {
namespace {

constexpr double kStep = 0.01, kEnd = 4.0, kMu = 0.2;  // s, s, 1
constexpr double kSlips = 1e-6;                        // m/s

struct OneContact {
  Curve normal, friction, slip;
  double slides = -1.0, opens = -1.0;  // s: the first slip, and the end of contact
};

}  // namespace

ClaimResult sphere_on_spheres(const ClaimContext& context) {
  WorldOptions options;
  options.h = kStep;
  set_formulation("geometric_ncp", &options.formulation.contact);
  World world(scenes::sphere_on_two_spheres(), options);
  OneContact contacts[2];
  for (int i = 0; i < 2; ++i) {
    const std::string name = i == 0 ? "radius 10 m: " : "radius 9 m: ";
    contacts[i].normal.name = name + "mu times normal force";
    contacts[i].friction.name = name + "friction";
    contacts[i].slip.name = name + "slip";
  }
  Curve velocity[6];
  const char* const names[] = {"w_x", "w_y", "w_z", "v_x", "v_y", "v_z"};
  int unknowns = 0, fallbacks = 0;
  double roughest = 0.0, largest = 0.0;  // m/s: change of velocity in a step, and of that change
  Vec3 last = Vec3::Zero();
  run_until(context, kEnd, &world, [&](const StepReport& report) {
    unknowns = std::max(unknowns, report.geometric.unknowns);
    fallbacks += report.geometric.fallbacks;
    double normal[2] = {}, friction[2] = {}, slip[2] = {};
    for (const GeometricContact& contact : world.record().geometric_contacts) {
      // The fixed spheres are the first two shapes.
      const int i = world.record().collision.pairs[contact.pair].shape_A;
      normal[i] = contact.n.dot(contact.impulse) / kStep;
      friction[i] = (contact.impulse / kStep - normal[i] * contact.n).norm();
      slip[i] = contact.slip;
      if (normal[i] <= 0.0) continue;
      contacts[i].opens = world.time();
      if (slip[i] > kSlips && contacts[i].slides < 0.0) contacts[i].slides = world.time();
    }
    for (int i = 0; i < 2; ++i) {
      contacts[i].normal.add(world.time(), kMu * normal[i]);
      contacts[i].friction.add(world.time(), friction[i]);
      contacts[i].slip.add(world.time(), slip[i]);
    }
    const Vec6 V = world.body_velocity("sphere");
    for (int k = 0; k < 6; ++k) velocity[k].add(world.time(), V[k]);
    const Vec3 change = world.state().acceleration.tail<3>() * kStep;
    largest = std::max(largest, change.norm());
    if (world.time() > 2.5 * kStep) roughest = std::max(roughest, (change - last).norm());
    last = change;
  });
  Figure motion{"Velocity of the sphere", "t (s)", "m/s, rad/s", false, false, {}};
  for (int k = 0; k < 6; ++k) {
    velocity[k].name = names[k];
    motion.curves.push_back(velocity[k]);
  }
  Figure forces{"Contacts of the sphere", "t (s)", "N, m/s", false, false, {}};
  for (const OneContact& contact : contacts)
    for (const Curve* curve : {&contact.normal, &contact.friction, &contact.slip})
      forces.curves.push_back(*curve);
  context.save("G2", motion);
  context.save("G2_contacts", forces);
  const bool first_slides = contacts[0].opens < contacts[1].opens;
  const OneContact &sliding = contacts[first_slides ? 0 : 1], &rolling = contacts[first_slides ? 1 : 0];
  const auto is_near = [](double time, double said) { return std::abs(time - said) <= 0.1; };
  const bool holds = sliding.slides >= 0.0 && sliding.slides <= 0.1 && is_near(sliding.opens, 3.2) &&
                     is_near(rolling.slides, 3.0) && is_near(rolling.opens, 3.6);
  return {fmt::format(
              "the contact with the sphere of radius {} m slides from {:.2f} s and opens at {:.2f} s; the "
              "other rolls, slides from {:.2f} s, opens at {:.2f} s; velocity changes by at most {:.3f} "
              "m/s a step, that change by {:.3f} m/s; {} unknowns (three for friction in place of two), "
              "{} steps fell back. {}",
              first_slides ? 10 : 9, sliding.slides, sliding.opens, rolling.slides, rolling.opens, largest,
              roughest, unknowns, fallbacks, explicit_geometry(context)),
          holds};
}

}  // namespace stiction::claims
