// The pile of books of S section VIII: sap's near-rigid rule takes the inertia of one book where the weight of all
// of them acts, and what the user can do about it.

#include <gtest/gtest.h>

#include "scenes/piles.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr int kBooks = 20;
constexpr double kStep = 5e-3;  // s
// Of the depth: what is left of the swing after three seconds, and the solver's 1e-6 of all momenta in play.
constexpr double kStill = 1e-3;

World settled(int books, double beta) {
  World world(scenes::book_pile(books), with_law({"sap", LawKind::sap}, kStep));
  world.options().formulation.contact.beta = beta;
  world.simulate(3.0);
  return world;
}

// How far the lowest book is in the floor.
double lowest_depth(const World& world) { return 0.015 - world.body_pose("book0").p.z(); }

// S eq. 29 at rest, four corners that share the load of `carried` books, each with the w of one book, tau = h.
double near_rigid_depth(double carried) {
  const Vec3 half(0.12, 0.085, 0.015);
  const double m = 700.0 * 8.0 * half.prod();
  const double w = inverse_mass_at(m, solid_box(m, half).I_com, Vec3(half.x(), half.y(), -half.z()));
  return carried * m * kG / 4.0 * kStep * 2.0 * kStep * w / (4.0 * kPi * kPi);
}

TEST(BookPile, SinksUnderSapInProportionToTheNumberOfBooks) {
  for (const int books : {1, kBooks}) {
    const World world = settled(books, 1.0);
    EXPECT_NEAR(lowest_depth(world), near_rigid_depth(books), kStill * near_rigid_depth(books));
    EXPECT_GT(world.record().contact.near_rigid_points, 0);
  }
}

TEST(BookPile, SinksAsOneBookWhereBetaKnowsTheNumberOfBooks) {
  const World world = settled(kBooks, scenes::book_pile_beta(kBooks));
  EXPECT_NEAR(lowest_depth(world), near_rigid_depth(1), kStill * near_rigid_depth(1));
}

TEST(BookPile, SinksByItsWeightOverTheStiffnessUnderTheDefaultLaw) {
  World world(scenes::book_pile(kBooks), with_law({"icf_lagged", LawKind::icf_lagged}, kStep));
  world.simulate(3.0);
  const double weight = kBooks * 700.0 * 0.24 * 0.17 * 0.03 * kG;
  EXPECT_NEAR(lowest_depth(world), weight / 1e9, kStill * weight / 1e9);
}

}  // namespace
}  // namespace stiction
