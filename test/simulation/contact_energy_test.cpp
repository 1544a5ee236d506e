// The springs and dampers that rigid laws take from the material: what a ball on a floor stores in them, against closed
// forms.

#include "stiction/simulation/contact_energy.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "stiction/contact/catalog.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kRadius = 0.05, kStiffness = 2e4;  // m/s^2, m, N/m
const double kMass = 1000.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(kRadius, 3);

struct Ball {
  double distance = 0.0;         // m, from the floor
  double mu = 0.0;               // of friction
  double relaxation_time = 0.0;  // s
  double restitution = 0.0;
  double gravity = kGravity;  // m/s^2
};

Model model_of(const Ball& ball) {
  ModelBuilder builder("ball");
  builder.set_gravity(Vec3(0.0, 0.0, -ball.gravity));
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0.0, 0.0, kRadius + ball.distance), Inertia{});
  builder.add_solid("ball", "ball", {}, Sphere{kRadius}, 1000.0);
  ContactMaterial material;
  material.stiffness = kStiffness;
  material.relaxation_time = ball.relaxation_time;
  material.static_friction = ball.mu;
  material.restitution = ball.restitution;
  builder.set_material("floor", material);
  return builder.build();
}

double overlap(const World& world) { return std::max(0.0, kRadius - world.body_pose("ball").p.z()); }

// Calls use(options) with the springs of the material under every rigid law and solver.
template <class Use>
void for_each_rigid_law(double h, const Use& use) {
  for (const CatalogEntry& entry : catalog()) {
    if (!is_rigid(entry.law) || find_solver(entry.solver).is_literal) continue;
    SCOPED_TRACE(entry.name());
    WorldOptions options;
    options.h = h;
    set_formulation(entry.name(), &options.formulation.contact);
    options.formulation.contact.rigid.material_compliance = true;
    set_tolerance(1e-12, &options.formulation);
    use(options);
  }
}

// Relative: what the tolerance of 1e-12 of the velocities leaves of an energy; a force is a hundred times less exact
// than the velocity that it follows from.
constexpr double kSolved = 1e-9;

// In a step of implicit Euler with m v1 = m v0 + h k x1, x1 = x0 - h v1, the energy of mass and spring falls by the
// factor 1/(1 + k h^2/m), and 1/2 k (h v1)^2 of that is the spring's.
TEST(ContactEnergy, OfABounceUnderEveryRigidLawIsThatOfMassAndSpring) {
  constexpr double kStep = 1e-3, kSpeed = 0.3;  // s, m/s
  const double factor = 1.0 / (1.0 + kStiffness * kStep * kStep / kMass);
  for_each_rigid_law(kStep, [&](const WorldOptions& options) {
    World world(model_of({.gravity = 0.0}), options);
    world.set_body_velocity("ball", stack<double>(Vec3::Zero(), Vec3(0.0, 0.0, -kSpeed)));
    const double start = 0.5 * kMass * kSpeed * kSpeed;
    double deepest = 0.0, stored = 0.0;
    for (int i = 0; i < 14; ++i) {  // 0.014 s, of a half period of 0.016 s
      world.step();
      const double x = overlap(world), v = world.body_velocity("ball")[5];
      const EnergyBooks books = world.energy_books();
      EXPECT_GT(x, 0.0);
      EXPECT_NEAR(books.after.contacts, 0.5 * kStiffness * x * x, 1e-12 * start);
      EXPECT_NEAR(world.energies().contacts, 0.5 * kStiffness * x * x, 1e-12 * start);
      EXPECT_NEAR(books.after.total(), factor * books.before.total(), kSolved * start);
      EXPECT_NEAR(books.numerical.contacts, 0.5 * kStiffness * std::pow(kStep * v, 2), kSolved * start);
      EXPECT_NEAR(books.dissipated.contact_normal, 0.0, kSolved * start);
      EXPECT_NEAR(books.numerical.solver, 0.0, kSolved * start);
      EXPECT_LE(books.relative_error(), 1e-10);
      if (x > deepest) stored = books.after.contacts;
      deepest = std::max(deepest, x);
    }
    // At the deepest point it holds nearly all that is left.
    EXPECT_GT(stored, 0.6 * start);
  });
}

// The first step of a ball that slides, rolls and presses: what stopped it gives the velocity z of the law, from which
// the damper takes k tau z.
TEST(ContactEnergy, TheDamperOfTheMaterialIsContactNormalUnderEveryRigidLaw) {
  constexpr double kStep = 1e-4, kDepth = 1e-3, kTau = 2e-3, kMu = 0.5;  // s, m, s
  for_each_rigid_law(kStep, [&](const WorldOptions& options) {
    for (const double vz : {-0.3, -0.02, 0.02, 2.0}) {
      SCOPED_TRACE(vz);
      World world(model_of({.distance = -kDepth, .mu = kMu, .relaxation_time = kTau}), options);
      world.set_body_velocity("ball", stack<double>(Vec3(0.0, 3.0, 0.0), Vec3(0.4, 0.0, vz)));
      world.step();
      const EnergyBooks books = world.energy_books();
      EXPECT_LE(books.relative_error(), 1e-10);
      const Vec6 after = world.body_velocity("ball");
      const double vn = after[5], force = kMass * ((vn - vz) / kStep + kGravity);
      const double size = 0.5 * kStiffness * kDepth * kDepth;  // J
      EXPECT_NEAR(books.after.contacts, 0.5 * kStiffness * std::pow(kDepth - kStep * vn, 2), 1e-12 * size);
      if (force < 1e-9) {
        // Open: the spring is not felt.
        EXPECT_EQ(vz, 2.0);
        EXPECT_NEAR(books.dissipated.contact_normal, kStep * kStiffness * (kDepth - kStep * vn) * vn,
                    kSolved * size);
        continue;
      }
      const double z = (kDepth - force / kStiffness) / (kStep + kTau);
      const Vec3 arm(0.0, 0.0, -(kRadius - 0.5 * kDepth));
      const Vec3 vc = after.tail<3>() + Vec3(after.head<3>()).cross(arm);
      const bool slip_opens = options.formulation.contact.law == LawKind::convex_cone;
      const double off = slip_opens ? kMu * std::hypot(vc.x(), vc.y()) : 0.0;
      // Newton's method needs R_t, up to 0.05 w: mu^2 R_t gamma_n is missing of mu |slip|.
      EXPECT_NEAR(z, vn - off, 1e-2 * off + 1e-8);
      EXPECT_NEAR(books.dissipated.contact_normal, kStep * kStiffness * kTau * z * vn, kSolved * size);
    }
  });
}

// An impact with restitution is one step; all of its impulse is work of the impact, none of the spring.
TEST(ContactEnergy, AnImpactWithRestitutionIsContactNormal) {
  constexpr double kStep = 1e-3, kSpeed = 1.0, kRestitution = 0.5;  // s, m/s
  for_each_rigid_law(kStep, [&](const WorldOptions& options) {
    World world(model_of({.distance = 0.5 * kStep * kSpeed, .restitution = kRestitution, .gravity = 0.0}),
                options);
    world.set_body_velocity("ball", stack<double>(Vec3::Zero(), Vec3(0.0, 0.0, -kSpeed)));
    world.step();
    const EnergyBooks books = world.energy_books();
    const double v = world.body_velocity("ball")[5];
    EXPECT_NEAR(v, kRestitution * kSpeed, 1e-4);
    const double size = 0.5 * kMass * kSpeed * kSpeed;
    EXPECT_NEAR(books.dissipated.contact_normal, -kMass * (v + kSpeed) * v, 1e-6 * size);
    EXPECT_NEAR(books.after.contacts, 0.0, 1e-15);
    EXPECT_NEAR(books.numerical.contacts, 0.0, 1e-12 * size);
    EXPECT_LE(books.relative_error(), 1e-10);
  });
}

TEST(ContactEnergy, IsNoneUnderRigidLawsWithoutTheSpringsOfTheMaterial) {
  for_each_rigid_law(1e-3, [&](WorldOptions options) {
    options.formulation.contact.rigid.material_compliance = false;
    World world(model_of({.distance = -1e-3}), options);
    EXPECT_EQ(world.energies().contacts, 0.0);
    world.step();
    const EnergyBooks books = world.energy_books();
    EXPECT_EQ(books.after.contacts, 0.0);
    EXPECT_EQ(books.numerical.contacts, 0.0);
    EXPECT_LE(books.relative_error(), 1e-10);
  });
}

}  // namespace
}  // namespace stiction
