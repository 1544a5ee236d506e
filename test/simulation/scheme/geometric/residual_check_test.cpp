// Every change of the result of a geometrically implicit step shows in its residual check, at contacts that press,
// open, slide, stick, with and without friction, and even if momentum balances.

#include "stiction/simulation/scheme/geometric/residual_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "scenes/geometric.h"
#include "stiction/contact/residual.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/scheme/geometric/layers.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kStep = 5e-3;   // s
constexpr double kSmall = 1e-9;  // of a true solution
constexpr double kSize = 1e-3;   // N s or N m s, of the changes; the weight times h is 0.05 N s
// The least that a change here leads to: a gap of 1e-3 N s h over the mass, 2.5e-5 of the size; a deflection of 5e-5 of
// the size where there is no layer; a slip of 3e-4 m/s of friction lengths about the normal.
constexpr double kSeen = 1e-5;

// What is asked of impulses and motion, except that momentum balances.
double of_law(const GeometricResidual& r) {
  double worst = 0.0;
  for (const double error : {r.overlap, r.complementarity, r.pull, r.cone, r.moment, r.dissipation, r.stick,
                             r.layer, r.rows, r.motion})
    raise(error, &worst);
  return worst;
}

// The same, and what a contact says of itself.
double worst_of(const GeometricResidual& r) {
  double worst = of_law(r);
  for (const double error : {r.points, r.slip}) raise(error, &worst);
  return worst;
}

GeometricResidual check(const World& world, const State& now, const StepRecord& record, const State& next) {
  return check_geometric_residual(world.model(), now, world.options().formulation, record, next);
}

std::vector<const char*> geometric_laws() {
  std::vector<const char*> laws;
  for (const LawRow& row : kLawRows)
    if (row.family == LawFamily::geometric) laws.push_back(row.name);
  return laws;
}

struct Start {
  const char* what;
  double mu, torsional;  // torsional in m
  Vec6 V;                // (angular, linear)
  bool has_direction = false;
  std::optional<double> max_deflection = std::nullopt;  // m
};

Vec6 motion(const Vec3& w, const Vec3& v) { return stack<double>(w, v); }

// An ellipsoid of 1 kg on a floor.
World world_of(const Start& start, const char* law) {
  ModelBuilder builder("body");
  ContactMaterial material;
  material.static_friction = start.mu;
  material.torsional_friction = start.torsional;
  material.max_deflection = start.max_deflection;
  if (start.has_direction) {
    material.anisotropy_ratio = 0.6;
    material.friction_direction = Vec3(0.6, 0.8, 0.0);
  }
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
  set_tolerance(1e-12, &options.formulation);  // so that kSmall is reached where the scales differ
  return World(builder.build(), options);
}

const Start kSliding = {"sliding", 0.5, 0.0, motion(Vec3(0, 0, 1), Vec3(2, 1, 0))};
const Start kSlidingAndSpinning = {"sliding and spinning", 0.5, 0.02, motion(Vec3(0, 0, 5), Vec3(2, 1, 0))};
// A layer of the default stiffness sinks by 5e-6 m under this weight.
const Start kOnCores = {"rest on the cores of layers",      0.5,   0.02,
                        motion(Vec3::Zero(), Vec3::Zero()), false, 1e-6};

const Start kStarts[] = {
    {"rest", 0.5, 0.0, motion(Vec3::Zero(), Vec3::Zero())},
    kOnCores,
    {"rest with torsion", 0.5, 0.02, motion(Vec3::Zero(), Vec3::Zero())},
    kSliding,
    kSlidingAndSpinning,
    {"sliding across a friction direction", 0.5, 0.0, motion(Vec3(0, 0, 1), Vec3(2, 1, 0)), true},
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

// On the body: (moment about its centre of mass, impulse).
Vec6 wrench_of(const World& world, const StepRecord& record, const GeometricContact& contact) {
  const bool is_B = record.collision.pairs[contact.pair].body_B != 0;
  const Vec3 arm = (is_B ? contact.a_B : contact.a_A) - world.body_pose("body").p;
  return (is_B ? 1.0 : -1.0) *
         stack<double>(Vec3(arm.cross(contact.impulse) + contact.moment), contact.impulse);
}

// With another contact, and the velocity and positions to which its impulse leads.
template <class Change>
Result changed(World& world, const Change& change) {
  Result out{world.record(), world.state()};
  GeometricContact& contact = contact_of(world, &out.record);
  const Vec6 before = wrench_of(world, out.record, contact);
  change(&contact);
  Eigen::Matrix<double, 6, 6> A;
  for (int i = 0; i < 6; ++i) {
    const Vec6 unit = Vec6::Unit(i);
    multiply_A(out.record.contact.problem, 0, unit.data(), A.col(i).data());
  }
  out.next.v += A.ldlt().solve(Vec6(wrench_of(world, out.record, contact) - before));
  integrate_positions(world.model().forest, out.record.q_start.data(), out.next.v.data(), kStep,
                      out.next.q.data());
  return out;
}

TEST(GeometricResidual, SeesEveryChangeOfAnImpulseOrAMoment) {
  for (const char* law : geometric_laws()) {
    for (const Start& start : kStarts) {
      World world = world_of(start, law);
      world.step();
      const State now = world.state();
      world.step();
      SCOPED_TRACE(std::string(law) + ", " + start.what);
      ASSERT_EQ(world.record().contact.problem.patches.size(), 1u);
      const GeometricResidual truth = check(world, now, world.record(), world.state());
      EXPECT_LT(worst_of(truth), kSmall);
      EXPECT_LT(truth.momentum, kSmall);
      for (int i = 0; i < 12; ++i) {
        SCOPED_TRACE(i);
        const Vec3 change = (i % 2 == 0 ? kSize : -kSize) * Vec3::Unit(i / 2 % 3);
        const Result one = changed(world, [&](GeometricContact* contact) {
          if (i < 6)
            contact->impulse += change;
          else
            contact->moment += 0.1 * change;
        });
        const GeometricResidual seen = check(world, now, one.record, one.next);
        // The body has moved by h dv, its contact has not.
        EXPECT_LT(seen.momentum, 1e-3);
        EXPECT_GT(of_law(seen), kSeen);
      }
    }
  }
}

// The unknowns of a contact beside its impulse and moment, which it also reports.
struct Unknown {
  const char* what;
  void (*change)(GeometricContact* contact, int axis);
  int axes;
};
constexpr double kLength = 1e-3, kDeflection = 1e-5;  // m, of changes; the body is 0.2 m large
Vec3 tangent(const GeometricContact& contact, int axis) {
  const Vec3 t = contact.n.unitOrthogonal();
  return axis == 0 ? t : Vec3(contact.n.cross(t));
}
const Unknown kUnknowns[] = {
    {"point of A", [](GeometricContact* c, int axis) { c->a_A[axis] += kLength; }, 3},
    {"point of B", [](GeometricContact* c, int axis) { c->a_B[axis] += kLength; }, 3},
    {"both points",
     [](GeometricContact* c, int axis) {
       c->a_A[axis] += kLength;
       c->a_B[axis] += kLength;
     },
     3},
    {"direction of the normal",
     [](GeometricContact* c, int axis) { c->n = (c->n + 1e-3 * tangent(*c, axis)).normalized(); }, 2},
    {"length of the normal", [](GeometricContact* c, int) { c->n *= 1.0 + 1e-3; }, 1},
    {"gap", [](GeometricContact* c, int) { c->gap += kLength; }, 1},
    {"slip", [](GeometricContact* c, int) { c->slip += 1e-3; }, 1},  // m/s
    {"deflection of A", [](GeometricContact* c, int axis) { c->deflection_A[axis] += kDeflection; }, 3},
    {"deflection of B", [](GeometricContact* c, int axis) { c->deflection_B[axis] += kDeflection; }, 3},
    {"core of A", [](GeometricContact* c, int) { c->core_A += kSize; }, 1},
    {"core of B", [](GeometricContact* c, int) { c->core_B += kSize; }, 1},
};

TEST(GeometricResidual, SeesEveryChangeOfAnUnknownOfAContact) {
  for (const char* law : geometric_laws()) {
    int pressed = 0;
    for (const Start& start : kStarts) {
      World world = world_of(start, law);
      world.step();
      const State now = world.state();
      world.step();
      if (world.record().geometric_contacts.empty()) continue;
      ++pressed;
      for (const Unknown& unknown : kUnknowns) {
        for (int axis = 0; axis < unknown.axes; ++axis) {
          SCOPED_TRACE(testing::Message()
                       << law << ", " << start.what << ", " << unknown.what << " " << axis);
          const Result one =
              changed(world, [&](GeometricContact* contact) { unknown.change(contact, axis); });
          EXPECT_GT(worst_of(check(world, now, one.record, one.next)), kSeen);
        }
      }
    }
    EXPECT_EQ(pressed, 7) << law;  // all that do not take off
  }
}

TEST(GeometricResidual, SeesThatTheCoresOfLayersBearWhatIsLeft) {
  World world = world_of(kOnCores, name_of(LawKind::geometric_quasi_rigid));
  world.step();
  const State now = world.state();
  world.step();
  ASSERT_EQ(world.record().geometric_contacts.size(), 1u);
  const GeometricContact& truth = world.record().geometric_contacts[0];
  ASSERT_GT(truth.core_A, 0.0);
  // The layer bears some of the core's impulse, deeper than its maximum: their sum is as before.
  Result one{world.record(), world.state()};
  GeometricContact& contact = one.record.geometric_contacts[0];
  const PairLayers layers =
      pair_layers(world.model(), world.options().formulation.geometric, one.record, contact.pair);
  const double deeper = 1e-7;  // m
  contact.deflection_A[0] += deeper;
  contact.core_A -= kStep * layers.A.K(0, 0) * deeper;
  constexpr double kBodySize = 0.2;  // m, the largest radius
  EXPECT_NEAR(check(world, now, one.record, one.next).layer, deeper / kBodySize, 1e-2 * deeper / kBodySize);
}

TEST(GeometricResidual, SeesAContactThatPullsUnderEveryLaw) {
  for (const char* law : geometric_laws()) {
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
      const GeometricResidual pulls = check(world, now, one.record, one.next);
      // Of 9.81 N h.
      EXPECT_NEAR(pulls.pull, 0.01 / (9.81 * kStep), 1e-9);
      contact.impulse = 0.01 * contact.n.unitOrthogonal();
      EXPECT_NEAR(check(world, now, one.record, one.next).cone, 0.01 / (9.81 * kStep), 1e-9);
      contact.impulse = 0.04 * contact.n;
      contact.moment = 0.001 * contact.n.unitOrthogonal();
      EXPECT_GT(check(world, now, one.record, one.next).moment, 0.01);
    }
  }
}

TEST(GeometricResidual, SeesPositionsThatTheVelocitiesDoNotLeadTo) {
  for (const char* law : geometric_laws()) {
    World world = world_of(kSliding, law);
    world.step();
    const State now = world.state();
    world.step();
    for (int d = 0; d < 6; ++d) {
      State next = world.state();
      next.v[d] += 0.01;
      EXPECT_NEAR(check(world, now, world.record(), next).motion, 0.01 * kStep, 1e-3 * 0.01 * kStep) << law;
    }
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
  EXPECT_LT(check(world, now, world.record(), world.state()).rows, 1e-6);
  for (std::size_t i = 0; i < count; ++i) {
    StepRecord record = world.record();
    record.contact.solution.row_impulses[i] += 0.01 * largest_row();
    EXPECT_NEAR(check(world, now, record, world.state()).rows, 0.01, 1e-3);
  }
}

TEST(GeometricResidual, IsNotANumberWhereANumberIsNone) {
  for (const char* law : geometric_laws()) {
    World world = world_of(kSlidingAndSpinning, law);
    world.step();
    const State now = world.state();
    world.step();
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < 6; ++i) {
      StepRecord record = world.record();
      (i < 3 ? record.geometric_contacts[0].impulse : record.geometric_contacts[0].moment)[i % 3] = none;
      const GeometricResidual seen = check(world, now, record, world.state());
      EXPECT_TRUE(std::isnan(seen.momentum)) << law;
      EXPECT_TRUE(std::isnan(of_law(seen))) << law;
    }
  }
}

}  // namespace
}  // namespace stiction
