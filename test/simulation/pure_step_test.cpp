// A step is a function of its arguments: records and workspaces carry nothing from one step to the next.

#include <algorithm>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

Formulation formulation_of(const CatalogEntry& entry) {
  Formulation f;
  f.contact.law = entry.law;
  f.contact.solver = entry.solver;
  return f;
}

// Hashes of the states of some steps, with one record and workspace for all of them or with new ones for each.
std::vector<std::uint64_t> hashes(const Model& model, const Formulation& f, double h, int steps,
                                  bool is_fresh, int* halvings = nullptr) {
  State now(model), next(model);
  StepRecord record(model);
  StepWorkspace workspace(model);
  std::vector<std::uint64_t> out;
  for (int i = 0; i < steps; ++i) {
    if (is_fresh) {
      record = StepRecord(model);
      workspace = StepWorkspace(model);
    }
    const StepReport report = step(model, now, {}, h, f, &record, &workspace, &next);
    if (!report.ok()) ADD_FAILURE() << describe(model, report);
    if (halvings != nullptr) *halvings += report.geometric.halvings;
    std::swap(now, next);
    out.push_back(hash(now));
  }
  return out;
}

// A tumbling stack with a robot arm that reaches into it: contacts come and go, limits act.
ModelBuilder stack_and_arm() {
  ModelBuilder builder("busy");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  for (int i = 0; i < 3; ++i) {
    const std::string name = "box" + std::to_string(i);
    const Vec3 half(0.05, 0.06, 0.04);
    builder.add_free_body(name, translation(0.02 * i, 0.01 * i, 0.06 + 0.09 * i), solid_box(0.5, 2.0 * half));
    builder.add_shape(name, name, {}, Box{half});
  }
  builder.set_initial_velocity("box2", {1.0, 2.0, 0.0, -0.5, 0.0, -1.0});
  builder.add_body("arm", "world", translation(0.3, 0.0, 0.15), solid_box(0.3, Vec3(0.3, 0.04, 0.04)));
  Joint hinge{.name = "hinge", .type = JointType::revolute, .axis = Vec3::UnitY()};
  hinge.limited = true;
  hinge.lower[0] = -0.2;
  hinge.upper[0] = 0.3;
  hinge.friction_loss[0] = 0.01;
  builder.add_joint("arm", hinge);
  builder.add_shape("arm", "arm", translation(-0.1, 0.0, 0.0), Capsule{0.02, 0.1});
  builder.set_initial_velocity("hinge", {-3.0});
  return builder;
}

// With parameters of its own for a pair that touches from the start, a pair that touches later, and a pair that does
// not collide.
Model with_pair_overrides(const Model& model) {
  World world(model);
  world.set_pair_friction("box0", "floor", 0.3);
  world.set_pair_stiffness("box0", "box1", 3e4);
  world.set_pair_restitution("box1", "box2", 0.2);
  world.set_pair_collides("arm", "floor", false);
  return world.model();
}

Model busy_model() { return with_pair_overrides(stack_and_arm().build()); }

// The same with pressure fields, a force table, a pin in a slot and a block on a support.
Model soft_model() {
  ModelBuilder builder = stack_and_arm();
  builder.add_free_body("ball", translation(-0.2, 0.0, 0.049), solid_sphere(0.4, 0.05));
  builder.add_shape("ball", "ball", {}, Sphere{0.05});
  builder.set_initial_velocity("ball", {0.0, 3.0, 0.0, 0.5, 0.0, -0.5});
  builder.add_free_body("pin", translation(-0.1, 0.3, 0.2), solid_box(0.2, Vec3(0.05, 0.05, 0.05)));
  builder.add_frame("pin", "pin", translation(0.01, 0.0, 0.0));
  builder.add_frame("groove", "world", translation(-0.09, 0.3, 0.2));
  SlotConstraint slot{"slot", "pin", "groove"};
  slot.lower = -0.02;
  slot.upper = 0.01;
  builder.add_constraint(slot);
  builder.set_initial_velocity("pin", {0.0, 0.0, 2.0, 1.0, 0.0, 0.0});
  builder.add_body("block", "world", translation(0.0, -1.0, 0.0), solid_box(1.0, Vec3(0.1, 0.1, 0.1)));
  builder.add_joint("block", {.name = "slide", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.add_frame("sole", "block", {});
  SupportFriction support;
  support.name = "support";
  support.frame1 = "sole";
  support.load = 10.0;
  support.friction = 0.4;
  support.friction_length = 0.02;
  builder.add_constraint(support).set_initial_velocity("slide", {0.3});
  ContactMaterial field, table;
  field.pressure_modulus = 1e6;
  for (const char* shape : {"ball", "box0"}) builder.set_material(shape, field);
  table.force_table = {{0.0, 0.0}, {1e-3, 20.0}, {5e-3, 400.0}};
  builder.set_material("box2", table);
  return with_pair_overrides(builder.build());
}

void expect_pure(const Model& model, const Formulation& f, double h) {
  EXPECT_EQ(hashes(model, f, h, fewer(60, 4), false), hashes(model, f, h, fewer(60, 4), true));
}

TEST(PureStep, OfEveryFormulationHasTheSameBitsWithANewRecordAndWorkspaceAtEveryStep) {
  const Model model = busy_model();
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    expect_pure(model, formulation_of(entry), 2e-3);
  }
}

TEST(PureStep, OfEverySchemeHasTheSameBitsWithANewRecordAndWorkspaceAtEveryStep) {
  const Model model = busy_model();
  for (const Scheme* scheme : scheme_list()) {
    SCOPED_TRACE(scheme->name());
    Formulation f;
    f.scheme = scheme;
    expect_pure(model, f, 1e-3);
  }
}

TEST(PureStep, WithPressureFieldsForceTablesSlotsAndSupportsHasTheSameBitsUnderEveryFormulation) {
  const Model model = soft_model();
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    expect_pure(model, formulation_of(entry), 2e-3);
  }
}

TEST(PureStep, WithPressureFieldsForceTablesSlotsAndSupportsHasTheSameBitsUnderEveryScheme) {
  const Model model = soft_model();
  for (const Scheme* scheme : scheme_list()) {
    SCOPED_TRACE(scheme->name());
    Formulation f;
    f.scheme = scheme;
    expect_pure(model, f, 1e-3);
  }
}

// What the tests above are about takes part.
TEST(PureStep, OfTheSoftModelHasPatchesTablesASlotAndASupport) {
  World world(soft_model());
  bool has_patches = false, has_tables = false;
  std::size_t most_rows = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    has_patches |= !world.record().collision.pressure_points.empty();
    has_tables |= world.record().contact.problem.elasticity == Elasticity::table;
    most_rows = std::max(most_rows, world.record().contact.problem.rows.size());
  }
  EXPECT_TRUE(has_patches);
  EXPECT_TRUE(has_tables);
  EXPECT_GE(most_rows, 3u);  // two of the slot, one of the support
}

TEST(PureStep, TakesOverridesOfPairsFromTheModel) {
  const Model before = stack_and_arm().build();
  World world(before);
  world.set_pair_friction("box0", "floor", 0.05);
  world.set_pair_stiffness("box0", "floor", 3e4);
  world.set_mass("box1", 0.8);
  // Whoever has the world's model steps it as the world does, and the model before is another one.
  const std::vector<std::uint64_t> used = hashes(world.model(), {}, 2e-3, 60, false);
  EXPECT_EQ(used, hashes(world.model(), {}, 2e-3, 60, true));
  EXPECT_NE(used, hashes(before, {}, 2e-3, 60, true));
  for (int i = 0; i < 60; ++i) world.step();
  EXPECT_EQ(hash(world.state()), used.back());
  // A copy of the model compiles tables of its own, which are the same.
  const Model copy = world.model();
  EXPECT_EQ(used, hashes(copy, {}, 2e-3, 60, true));
}

TEST(PureStep, OfAModelThatIsChangedAfterACopyUsesTheChangedNumbers) {
  const Model before = busy_model();
  hashes(before, {}, 2e-3, 1, false);  // has its tables
  Model after = before;
  after.forest.gravity = Vec3(0.0, 0.0, -1.62);
  State now(after), next(after);
  StepRecord record(after);
  StepWorkspace workspace(after);
  step(after, now, {}, 2e-3, {}, &record, &workspace, &next);
  // Nothing touches the second box in the first step: it falls freely.
  const int v = after.forest.joints[after.joint("box1")].v_begin;
  EXPECT_NEAR(next.v[v + 5], -1.62 * 2e-3, 1e-12);
}

TEST(PureStep, TakenInHalvesHasTheSameBitsWithANewRecordAndWorkspace) {
  const Model model = busy_model();
  Formulation f;
  f.contact.law = LawKind::geometric_ncp;
  // No solve is good enough: every step in contact is taken in parts.
  f.geometric.tolerance = 0.0;
  f.geometric.max_iterations = 1;
  int halvings = 0;
  EXPECT_EQ(hashes(model, f, 4e-3, 30, false, &halvings), hashes(model, f, 4e-3, 30, true));
  EXPECT_GT(halvings, 30);
}

}  // namespace
}  // namespace stiction
