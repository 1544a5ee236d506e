// Structures that stand by friction alone: above the critical friction for seconds, below it not.

#include <gtest/gtest.h>

#include "scenes/piles.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

// The farthest any body's origin has moved from where the model puts it.
double farthest_drift(const World& world) {
  World start(world.model());
  double farthest = 0.0;
  for (const Body& body : world.model().forest.bodies) {
    if (body.name == "world") continue;
    farthest = std::max(farthest, (world.body_pose(body.name).p - start.body_pose(body.name).p).norm());
  }
  return farthest;
}

TEST(BoxStack, StandsForAMinute) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::box_stack_of_10(), with_law(law, 5e-3));
    world.simulate(1.0);
    const Vec3 top = world.body_pose("box9").p;
    world.simulate(59.0);
    // Nothing pushes sideways, so there is no creep; the solver leaves 1e-6 g h = 5e-8 m/s.
    EXPECT_LT((world.body_pose("box9").p - top).norm(), 59.0 * 1e-6 * kG * 5e-3);
  }
}

TEST(CardTent, StandsWhereFrictionHoldsItsEdgesAndFallsWhereItsFeetSlip) {
  // Two cards of half length l and half thickness t, leaning by a. Moments about the foot of one give the
  // force H = W (tan(a)/2 - t/(2 l)) at tip and foot: below H/W the feet slip. At the tips two edges meet;
  // level forces lie in the friction cones about either face above tan(a).
  constexpr double kHalfLength = 0.045, kHalfThickness = 0.001, kLean = 22.0 * kPi / 180.0;
  const double slips = 0.5 * std::tan(kLean) - 0.5 * kHalfThickness / kHalfLength, holds = std::tan(kLean);
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World stands(scenes::card_house(1, 1.2 * holds), with_law(law, 1e-3));
    World falls(scenes::card_house(1, 0.8 * slips), with_law(law, 1e-3));
    stands.simulate(2.0);
    falls.simulate(2.0);
    EXPECT_LT(farthest_drift(stands), 1e-3);
    EXPECT_GT(farthest_drift(falls), 2e-2);
  }
}

TEST(CardHouse, OfThreeLevelsStandsForTenSecondsAndFallsOnIce) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World stands(scenes::card_house_of_3(), with_law(law));
    World falls(scenes::card_house(3, 0.05), with_law(law));
    stands.simulate(10.0);
    falls.simulate(2.0);
    // Six joints between the floor and the top, each of which creeps at less than v_s = 1e-4 m/s.
    EXPECT_LT(farthest_drift(stands), 6.0 * 1e-4 * 10.0);
    EXPECT_GT(farthest_drift(falls), 2e-2);
  }
}

TEST(Arch, StandsForTenSecondsAndFallsOnIce) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World stands(scenes::arch_of_9(), with_law(law));
    World falls(scenes::arch(9, 0.05), with_law(law));
    stands.simulate(10.0);
    falls.simulate(2.0);
    EXPECT_LT(farthest_drift(stands), 3e-3);
    EXPECT_GT(farthest_drift(falls), 2e-2);
  }
}

}  // namespace
}  // namespace stiction
