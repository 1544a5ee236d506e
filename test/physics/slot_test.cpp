// Pins in slots with known answers.

#include <cmath>
#include <numbers>
#include <utility>

#include <gtest/gtest.h>

#include "stiction/math/rotation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;  // m/s^2
constexpr double kPi = std::numbers::pi;

WorldOptions with_step(double h) {
  WorldOptions options;
  options.h = h;
  return options;
}

TEST(Slot, LetsABeadFallAlongItAndCarriesItAtItsEnd) {
  // Down a slope of angle a the bead has g sin a; the slot carries m g cos a, its end m g sin a.
  constexpr double kAngle = 0.6, kMass = 3.0, kStep = 1e-3;
  ModelBuilder builder;
  builder.add_free_body("bead", {}, solid_sphere(kMass, 0.1));
  builder.add_frame("pin", "bead", {});
  builder.add_frame("slope", "world", {rotation_about<double>(Vec3::UnitY(), kAngle), Vec3::Zero()});
  SlotConstraint slot{"slot", "pin", "slope"};
  slot.upper = 0.5;
  World world(builder.add_constraint(slot).build(), with_step(kStep));
  const Vec3 down(std::cos(kAngle), 0.0, -std::sin(kAngle)), up(std::sin(kAngle), 0.0, std::cos(kAngle));
  for (int i = 0; i < 300; ++i) world.step();
  const double speed = kG * std::sin(kAngle) * world.time();
  EXPECT_LT((world.body_velocity("bead").tail<3>() - speed * down).norm(), 1e-6 * speed);
  EXPECT_LT(std::abs(world.body_pose("bead").p.dot(up)), 1e-7);
  const Vec3 force = world.constraint_force("slot").tail<3>();
  EXPECT_LT((force - kMass * kG * std::cos(kAngle) * up).norm(), 1e-5 * kMass * kG);
  world.simulate(2.0);
  EXPECT_NEAR(world.body_pose("bead").p.dot(down), 0.5, 1e-6);
  const Vec3 at_end = world.constraint_force("slot").tail<3>();
  EXPECT_LT((at_end - Vec3(0, 0, kMass * kG)).norm(), 1e-4 * kMass * kG);
}

// The walls of a slot are equalities and do no work on a bead that slides along them; its end is a limit, as is the
// bound of a rope, and takes m g sin a times the way that is left when the bead arrives.
TEST(Slot, EndsAndRopesAreLimitsInTheEnergyBooks) {
  constexpr double kAngle = 0.6, kMass = 3.0, kStep = 1e-3;
  for (const bool is_rope : {false, true}) {
    SCOPED_TRACE(is_rope ? "rope" : "slot");
    ModelBuilder builder;
    builder.add_free_body("bead", {}, solid_sphere(kMass, 0.1));
    builder.add_frame("pin", "bead", {});
    builder.add_frame("slope", "world", {rotation_about<double>(Vec3::UnitY(), kAngle), Vec3::Zero()});
    SlotConstraint slot{"slot", "pin", "slope"};
    if (!is_rope) slot.upper = 0.5;
    builder.add_constraint(slot);
    if (is_rope) builder.add_constraint(DistanceConstraint{"rope", "pin", "slope", 0.0, 0.5});
    World world(builder.build(), with_step(kStep));
    EnergyTotals totals;
    double limits = 0.0, equalities = 0.0;
    while (world.time() < 1.0) {
      const double t = world.time();
      world.step();
      const EnergyBooks books = world.energy_books();
      EXPECT_LE(books.relative_error(), 1e-10);
      limits += std::abs(books.work.limits);
      equalities += std::abs(books.work.equalities);
      totals.add(books, t);
    }
    // What it fell it has lost: in the step of the impact as 1/2 m dv^2 or as work of the end.
    const double fallen = kMass * kG * 0.5 * std::sin(kAngle);
    EXPECT_NEAR(totals.sum.numerical.velocities - totals.sum.work.limits, fallen, 1e-3 * fallen);
    EXPECT_GT(limits, 1e-4 * fallen);
    EXPECT_LT(equalities, 1e-6 * fallen);
  }
}

TEST(Slot, OfAScotchYokeTurnsRotationIntoASineAndKeepsTheEnergy) {
  // A crank of inertia I with a pin at r, a yoke of mass m with a slot across its way: x = r cos(theta), and
  // (I + m r^2 sin(theta)^2) theta'^2 is constant.
  constexpr double kInertia = 0.02, kMass = 1.5, kRadius = 0.1, kSpin = 5.0;
  const auto errors = [&](double h) {
    ModelBuilder builder;
    builder.set_gravity(Vec3::Zero());
    builder.add_body("crank", "world", {}, Inertia{1.0, Vec3::Zero(), Vec3::Constant(kInertia).asDiagonal()});
    builder.add_joint("crank", {.name = "theta", .axis = Vec3::UnitZ()});
    builder.add_frame("pin", "crank", translation(kRadius, 0, 0));
    builder.add_body("yoke", "world", translation(kRadius, 0, 0), solid_box(kMass, Vec3::Constant(0.1)));
    builder.add_joint("yoke", {.name = "x", .type = JointType::prismatic, .axis = Vec3::UnitX()});
    builder.add_frame("groove", "yoke", {rotation_about<double>(Vec3::UnitZ(), kPi / 2.0), Vec3::Zero()});
    World world(builder.add_constraint(SlotConstraint{"slot", "pin", "groove"}).build(), with_step(h));
    world.set_velocity("theta", kSpin);
    double off = 0.0, energy = 0.0;
    while (world.time() < 2.0) {
      world.step();
      const double theta = world.position("theta"), w = world.velocity("theta");
      const double s = kRadius * std::sin(theta);
      off = std::max(off, std::abs(kRadius + world.position("x") - kRadius * std::cos(theta)));
      energy =
          std::max(energy, std::abs((kInertia + kMass * s * s) * w * w / (kInertia * kSpin * kSpin) - 1.0));
    }
    return std::pair{off, energy};
  };
  const auto coarse = errors(2e-3), fine = errors(1e-3);
  EXPECT_LT(coarse.first, kRadius * kSpin * kSpin * 2e-3 * 2e-3);  // a h^2, twice the step's curvature
  EXPECT_NEAR(std::log2(coarse.first / fine.first), 2.0, 0.2);
  EXPECT_LT(coarse.second, 0.05);
  EXPECT_LT(fine.second, 0.6 * coarse.second);  // first order
}

TEST(Slot, BetweenFreeBodiesKeepsTheirMomentum) {
  // The force on both acts at the pin, far from the origin of the slot's frame.
  ModelBuilder builder;
  builder.set_gravity(Vec3::Zero());
  builder.add_free_body("plate", {}, Inertia{2.0, Vec3::Zero(), Vec3(0.3, 0.2, 0.4).asDiagonal()});
  builder.add_free_body("bead", translation(0.7, 0, 0), solid_sphere(1.0, 0.05));
  builder.add_frame("groove", "plate", {});
  builder.add_frame("pin", "bead", {});
  World world(builder.add_constraint(SlotConstraint{"slot", "pin", "groove"}).build(), with_step(1e-3));
  // Angular velocities first, about the bodies' centres of mass.
  State state = world.state();
  state.v.head<6>() << 0.5, -2.0, 3.0, 0.1, 0.2, 0.3;
  world.set_state(state);
  const auto momenta = [&] {
    Vec6 sum = Vec6::Zero();
    for (const char* name : {"plate", "bead"}) {
      const Inertia& inertia = world.model().forest.bodies[world.model().body(name)].inertia;
      const Pose X = world.body_pose(name);
      const Vec6 V = world.body_velocity(name);
      const Vec3 p = inertia.mass * V.tail<3>();
      sum.tail<3>() += p;
      sum.head<3>() += X.R * inertia.I_com * X.R.transpose() * V.head<3>() + X.p.cross(p);
    }
    return sum;
  };
  // A step changes the momentum of the free motion by its second order in h; the slot must add nothing of
  // first order, and its forces on the two bodies are equal and opposite at one point.
  const Vec6 before = momenta();
  world.simulate(1.0);
  const Vec6 after = momenta();
  EXPECT_LT((after - before).tail<3>().norm(), 1e-9);
  EXPECT_LT((after - before).head<3>().norm(), 1e-2 * before.head<3>().norm());
  EXPECT_GT(world.constraint_force("slot").norm(), 0.1);
}

TEST(Slot, LoadsWhatItIsOnAtThePin) {
  // A bead at 0.4 m along a level slot on a bracket: the bracket's base has the moment of its weight there.
  constexpr double kMass = 2.0, kAt = 0.4;
  ModelBuilder builder;
  builder.add_body("bracket", "world", {}, solid_box(1.0, Vec3::Constant(0.1)));
  builder.add_joint(
      "bracket",
      {.name = "hinge", .axis = Vec3::UnitY(), .damping = per_dof(1e4), .stiffness = per_dof(1e6)});
  builder.add_frame("groove", "bracket", {});
  builder.add_free_body("bead", translation(kAt, 0, 0), solid_sphere(kMass, 0.05));
  builder.add_frame("pin", "bead", {});
  World world(builder.add_constraint(SlotConstraint{"slot", "pin", "groove"}).build(), with_step(1e-3));
  world.simulate(0.2);
  const Vec6 reaction = world.reaction("bracket");
  EXPECT_NEAR(reaction[5], (1.0 + kMass) * kG, 1e-3);
  EXPECT_NEAR(std::abs(world.position("hinge")) * 1e6, kAt * kMass * kG, 1e-3 * kAt * kMass * kG);
  EXPECT_NEAR(reaction[1], -kAt * kMass * kG, 1e-3 * kAt * kMass * kG);
}

}  // namespace
}  // namespace stiction
