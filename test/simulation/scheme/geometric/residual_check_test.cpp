// Every change of the result of a geometrically implicit step shows in its residual check, at contacts that press,
// open, slide, stick, with and without friction, and even if momentum balances.

#include "stiction/simulation/scheme/geometric/residual_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "scenes/geometric.h"
#include "stiction/contact/residual.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kStep = 5e-3;   // s
constexpr double kSmall = 1e-9;  // of a true solution
constexpr double kSize = 1e-3;   // N s or N m s, of the changes; the weight times h is 0.05 N s

// Everything but momentum.
double worst_of(const GeometricResidual& r) {
  double worst = 0.0;
  for (const double error :
       {r.overlap, r.complementarity, r.pull, r.cone, r.moment, r.dissipation, r.stick, r.rows, r.motion})
    raise(error, &worst);
  return worst;
}

struct Start {
  const char* what;
  double mu, torsional;  // torsional in m
  Vec6 V;                // (angular, linear)
};

Vec6 motion(const Vec3& w, const Vec3& v) { return stack<double>(w, v); }

// An ellipsoid of 1 kg on a floor.
World world_of(const Start& start, const char* law) {
  ModelBuilder builder("body");
  ContactMaterial material;
  material.static_friction = start.mu;
  material.torsional_friction = start.torsional;
  const Vec3 radii(0.2, 0.15, 0.1);
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("body", translation(0.0, 0.0, radii.z()), solid_ellipsoid(1.0, radii));
  builder.add_shape("body", "body", {}, Ellipsoid{radii});
  for (const char* name : {"floor", "body"}) builder.set_material(name, material);
  std::array<double, 6> V;
  for (int i = 0; i < 6; ++i) V[static_cast<std::size_t>(i)] = start.V[i];
  builder.set_initial_velocity("body", {V[0], V[1], V[2], V[3], V[4], V[5]});
  WorldOptions options;
  options.h = kStep;
  set_formulation(law, &options.formulation.contact);
  return World(builder.build(), options);
}

const Start kStarts[] = {
    {"rest", 0.5, 0.0, motion(Vec3::Zero(), Vec3::Zero())},
    {"rest with torsion", 0.5, 0.02, motion(Vec3::Zero(), Vec3::Zero())},
    {"sliding", 0.5, 0.0, motion(Vec3(0, 0, 1), Vec3(2, 1, 0))},
    {"sliding and spinning", 0.5, 0.02, motion(Vec3(0, 0, 5), Vec3(2, 1, 0))},
    {"without friction", 0.0, 0.0, motion(Vec3(0, 0, 5), Vec3(2, 1, 0))},
    {"taking off", 0.5, 0.02, motion(Vec3(0, 0, 5), Vec3(2, 1, 0.1))},
    {"taking off without friction", 0.0, 0.0, motion(Vec3(0, 0, 5), Vec3(2, 1, 0.1))},
};

struct Result {
  StepRecord record;
  State next;
};

// The contact of the body, which opens in some of the scenes and has no entry then.
GeometricContact& contact_of(World& world, StepRecord* record) {
  if (record->geometric_contacts.empty()) {
    GeometricContact open;
    open.n = Vec3::UnitZ();
    const ShapePair& pair = record->collision.pairs[0];
    if (pair.body_B == 0) open.n = -open.n;
    open.a_A = open.a_B = world.body_pose("body").p - 0.1 * Vec3::UnitZ();
    open.friction = record->contact.materials[0].static_friction;
    record->geometric_contacts.push_back(open);
  }
  return record->geometric_contacts[0];
}

// With another impulse and moment, and the velocity and positions to which they lead.
Result changed(World& world, const Vec3& impulse, const Vec3& moment) {
  Result out{world.record(), world.state()};
  GeometricContact& contact = contact_of(world, &out.record);
  const ShapePair& pair = out.record.collision.pairs[contact.pair];
  contact.impulse += impulse;
  contact.moment += moment;
  const bool is_B = pair.body_B != 0;
  const Vec3 arm = (is_B ? contact.a_B : contact.a_A) - world.body_pose("body").p;
  const Vec6 wrench = (is_B ? 1.0 : -1.0) * stack<double>(Vec3(arm.cross(impulse) + moment), impulse);
  Eigen::Matrix<double, 6, 6> A;
  for (int i = 0; i < 6; ++i) {
    const Vec6 unit = Vec6::Unit(i);
    multiply_A(out.record.contact.problem, 0, unit.data(), A.col(i).data());
  }
  out.next.v += A.ldlt().solve(wrench);
  integrate_positions(world.model().forest, out.record.q_start.data(), out.next.v.data(), kStep,
                      out.next.q.data());
  return out;
}

TEST(GeometricResidual, SeesEveryChangeOfAnImpulseOrAMoment) {
  for (const Start& start : kStarts) {
    World world = world_of(start, "geometric_ncp");
    world.step();
    const State now = world.state();
    world.step();
    SCOPED_TRACE(start.what);
    ASSERT_EQ(world.record().contact.problem.patches.size(), 1u);
    const GeometricResidual truth =
        check_geometric_residual(world.model(), now, world.record(), world.state());
    EXPECT_LT(worst_of(truth), kSmall);
    EXPECT_LT(truth.momentum, kSmall);
    for (int i = 0; i < 12; ++i) {
      SCOPED_TRACE(i);
      const Vec3 change = (i % 2 == 0 ? kSize : -kSize) * Vec3::Unit(i / 2 % 3);
      const Result one =
          i < 6 ? changed(world, change, Vec3::Zero()) : changed(world, Vec3::Zero(), 0.1 * change);
      const GeometricResidual seen = check_geometric_residual(world.model(), now, one.record, one.next);
      // The body has moved by h dv, its contact has not.
      EXPECT_LT(seen.momentum, 1e-3);
      EXPECT_GT(worst_of(seen), 1e-5);
    }
  }
}

TEST(GeometricResidual, SeesAContactThatPullsUnderEveryLaw) {
  for (const char* law : {"geometric_ncp", "geometric_quasi_rigid"}) {
    for (const Start& start : kStarts) {
      SCOPED_TRACE(std::string(law) + ", " + start.what);
      World world = world_of(start, law);
      world.step();
      const State now = world.state();
      world.step();
      Result one{world.record(), world.state()};
      GeometricContact& contact = contact_of(world, &one.record);
      contact.impulse = -0.01 * contact.n;
      contact.moment.setZero();
      const GeometricResidual pulls = check_geometric_residual(world.model(), now, one.record, one.next);
      // Of 9.81 N h.
      EXPECT_NEAR(pulls.pull, 0.01 / (9.81 * kStep), 1e-9);
      contact.impulse = 0.01 * contact.n.unitOrthogonal();
      EXPECT_NEAR(check_geometric_residual(world.model(), now, one.record, one.next).cone,
                  0.01 / (9.81 * kStep), 1e-9);
      contact.impulse = 0.04 * contact.n;
      contact.moment = 0.001 * contact.n.unitOrthogonal();
      EXPECT_GT(check_geometric_residual(world.model(), now, one.record, one.next).moment, 0.01);
    }
  }
}

TEST(GeometricResidual, SeesPositionsThatTheVelocitiesDoNotLeadTo) {
  World world = world_of(kStarts[2], "geometric_ncp");
  world.step();
  const State now = world.state();
  world.step();
  for (int d = 0; d < 6; ++d) {
    State next = world.state();
    next.v[d] += 0.01;
    EXPECT_NEAR(check_geometric_residual(world.model(), now, world.record(), next).motion, 0.01 * kStep,
                1e-3 * 0.01 * kStep);
  }
}

TEST(GeometricResidual, SeesEveryChangeOfARow) {
  // The gear on its support, between its jaws.
  WorldOptions options;
  options.h = 2e-3;
  set_formulation("geometric_ncp", &options.formulation.contact);
  World world(scenes::gear_in_jaws_at_sweet_spot(), options);
  // Until the jaws push it over the support.
  State now;
  const auto largest_row = [&] {
    double largest = 0.0;
    for (const double impulse : world.record().contact.solution.row_impulses)
      largest = std::max(largest, std::abs(impulse));
    return largest;
  };
  do {
    ASSERT_LT(world.time(), 2.0);
    now = world.state();
    world.step();
  } while (!world.record().parts.empty() || world.record().geometric_contacts.empty() ||
           largest_row() == 0.0);
  const std::size_t count = world.record().contact.solution.row_impulses.size();
  ASSERT_GT(count, 0u);
  EXPECT_LT(check_geometric_residual(world.model(), now, world.record(), world.state()).rows, 1e-6);
  for (std::size_t i = 0; i < count; ++i) {
    StepRecord record = world.record();
    record.contact.solution.row_impulses[i] += 0.01 * largest_row();
    EXPECT_NEAR(check_geometric_residual(world.model(), now, record, world.state()).rows, 0.01, 1e-3);
  }
}

TEST(GeometricResidual, IsNotANumberWhereANumberIsNone) {
  World world = world_of(kStarts[3], "geometric_ncp");
  world.step();
  const State now = world.state();
  world.step();
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 6; ++i) {
    StepRecord record = world.record();
    (i < 3 ? record.geometric_contacts[0].impulse : record.geometric_contacts[0].moment)[i % 3] = none;
    const GeometricResidual seen = check_geometric_residual(world.model(), now, record, world.state());
    EXPECT_TRUE(std::isnan(seen.momentum));
    EXPECT_TRUE(std::isnan(worst_of(seen)));
  }
}

}  // namespace
}  // namespace stiction
