// Impacts against closed forms: restitution of every dissipation, momentum, thin plates at high speed,
// Painleve's rod, and spinning stones.

#include <cmath>

#include <gtest/gtest.h>

#include "scenes/rollers.h"
#include "scenes/sliders.h"
#include "test/base/fewer.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

// A ball of 0.5 kg that meets a floor at v (m/s) without gravity; Young's modulus for Hertz 3e5 Pa.
Model bouncing_ball(double k, double v, double d, double tau) {
  constexpr double kRadius = 0.05;
  ModelBuilder builder("bouncing_ball");
  builder.set_gravity(Vec3::Zero());
  ContactMaterial material = friction_only(0.0);
  material.stiffness = k;
  material.modulus = 3e5;
  material.dissipation = d;
  material.relaxation_time = tau;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("ball", translation(0, 0, kRadius), solid_sphere(0.5, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material);
  builder.set_initial_velocity("ball", {0, 0, 0, 0, 0, -v});
  return builder.build();
}

// Speed after over speed before, as h goes to zero: Richardson's extrapolation of a first-order scheme.
double restitution(const Model& model, WorldOptions options, double v, double contact_time) {
  const auto rebound = [&](double h) {
    options.h = h;
    World world(model, options);
    world.simulate(2.0 * contact_time);
    return world.body_velocity("ball")[5] / v;
  };
  const double h = contact_time / 2000.0;
  return 2.0 * rebound(h / 2.0) - rebound(h);
}

// Second order is left of the extrapolation: (h omega)^2 = (pi/2000)^2, times a number of order 10.
constexpr double kExtrapolated = 1e-4;

// ln((1 + u)/(1 - e u)) = u (1 + e), u = d v: from integrating m v dv/dx = -f(x) (1 - d v) over both halves.
double hunt_crossley_restitution(double u) {
  // The root lies where 1 - e u > 0.
  const auto f = [u](double e) { return std::log((1.0 + u) / (1.0 - e * u)) - u * (1.0 + e); };
  double low = 0.0, high = std::min(1.0, (1.0 - 1e-12) / u);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

TEST(Restitution, OfHuntAndCrossleyIsThatOfTheClosedFormForLinearAndHertzElasticity) {
  const double v = 0.5;
  for (const NamedLaw& law : every_law()) {
    if (kSanitized && law.law != every_law().front().law) continue;
    if (law.is_sap()) continue;
    for (const Elasticity elasticity : {Elasticity::linear, Elasticity::hertz}) {
      for (const double u : {0.02, 0.2, 1.0, 4.0}) {
        SCOPED_TRACE(std::string(law.name) + (elasticity == Elasticity::hertz ? " hertz " : " linear ") +
                     std::to_string(u));
        WorldOptions options = with_law(law);
        options.formulation.contact.elasticity = elasticity;
        const double e = restitution(bouncing_ball(1e4, v, u / v, 0.0), options, v, 0.03);
        EXPECT_NEAR(e, hunt_crossley_restitution(u), 5.0 * kExtrapolated);
        if (u == 0.02) {
          EXPECT_NEAR(e, 1.0 - 2.0 / 3.0 * u, u * u + kExtrapolated);
        }
      }
    }
  }
}

TEST(Restitution, OfKelvinVoigtIsThatOfAnOscillatorThatNeverPulls) {
  // zeta = tau omega/2; the force vanishes after (pi - 2 asin zeta)/omega_d with
  // e = exp(-zeta (pi - 2 asin zeta)/sqrt(1 - zeta^2)).
  const double k = 1e4, m = 0.5, v = 0.5, omega = std::sqrt(k / m);
  for (const NamedLaw& law : every_law()) {
    if (kSanitized && law.law != every_law().front().law) continue;
    for (const double zeta : {0.05, 0.3, 0.8}) {
      SCOPED_TRACE(std::string(law.name) + " " + std::to_string(zeta));
      WorldOptions options = with_law(law);
      options.formulation.contact.dissipation = Dissipation::kelvin_voigt;
      const double e = restitution(bouncing_ball(k, v, 0.0, 2.0 * zeta / omega), options, v, kPi / omega);
      const double expected = std::exp(-zeta * (kPi - 2.0 * std::asin(zeta)) / std::sqrt(1.0 - zeta * zeta));
      EXPECT_NEAR(e, expected, 5.0 * kExtrapolated);
    }
  }
}

TEST(Restitution, NeverExceedsOneAtAnyStep) {
  for (const NamedLaw& law : every_law()) {
    for (const double h : {1e-5, 1e-3, 2e-2}) {
      SCOPED_TRACE(std::string(law.name) + " " + std::to_string(h));
      WorldOptions options = with_law(law, h);
      options.formulation.contact.dissipation = Dissipation::none;
      World world(bouncing_ball(1e4, 0.5, 0.0, 0.0), options);
      const double start = world.energies().kinetic;
      for (int i = 0; i < 3000 && world.body_velocity("ball")[5] < 1e-9; ++i) world.step();
      world.simulate(10.0 * h);
      EXPECT_LE(world.energies().kinetic, start * (1.0 + 1e-9));
    }
  }
}

TEST(TwoBalls, KeepTheirMomentumAndShareTheirSpeedsByRestitution) {
  const double k = 1e4, v = 0.5, m1 = 0.5, m2 = 1.5;
  ModelBuilder builder("two_balls");
  builder.set_gravity(Vec3::Zero());
  ContactMaterial material = friction_only(0.3);
  material.stiffness = 2.0 * k;
  material.dissipation = 0.4;
  material.relaxation_time = 0.0;
  for (const int i : {0, 1}) {
    const std::string name = "ball" + std::to_string(i);
    builder.add_free_body(name, translation(0.1 * i, 0, 0), solid_sphere(i == 0 ? m1 : m2, 0.05));
    builder.add_shape(name, name, {}, Sphere{0.05});
    builder.set_material(name, material);
  }
  builder.set_initial_velocity("ball0", {0, 0, 0, v, 0, 0});
  const Model model = builder.build();
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(model, with_law(law, 1e-5));
    world.simulate(0.06);
    const double u1 = world.body_velocity("ball0")[3], u2 = world.body_velocity("ball1")[3];
    EXPECT_NEAR(m1 * u1 + m2 * u2, m1 * v, 1e-13 * m1 * v);
    // First order in h: pi h omega/2 of the speed is lost beyond the law's own restitution.
    const double e = law.is_sap() ? 1.0 : hunt_crossley_restitution(0.4 * v);
    const double omega = std::sqrt(k * (m1 + m2) / (m1 * m2));
    EXPECT_NEAR((u2 - u1) / v, e, kPi * 1e-5 * omega);
  }
}

TEST(NewtonsCradle, PassesOnTheMomentumAndGainsNoEnergy) {
  for (const NamedLaw& law : every_law()) {
    if (kSanitized && law.law != every_law().front().law) continue;
    SCOPED_TRACE(law.name);
    World world(scenes::newtons_cradle(), with_law(law, 1e-5));
    // To the lowest point and through the impact: a quarter of the period 2 pi sqrt(0.25/g) = 1.01 s and a
    // bit.
    const double start = world.energies().total();
    while (world.time() < 0.28) {
      world.step();
      ASSERT_LE(world.energies().total(), start + 1e-6);
    }
    // Most of the momentum is in the last ball; the bodies in between pass it on in pairs.
    double sum = 0.0;
    for (int i = 0; i < 5; ++i) sum += world.velocity("ball" + std::to_string(i));
    EXPECT_GT(world.velocity("ball4") / sum, 0.8);
  }
}

TEST(FastBall, DoesNotPassAThinPlateUnderAnyLaw) {
  // 300 m/s at h = 5 ms is 1.5 m a step; the plate is 1 mm thin and the ball 5 mm wide.
  for (const NamedLaw& law : every_law()) {
    for (const double start : {0.5, 0.75, 1.0, 1.4, 2.1}) {
      SCOPED_TRACE(std::string(law.name) + " from " + std::to_string(start));
      ModelBuilder builder("fast_ball");
      builder.add_shape("plate", "world", {}, Box{Vec3(0.5, 0.5, 0.0005)});
      builder.add_free_body("ball", translation(0, 0, start), Inertia{});
      builder.add_solid("ball", "ball", {}, Sphere{0.0025}, 7800.0);
      builder.set_initial_velocity("ball", {0, 0, 0, 0, 0, -300.0});
      World world(builder.build(), with_law(law, 5e-3));
      for (int i = 0; i < 20; ++i) {
        world.step();
        ASSERT_GT(world.body_pose("ball").p.z(), 0.0);
      }
    }
  }
}

TEST(PainleveRod, TakesAFiniteImpulseWhereAccelerationsHaveNoSolution) {
  // The rod's tip meets 1 + 3 cos(a) (cos(a) - mu sin(a)) < 0 on its way up: no finite force is a solution.
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::sliding_rod(), with_law(law, 1e-5));
    const double start = world.energies().total();
    double strongest = 0.0, highest = 0.0;
    bool is_paradox = false;
    while (world.time() < 0.1) {
      const StepReport report = world.step();
      ASSERT_EQ(report.status, StepStatus::done);
      const double angle = 30.0 * kPi / 180.0 + world.position("turn");
      is_paradox |= 1.0 + 3.0 * std::cos(angle) * (std::cos(angle) - 2.3 * std::sin(angle)) < 0.0;
      strongest = std::max(strongest, force_between(world, "world", "rod").z());
      highest = std::max(highest, world.energies().total());
    }
    EXPECT_TRUE(is_paradox);
    EXPECT_GT(strongest, 10.0 * 0.3 * kG);     // it jams
    EXPECT_LT(strongest * 1e-5, 0.3 * 10.0);   // with less impulse than the momentum it had
    EXPECT_LE(highest, start * (1.0 + 1e-4));  // g h v of first order in h
  }
}

TEST(Rattleback, TurnsBackWhenSpunTheWrongWay) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::rattleback(), with_law(law, 1e-3));
    const double start = world.body_velocity("stone")[2];
    double opposite = 0.0;
    while (world.time() < 10.0) {
      world.step();
      opposite = std::max(opposite, -world.body_velocity("stone")[2] * (start > 0.0 ? 1.0 : -1.0));
    }
    EXPECT_GT(opposite, 0.2 * std::abs(start));
  }
}

// A ball of 2 cm whose centre of mass lies 4 mm below its middle, nearly upright, spun at 150 rad/s.
Model tippe_top() {
  constexpr double kRadius = 0.02, kMass = 0.05, kOffset = 0.004;
  ModelBuilder builder("tippe_top");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", friction_only(0.3));
  Inertia inertia = solid_sphere(kMass, kRadius);
  inertia.com = Vec3(0, 0, -kOffset);
  builder.add_free_body("top", {rotation_about<double>(Vec3::UnitX(), 0.1), Vec3(0, 0, kRadius)}, inertia);
  builder.add_shape("top", "top", {}, Sphere{kRadius});
  builder.set_material("top", friction_only(0.3));
  builder.set_initial_velocity("top", {0, 0, 150.0, 0, 0, 0});
  return builder.build();
}

TEST(TippeTop, TurnsUpsideDown) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(tippe_top(), with_law(law, 5e-4));
    double lowest = 1.0;
    while (world.time() < 5.0) {
      world.step();
      lowest = std::min(lowest, world.body_pose("top").R(2, 2));
    }
    EXPECT_LT(lowest, -0.9);
  }
}

}  // namespace
}  // namespace stiction
