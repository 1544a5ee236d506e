// A robot that stands on its feet, against the depth and the creep that the papers derive for a point mass, with
// the inverse mass of each foot in place of 1/m.
//
// Foot i carries the normal force N_i and the tangential force T_i, its impulses of a step are N_i h and T_i h,
// and w_i = |W_i|/3 with W_i = J_i A^-1 J_i' (S section V-B, with the tree's A in place of M). Here W_i is
// measured, without any contact: the robot floats without gravity and with its servos off, a force f acts on the
// foot for one step, and the foot's velocity changes by W_i f h.
//
// Depth under sap (S section V-A, eq. 29). A foot at rest has gamma_n = phi_i/((h + tau) R_n) with
// R_n = beta^2 w_i/(4 pi^2), so that
//
//   phi_i = h (h + tau) beta^2 w_i N_i/(4 pi^2),   for a point mass g h (h + tau) beta^2 w m/(4 pi^2).
//
// N_i comes from the balance of forces and moments: left and right feet are mirror images, so that front and
// hind ones carry, with the feet's mean x_f, x_h on the ground and the centre of mass (x_c, z_c) above it,
//
//   2 N_f (x_f - x_h) = m g cos(a) (x_c - x_h) + m g sin(a) z_c      on a slope that falls along x.
//
// Creep on a slope of the angle a. The robot slides down without acceleration, so that sum T_i = m g sin(a).
// Under sap a sticking foot has T_i h = u_i/(sigma w_i) (S eq. 30), whatever share of the load it has:
//
//   sum u_i/w_i = sigma h m g sin(a),   for a point mass u = sigma w gamma_t.
//
// Under icf T_i = mu N_i u_i/sqrt(u_i^2 + eps_i^2) (I eqs. 9, 10). Where eps_i = v_s for all feet and they creep
// as one, u is that of a point mass, v_s tan(a)/sqrt(mu^2 - tan^2(a)), whatever N_i. In the softened form
// (I eq. 26) eps_i = sigma w_i mu N_i h, and u is the root of sum mu N_i u/sqrt(u^2 + eps_i^2) = m g sin(a).

#include <array>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "scenes/driven_robots.h"
#include "stiction/base/shared_files.h"
#include "stiction/io/model_file.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kWithin = 0.02;  // what is asked: the robot is not quite at rest

// A ball at the end of a leg: where its centre is on its body.
struct Foot {
  const char *body, *shape;
  Vec3 centre;
  double radius;  // m
};
// Front ones first, left and right are mirror images.
using Feet = std::array<Foot, 4>;

constexpr double kMu = 0.8;  // of both robots
constexpr double kFootRadius = 0.022;
const Feet kFeet = {{{"front_left_foot", "front_left_foot", Vec3::Zero(), kFootRadius},
                     {"front_right_foot", "front_right_foot", Vec3::Zero(), kFootRadius},
                     {"hind_left_foot", "hind_left_foot", Vec3::Zero(), kFootRadius},
                     {"hind_right_foot", "hind_right_foot", Vec3::Zero(), kFootRadius}}};
constexpr double kGo1Radius = 0.023;
const Feet kGo1Feet = {{{"FL_calf", "FL", Vec3(0.0, 0.0, -0.213), kGo1Radius},
                        {"FR_calf", "FR", Vec3(0.0, 0.0, -0.213), kGo1Radius},
                        {"RL_calf", "RL", Vec3(0.0, 0.0, -0.213), kGo1Radius},
                        {"RR_calf", "RR", Vec3(0.0, 0.0, -0.213), kGo1Radius}}};

// The point of a foot on the floor.
Vec3 sole(const World& world, const Foot& foot) {
  return world.body_pose(foot.body) * foot.centre - Vec3(0.0, 0.0, foot.radius);
}

Vec3 velocity_of_sole(const World& world, const Foot& foot) {
  const Vec6 V = world.body_velocity(foot.body);
  const Vec3 arm = world.body_pose(foot.body).R * foot.centre - Vec3(0.0, 0.0, foot.radius);
  return Vec3(V.tail<3>()) + Vec3(V.head<3>()).cross(arm);
}

// W of a foot, at the configuration and step of a world, by what forces do to a robot that touches nothing.
// Dry friction of joints is no part of A.
double measured_inverse_mass(const World& standing, const Foot& foot) {
  const double h = standing.options().h;
  Model free = standing.model();
  for (Body& body : free.forest.bodies)
    for (Joint& joint : body.joints) joint.friction_loss.fill(0.0);
  const auto model = std::make_shared<const Model>(std::move(free));
  const auto velocity_after = [&](const Vec3& force) {
    WorldOptions options;
    options.h = h;
    World floating(model, options);
    floating.set_gravity(Vec3::Zero());
    for (const Actuator& servo : standing.model().elements.actuators)
      floating.set_force_range(servo.name, 0.0, 0.0);
    floating.set_shape_collides("floor", false);
    State state(floating.model());
    state.q = standing.state().q;
    floating.set_state(state);
    floating.input().wrenches = {
        {floating.model().body(foot.body), sole(floating, foot), stack<double>(Vec3::Zero(), force)}};
    floating.step();
    return velocity_of_sole(floating, foot);
  };
  constexpr double kForce = 1.0;  // N, small enough that nothing moves in a step
  const Vec3 by_itself = velocity_after(Vec3::Zero());
  Mat3 W;
  for (int c = 0; c < 3; ++c) W.col(c) = (velocity_after(kForce * Vec3::Unit(c)) - by_itself) / (kForce * h);
  return W.norm() / 3.0;
}

struct Robot {
  double mass = 0.0;  // kg
  Vec3 centre = Vec3::Zero();
};

Robot robot_of(const World& world) {
  Robot robot;
  const Forest& forest = world.model().forest;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    const Inertia& inertia = forest.bodies[b].inertia;
    const Pose X = world.body_pose(forest.bodies[b].name);
    robot.mass += inertia.mass;
    robot.centre += inertia.mass * (X.p + X.R * inertia.com);
  }
  robot.centre /= robot.mass;
  return robot;
}

// N_i by balance of forces and moments, for the slope a.
std::array<double, 4> loads(const World& world, const Feet& feet, double a) {
  const Robot robot = robot_of(world);
  std::array<Vec3, 4> at;
  for (int i = 0; i < 4; ++i) at[i] = sole(world, feet[i]);
  const double front = 0.5 * (at[0].x() + at[1].x()), hind = 0.5 * (at[2].x() + at[3].x());
  const double height = robot.centre.z() - 0.25 * (at[0] + at[1] + at[2] + at[3]).z();
  const double down = robot.mass * kG * std::cos(a), along = robot.mass * kG * std::sin(a);
  const double share = (down * (robot.centre.x() - hind) + along * height) / (front - hind);
  return {0.5 * share, 0.5 * share, 0.5 * (down - share), 0.5 * (down - share)};
}

World standing_robot(const NamedLaw& law, double h, double slope) {
  World world(scenes::quadruped_standing(), with_law(law, h));
  world.set_gravity(kG * Vec3(std::sin(slope), 0.0, -std::cos(slope)));
  return world;
}

// Unitree's Go1 of the shared models, from its keyframe, under the servos, damping and dry friction of its file. Dry
// friction lets left and right feet differ, by less than what is asked.
std::optional<World> standing_go1(double h, double slope) {
  const auto file = shared_file("models/unitree_go1/scene.xml");
  if (!file) return std::nullopt;
  World world(load_model_file(*file), with_law({"sap", LawKind::sap}, h));
  world.reset_to_keyframe("home");
  world.set_gravity(kG * Vec3(std::sin(slope), 0.0, -std::cos(slope)));
  return world;
}

// Rests at the depth of S eq. 29.
void expect_depth(World world, const Feet& feet, const char* robot) {
  const double h = world.options().h, tau = h, beta = 1.0;
  for (const Foot& foot : feet) world.set_stiffness(foot.shape, 1e9);
  world.set_stiffness("floor", 1e9);
  world.simulate(4.0);
  ASSERT_EQ(world.record().contact.near_rigid_points, 4);
  const std::array<double, 4> N = loads(world, feet, 0.0);
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(feet[i].shape);
    const double w = measured_inverse_mass(world, feet[i]);
    const double depth = h * (h + tau) * beta * beta * w * N[i] / (4.0 * kPi * kPi);
    EXPECT_NEAR(-sole(world, feet[i]).z(), depth, kWithin * depth);
    std::printf("[ rest depth ] %s, %s: w %.3f /kg, %.4f um, S eq. 29 %.4f um\n", robot, feet[i].shape, w,
                -1e6 * sole(world, feet[i]).z(), 1e6 * depth);
  }
}

// Creeps on a slope as S eq. 30 says.
void expect_creep(World world, const Feet& feet, double slope, const char* robot) {
  const double sigma = 1e-3;  // the default
  world.simulate(4.0);
  double sum = 0.0;
  for (const Foot& foot : feet) sum += velocity_of_sole(world, foot).x() / measured_inverse_mass(world, foot);
  const double expected = sigma * world.options().h * robot_of(world).mass * kG * std::sin(slope);
  EXPECT_NEAR(sum, expected, kWithin * expected);
  std::printf("[ creep ] %s, sap: sum u/w %.4g N s, sigma h m g sin(a) %.4g N s\n", robot, sum, expected);
}

TEST(StandingRobot, SinksUnderSapByTheNearRigidRuleAtTheInverseMassOfItsFeet) {
  expect_depth(standing_robot({"sap", LawKind::sap}, 2e-3, 0.0), kFeet, "quadruped_standing");
}

TEST(StandingRobot, CreepsUnderSapByTheInverseMassOfItsFeet) {
  expect_creep(standing_robot({"sap", LawKind::sap}, 2e-3, 0.2), kFeet, 0.2, "quadruped_standing");
}

TEST(StandingRobot, OfTheSharedModelsSinksUnderSapByTheNearRigidRule) {
  std::optional<World> world = standing_go1(2e-3, 0.0);
  if (!world) GTEST_SKIP() << missing_shared_file("models/unitree_go1/scene.xml");
  expect_depth(std::move(*world), kGo1Feet, "Go1");
}

TEST(StandingRobot, OfTheSharedModelsCreepsUnderSapByTheInverseMassOfItsFeet) {
  std::optional<World> world = standing_go1(2e-3, 0.2);
  if (!world) GTEST_SKIP() << missing_shared_file("models/unitree_go1/scene.xml");
  expect_creep(std::move(*world), kGo1Feet, 0.2, "Go1");
}

double mean_creep(const World& world) {
  double sum = 0.0;
  for (const Foot& foot : kFeet) sum += 0.25 * velocity_of_sole(world, foot).x();
  return sum;
}

// Feet that push against each other creep apart until they do not, at the rate k eps/(mu N) with the stiffness k
// of a leg, here some 2000 N/m, and N some 25 N: 1/s where eps is 1e-2 m/s.
constexpr double kSettling = 10.0;  // s

TEST(StandingRobot, CreepsUnderIcfByTheStictionTolerance) {
  const double h = 2e-3, slope = 0.2, v_s = 1e-2;
  for (const LawKind law : {LawKind::icf_lagged_plain, LawKind::icf_lagged, LawKind::icf_similar}) {
    SCOPED_TRACE(law_row(law).name);
    World world = standing_robot({law_row(law).name, law}, h, slope);
    world.options().formulation.contact.v_s = v_s;
    world.simulate(kSettling);
    const double expected = icf_creep(v_s, std::tan(slope) / kMu);
    EXPECT_NEAR(mean_creep(world), expected, kWithin * expected);
    std::printf("[ creep ] quadruped_standing, %s: %.4g mm/s, v_s tan(a)/sqrt(mu^2 - tan(a)^2) %.4g mm/s\n",
                law_row(law).name, 1e3 * mean_creep(world), 1e3 * expected);
  }
}

TEST(StandingRobot, CreepsUnderSoftenedIcfByTheInverseMassOfItsFeet) {
  // Of the lagged law: under similar what slips floats, and n0 of I eq. 26 is less than the load by that.
  const double h = 2e-3, slope = 0.2, sigma = 0.1;
  World world = standing_robot({"icf_lagged", LawKind::icf_lagged}, h, slope);
  world.options().formulation.contact.sigma = sigma;
  world.simulate(kSettling);
  const std::array<double, 4> N = loads(world, kFeet, slope);
  std::array<double, 4> eps;
  for (int i = 0; i < 4; ++i) eps[i] = sigma * measured_inverse_mass(world, kFeet[i]) * kMu * N[i] * h;
  const double pull = robot_of(world).mass * kG * std::sin(slope);
  double low = 0.0, high = 1.0;  // m/s
  for (int i = 0; i < 60; ++i) {
    const double u = 0.5 * (low + high);
    double friction = 0.0;
    for (int k = 0; k < 4; ++k) friction += kMu * N[k] * u / std::hypot(u, eps[k]);
    (friction < pull ? low : high) = u;
  }
  EXPECT_GT(eps[0], 10.0 * world.options().formulation.contact.v_s);
  EXPECT_NEAR(mean_creep(world), low, kWithin * low);
  std::printf("[ creep ] quadruped_standing, icf_lagged, softened: %.4g mm/s, I eq. 26 %.4g mm/s\n",
              1e3 * mean_creep(world), 1e3 * low);
}

}  // namespace
}  // namespace stiction
