// Friction of a body on a support with a given load (2.5-D friction) against closed forms, under every law and solver.

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/file/problem_file.h"
#include "stiction/contact/newton/island_rows.h"
#include "stiction/contact/residual.h"
#include "stiction/io/model_json.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/saved_problem.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kMass = 0.5, kRadius = 0.1, kMu = 0.3, kLoad = kMass * kG, kLimit = kMu * kLoad;
constexpr double kInertia = 0.5 * kMass * kRadius * kRadius, kLength = 2.0 / 3.0 * kRadius;
constexpr double kAngle = kPi / 6.0;  // of the direction of sliding, against the joints

Joint joint(const char* name, JointType type, const Vec3& axis) {
  Joint out;
  out.name = name;
  out.type = type;
  out.axis = axis;
  return out;
}

// A disc in the plane z = 0 that starts with (vx, vy, w).
ModelBuilder puck(const Vec3& start) {
  ModelBuilder builder("puck");
  builder.set_gravity(Vec3::Zero());
  builder.add_body("puck", "world", {}, Inertia{kMass, Vec3::Zero(), kInertia * Mat3::Identity()});
  builder.add_joint("puck", joint("x", JointType::prismatic, Vec3::UnitX()));
  builder.add_joint("puck", joint("y", JointType::prismatic, Vec3::UnitY()));
  builder.add_joint("puck", joint("turn", JointType::continuous, Vec3::UnitZ()));
  builder.add_frame("centre", "puck", {});
  SupportFriction support;
  support.name = "support";
  support.frame1 = "centre";
  support.load = kLoad;
  support.friction = kMu;
  support.radius = kRadius;
  builder.add_constraint(support);
  builder.set_initial_velocity("x", {start[0]});
  builder.set_initial_velocity("y", {start[1]});
  builder.set_initial_velocity("turn", {start[2]});
  return builder;
}

WorldOptions with(const std::string& formulation, double h) {
  WorldOptions options;
  options.h = h;
  set_formulation(formulation, &options.formulation.contact);
  options.formulation.dual.tolerance = 1e-10;
  return options;
}

Vec3 velocities(const World& world) {
  return {world.velocity("x"), world.velocity("y"), world.velocity("turn")};
}

// The message of a UserError; empty: none was thrown.
template <class Function>
std::string message_of(const Function& function) {
  try {
    function();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

// A polygon in place of the ball: exact along its first axis only.
bool is_polygonal(const CatalogEntry& entry) { return entry.law == LawKind::pyramid_lcp; }

// Travel at a constant deceleration a with steps of h, positions moved by the velocity at the step's end.
double travel(double v0, double a, double h) {
  const double steps = std::floor(v0 / (a * h));
  return h * (steps * v0 - a * h * steps * (steps + 1.0) / 2.0);
}

TEST(SupportFriction, SlidingStraightStopsAtVSquaredOverTwoMuG) {
  constexpr double kSpeed = 1.0, kStep = 1e-3;  // m/s, s
  // The sum of the steps is the closed form to half a step.
  ASSERT_NEAR(travel(kSpeed, kMu * kG, kStep), kSpeed * kSpeed / (2.0 * kMu * kG), 0.51 * kSpeed * kStep);
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    const double angle = is_polygonal(entry) ? 0.0 : kAngle;
    const Vec3 along(std::cos(angle), std::sin(angle), 0.0);
    World world(puck(kSpeed * along).build(), with(entry.name(), kStep));
    world.simulate(0.2);
    const Vec3 force = world.constraint_force("support").tail<3>();
    EXPECT_LT((force + kLimit * along).norm(), 1e-5 * kLimit);
    world.simulate(0.3);
    const Vec3 place(world.position("x"), world.position("y"), 0.0);
    EXPECT_LT((place - travel(kSpeed, kMu * kG, kStep) * along).norm(), 1e-5);
    EXPECT_LT(velocities(world).norm(), 1e-9);
  }
}

TEST(SupportFriction, PureTurningIsStoppedByTwoThirdsOfRadiusTimesForce) {
  constexpr double kSpin = 10.0, kStep = 1e-3;  // rad/s, s
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    World world(puck({0.0, 0.0, kSpin}).build(), with(entry.name(), kStep));
    world.simulate(0.1);
    EXPECT_NEAR(world.constraint_force("support")[2], -kLength * kLimit, 1e-5 * kLength * kLimit);
    world.simulate(0.4);
    EXPECT_NEAR(world.position("turn"), travel(kSpin, kLength * kLimit / kInertia, kStep), 1e-4);
    EXPECT_LT(velocities(world).norm(), 1e-8);
  }
}

// (vx, vy, w) after t: the equation of motion on the ellipsoid, m dv/dt = -mu N v/s, I dw/dt = -mu N e^2 w/s with
// s = |(v, e w)|, by Runge and Kutta's method of fourth order.
Vec3 integrated(Vec3 x, double t) {
  const auto rate = [](const Vec3& now) {
    const double s = Vec3(now[0], now[1], kLength * now[2]).norm();
    return Vec3(-kLimit / kMass * now[0] / s, -kLimit / kMass * now[1] / s,
                -kLimit * kLength * kLength / kInertia * now[2] / s);
  };
  constexpr int kSteps = 2000;
  const double h = t / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const Vec3 k1 = rate(x), k2 = rate(x + 0.5 * h * k1), k3 = rate(x + 0.5 * h * k2), k4 = rate(x + h * k3);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return x;
}

// At first order in h: halving it halves the error.
TEST(SupportFriction, SlipAndTurnSlowEachOtherAsTheEllipsoidSays) {
  const Vec3 start(0.6, 0.3, 12.0);
  constexpr double kTime = 0.2;
  const Vec3 exact = integrated(start, kTime);
  // Coupled: alone, the sliding would have stopped at 0.228 s and have 0.08 m/s left.
  ASSERT_GT(exact.head<2>().norm(), 0.2);
  for (const CatalogEntry& entry : catalog()) {
    if (is_polygonal(entry)) continue;
    SCOPED_TRACE(entry.name());
    double errors[2];
    for (const int k : {0, 1}) {
      World world(puck(start).build(), with(entry.name(), k == 0 ? 2e-3 : 1e-3));
      world.simulate(kTime);
      errors[k] = (velocities(world) - exact).cwiseProduct(Vec3(1.0, 1.0, kLength)).norm();
    }
    EXPECT_LT(errors[1], 3e-3);
    EXPECT_NEAR(errors[0] / errors[1], 2.0, 0.2);
  }
}

// The loss is mu N times the way, of every step to round-off; nothing of it is work of an equality.
TEST(SupportFriction, TakesMuNTimesTheWayOfAPuckThatSlidesStraight) {
  constexpr double kSpeed = 1.0, kStep = 1e-3;  // m/s, s
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    const double angle = is_polygonal(entry) ? 0.0 : kAngle;
    World world(puck(kSpeed * Vec3(std::cos(angle), std::sin(angle), 0.0)).build(),
                with(entry.name(), kStep));
    EnergyTotals totals;
    for (int i = 0; i < 400; ++i) {
      const double x = world.position("x"), y = world.position("y"), t = world.time();
      world.step();
      const EnergyBooks books = world.energy_books();
      const double way = std::hypot(world.position("x") - x, world.position("y") - y);
      if (velocities(world).norm() > kMu * kG * kStep) {
        EXPECT_NEAR(books.dissipated.support_friction, kLimit * way, 1e-5 * kLimit * way);
      }
      EXPECT_EQ(books.work.equalities, 0.0);
      EXPECT_EQ(books.dissipated.joint_friction, 0.0);
      EXPECT_LE(books.relative_error(), 1e-10);
      totals.add(books, t);
    }
    EXPECT_NEAR(totals.sum.dissipated.support_friction, kLimit * travel(kSpeed, kMu * kG, kStep),
                1e-4 * kLimit);
  }
}

// Not sqrt(2) mu N, as that of two rows of dry friction.
TEST(SupportFriction, ADiagonalForceMovesThePuckAboveMuN) {
  constexpr double kStep = 2e-3, kTime = 0.4;  // s
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    for (const double share : {0.99, 1.01}) {
      WorldOptions options = with(entry.name(), kStep);
      options.formulation.dual.pyramid.facets = 64;  // mu N/cos(pi/64) at its corners: 0.12 % more
      World world(puck(Vec3::Zero()).build(), options);
      world.set_joint_force("x", share * kLimit * std::sqrt(0.5));
      world.set_joint_force("y", share * kLimit * std::sqrt(0.5));
      world.simulate(kTime);
      const double speed = velocities(world).norm();
      // What sticks creeps by the compliance of a rigid row, below 1e-3 of g h.
      if (share < 1.0)
        EXPECT_LT(speed, 1e-3 * kG * kStep);
      else if (is_polygonal(entry))
        EXPECT_GT(speed, 0.8 * (share - 1.0) * kMu * kG * kTime);
      else
        EXPECT_NEAR(speed, (share - 1.0) * kMu * kG * kTime, 1e-3 * kMu * kG * kTime);
    }
  }
}

// With a contact in the same island: along a wall without friction. The geometrically implicit laws solve both in
// one problem.
TEST(SupportFriction, ActsBesideContacts) {
  constexpr double kSpeed = 1.0, kStep = 1e-3;
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    ModelBuilder builder = puck({kSpeed, 0.0, 0.0});
    builder.add_shape("puck", "puck", {}, Sphere{kRadius});
    builder.set_material("puck", friction_only(0.0));
    const Mat3 up_is_y = rotation_about<double>(Vec3::UnitX(), -kPi / 2.0);
    builder.add_shape("wall", "world", {up_is_y, Vec3(0.0, -kRadius, 0.0)}, HalfSpace{});
    builder.set_material("wall", friction_only(0.0));
    World world(builder.build(), with(entry.name(), kStep));
    world.set_joint_force("y", -2.0 * kLimit);
    world.simulate(0.2);
    const StepRecord& r = world.record();
    if (is_geometric(entry.law)) {
      EXPECT_EQ(r.geometric_contacts.size(), 1u);
      EXPECT_EQ(r.report.geometric.fallbacks, 0);
    }
    EXPECT_NEAR(world.constraint_force("support")[3], -kLimit, 1e-3 * kLimit);
    world.simulate(0.3);
    EXPECT_NEAR(world.position("x"), travel(kSpeed, kMu * kG, kStep), 1e-3);
    EXPECT_LT(velocities(world).norm(), 1e-4);
  }
}

// The plane may move: it takes the puck along, at mu g up to its own speed.
TEST(SupportFriction, AMovingPlaneTakesThePuckAlong) {
  constexpr double kSpeed = 0.5, kStep = 1e-3;  // m/s, s
  for (const char* formulation : {"icf_lagged", "coulomb_ncp", "convex_cone"}) {
    SCOPED_TRACE(formulation);
    ModelBuilder builder = puck(Vec3::Zero());
    builder.add_kinematic_body("plate", {});
    builder.add_frame("top", "plate", {});
    SupportFriction support;
    support.name = "on_plate";
    support.frame1 = "centre";
    support.frame2 = "top";
    support.load = kLoad;
    support.friction = kMu;
    support.radius = kRadius;
    builder.add_constraint(support);
    World world(builder.build(), with(formulation, kStep));
    world.set_constraint_active("support", false);
    Vec6 V = Vec6::Zero();
    V[3] = kSpeed;
    EnergyBooks books;
    const auto run = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        world.set_kinematic_motion("plate", translation(kSpeed * world.time(), 0.0, 0.0), V);
        world.step();
        books = world.energy_books();
        EXPECT_LE(books.relative_error(), 1e-10);
      }
    };
    run(100);
    EXPECT_NEAR(world.velocity("x"), kMu * kG * 0.1, 1e-5);
    // The plate puts in mu N times its way, friction takes mu N times that of the puck on it.
    EXPECT_NEAR(books.work.prescribed_motion, kLimit * kSpeed * kStep, 1e-5 * kLimit * kSpeed * kStep);
    EXPECT_NEAR(books.dissipated.support_friction, kLimit * (kSpeed - world.velocity("x")) * kStep,
                1e-5 * kLimit * kSpeed * kStep);
    run(200);
    EXPECT_NEAR(world.velocity("x"), kSpeed, 1e-6);
    EXPECT_NEAR(world.velocity("turn"), 0.0, 1e-6);
  }
}

// On a slide the plane has one direction, and the row one bound.
TEST(SupportFriction, OnASlideIsDryFriction) {
  ModelBuilder builder("slide");
  builder.set_gravity(Vec3::Zero());
  builder.add_body("block", "world", {}, point_mass(kMass));
  builder.add_joint("block", joint("x", JointType::prismatic, Vec3::UnitX()));
  builder.add_frame("sole", "block", {});
  SupportFriction support;
  support.name = "support";
  support.frame1 = "sole";
  support.load = kLoad;
  support.friction = kMu;
  support.friction_length = kLength;
  builder.add_constraint(support).set_initial_velocity("x", {1.0});
  World world(builder.build(), with("icf_lagged", 1e-3));
  world.simulate(0.5);
  EXPECT_EQ(world.record().contact.problem.rows.size(), 1u);
  EXPECT_NEAR(world.position("x"), travel(1.0, kMu * kG, 1e-3), 1e-5);
}

TEST(SupportFriction, ComesBackFromAModelFile) {
  const Model model = model_from_json(model_to_json(puck({1.0, 0.0, 5.0}).build()));
  ASSERT_EQ(model.elements.supports.size(), 1u);
  EXPECT_EQ(model.elements.supports[0].load, kLoad);
  EXPECT_EQ(model.elements.supports[0].friction, kMu);
  EXPECT_EQ(model.elements.supports[0].radius, kRadius);
}

TEST(SupportFriction, RefusesANegativeLoad) {
  ModelBuilder builder = puck(Vec3::Zero());
  SupportFriction support;
  support.name = "lifted";
  support.frame1 = "centre";
  support.load = -1.0;
  builder.add_constraint(support);
  const std::string message = message_of([&] { World world(builder.build()); });
  EXPECT_NE(message.find("support 'lifted': its load -1"), std::string::npos) << message;
}

// The residual check sees a wrong impulse along each row, on the ball and inside it.
TEST(SupportFriction, ResidualCheckSeesWrongImpulses) {
  for (const Vec3& start : {Vec3(1.0, 0.5, 8.0), Vec3(1e-4, 0.0, 1e-3)}) {
    World world(puck(start).build(), with("coulomb_ncp+semismooth_newton", 1e-3));
    world.step();
    const StepRecord& r = world.record();
    const auto error = [&](const std::vector<double>& impulses) {
      return check_residual(r.contact.problem, {}, r.contact.solution.v, {}, {}, impulses).rows->relative;
    };
    EXPECT_LT(error(r.contact.solution.row_impulses), 1e-3);
    for (std::size_t i = 0; i < 3; ++i) {
      std::vector<double> wrong = r.contact.solution.row_impulses;
      wrong[i] += 0.1 * kLimit * 1e-3;
      EXPECT_GT(error(wrong), 0.01) << i;
    }
  }
}

TEST(SupportFriction, GroupsOfRowsAreSavedWithAProblem) {
  World world(puck({1.0, 0.5, 8.0}).build(), with("coulomb_ncp", 1e-3));
  world.step();
  const std::string text =
      problem_to_json(saved_problem(world.model(), world.record(), world.options().formulation.contact));
  const SavedProblem back = problem_from_json(text, "puck.json");
  ASSERT_EQ(back.problem.row_laws.size(), 3u);
  EXPECT_EQ(back.problem.row_laws[0].group, 3);
  EXPECT_EQ(back.problem.row_laws[2].group, 0);
  // A row less.
  std::string broken = text;
  const std::size_t at = broken.find("\"group\": 3");
  ASSERT_NE(at, std::string::npos);
  broken.replace(at, 10, "\"group\": 2");
  EXPECT_NE(message_of([&] { problem_from_json(broken, "puck.json"); }).find("group"), std::string::npos);
}

// Impulses are the negative gradient of the cost, and the Hessian is the derivative of the impulses.
TEST(SupportFriction, DerivativesOfTheCostAreItsDifferences) {
  World world(puck({1.0, 0.5, 8.0}).build(), with("icf_lagged", 1e-3));
  world.step();
  ContactProblem problem = world.record().contact.problem;
  ASSERT_EQ(problem.islands.size(), 1u);
  for (RowLaw& law : problem.row_laws) law.slope = 2.0;  // so that both sides of the bound are of one size
  IslandRows rows;
  rows.begin(problem, problem.islands[0], {0}, {0});
  for (const double size : {0.1, 1.0, 30.0}) {
    SCOPED_TRACE(size);
    const Vec3 unit = Vec3(0.3, -0.5, 0.4 / kLength) * kLimit * 1e-3 / 2.0;
    const auto impulses = [&](const Vec3& v, double* cost) {
      Vec3 out = Vec3::Zero();
      *cost = rows.evaluate(v.data());
      rows.add_impulses(out.data());
      return out;
    };
    const Vec3 v = size * unit;
    const double step = 1e-6 * v.norm();
    for (int k = 0; k < 3; ++k) {
      double above = 0.0, below = 0.0, at = 0.0;
      const Vec3 difference =
          (impulses(v + step * Vec3::Unit(k), &above) - impulses(v - step * Vec3::Unit(k), &below)) /
          (2.0 * step);
      const Vec3 gamma = impulses(v, &at);
      EXPECT_NEAR((above - below) / (2.0 * step), -gamma[k], 1e-6 * gamma.norm());
      Vec3 product = Vec3::Zero();
      const Vec3 direction = Vec3::Unit(k);
      rows.add_product(direction.data(), product.data());
      EXPECT_LT((product + difference).norm(), 1e-6 * product.norm() + 1e-9);
    }
  }
}

}  // namespace
}  // namespace stiction
