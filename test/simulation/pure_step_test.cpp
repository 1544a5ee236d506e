// A step is a function of its arguments: records and workspaces carry nothing from one step to the next.

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

// A tumbling stack with a robot arm that reaches into it: contacts come and go, limits and drives act.
Model busy_model() {
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
  return builder.build();
}

TEST(PureStep, OfEveryFormulationHasTheSameBitsWithANewRecordAndWorkspaceAtEveryStep) {
  const Model model = busy_model();
  for (const CatalogEntry& entry : catalog()) {
    SCOPED_TRACE(entry.name());
    const Formulation f = formulation_of(entry);
    EXPECT_EQ(hashes(model, f, 2e-3, fewer(60, 4), false), hashes(model, f, 2e-3, fewer(60, 4), true));
  }
}

TEST(PureStep, OfEverySchemeHasTheSameBitsWithANewRecordAndWorkspaceAtEveryStep) {
  const Model model = busy_model();
  for (const Scheme* scheme : scheme_list()) {
    SCOPED_TRACE(scheme->name());
    Formulation f;
    f.scheme = scheme;
    EXPECT_EQ(hashes(model, f, 1e-3, fewer(60, 4), false), hashes(model, f, 1e-3, fewer(60, 4), true));
  }
}

TEST(PureStep, TakesOverridesOfPairsFromTheModel) {
  World world(busy_model());
  world.set_pair_friction("box0", "floor", 0.05);
  world.set_pair_stiffness("box0", "floor", 3e4);
  world.set_mass("box1", 0.8);
  // Whoever has the world's model steps it as the world does, and the model before is another one.
  const std::vector<std::uint64_t> used = hashes(world.model(), {}, 2e-3, 60, false);
  EXPECT_EQ(used, hashes(world.model(), {}, 2e-3, 60, true));
  EXPECT_NE(used, hashes(busy_model(), {}, 2e-3, 60, true));
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
