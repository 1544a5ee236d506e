// What equalities and limits store to which the model gives a stiffness and a damping.

#include "stiction/simulation/constraint_energy.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/io/mjcf/mjcf.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kStep = 2e-3;    // s
constexpr double kExact = 1e-12;  // of the largest entry of a step
constexpr double kSolved = 1e-9;  // J, of motions of the order of 1 J: what the tolerance leaves
const char* const kSchemes[] = {"explicit_euler", "symplectic_euler", "semi_implicit_euler",
                                "implicit_euler", "midpoint",         "theta:0.7,0.4"};

WorldOptions options_of(const std::string& scheme, double h = kStep) {
  WorldOptions options;
  options.h = h;
  options.formulation.scheme = &find_scheme(scheme);
  set_tolerance(1e-13, &options.formulation);
  return options;
}

// A mass of 1 kg that slides along x without gravity, held at 0 by an equality, or by the limit of a tendon from 0 on.
constexpr double kStiffness = 400.0, kDamping = 3.0;  // N/m, N s/m
Model held_slider(bool is_limit, double damping = kDamping, double stiffness = kStiffness) {
  const std::string solref = "'-" + std::to_string(stiffness) + " -" + std::to_string(damping) + "'";
  const std::string held =
      is_limit ? "<tendon><fixed name='rope' limited='true' range='-9 0' solreflimit=" + solref +
                     "><joint joint='x' coef='1'/></fixed></tendon>"
               : "<equality><joint joint1='x' solref=" + solref + "/></equality>";
  return parse_mjcf(
      "<mujoco><option gravity='0 0 0'/><worldbody><body name='mass'><joint name='x' type='slide' "
      "axis='1 0 0'/><geom size='0.1' mass='1' contype='0' conaffinity='0'/></body></worldbody>" +
      held + "</mujoco>");
}

// The row has the position and velocity of the end of the step, under every scheme: its force is -k (x + h v) - d v. Every
// entry by hand, along the way x_1 - x_0 that the scheme makes of it.
TEST(ConstraintEnergy, OfAnEqualityIsThatOfASpringAndADamper) {
  for (const char* scheme : kSchemes) {
    SCOPED_TRACE(scheme);
    World world(held_slider(false), options_of(scheme));
    world.set_velocity("x", 1.0);
    double damped = 0.0;
    for (int i = 0; i < 200; ++i) {
      const double from = world.position("x");
      world.step();
      const double to = world.position("x"), v = world.velocity("x"), way = to - from;
      const EnergyBooks books = world.energy_books();
      EXPECT_NEAR(books.before.equalities, 0.5 * kStiffness * from * from, kSolved);
      EXPECT_NEAR(books.after.equalities, 0.5 * kStiffness * to * to, kSolved);
      EXPECT_NEAR(books.dissipated.equality_dampers, kDamping * v * way, kSolved);
      const double force = -kStiffness * (from + kStep * v), middle = -kStiffness * 0.5 * (from + to);
      EXPECT_NEAR(books.numerical.equalities, (middle - force) * way, kSolved);
      EXPECT_EQ(books.work.equalities, 0.0);
      EXPECT_NEAR(books.numerical.geometry, 0.0, kSolved);
      EXPECT_NEAR(books.numerical.solver, 0.0, kSolved);
      EXPECT_LE(books.relative_error(), kExact);
      EXPECT_NEAR(world.energies().equalities, books.after.equalities, kSolved);
      damped += books.dissipated.equality_dampers;
    }
    EXPECT_GT(damped, 0.1);
  }
}

// A mass that runs into the limit and back: without a damper implicit Euler takes its energy down by 1/(1 + k h^2/m) in
// every step that ends past the limit.
TEST(ConstraintEnergy, OfALimitIsGivenBackButForWhatImplicitEulerTakes) {
  World world(held_slider(true, 0.0), options_of("semi_implicit_euler"));
  world.set_position("x", -0.01);
  world.set_velocity("x", 1.0);
  double expected = 0.5, most = 0.0;
  int past = 0;
  for (int i = 0; i < 200; ++i) {
    // The factor holds of the energy with the spring at the start, on whichever side that is.
    const double x = world.position("x"), v = world.velocity("x");
    world.step();
    const EnergyBooks books = world.energy_books();
    EXPECT_LE(books.relative_error(), kExact);
    EXPECT_EQ(books.work.limits, 0.0);
    EXPECT_EQ(books.dissipated.total(), 0.0);
    const bool is_past = world.position("x") > 0.0;
    past += is_past;
    if (is_past) expected = 0.5 * (v * v + kStiffness * x * x) / (1.0 + kStiffness * kStep * kStep);
    const double stored = is_past ? 0.5 * kStiffness * std::pow(world.position("x"), 2) : 0.0;
    EXPECT_NEAR(books.after.limits, stored, kSolved);
    if (is_past) {
      EXPECT_NEAR(books.after.total(), expected, kSolved);
    }
    most = std::max(most, stored);
  }
  EXPECT_GT(past, 10);
  EXPECT_GT(most, 0.4);                  // nearly all of 1/2 m v^2
  EXPECT_LT(world.velocity("x"), -0.9);  // and out again
}

// The damper of a limit acts on the way in, a little before the spring does, and does not pull on the way out.
TEST(ConstraintEnergy, DampersOfLimitsDoNotPull) {
  World world(held_slider(true, 30.0), options_of("semi_implicit_euler"));
  world.set_position("x", -2e-3);
  world.set_velocity("x", 1.0);
  double damped = 0.0;
  for (int i = 0; i < 300; ++i) {
    const double from = world.position("x");
    world.step();
    const double v = world.velocity("x"), x = from + kStep * v;
    const double spring = -kStiffness * std::max(0.0, x);
    const double all = std::min(0.0, -kStiffness * x - 30.0 * v);
    const EnergyBooks books = world.energy_books();
    EXPECT_NEAR(books.dissipated.limit_dampers, -(all - spring) * kStep * v, kSolved);
    EXPECT_LE(books.relative_error(), kExact);
    damped += books.dissipated.limit_dampers;
  }
  EXPECT_GT(damped, 0.1);
  EXPECT_LT(world.velocity("x"), 0.0);
}

// Stiffer than a step allows: the row is rigid, and its work that of a stabilisation.
TEST(ConstraintEnergy, OfWhatIsTooStiffForTheStepIsNoForceOfTheStep) {
  World world(held_slider(false, 0.0, 1e12), options_of("semi_implicit_euler"));
  world.set_velocity("x", 1.0);
  double work = 0.0;
  for (int i = 0; i < 20; ++i) {
    world.step();
    const EnergyBooks books = world.energy_books();
    EXPECT_LE(books.relative_error(), kExact);
    EXPECT_EQ(books.dissipated.equality_dampers, 0.0);
    EXPECT_NEAR(books.after.equalities, 0.5e12 * std::pow(world.position("x"), 2),
                1e-9 * books.after.equalities);
    work += std::abs(books.work.equalities);
  }
  EXPECT_GT(work, 0.0);
}

// A brick on soft constraints of every kind, between it and a body that swings: the energy is that of the distances, and
// the books close.
struct Tied {
  const char* name;
  double (*energy)(const Pose& X_A,
                   const Pose& X_B);  // over k, of the frames at the first body and at the second
};
constexpr double kSoft = 300.0, kRope = 0.25;
double of_points(const Pose& A, const Pose& B) { return 0.5 * (A.p - B.p).squaredNorm(); }
double of_weld(const Pose& A, const Pose& B) {
  const Eigen::AngleAxisd turn(A.R * B.R.transpose());
  return of_points(A, B) + 0.5 * turn.angle() * turn.angle();
}
double of_rod(const Pose& A, const Pose& B) { return 0.5 * std::pow((A.p - B.p).norm() - kRope, 2); }
double of_rope(const Pose& A, const Pose& B) {
  return 0.5 * std::pow(std::max(0.0, (A.p - B.p).norm() - kRope), 2);
}
double of_slot(const Pose& A, const Pose& B) {
  const Vec3 r = B.R.transpose() * (A.p - B.p);
  return 0.5 * (r.tail<2>().squaredNorm() + std::pow(std::max(0.0, std::abs(r.x()) - 0.1), 2));
}
constexpr Tied kTied[] = {
    {"pin", of_points}, {"weld", of_weld}, {"rod", of_rod}, {"rope", of_rope}, {"slot", of_slot}};

World tied_world(const Tied& tied, const WorldOptions& options, double damping) {
  ModelBuilder builder(tied.name);
  builder.add_free_body("brick", translation(0.3, 0.02, -0.1), solid_box(1.0, Vec3(0.05, 0.1, 0.02)));
  builder.add_frame("corner", "brick", translation(0.05, 0.03, 0.02));
  builder.add_body("arm", "world", {}, solid_box(2.0, Vec3(0.2, 0.02, 0.02)));
  Joint hinge;
  hinge.name = "hinge";
  hinge.axis = Vec3::UnitY();
  builder.add_joint("arm", hinge);
  builder.add_frame("tip", "arm", translation(0.3, 0.0, 0.0));
  const std::string name = tied.name;
  if (name == "pin" || name == "weld") {
    Equality equality;
    equality.name = "tie";
    equality.kind = name == "pin" ? EqualityKind::connect : EqualityKind::weld;
    equality.between_sites = true;
    equality.object1 = "corner";
    equality.object2 = "tip";
    equality.solref = {-kSoft, -damping};
    builder.add_constraint(equality);
  } else if (name == "slot") {
    SlotConstraint slot{"tie", "corner", "tip", -0.1, 0.1, kSoft, damping};
    builder.add_constraint(slot);
  } else {
    const double shortest = name == "rod" ? kRope : 0.0;
    builder.add_constraint(DistanceConstraint{"tie", "corner", "tip", shortest, kRope, kSoft, damping});
  }
  World world(builder.build(), options);
  world.set_body_velocity("brick", stack<double>(Vec3(2.0, -3.0, 4.0), Vec3(0.8, -1.0, 0.5)));
  world.set_velocity("hinge", 1.5);
  return world;
}

Pose at(const World& world, const char* body, const Vec3& p) {
  return world.body_pose(body) * translation(p);
}

TEST(ConstraintEnergy, OfEveryConstraintIsThatOfItsDistances) {
  for (const Tied& tied : kTied) {
    for (const char* scheme : kSchemes) {
      SCOPED_TRACE(std::string(tied.name) + " " + scheme);
      World world = tied_world(tied, options_of(scheme), 2.0);
      double most = 0.0, damped = 0.0;
      for (int i = 0; i < 250; ++i) {
        world.step();
        const EnergyBooks books = world.energy_books();
        EXPECT_LE(books.relative_error(), 1e-10);
        const double stored = books.after.equalities + books.after.limits;
        const double expected = kSoft * tied.energy(at(world, "brick", Vec3(0.05, 0.03, 0.02)),
                                                    at(world, "arm", Vec3(0.3, 0.0, 0.0)));
        EXPECT_NEAR(stored, expected, 1e-12 + 1e-9 * expected);
        EXPECT_EQ(books.work.equalities, 0.0);
        EXPECT_EQ(books.work.limits, 0.0);
        most = std::max(most, stored);
        damped += books.dissipated.equality_dampers + books.dissipated.limit_dampers;
      }
      EXPECT_GT(most, 0.05);
      EXPECT_GT(damped, 1e-3);
    }
  }
}

// A ball on a soft pin that a kinematic body draws along at a constant speed: the pin is stretched, and what the ball and
// the pin have and lose has been put in by the motion of the body.
TEST(ConstraintEnergy, OfAPinThatABodyDrawsAlongComesFromItsMotion) {
  constexpr double kSpeed = 0.7;  // m/s
  ModelBuilder builder("drawn");
  builder.set_gravity(Vec3::Zero());
  builder.add_kinematic_body("cart");
  builder.add_free_body("ball", {}, solid_sphere(1.0, 0.1));
  Equality pin;
  pin.name = "pin";
  pin.object1 = "ball";
  pin.object2 = "cart";
  pin.solref = {-kSoft, -5.0};
  World world(builder.add_constraint(pin).build(), options_of("semi_implicit_euler"));
  const Vec6 V = stack<double>(Vec3::Zero(), kSpeed * Vec3::UnitX());
  double put_in = 0.0, damped = 0.0, numerical = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double from = kSpeed * i * kStep - world.body_pose("ball").p.x();
    world.set_kinematic_motion("cart", translation(kSpeed * i * kStep, 0.0, 0.0), V);
    world.step();
    const double to = kSpeed * (i + 1) * kStep - world.body_pose("ball").p.x(), rate = (to - from) / kStep;
    const EnergyBooks books = world.energy_books();
    EXPECT_NEAR(books.after.equalities, 0.5 * kSoft * to * to, kSolved);
    EXPECT_NEAR(books.dissipated.equality_dampers, 5.0 * rate * (to - from), kSolved);
    EXPECT_NEAR(books.work.prescribed_motion, (kSoft * to + 5.0 * rate) * kSpeed * kStep, kSolved);
    EXPECT_EQ(books.work.equalities, 0.0);
    EXPECT_LE(books.relative_error(), kExact);
    put_in += books.work.prescribed_motion;
    damped += books.dissipated.equality_dampers;
    numerical += books.numerical.total();
  }
  // It ends at the speed of the cart: m v^2 has gone in, half of it is left.
  EXPECT_NEAR(put_in, kSpeed * kSpeed, 0.02 * kSpeed * kSpeed);
  EXPECT_NEAR(damped + numerical, 0.5 * kSpeed * kSpeed, 0.02 * kSpeed * kSpeed);
}

// The numerical entries are those of the step alone: in the sum over a motion they halve with it.
TEST(ConstraintEnergy, NumericalEntriesFallWithTheStep) {
  const auto sums = [](const Tied& tied, double h) {
    World world = tied_world(tied, options_of("semi_implicit_euler", h), 2.0);
    std::pair<double, double> sum;  // springs, geometry
    for (int i = 0; i < std::lround(0.25 / h); ++i) {
      world.step();
      const EnergyBooks books = world.energy_books();
      sum.first += std::abs(books.numerical.equalities + books.numerical.limits);
      sum.second += std::abs(books.numerical.geometry);
    }
    return sum;
  };
  for (const Tied& tied : kTied) {
    SCOPED_TRACE(tied.name);
    const auto coarse = sums(tied, 1e-4), fine = sums(tied, 5e-5);
    EXPECT_NEAR(std::log2(coarse.first / fine.first), 1.0, 0.1);
    EXPECT_LT(fine.second, 0.6 * coarse.second + 1e-12);
  }
}

}  // namespace
}  // namespace stiction
