// Structures that stand by friction alone: above the critical friction, which statics gives, for ten seconds with
// no more motion than the creep of the law, and below it not.

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenes/piles.h"
#include "test/base/fewer.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double kCreepTolerance = 0.1;  // of the creep: "stands" in these tests
constexpr double kVs = 1e-4;             // m/s, ContactMaterial::stiction_velocity's default
constexpr double kSigma = 1e-3;          // ContactOptions::sigma

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
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
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

// Two cards of half length l and half thickness t lean on each other by a; foot and tip of a card are corners of
// its inner face.
//
// Feet: moments about the foot give the level force at tip and foot, W (l sin(a) - t cos(a))/(2 l cos(a)), and
// the foot carries W, so that the feet hold above kFootShare.
// Tip: two edges have no normal of their own. The points there have the normals of the inner faces, a off level.
// While both cards overlap alike the two share the level force; the least difference leaves one of them, and a
// level force lies in its cone above tan(a). So this is the critical friction of the tent.
constexpr double kHalfLength = 0.045, kHalfThickness = 0.001, kHalfWidth = 0.03;  // m
constexpr double kLean = 22.0 * kPi / 180.0;
const double kTentCritical = std::tan(kLean);
const double kFootShare = 0.5 * std::tan(kLean) - 0.5 * kHalfThickness / kHalfLength;  // of W

// Half of the distance between the feet of a tent, m.
double feet_apart(const World& world, const std::string& tent = "card0_0") {
  const Vec3 right = world.body_pose(tent + "r") * Vec3(0.0, -kHalfThickness, -kHalfLength);
  const Vec3 left = world.body_pose(tent + "l") * Vec3(0.0, kHalfThickness, -kHalfLength);
  return 0.5 * (right.y() - left.y());
}

TEST(CardTent, StandsAboveTheCriticalFrictionAndFallsBelowIt) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World stands(scenes::card_house(1, 1.2 * kTentCritical), with_law(law, 1e-3));
    World falls(scenes::card_house(1, 0.95 * kTentCritical), with_law(law, 1e-3));
    stands.simulate(1.0);
    falls.simulate(2.0);
    // 5 v_s for a second: tip and feet both creep. What ten seconds do here is said below (kStanding).
    EXPECT_LT(farthest_drift(stands), 5e-4);
    EXPECT_GT(farthest_drift(falls), 5e-3);
  }
}

// The friction, and v_s. At 1.2 times the critical friction the edge of the tip that carries the level force has
// tan(a)/mu = 0.83 of its limit and creeps along the other card by 1.5 v_s: with the default v_s that brings the tent
// down after 4 s, at 1.3 and 1.4 times after 7 and 10 s. At 1.5 times it stands for the ten seconds, and at 1.2 times
// with a tenth of v_s, when they have a tenth of the way. sap creeps 20 times less and takes v_s for nothing.
constexpr std::array<std::array<double, 2>, 2> kStanding = {{{1.5, kVs}, {1.2, 0.1 * kVs}}};

TEST(CardTent, StandsForTenSecondsWithTheCreepOfItsFeet) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  const double h = 1e-3;
  for (const auto& [times, v_s] : kStanding) {
    const double mu = times * kTentCritical;
    for (const NamedLaw& law : every_law()) {
      SCOPED_TRACE(testing::Message() << law.name << ", " << times << " of the critical friction");
      World world(scenes::card_house(1, mu), with_law(law, h));
      world.options().formulation.contact.v_s = v_s;
      world.simulate(1.0);
      const double start = feet_apart(world);
      world.simulate(10.0);
      // Either foot has two points, each with half of the forces.
      const Inertia& card = world.model().forest.bodies[world.model().body("card0_0r")].inertia;
      const double w =
          inverse_mass_at(card.mass, card.I_com, Vec3(kHalfWidth, -kHalfThickness, -kHalfLength) - card.com);
      const double creep =
          law.is_sap() ? kSigma * w * h * 0.5 * kFootShare * card.mass * kG : icf_creep(v_s, kFootShare / mu);
      const double parted = feet_apart(world) - start;
      std::printf("%.1f of critical friction, %-24s feet part by %.4f mm in ten seconds, %.4f mm derived\n",
                  times, law.name, 1e3 * parted, 1e4 * creep);
      EXPECT_NEAR(parted, 10.0 * creep, kCreepTolerance * 10.0 * creep);
    }
  }
}

// The foot of a card in W: the middle of the lower edge of its inner face.
Vec3 foot_of(const World& world, const std::string& card, double sideways = 0.0) {
  const double inner = card.back() == 'r' ? -1.0 : 1.0;
  return world.body_pose(card) * Vec3(sideways, inner * kHalfThickness, -kHalfLength);
}

// w of S section V-B at a point of a foot, which stands on the world or on a level card.
double foot_mobility(const World& world, const std::string& support, const std::string& card) {
  const Vec3 p = foot_of(world, card, kHalfWidth);
  Mat3 W = Mat3::Zero();
  for (const std::string& name : {support, card}) {
    if (name == "world") continue;
    const Inertia& inertia = world.model().forest.bodies[world.model().body(name)].inertia;
    const Pose X = world.body_pose(name);
    const Mat3 arm = skew<double>(Vec3(X.R.transpose() * (p - X.p) - inertia.com));
    W += X.R * (Mat3::Identity() / inertia.mass - arm * inertia.I_com.inverse() * arm) * X.R.transpose();
  }
  return W.norm() / 3.0;
}

// The uppermost tent stands on a level card as the lone one does on the floor, by the same statics.
TEST(CardHouse, FeetOfTheTopTentPartAtTheCreepOfTheLawForTenSeconds) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  const double mu = 1.5 * kTentCritical, h = 1e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::card_house(3, mu), with_law(law, h));
    world.simulate(1.0);
    const double start = feet_apart(world, "card2_0");
    world.simulate(10.0);
    // Either foot has two points, each with half of the forces.
    const Forest& forest = world.model().forest;
    const double w = foot_mobility(world, "floor1_0", "card2_0r");
    const double weight = forest.bodies[world.model().body("card2_0r")].inertia.mass * kG;
    const double creep =
        law.is_sap() ? kSigma * w * h * 0.5 * kFootShare * weight : icf_creep(kVs, kFootShare / mu);
    const double parted = feet_apart(world, "card2_0") - start;
    std::printf("%-25s feet of the top tent part by %.4f mm in ten seconds, %.4f mm derived\n", law.name,
                1e3 * parted, 1e4 * creep);
    EXPECT_NEAR(parted, 10.0 * creep, kCreepTolerance * 10.0 * creep);
  }
}

// How the thrust of a lower tent divides between its tip and the level cards on it is not decided by statics. What
// its feet carry is: all of the weight above. And at the forces that a foot has, it slides as the law creeps.
TEST(CardHouse, FeetOfEveryTentCreepAtTheForcesTheyCarryForTenSeconds) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  constexpr double h = 1e-3;
  constexpr int kEvery = 20, kSamples = 500;  // steps, for ten seconds
  const double mu = 1.5 * kTentCritical;
  struct Foot {
    std::string support, card;
    double start, w;      // m, 1/kg
    double slid = 0.0;    // m, by the law
    double normal = 0.0;  // N, mean
    double place(const World& world) const {
      const double of_support = support == "world" ? 0.0 : world.body_pose(support).p.y();
      return foot_of(world, card).y() - of_support;
    }
  };
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World world(scenes::card_house(3, mu), with_law(law, h));
    world.simulate(1.0);
    std::vector<Foot> feet;
    for (int level = 0; level < 3; ++level) {
      for (int t = 0; t < 3 - level; ++t) {
        for (const char* side : {"l", "r"}) {
          const std::string number = "_" + std::to_string(t);
          Foot foot;
          foot.support = level == 0 ? "world" : "floor" + std::to_string(level - 1) + number;
          foot.card = "card" + std::to_string(level) + number + side;
          foot.start = foot.place(world);
          foot.w = foot_mobility(world, foot.support, foot.card);
          feet.push_back(foot);
        }
      }
    }
    for (int i = 0; i < kSamples; ++i) {
      world.simulate(kEvery * h);
      for (Foot& foot : feet) {
        const Vec3 force = force_between(world, foot.support, foot.card);
        const double creep =
            law.is_sap() ? kSigma * foot.w * h * 0.5 * force.y() : icf_creep(kVs, force.y() / force.z() / mu);
        foot.slid -= kEvery * h * creep;
        foot.normal += force.z() / kSamples;
      }
    }
    double worst = 0.0, carried = 0.0, weight = 0.0;
    for (const Foot& foot : feet) {
      const double slid = foot.place(world) - foot.start;
      EXPECT_NEAR(slid, foot.slid, kCreepTolerance * std::abs(foot.slid)) << foot.card;
      worst = std::max(worst, std::abs(slid / foot.slid - 1.0));
      if (foot.support == "world") carried += foot.normal;
    }
    for (const Body& body : world.model().forest.bodies) weight += body.inertia.mass * kG;
    std::printf("%-25s feet of all tents slide as the law creeps to %.2f %%\n", law.name, 100.0 * worst);
    EXPECT_NEAR(carried, weight, 1e-3 * weight);
  }
}

TEST(CardHouse, OfThreeLevelsStandsForTenSecondsAndFallsWhereItsTopTentWould) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World stands(scenes::card_house_of_3(), with_law(law));
    World falls(scenes::card_house(3, 0.95 * kTentCritical), with_law(law));
    stands.simulate(10.0);
    falls.simulate(2.0);
    // Six joints between the floor and the top, each of which creeps at less than v_s = 1e-4 m/s: how far the top goes
    // is the sum of what they share. The feet alone are held to the creep of the law above.
    EXPECT_LT(farthest_drift(stands), 6.0 * kVs * 10.0);
    EXPECT_GT(farthest_drift(falls), 2e-2);
  }
}

TEST(CardHouse, BeginsWithoutOverlap) {
  World world(scenes::card_house_of_3(), with_law(every_law().front(), 1e-6));
  world.step();
  const StepRecord& r = world.record();
  for (const ShapePair& pair : r.collision.pairs)
    for (int k = pair.begin; k < pair.end; ++k) EXPECT_GT(r.collision.points[k].distance, -1e-9);
}

// The arch: n wedges of the weight W between two springers, symmetric about the crown. Joint k = 1 .. (n+1)/2 of
// the right half lies at the polar angle theta_k = k angle; the part above it weighs V_k = (n/2 - k + 1) W. With
// the thrust H, the same in every joint, the force on that part is (-H, V_k), of which
//   N_k = H sin(theta_k) + V_k cos(theta_k)     presses,
//   T_k = V_k sin(theta_k) - H cos(theta_k)     is friction, along (cos(theta_k), sin(theta_k)).
// H is free: the arch can stand where some H leaves |T_k| <= mu N_k in all joints.
struct ArchJoint {
  double angle, N, T;  // rad; in weights of a wedge
};
constexpr int kWedges = 9;
std::array<ArchJoint, (kWedges + 1) / 2> arch_joints(double H) {
  std::array<ArchJoint, (kWedges + 1) / 2> joints;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const double angle = kPi / (kWedges + 2) * double(k + 1), V = 0.5 * kWedges - double(k);
    joints[k] = {angle, H * std::sin(angle) + V * std::cos(angle), V * std::sin(angle) - H * std::cos(angle)};
  }
  return joints;
}

double critical_friction_of_arch() {
  double critical = 1e9;
  for (double H = 0.5; H < 8.0; H += 1e-4) {
    double most = 0.0;
    for (const ArchJoint& joint : arch_joints(H)) most = std::max(most, std::abs(joint.T) / joint.N);
    critical = std::min(critical, most);
  }
  return critical;
}

// The speed at which the crown sinks (m/s) when joints slip at `creep` against their friction. Faces that stay in
// touch let wedges translate only; those of either half slip so that the crown does not move sideways,
//   sum creep_k cos(theta_k) = 0,
// which gives H, as creep falls with it.
double sinking_of_crown(const std::function<double(const ArchJoint&)>& creep) {
  double low = 0.5, high = 8.0;  // of H
  for (int i = 0; i < 60; ++i) {
    const double H = 0.5 * (low + high);
    double sideways = 0.0;
    for (const ArchJoint& joint : arch_joints(H)) sideways += creep(joint) * std::cos(joint.angle);
    (sideways > 0.0 ? low : high) = H;
  }
  double down = 0.0;
  for (const ArchJoint& joint : arch_joints(low)) down += creep(joint) * std::sin(joint.angle);
  return down;
}

TEST(Arch, StandsAboveTheCriticalFrictionAndFallsBelowIt) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  const double critical = critical_friction_of_arch();
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    World stands(scenes::arch(kWedges, 1.05 * critical), with_law(law));
    World falls(scenes::arch(kWedges, 0.95 * critical), with_law(law));
    stands.simulate(10.0);
    falls.simulate(2.0);
    EXPECT_LT(farthest_drift(stands), 1e-2);
    EXPECT_GT(farthest_drift(falls), 0.3);  // its crown is 0.55 m high
  }
}

// The slip of a joint under sap, m/s per N of friction: every point that presses slips at sigma w gamma, so that
// all points of a joint that slips at v have gamma = v sum 1/(sigma w) together. Where the points are is the
// collision's; they are 4 to 6.
double slip_per_force(const World& world, const std::string& block, const std::string& next) {
  const StepRecord& r = world.record();
  const Model& model = world.model();
  double sum = 0.0;
  for (const ShapePair& pair : r.collision.pairs) {
    const std::string &a = model.forest.bodies[pair.body_A].name, &b = model.forest.bodies[pair.body_B].name;
    if (!((a == block && b == next) || (a == next && b == block))) continue;
    for (int k = pair.begin; k < pair.end; ++k) {
      Mat3 W = Mat3::Zero();
      for (const std::string& name : {a, b}) {
        if (name == "world") continue;
        const Inertia& wedge = model.forest.bodies[model.body(name)].inertia;
        const Pose X = world.body_pose(name);
        const Mat3 arm = skew<double>(Vec3(X.R.transpose() * (r.collision.points[k].p_A - X.p) - wedge.com));
        W += X.R * (Mat3::Identity() / wedge.mass - arm * wedge.I_com.inverse() * arm) * X.R.transpose();
      }
      sum += 3.0 / (world.options().formulation.contact.sigma * W.norm());
    }
  }
  return world.options().h / sum;
}

TEST(Arch, SinksForTenSecondsAtTheCreepOfItsJoints) {
  if (kSanitized) GTEST_SKIP() << kTooLongSanitized;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    // sap creeps so little that its thrust would take hours to find its value: thirty times the default sigma.
    const double mu = law.is_sap() ? 0.5 : 1.1 * critical_friction_of_arch();
    World world(scenes::arch(kWedges, mu), with_law(law));
    if (law.is_sap()) world.options().formulation.contact.sigma = 30.0 * kSigma;
    world.simulate(1.0);
    const double start = world.body_pose("block5").p.z();
    world.simulate(5.0);

    const double weight = world.model().forest.bodies[world.model().body("block5")].inertia.mass * kG;
    std::array<double, (kWedges + 1) / 2> slips{};  // m/s per N, the mean of both halves
    const auto block = [](int i) {
      return i == 0 || i == kWedges + 1 ? std::string("world") : "block" + std::to_string(i);
    };
    for (int k = 0; k < int(slips.size()); ++k)
      slips[k] = 0.5 * (slip_per_force(world, block(k), block(k + 1)) +
                        slip_per_force(world, block(kWedges - k), block(kWedges + 1 - k)));
    const double creep = sinking_of_crown([&](const ArchJoint& joint) {
      const auto k = std::size_t(std::lround(joint.angle / (kPi / (kWedges + 2)))) - 1;
      if (law.is_sap()) return joint.T * weight * slips[k];
      return icf_creep(kVs, std::clamp(joint.T / joint.N / mu, -0.999999, 0.999999));
    });
    world.simulate(5.0);
    const double sunk = start - world.body_pose("block5").p.z();
    std::printf("%-25s sinks by %.3f mm in ten seconds, its joints creep %.3f mm\n", law.name, 1e3 * sunk,
                1e4 * creep);
    EXPECT_NEAR(sunk, 10.0 * creep, kCreepTolerance * 10.0 * creep);
  }
}

}  // namespace
}  // namespace stiction
