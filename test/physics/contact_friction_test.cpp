// Bodies that stick, slide and roll, against closed forms.
//
// Regularised friction creeps: an icf law balances a share s of mu N at the slip v_s s/sqrt(1 - s^2), sap at
// sigma w times the tangential impulse of a point. The step is of first order in h: times are good to a few
// steps, and the lagged laws do not know of friction in the first step of a new contact.
#include <gtest/gtest.h>

#include "scenes/rollers.h"
#include "scenes/sliders.h"
#include "stiction/simulation/model_tables.h"
#include "test/physics/bowling.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kVs = 1e-4;     // m/s, ContactOptions::v_s
constexpr double kSigma = 1e-3;  // ContactOptions::sigma

// What of an acceleration a the solver may leave in a body that moves at v: its tolerance, 1e-6 of the
// momentum, each step. Ten times that.
double left_by_the_solver(double v, double h) { return 1e-5 * v / h; }

TEST(Friction, BlockPushedBelowTheLimitCreepsAsItsLawSays) {
  // 4.9 N of 4.905 N on 1 kg: no more than the spring of 1e-3 N/m loses in the time.
  const double share = 4.9 / (0.5 * kG), h = 2e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::push(4.9), with_law(law, h));
    // So near the limit friction takes v^3/(mu g v_s^2) = 0.2 s to find its balance.
    world.simulate(4.0);
    const double v = world.velocity("x");
    if (law.is_sap()) {
      // Of a body on slides x and z: W = diag(1, 0, 1)/m, w = sqrt(2)/(3 m); four points share the impulse.
      EXPECT_NEAR(v, kSigma * std::sqrt(2.0) / 3.0 * 4.9 * h / 4.0, 0.01 * v);
    } else {
      // 1 - s^2 = 2e-3 makes 500 times as much of errors of s; the solver's are 1e-6.
      EXPECT_NEAR(v, icf_creep(kVs, share), 0.01 * v);
    }
  }
}

TEST(Friction, BlockPushedBeyondTheLimitAcceleratesByWhatIsLeft) {
  // A step so small that the gap at which sap and similar slide, mu (h + tau) |v|, stays below the margin at
  // rest of 1e-4 m, within which contacts are found.
  const double h = 2e-4;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::push(8.0), with_law(law, h));
    world.simulate(0.05);
    const double before = world.velocity("x");
    world.simulate(0.07);
    const double a = (world.velocity("x") - before) / 0.07, expected = 8.0 - 0.5 * kG;
    // The spring of 1e-3 N/m has lost nothing; sap and similar lift by mu (h + tau) a^2 more.
    EXPECT_NEAR(a, expected, 1e-3 * expected + left_by_the_solver(0.37, h));
  }
}

TEST(Friction, CubeOnASlopeBelowTheFrictionAngleCreepsAsItsLawSays) {
  const double angle = 15.0 * kPi / 180.0, mu = 0.5, h = 2e-3;
  const Inertia cube = solid_box(1.0, Vec3::Constant(0.05));
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::slope(angle, mu), with_law(law, h));
    world.simulate(0.5);
    const Vec3 downhill(std::cos(angle), 0.0, -std::sin(angle));
    const double v = downhill.dot(world.body_velocity("box").tail<3>());
    const double w = inverse_mass_at(1.0, cube.I_com, Vec3(0.05, 0.05, -0.05));
    const double sap = kSigma * w * kG * std::sin(angle) * h / 4.0;
    const double expected =
        law.is_sap() ? sap : kVs * std::tan(angle) / std::sqrt(mu * mu - std::pow(std::tan(angle), 2));
    EXPECT_NEAR(v, expected, 0.01 * expected);
  }
}

TEST(Friction, CubeOnASlopeAboveTheFrictionAngleAcceleratesByTheDifference) {
  const double angle = 30.0 * kPi / 180.0, mu = 0.5;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::slope(angle, mu), with_law(law));
    const Vec3 downhill(std::cos(angle), 0.0, -std::sin(angle));
    world.simulate(0.25);
    const double before = downhill.dot(world.body_velocity("box").tail<3>());
    world.simulate(0.5);
    const double a = (downhill.dot(world.body_velocity("box").tail<3>()) - before) / 0.5;
    EXPECT_NEAR(a, kG * (std::sin(angle) - mu * std::cos(angle)), left_by_the_solver(0.5, 2e-3));
  }
}

TEST(Friction, SlidingBlockStopsAfterTheDistanceOfItsEnergy) {
  const double v0 = 1.0, mu = 0.5, h = 1e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::sliding_block(), with_law(law, h));
    while (world.body_velocity("box")[3] > 0.01 * v0 && world.time() < 1.0) world.step();
    // One step without friction and one of rounding up: two steps.
    EXPECT_NEAR(world.time(), 0.99 * v0 / (mu * kG), 2.0 * h);
    world.simulate(0.3);
    EXPECT_NEAR(world.body_pose("box").p.x(), v0 * v0 / (2.0 * mu * kG), 2.0 * h * v0);
  }
}

TEST(Friction, BoxOnABeltReachesItsSpeedUnderConstantAcceleration) {
  const double belt = 1.0, mu = 0.7, h = 1e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::conveyor(), with_law(law, h));
    while (world.body_velocity("box")[3] < 0.99 * belt && world.time() < 1.0) world.step();
    EXPECT_NEAR(world.time(), 0.99 * belt / (mu * kG), 3.0 * h);
    world.simulate(0.2);
    EXPECT_NEAR(world.body_velocity("box")[3], belt, 1e-4 * belt);
  }
}

TEST(Friction, RodOnTwoFeetStopsSpinning) {
  // mu m g/2 at either end, L/2 away: the spin falls at 6 mu g/L and stops after w0 L/(6 mu g).
  const double L = 0.6, m = 1.0, mu = 0.3, w0 = 4.0, foot = 0.02, h = 1e-3;
  ModelBuilder builder("spinning_rod");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", friction_only(mu));
  const Inertia inertia{m, Vec3::Zero(), Vec3(m * L * L / 12.0, 1e-3, m * L * L / 12.0).asDiagonal()};
  builder.add_free_body("rod", translation(0, 0, foot), inertia);
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left" : "right";
    builder.add_shape(name, "rod", translation(0, side * L / 2, 0), Sphere{foot});
    builder.set_material(name, friction_only(mu));
  }
  builder.set_initial_velocity("rod", {0, 0, w0, 0, 0, 0});
  const Model model = builder.build();
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(model, with_law(law, h));
    while (world.body_velocity("rod")[2] > 0.01 * w0 && world.time() < 2.0) world.step();
    EXPECT_NEAR(world.time(), 0.99 * w0 * L / (6.0 * mu * kG), 3.0 * h);
    world.simulate(0.2);
    EXPECT_LT(world.body_velocity("rod").norm(), 1e-4);
  }
}

// Laws that couple friction to the normal velocity carry a sliding body on a gap of mu (h + tau) |v|; its
// points must not be lost there.
TEST(Friction, PlateKeepsItsPointsOnTheGapItGlidesOn) {
  constexpr double kSpeed = 3.0, kMu = 2.0, kStep = 5e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    ModelBuilder builder("glider");
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.set_material("floor", friction_only(kMu));
    builder.add_free_body("plate", {Mat3::Identity(), Vec3(0.0, 0.0, 0.01)}, Inertia{});
    builder.add_solid("plate", "plate", {}, Box{Vec3(0.1, 0.1, 0.01)}, 1000.0);
    ContactMaterial material = friction_only(kMu);
    material.stiffness = 1e6;
    material.relaxation_time = 0.01;
    builder.set_material("plate", material);
    World world(builder.build(), with_law(law, kStep));
    const double gap = law.is_sap()       ? kMu * (kStep + 0.01) * kSpeed
                       : law.is_similar() ? kMu * kStep * kSpeed
                                          : 0.0;
    world.set_body_pose("plate", {Mat3::Identity(), Vec3(0.0, 0.0, 0.01 + gap)});
    Vec6 V = Vec6::Zero();
    V[3] = kSpeed;
    world.set_body_velocity("plate", V);
    // It slides for v/(mu g) = 0.15 s and comes down with its speed.
    int steps_without = 0;
    for (int i = 0; i < 30; ++i) {
      world.step();
      steps_without += world.record().collision.points.empty();
    }
    EXPECT_EQ(steps_without, 0);
  }
}

// A plate on a floor with anisotropic friction: direction x, 0.4 times as much along y.
Model plate_on_grain(const Vec3& grain_of_plate) {
  constexpr double kMu = 0.5;
  ModelBuilder builder("plate_on_grain");
  ContactMaterial wood = friction_only(kMu), plate = friction_only(kMu);
  (grain_of_plate.isZero() ? wood : plate).anisotropy_ratio = 0.4;
  if (!grain_of_plate.isZero()) plate.friction_direction = grain_of_plate;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", wood);
  builder.add_free_body("plate", {Mat3::Identity(), Vec3(0.0, 0.0, 0.01)}, Inertia{});
  builder.add_solid("plate", "plate", {}, Box{Vec3(0.1, 0.1, 0.01)}, 1000.0);
  builder.set_material("plate", plate);
  return builder.build();
}

TEST(Friction, WithADirectionStopsAPlateSoonerAlongItThanAcross) {
  constexpr double kSpeed = 0.5, kMu = 0.5, kStep = 2e-4;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    for (const bool is_on_plate : {false, true}) {
      for (const int axis : {0, 1}) {
        // On the plate the friction direction is y, so that x and y change their roles.
        World world(plate_on_grain(is_on_plate ? Vec3(Vec3::UnitY()) : Vec3(Vec3::Zero())),
                    with_law(law, kStep));
        world.simulate(0.02);  // settles
        const Vec3 start = world.body_pose("plate").p;
        Vec6 V = Vec6::Zero();
        V[3 + axis] = kSpeed;
        world.set_body_velocity("plate", V);
        world.simulate(0.4);
        const bool is_along = (axis == 0) != is_on_plate;
        const double mu = is_along ? kMu : 0.4 * kMu, expected = kSpeed * kSpeed / (2.0 * mu * kG);
        const Vec3 way = world.body_pose("plate").p - start;
        // First order in h: the first step of the lagged laws brakes as at rest, sap and similar lift at
        // first.
        EXPECT_NEAR(way[axis], expected, 0.02 * expected);
        EXPECT_NEAR(way[1 - axis], 0.0, 1e-4 * expected);
      }
    }
  }
}

TEST(Rolling, SphereOnASlopeRollsWithFiveSeventhsOfTheSlidingAcceleration) {
  const double angle = 15.0 * kPi / 180.0;  // mu 0.5 > (2/7) tan
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::rolling_sphere(angle), with_law(law));
    const Vec3 downhill(std::cos(angle), 0.0, -std::sin(angle));
    world.simulate(0.2);
    const double before = downhill.dot(world.body_velocity("ball").tail<3>());
    world.simulate(0.5);
    const double a = (downhill.dot(world.body_velocity("ball").tail<3>()) - before) / 0.5;
    // The contact lies half the depth, 1e-4 of the radius, above the surface.
    EXPECT_NEAR(a, kG * std::sin(angle) / 1.4, 1e-3 * a + left_by_the_solver(1.0, 2e-3));
  }
}

TEST(Rolling, SphereOnASteepSlopeSlips) {
  const double angle = 70.0 * kPi / 180.0, mu = 0.5;  // below (2/7) tan = 0.785
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::rolling_sphere(angle), with_law(law));
    const Vec3 downhill(std::cos(angle), 0.0, -std::sin(angle));
    world.simulate(0.2);
    const double before = downhill.dot(world.body_velocity("ball").tail<3>());
    world.simulate(0.2);
    const double a = (downhill.dot(world.body_velocity("ball").tail<3>()) - before) / 0.2;
    EXPECT_NEAR(a, kG * (std::sin(angle) - mu * std::cos(angle)), 1e-3 * a + left_by_the_solver(3.0, 2e-3));
  }
}

TEST(Rolling, BowlingBallRollsAtFiveSeventhsOfItsSpeedAfterTwoSevenths) {
  const double h = 1e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    // Speed: the depth (6e-5 m of 0.11 m), and what the solver leaves in 1000 steps.
    expect_ball_rolls_at_five_sevenths(with_law(law, h), 3.0 * h, 1e-3);
  }
}

TEST(Rolling, CylinderOnASpringSwingsWithItsRollingInertia) {
  // omega^2 = k/(m + I/R^2) = k/(1.5 m); the arm of friction is R less half the depth.
  const double m = 0.5, R = 0.05, k = 100.0, h = 1e-4;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::spring_cylinder(1.0), with_law(law, h));
    world.step();
    double weight = 0.0;  // of the points on the line of contact
    for (const ContactPoint& point : world.record().collision.points) weight += point.weight;
    world.set_state(State(world.model()));
    const double depth = m * kG / (weight * world.model().tables().pair(0, 1, h).stiffness);
    const double arm = R - 0.5 * depth;
    const double omega = std::sqrt(k / (m + 0.5 * m * R * R / (arm * arm)));
    world.set_position("z", -depth);  // settled on the floor
    double x = world.position("x"), before = x;
    while (x > 0.0 && world.time() < 1.0) {
      before = x;
      world.step();
      x = world.position("x");
    }
    const double crossing = world.time() - h * x / (x - before);
    // Euler's phase is off by less than a step.
    EXPECT_NEAR(crossing, 0.5 * kPi / omega, 1.5 * h);
  }
}

}  // namespace
}  // namespace stiction
