// Motion without contact against closed forms, and the order at which every scheme approaches them.

#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/scheme/semi_implicit_euler.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;  // m/s^2

WorldOptions options(const Scheme& scheme, double h) {
  WorldOptions o;
  o.h = h;
  o.formulation.scheme = &scheme;
  return o;
}

// log2 of how much the error falls when the step is halved, over the smallest of the steps; printed.
double order_of(const char* what, const Scheme& scheme, double h,
                const std::function<double(double)>& error) {
  const double coarse = error(h), fine = error(h / 2), finest = error(h / 4);
  const double slope = std::log2(fine / finest);
  std::printf("[ order    ] %-28s %-20s errors %.3e %.3e %.3e slope %.3f\n", what, scheme.name(), coarse,
              fine, finest, slope);
  return slope;
}

// Largest departure of the energy from its start, relative to `scale` joules.
double energy_drift(World world, double duration, double scale) {
  const double start = world.energies().total();
  double worst = 0.0;
  const int steps = static_cast<int>(std::round(duration / world.options().h));
  for (int i = 0; i < steps; ++i) {
    world.step();
    worst = std::max(worst, std::abs(world.energies().total() - start));
  }
  return worst / scale;
}

class EveryScheme : public testing::TestWithParam<const Scheme*> {
 protected:
  const Scheme& scheme = *GetParam();
  double expected_order() const { return scheme.order(); }
};

// Slopes over a halving of the step carry the next term of the error, a few per cent here.
constexpr double kSlopeTolerance = 0.15;

TEST_P(EveryScheme, BodyFallsAlongAParabola) {
  // The body spins about a centre of mass away from its origin: the centre of mass knows nothing of it.
  const auto error = [&](double h) {
    ModelBuilder builder;
    Inertia inertia = solid_box(2.0, Vec3(0.1, 0.2, 0.3));
    inertia.com = Vec3(0.3, -0.1, 0.2);
    builder.add_free_body("body", translation(0, 0, 5), inertia);
    World world(builder.build(), options(scheme, h));
    State state = world.state();
    state.v << 1.0, 2.0, 3.0, 0.5, -0.2, 4.0;
    world.set_state(state);
    const Vec3 start = world.body_pose("body") * inertia.com, u(0.5, -0.2, 4.0);
    world.simulate(0.8);
    const Vec3 exact = start + 0.8 * u + 0.5 * 0.64 * Vec3(0, 0, -kG);
    return (world.body_pose("body") * inertia.com - exact).norm();
  };
  if (expected_order() == 2) {
    EXPECT_LT(error(0.1), 1e-12);  // exact for constant forces
  } else {
    EXPECT_NEAR(error(0.01), 0.5 * kG * 0.8 * 0.01, 1e-9);  // the textbook error of Euler: g t h / 2
  }
}

TEST_P(EveryScheme, PendulumSwingsWithThePeriodOfTheEllipticIntegral) {
  // A quarter period after release the rod passes the vertical.
  const Model model = make_scene("pendulum");
  const double amplitude = std::numbers::pi / 6.0;
  Kinematics kinematics(model.forest);
  const double hanging = 0.0;
  compute_positions(model.forest, &hanging, &kinematics);
  MassMatrix M(model.forest);
  compute_mass_matrix(model.forest, kinematics, &M);
  const Totals sum = totals(model.forest, kinematics);
  const double I = M.rows[0], arm = 1.5 - sum.com.z();
  const double quarter = std::sqrt(I / (sum.mass * kG * arm)) * std::comp_ellint_1(std::sin(amplitude / 2.0));
  const auto error = [&](double h) {
    World world(model, options(scheme, quarter * h));
    world.set_position("hinge", amplitude);
    world.simulate(quarter);
    return std::abs(world.position("hinge"));
  };
  EXPECT_NEAR(order_of("pendulum period", scheme, 1.0 / 128, error), expected_order(), kSlopeTolerance);
}

TEST_P(EveryScheme, EnergyOfAPendulumDriftsAtTheOrderOfTheScheme) {
  const auto drift = [&](double h) {
    return energy_drift(World(make_scene("pendulum"), options(scheme, h)), 1.0, kG);
  };
  EXPECT_NEAR(order_of("pendulum energy", scheme, 1.0 / 256, drift), expected_order(), kSlopeTolerance);
}

TEST_P(EveryScheme, EnergyOfADoublePendulumDriftsAtTheOrderOfTheScheme) {
  const auto drift = [&](double h) {
    return energy_drift(World(make_scene("double_pendulum"), options(scheme, h)), 0.5, kG);
  };
  EXPECT_NEAR(order_of("double pendulum energy", scheme, 1.0 / 1024, drift), expected_order(),
              kSlopeTolerance);
}

TEST_P(EveryScheme, EnergyOfAHumanoidInFreeFallDriftsAtTheOrderOfTheScheme) {
  const auto drift = [&](double h) {
    World world(make_scene("humanoid"), options(scheme, h));
    State state = world.state();
    for (int i = 0; i < state.v.size(); ++i) state.v[i] = 0.3 * std::sin(1.0 + 2.0 * i);
    world.set_state(state);
    // Joint damping takes energy away: compare with the run at a much smaller step.
    const double kEnd = 0.125;
    World fine(make_scene("humanoid"), options(find_scheme("midpoint"), 1.0 / 4096));
    fine.set_state(state);
    world.simulate(kEnd);
    fine.simulate(kEnd);
    return std::abs(world.energies().total() - fine.energies().total());
  };
  EXPECT_NEAR(order_of("humanoid energy", scheme, 1.0 / 64, drift), expected_order(), 2 * kSlopeTolerance);
}

// x'' + 2 c x' + w^2 x = 0 from x(0) = x0 at rest.
double damped_oscillation(double x0, double w, double c, double t) {
  if (c < w) {
    const double d = std::sqrt(w * w - c * c);
    return x0 * std::exp(-c * t) * (std::cos(d * t) + c / d * std::sin(d * t));
  }
  const double s = std::sqrt(c * c - w * w), fast = -c - s, slow = -c + s;
  return x0 * (slow * std::exp(fast * t) - fast * std::exp(slow * t)) / (slow - fast);
}

TEST_P(EveryScheme, BlockOnASpringFollowsTheTextbookUndampedUnderdampedAndOverdamped) {
  constexpr double kMass = 2.0, kStiffness = 200.0, kOffset = -0.1;
  const double w = std::sqrt(kStiffness / kMass);
  for (double damping : {0.0, 4.0, 100.0}) {
    const auto error = [&](double h) {
      ModelBuilder builder;
      builder.add_body("block", "world", {}, point_mass(kMass));
      Joint slide{.name = "slide", .type = JointType::prismatic, .axis = Vec3::UnitZ()};
      slide.stiffness = per_dof(kStiffness);
      slide.damping = per_dof(damping);
      builder.add_joint("block", slide);
      World world(builder.build(), options(scheme, h));
      const double rest = -kMass * kG / kStiffness;
      world.set_position("slide", rest + kOffset);
      double worst = 0.0;
      for (int i = 0; i < static_cast<int>(std::round(0.5 / h)); ++i) {
        world.step();
        const double exact = rest + damped_oscillation(kOffset, w, damping / (2.0 * kMass), world.time());
        worst = std::max(worst, std::abs(world.position("slide") - exact));
      }
      return worst;
    };
    EXPECT_NEAR(order_of("spring and damper", scheme, 1.0 / 1024, error), expected_order(), kSlopeTolerance);
  }
}

TEST_P(EveryScheme, SymmetricTopPrecessesAtTheRateOfItsAngularMomentum) {
  // Torque-free, I = (a, a, c): the axis turns about L at |L| / a.
  const double a = 0.02, c = 0.01;
  const auto error = [&](double h) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_free_body("top", {}, Inertia{1.0, Vec3::Zero(), Vec3(a, a, c).asDiagonal()});
    World world(builder.build(), options(scheme, h));
    State state = world.state();
    state.v << 1.0, 0.5, 4.0, 0.0, 0.0, 0.0;
    world.set_state(state);
    const Vec3 L(a * 1.0, a * 0.5, c * 4.0);
    world.simulate(1.0);
    const Vec3 exact = rotation_exp<double>(L / a) * Vec3::UnitZ();
    return (world.body_pose("top").R.col(2) - exact).norm();
  };
  EXPECT_NEAR(order_of("precession", scheme, 1.0 / 256, error), expected_order(), kSlopeTolerance);
}

TEST_P(EveryScheme, AngularMomentumOfATumblingBodyDriftsAtTheOrderOfTheScheme) {
  const auto drift = [&](double h) {
    World world(make_scene("spinning_body"), options(scheme, h));
    State state = world.state();
    state.v << 0.1, 3.0, 0.2, 0.0, 0.0, 0.0;
    world.set_state(state);
    Kinematics k(world.model().forest);
    const auto momentum = [&] {
      compute_positions(world.model().forest, world.state().q.data(), &k);
      compute_velocities(world.model().forest, world.state().v.data(), &k);
      return totals(world.model().forest, k).angular_momentum;
    };
    const Vec3 start = momentum();
    world.simulate(2.0);
    return (momentum() - start).norm() / start.norm();
  };
  EXPECT_NEAR(order_of("angular momentum", scheme, 1.0 / 256, drift), expected_order(), kSlopeTolerance);
}

TEST_P(EveryScheme, SameStateAndInputGiveTheSameBits) {
  const Model model = make_scene("quadruped");
  const auto run = [&] {
    World world(model, options(scheme, 1e-3));
    world.simulate(0.05);
    return hash(world.state());
  };
  EXPECT_EQ(run(), run());
}

INSTANTIATE_TEST_SUITE_P(Schemes, EveryScheme, testing::ValuesIn(scheme_list()),
                         [](const auto& parameter) { return std::string(parameter.param->name()); });

TEST(SemiImplicitEuler, KeepsTheEnergyOfASpinningBodyAtAnyStep) {
  // 100 rad/s with a step of 20 ms: two radians a step, far beyond what explicit gyroscopic terms survive.
  World world(make_scene("spinning_body"), options(find_scheme("semi_implicit_euler"), 0.02));
  State state = world.state();
  state.v << 1.0, 100.0, 2.0, 0.0, 0.0, 0.0;
  world.set_state(state);
  const double start = world.energies().kinetic;
  for (int i = 0; i < 5000; ++i) world.step();
  EXPECT_NEAR(world.energies().kinetic / start, 1.0, 1e-9);  // 5000 steps of round-off
}

TEST(SemiImplicitEuler, SpinOfTheMidpointRuleKeepsEnergyAndAngularMomentum) {
  const Mat3 I = Vec3(1.0, 2.0, 3.0).asDiagonal();
  const Vec3 w0(0.3, 5.0, -0.4);
  const Vec3 w1 = midpoint_spin(I, w0, 0.5);
  EXPECT_GT((w1 - w0).norm(), 0.1);
  EXPECT_NEAR(w1.dot(I * w1), w0.dot(I * w0), 1e-13 * w0.dot(I * w0));
  EXPECT_NEAR((I * w1).norm(), (I * w0).norm(), 1e-13 * (I * w0).norm());
}

TEST(ImplicitSchemes, StiffSpringsAndDampersAreStableAtTenMilliseconds) {
  // k = 1e8 N/m on 1 kg: h w = 100.
  for (const char* name : {"semi_implicit_euler", "implicit_euler", "midpoint"}) {
    ModelBuilder builder;
    builder.add_body("block", "world", {}, point_mass(1.0));
    Joint slide{.name = "slide", .type = JointType::prismatic};
    slide.stiffness = per_dof(1e8);
    slide.damping = per_dof(1e3);
    builder.add_joint("block", slide);
    World world(builder.build(), options(find_scheme(name), 0.01));
    world.set_position("slide", 1e-3);
    const double start = world.energies().total();
    for (int i = 0; i < 1000; ++i) world.step();
    EXPECT_LE(world.energies().total(), start) << name;
  }
}

TEST(Midpoint, KeepsTheEnergyOfALinearOscillatorToRoundOff) {
  World world(make_scene("spring_mass"), options(find_scheme("midpoint"), 0.02));
  EXPECT_LT(energy_drift(std::move(world), 20.0, 1.0), 1e-10);
}

TEST(Springs, OfABallJointTurnItBackWithTheGradientOfTheirEnergy) {
  // Conservative: midpoint keeps the energy at second order also where the spring is not isotropic.
  const auto drift = [](double h) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_body("body", "world", {}, solid_box(1.0, Vec3(0.1, 0.2, 0.3)));
    Joint ball{.name = "ball", .type = JointType::ball};
    ball.stiffness = {1.0, 2.0, 4.0, 0, 0, 0};
    builder.add_joint("body", ball);
    World world(builder.build(), options(find_scheme("midpoint"), h));
    State state = world.state();
    state.q = quaternion_exp<double>(Vec3(0.5, -0.8, 0.9));
    world.set_state(state);
    return energy_drift(std::move(world), 1.0, 1.0);
  };
  EXPECT_NEAR(order_of("ball spring energy", find_scheme("midpoint"), 1.0 / 128, drift), 2.0,
              kSlopeTolerance);
}

TEST(Springs, OfAFreeBodyPullItBackToItsPlaceAndOrientation) {
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  Inertia inertia = solid_box(1.0, Vec3(0.1, 0.2, 0.3));
  inertia.com = Vec3(0.05, 0.1, 0.0);
  builder.add_free_body("body", translation(0.3, 0.2, 0.1), inertia);
  Model model = builder.build();
  std::vector<Body> bodies = model.forest.bodies;
  Joint& joint = bodies[1].joints[0];
  joint.stiffness = {1.0, 2.0, 4.0, 50.0, 60.0, 70.0};
  joint.damping = {0.1, 0.1, 0.1, 2.0, 2.0, 2.0};
  joint.neutral = {1, 0, 0, 0, 0, 0, 1.0};
  model.forest = make_forest(bodies, Vec3::Zero());
  World world(model, options(find_scheme("semi_implicit_euler"), 2e-3));
  State state = world.state();
  state.q.head<4>() = quaternion_exp<double>(Vec3(1.0, 0.3, -0.4));
  world.set_state(state);
  world.simulate(20.0);
  EXPECT_LT((world.body_pose("body").p - Vec3(0, 0, 1)).norm(), 1e-6);
  EXPECT_LT((world.body_pose("body").R - Mat3::Identity()).norm(), 1e-6);
}

TEST(KinematicBodies, CarryWhatHangsOnThem) {
  // A pendulum on a platform that accelerates sideways with a feels gravity tilted by atan(a/g): it stays
  // there.
  ModelBuilder builder;
  builder.add_kinematic_body("platform");
  builder.add_body("rod", "platform", {}, point_mass(1.0, Vec3(0, 0, -1)));
  builder.add_joint("rod", {.name = "hinge", .axis = Vec3::UnitY()});
  World world(builder.build(), options(find_scheme("midpoint"), 1e-3));
  const double a = 3.0, tilt = std::atan(a / kG);
  world.set_position("hinge", tilt);
  for (int i = 0; i < 500; ++i) {
    const double t = world.time();
    PrescribedMotion m;
    m.X_WB.p = Vec3(0.5 * a * t * t, 0, 0);
    m.V << 0, 0, 0, a * t, 0, 0;
    m.A << 0, 0, 0, a, 0, 0;
    world.input().prescribed = {m};
    world.step();
    ASSERT_NEAR(world.position("hinge"), tilt, 1e-9);
  }
  EXPECT_NEAR(world.body_pose("rod").p.x(), 0.5 * a * 0.499 * 0.499, 1e-9);
}

}  // namespace
}  // namespace stiction
