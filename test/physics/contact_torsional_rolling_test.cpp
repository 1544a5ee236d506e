// Torsional and rolling friction (contact dimensions 4 and 6) against closed forms.
//
// A body of weight N on one point is braked by the moment mu_t N in its spin and mu_r N in its roll while its
// generalised slip |u|, with the friction lengths mu_t/mu and mu_r/mu, is far above the stiction tolerance;
// below, it creeps at eps s/sqrt(1 - s^2), s the friction over the largest one
// (stiction/contact/law/torsional_rolling.h).

#include <gtest/gtest.h>

#include "scenes/rollers.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/energy.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kVs = 1e-4;     // m/s, ContactOptions::v_s
constexpr double kSigma = 1e-3;  // ContactOptions::sigma
constexpr double kMass = 1.0, kRadius = 0.1, kInertia = 0.4 * kMass * kRadius * kRadius;

// The solver's own tolerance, 1e-6 of the momentum in each step, would be seen in slow decelerations.
WorldOptions tight(const NamedLaw& law, double h = 2e-3) {
  WorldOptions options = with_law(law, h);
  options.formulation.newton.relative_tolerance = 1e-11;
  return options;
}

ContactMaterial turning(double mu, double torsional, double rolling) {
  ContactMaterial material = friction_only(mu);
  material.torsional_friction = torsional;
  material.rolling_friction = rolling;
  return material;
}

// A sphere of 1 kg and 0.1 m on a floor that falls by `angle` along +x.
Model sphere_on_floor(const ContactMaterial& material, double angle = 0.0) {
  ModelBuilder builder("sphere_on_floor");
  const Mat3 R = rotation_about<double>(Vec3::UnitY(), angle);
  builder.add_shape("floor", "world", {R, Vec3::Zero()}, HalfSpace{});
  builder.set_material("floor", friction_only(*material.static_friction));
  builder.add_free_body("ball", translation(R * Vec3(0.0, 0.0, kRadius)), solid_sphere(kMass, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material);
  return builder.build();
}

void set_velocity(const Vec3& w, const Vec3& v, World* world) {
  Vec6 V;
  V << w, v;
  world->set_body_velocity("ball", V);
}
double spin(const World& world) { return world.body_velocity("ball")[2]; }

TEST(TorsionalFriction, SlowsASpinningSphereByItsMoment) {
  const double torsional = 0.01, w0 = 50.0, expected = torsional * kMass * kG / kInertia;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(sphere_on_floor(turning(0.5, torsional, 0.0)), tight(law));
    world.simulate(0.5);
    set_velocity(Vec3(0.0, 0.0, w0), Vec3::Zero(), &world);
    world.simulate(0.5);  // sap and similar lift at first
    const double before = spin(world);
    world.simulate(0.5);
    // The soft norm falls short by (eps/u)^2/2 = 2e-8 at u = 0.02 m x 25 rad/s; the normal force by what is
    // left of its settling.
    EXPECT_NEAR((before - spin(world)) / 0.5, expected, 1e-6 * expected);
    EXPECT_NEAR(contact_wrench(world.record(), world.model().body("ball"), Vec3::Zero())[2],
                -torsional * kMass * kG, 1e-6);
    world.simulate(1.5);
    EXPECT_NEAR(spin(world), 0.0, 1e-3);  // it would have stopped after 2.04 s
  }
}

TEST(TorsionalFriction, SlowsATopThatSpinsUprightOnItsTip) {
  // The disc: I = m R^2/2, so that the spin falls by 2 mu_t g/R^2.
  const double torsional = 5e-4, R = 0.03, expected = 2.0 * torsional * kG / (R * R);
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::spinning_top(), tight(law, 1e-3));
    world.simulate(0.5);
    const double before = world.body_velocity("top")[2];
    world.simulate(1.0);
    EXPECT_NEAR(before - world.body_velocity("top")[2], expected, 1e-5 * expected);
    EXPECT_LT(world.body_velocity("top").head<2>().norm(), 1e-6);  // still upright
  }
}

TEST(TorsionalFriction, CarriesASphereAlongWithATurntable) {
  const double torsional = 0.02, rate = 3.0;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    ModelBuilder builder("turntable");
    builder.add_kinematic_body("table", {});
    builder.add_shape("table", "table", translation(0.0, 0.0, -0.1), Box{Vec3(0.3, 0.3, 0.1)});
    builder.set_material("table", turning(0.5, torsional, 0.0));
    builder.add_free_body("ball", translation(0.0, 0.0, kRadius), solid_sphere(kMass, kRadius));
    builder.add_shape("ball", "ball", {}, Sphere{kRadius});
    builder.set_material("ball", friction_only(0.5));
    World world(builder.build(), tight(law));
    const auto turn_for = [&](double time) {
      for (const double end = world.time() + time; world.time() < end - 1e-9;) {
        Vec6 V = Vec6::Zero();
        V[2] = rate;
        const Mat3 R = rotation_about<double>(Vec3::UnitZ(), rate * world.time());
        world.set_kinematic_motion("table", {R, Vec3::Zero()}, V);
        world.step();
      }
    };
    turn_for(0.5);
    // 3 rad/s take I w/(mu_t N) = 0.06 s; what is left is below the tolerance v_s/l.
    EXPECT_NEAR(spin(world), rate, 1e-6);
  }
}

TEST(TorsionalFriction, ActsWithoutFrictionAgainstSliding) {
  const double torsional = 0.01, w0 = 50.0, v0 = 0.7, expected = torsional * kMass * kG / kInertia;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(sphere_on_floor(turning(0.0, torsional, 0.0)), tight(law));
    world.simulate(0.5);
    set_velocity(Vec3(0.0, 0.0, w0), Vec3(v0, 0.0, 0.0), &world);
    world.simulate(0.5);
    const double before = spin(world);
    world.simulate(0.5);
    EXPECT_NEAR((before - spin(world)) / 0.5, expected, 1e-6 * expected);
    EXPECT_NEAR(world.body_velocity("ball")[3], v0, 1e-9);
  }
}

TEST(TorsionalFriction, SharesTheEllipsoidWithSliding) {
  // A sphere that slides and spins: force and moment are less than alone, by the direction of (v, l w).
  const double mu = 0.5, torsional = 0.05, lever = torsional / mu, h = 1e-4;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(sphere_on_floor(turning(mu, torsional, 0.0)), tight(law, h));
    world.simulate(0.3);
    set_velocity(Vec3(0.0, 0.0, 10.0), Vec3(1.0, 0.0, 0.0), &world);
    const Vec3 p = world.body_pose("ball").p;
    world.step();
    const Vec6 V = world.body_velocity("ball");
    const double slide = V[3] - kRadius * V[1], turn = lever * V[2], u = std::hypot(slide, turn);
    const Vec6 wrench = contact_wrench(world.record(), world.model().body("ball"), p);
    // Shares of the normal force, because sap and similar push harder in the step in which slip begins. The
    // arm of the slip is shorter by 5e-5.
    EXPECT_NEAR(wrench[2] / wrench[5], -torsional * turn / u, 1e-4 * torsional);
    EXPECT_NEAR(wrench[3] / wrench[5], -mu * slide / u, 1e-4 * mu);
  }
}

TEST(TorsionalFriction, KeepsThePointOfASphereOnTheGapItSpinsOn) {
  // sap and similar carry it on a gap of mu_t (h + tau) w, far beyond h times the speed of its surface.
  constexpr double kTorsional = 0.02, kSpin = 20.0, kStep = 2e-3, kTau = 0.05;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    ContactMaterial material = turning(0.01, kTorsional, 0.0);
    material.relaxation_time = kTau;
    World world(sphere_on_floor(material), with_law(law, kStep));
    const double gap = law.is_sap()       ? kTorsional * (kStep + kTau) * kSpin
                       : law.is_similar() ? kTorsional * kStep * kSpin
                                          : 0.0;
    world.set_body_pose("ball", translation(0.0, 0.0, kRadius + gap));
    set_velocity(Vec3(0.0, 0.0, kSpin), Vec3::Zero(), &world);
    // It spins for I w/(mu_t m g) = 0.4 s and comes down with its spin.
    int steps_without = 0;
    for (int i = 0; i < 100; ++i) {
      world.step();
      steps_without += world.record().collision.points.empty();
    }
    EXPECT_EQ(steps_without, 0);
  }
}

TEST(RollingFriction, StopsARollingBallAfterItsDistance) {
  // (I + m r^2) dw/dt = -mu_r N: a = 5/7 mu_r g/r, and the ball stops after v0^2/(2 a).
  const double mu = 1.0, rolling = 2e-3, v0 = 0.3, a = 5.0 / 7.0 * rolling * kG / kRadius;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(sphere_on_floor(turning(mu, 0.0, rolling)), tight(law));
    world.simulate(0.5);
    set_velocity(Vec3(0.0, v0 / kRadius, 0.0), Vec3(v0, 0.0, 0.0), &world);
    const double start = world.body_pose("ball").p.x();
    world.simulate(0.5);
    const double before = world.body_velocity("ball")[3];
    world.simulate(0.5);
    // The arm is shorter by half the depth, 5e-5 of the radius; rolling leaves to sliding the share
    // (5/7 mu_r/(mu r))^2/2 = 1e-4; the soft norm falls short by (c/v)^2/2 = 4e-4 at 0.17 m/s, with
    // c = v_s mu r/mu_r = 5 mm/s where the tolerance of turning is.
    EXPECT_NEAR((before - world.body_velocity("ball")[3]) / 0.5, a, 6e-4 * a);
    world.simulate(3.0);
    // In the soft norm v dv = -a v/sqrt(v^2 + c^2) dx, which takes (c/v0)^2 (ln(2 v0/c) + 1/2) = 1.5e-3 more.
    const double distance = v0 * v0 / (2.0 * a);
    EXPECT_NEAR(world.body_pose("ball").p.x() - start, distance, 5e-3 * distance);
    EXPECT_NEAR(world.body_velocity("ball")[3], 0.0, 1e-6);
  }
}

TEST(RollingFriction, BrakesTheBallOnALawn) {
  const double rolling = 3e-3, R = 0.05, a = 5.0 / 7.0 * rolling * kG / R, v0 = 0.5;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::lawn_ball(), tight(law, 1e-3));
    world.simulate(2.0);  // it would stop after 1.2 s
    const double distance = v0 * v0 / (2.0 * a);
    // It starts where it does not press on the ground yet.
    EXPECT_NEAR(world.body_pose("ball").p.x(), distance, 0.02 * distance);
  }
}

TEST(RollingFriction, HoldsASphereOnASlopeUpToItsRollingLengthOverTheRadius) {
  const double mu = 1.0, rolling = 5e-3, h = 2e-3, lever = rolling / mu;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    // At half of tan a = mu_r/r it creeps.
    const double gentle = std::atan(0.5 * rolling / kRadius), N = kMass * kG * std::cos(gentle);
    World holds(sphere_on_floor(turning(mu, 0.0, rolling), gentle), tight(law, h));
    holds.simulate(2.0);
    const double roll_share = 0.5, slide_share = std::tan(gentle) / mu;
    const double share = std::hypot(roll_share, slide_share);
    double creep = kVs / std::sqrt(1.0 - share * share) * (roll_share * kRadius / lever + slide_share);
    if (law.is_sap()) {
      const Mat3 I = kInertia * Mat3::Identity();
      const double Rt = kSigma * inverse_mass_at(kMass, I, Vec3(0.0, 0.0, -kRadius));
      creep = Rt * mu * N * h * (roll_share * kRadius / lever + slide_share);
    }
    EXPECT_NEAR(holds.body_velocity("ball").tail<3>().norm(), creep, 0.01 * creep);

    // At twice that it rolls down, braked by mu_r N: (7/5) a = g sin - mu_r g cos/r.
    const double steep = std::atan(2.0 * rolling / kRadius);
    World rolls(sphere_on_floor(turning(mu, 0.0, rolling), steep), tight(law, h));
    rolls.simulate(0.5);
    const double before = rolls.body_velocity("ball").tail<3>().norm();
    rolls.simulate(0.5);
    const double a = (rolls.body_velocity("ball").tail<3>().norm() - before) / 0.5;
    const double expected = kG * (std::sin(steep) - rolling / kRadius * std::cos(steep)) / 1.4;
    // Sliding takes part of the ellipsoid: (tan a/mu)^2/2 = 5e-3 of the moment at most; depth 1e-4.
    EXPECT_NEAR(a, expected, 6e-3 * expected);
  }
}

TEST(TorsionalRollingFriction, PushesBothBodiesWithOppositeMoments) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    // Two balls that meet spinning, without gravity.
    ModelBuilder builder("two_balls");
    builder.set_gravity(Vec3::Zero());
    for (const int i : {0, 1}) {
      const std::string name = i == 0 ? "left" : "right";
      builder.add_free_body(name, translation(0.2 * i, 0.0, 0.01 * i), solid_sphere(kMass, kRadius));
      builder.add_shape(name, name, {}, Sphere{kRadius});
      ContactMaterial material = turning(0.5, 0.02, 0.01);
      material.stiffness = 1e4;
      builder.set_material(name, material);
      const double sign = i == 0 ? 1.0 : -1.0;
      builder.set_initial_velocity(name, {sign * 20.0, 5.0, 3.0, sign * 0.5, 0.0, 0.0});
    }
    World world(builder.build(), tight(law, 1e-3));
    const auto total = [&] {
      Vec6 sum = Vec6::Zero();  // (angular momentum about the origin, momentum)
      for (const char* name : {"left", "right"}) {
        const Vec6 V = world.body_velocity(name);
        const Vec3 v = V.tail<3>(), w = V.head<3>();
        sum.head<3>() += kInertia * w + kMass * world.body_pose(name).p.cross(v);
        sum.tail<3>() += kMass * v;
      }
      return sum;
    };
    const double size = 4.0 * kInertia * 20.0;
    double largest_moment = 0.0;
    for (int i = 0; i < 40; ++i) {
      const Vec3 left = world.body_pose("left").p, right = world.body_pose("right").p;
      const Vec6 before = total();
      world.step();
      const int a = world.model().body("left"), b = world.model().body("right");
      const Vec3 at(0.1, 0.2, 0.3);
      const Vec6 on_a = contact_wrench(world.record(), a, at), on_b = contact_wrench(world.record(), b, at);
      EXPECT_LT((on_a + on_b).norm(), 1e-12 * on_a.norm() + 1e-300);
      for (const ContactForce& force : contact_forces(world.record()))
        largest_moment = std::max(largest_moment, force.moment.norm());
      // The arms are those of the start of the step: what the step moves turns the angular momentum by
      // (moved x momentum) and no more.
      const Vec3 v_left = world.body_velocity("left").tail<3>(),
                 v_right = world.body_velocity("right").tail<3>();
      Vec6 moved = Vec6::Zero();
      moved.head<3>() = kMass * ((world.body_pose("left").p - left).cross(v_left) +
                                 (world.body_pose("right").p - right).cross(v_right));
      EXPECT_LT((total() - moved - before).norm(), 1e-9 * size);
    }
    EXPECT_GT(largest_moment, 0.1);  // N m
  }
}

TEST(TorsionalRollingFriction, WorksByItsMomentTimesTheAngularVelocity) {
  const double torsional = 0.01, w0 = 50.0, h = 2e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(sphere_on_floor(turning(0.5, torsional, 0.0)), tight(law, h));
    world.simulate(0.5);
    set_velocity(Vec3(0.0, 0.0, w0), Vec3::Zero(), &world);
    world.simulate(0.5);
    world.step();
    // Positions move along the velocity at the end of the step.
    const double expected = kMass * kG * h * torsional * world.body_velocity("ball")[2];
    EXPECT_NEAR(world.energy_books().dissipated.contact_friction, expected, 1e-5 * std::abs(expected));
  }
}

Model mjcf_sphere(const std::string& numbers) {
  return parse_mjcf(
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='ball' "
      "pos='0 0 0.1'><freejoint/><geom size='0.1' mass='1' " +
          numbers + "/></body></worldbody></mujoco>",
      "test.xml");
}

TEST(Condim, FourActsAgainstSpinAndSixAgainstRollingToo) {
  const double torsional = 0.01, rolling = 5e-3, w0 = 20.0;
  const std::string friction = "friction='1 0.01 0.005' ";
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    for (const int condim : {3, 4, 6}) {
      World world(mjcf_sphere(friction + "condim='" + std::to_string(condim) + "'"), tight(law));
      world.simulate(0.5);
      set_velocity(Vec3(0.0, 0.0, w0), Vec3::Zero(), &world);
      world.simulate(0.2);
      double before = spin(world);
      world.simulate(0.2);
      const double brake = condim == 3 ? 0.0 : torsional * kG / (0.4 * kRadius * kRadius);
      EXPECT_NEAR((before - spin(world)) / 0.2, brake, 1e-5 * brake + 1e-6) << condim;

      set_velocity(Vec3(0.0, w0, 0.0), Vec3(w0 * kRadius, 0.0, 0.0), &world);
      world.simulate(0.2);
      before = world.body_velocity("ball")[3];
      world.simulate(0.2);
      const double a = condim == 6 ? 5.0 / 7.0 * rolling * kG / kRadius : 0.0;
      // As in StopsARollingBallAfterItsDistance: the share of sliding is (5/7 x 0.05)^2/2 = 6e-4.
      EXPECT_NEAR((before - world.body_velocity("ball")[3]) / 0.2, a, 1e-3 * a + 1e-6) << condim;
    }
  }
}

TEST(Condim, ThreeIgnoresTheNumbersOfTurningToTheBit) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    const auto run = [&](const std::string& numbers) {
      World world(mjcf_sphere(numbers), with_law(law));
      set_velocity(Vec3(3.0, 2.0, 20.0), Vec3(0.5, 0.0, 0.0), &world);
      world.simulate(0.5);
      EXPECT_TRUE(world.record().contact.problem.friction_lengths.empty());
      return hash(world.state());
    };
    EXPECT_EQ(run("friction='1 0.1 0.01'"), run("friction='1 0 0'"));
  }
}

}  // namespace
}  // namespace stiction
