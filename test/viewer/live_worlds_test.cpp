#include "apps/viewer/live_worlds.h"

#include <cmath>

#include <gtest/gtest.h>

#include "apps/viewer/binary_frame.h"
#include "apps/viewer/live_command.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::viewer {
namespace {

Scene scene_named(const char* name) { return scene_of_model(make_scene(name)); }

TEST(LiveWorlds, StepAsAWorldDoesBitForBit) {
  const Scene scene = scene_named("clutter");
  LiveWorlds live(scene, {});
  World world = make_world(scene);
  for (int i = 0; i < 100; ++i) {
    live.step();
    world.step();
  }
  EXPECT_EQ(hash(live.world(0).state()), hash(world.state()));
}

TEST(LiveWorlds, StepBackToTheSameStatesAndForwardAgain) {
  LiveWorlds live(scene_named("clutter"), {"sap", "coulomb_ncp+admm"});
  std::vector<std::array<std::uint64_t, 2>> seen;
  const auto look = [&] { return std::array{hash(live.world(0).state()), hash(live.world(1).state())}; };
  for (int i = 0; i < 30; ++i) {
    seen.push_back(look());
    live.step();
  }
  for (int i = 29; i >= 0; --i) {
    ASSERT_TRUE(live.back());
    EXPECT_EQ(look(), seen[static_cast<std::size_t>(i)]);
    EXPECT_EQ(live.steps(), i);
  }
  EXPECT_FALSE(live.back());
  for (int i = 0; i < 29; ++i) live.step();
  EXPECT_EQ(look(), seen[29]);
}

TEST(LiveWorlds, KeepAThousandStatesAndNoMore) {
  LiveWorlds live(scene_named("pendulum"), {});
  for (int i = 0; i < 1500; ++i) live.step();
  int back = 0;
  while (live.back()) ++back;
  EXPECT_EQ(back, 1000);
}

TEST(LiveWorlds, WithStepsOfTheirOwnMeetAtTheSameTimes) {
  LiveWorlds live(scene_named("slope"), {"sap", "sap"});
  live.set_h(0.0005, 1);
  for (int i = 0; i < 10; ++i) live.step();
  EXPECT_NEAR(live.world(0).time(), 0.02, 1e-12);
  EXPECT_NEAR(live.world(1).time(), 0.02, 1e-12);
}

TEST(LiveWorlds, AFailedStepLeavesEverythingAsItWas) {
  Scene scene = scene_named("chain");
  LiveWorlds live(scene, {"", ""});
  live.set_scheme("explicit_euler", 1);
  live.set_h(0.1, {});
  bool has_failed = false;
  for (int i = 0; i < 2000 && !has_failed; ++i) {
    const auto before = std::array{hash(live.world(0).state()), hash(live.world(1).state())};
    try {
      live.step();
    } catch (const SimulationError&) {
      has_failed = true;
      EXPECT_EQ((std::array{hash(live.world(0).state()), hash(live.world(1).state())}), before);
    }
  }
  EXPECT_TRUE(has_failed);
}

TEST(LiveWorlds, FrictionAndGravityChangeWhileTheMotionGoesOn) {
  LiveWorlds live(scene_named("slope"), {});
  for (int i = 0; i < 100; ++i) live.step();
  const double before = live.world(0).state().q.tail<3>().norm();
  live.set_friction(0.0);
  EXPECT_EQ(live.world(0).state().q.tail<3>().norm(), before);
  const Vec3 start = live.world(0).state().q.tail<3>();
  const double t = 0.5;
  while (live.time() < 0.2 + t - 1e-9) live.step();
  // Without friction a block slides down 20 degrees by g sin(20 degrees) t^2/2.
  const double expected = 0.5 * 9.81 * std::sin(20.0 / 180.0 * M_PI) * t * t;
  EXPECT_NEAR((live.world(0).state().q.tail<3>() - start).norm(), expected, 0.02 * expected);
}

TEST(LiveWorlds, RefuseWhatCannotBeAndChangeNothing) {
  LiveWorlds live(scene_named("arm"), {});
  const std::uint64_t before = hash(live.world(0).state());
  EXPECT_THROW(live.set_friction(-1.0), UserError);
  EXPECT_THROW(live.set_stiffness(0.0), UserError);
  EXPECT_THROW(live.set_h(0.0, {}), UserError);
  EXPECT_THROW(live.set_h(std::nan(""), {}), UserError);
  EXPECT_THROW(live.set_formulation("magic", {}), UserError);
  EXPECT_THROW(live.set_formulation("sap", 1), UserError);
  EXPECT_THROW(live.set_joint("none", 0.0), UserError);
  EXPECT_THROW(live.drag({999, Vec3::Zero(), Vec3::Zero()}), UserError);
  EXPECT_THROW(live.drag({1, Vec3::Constant(HUGE_VAL), Vec3::Zero()}), UserError);
  EXPECT_THROW(live.reset("nowhere"), UserError);
  EXPECT_THROW(LiveWorlds(scene_named("arm"), std::vector<std::string>(kMostTracks + 1, "sap")), UserError);
  EXPECT_EQ(hash(live.world(0).state()), before);
}

TEST(DragSpring, HoldsAFreeBodyWhereTheSpringCarriesItsWeight) {
  for (const double h : {0.001, 0.01, 0.05}) {
    SCOPED_TRACE(h);
    Scene scene;
    ModelBuilder builder("brick");
    const Vec3 half(0.3, 0.1, 0.2);
    builder.add_free_body("brick", Pose(), solid_box(2.0, half));
    scene.model = builder.build();
    LiveWorlds live(scene, {});
    live.set_h(h, {});
    // At a corner, where the body gives way most easily.
    live.drag({1, half, Vec3(0, 0, 1)});
    while (live.time() < 20.0) live.step();
    const Pose X = live.world(0).body_pose("brick");
    EXPECT_LT(live.world(0).body_velocity("brick").norm(), 0.05);
    // The corner hangs below its place by m g/k, the centre of mass below the corner.
    const Vec3 corner = X * half;
    EXPECT_NEAR(corner[0], 0.0, 0.01);
    EXPECT_NEAR(corner[1], 0.0, 0.01);
    EXPECT_NEAR(corner[2] - X.p[2], half.norm(), 0.01);
    const double softest = 9.81 / (15.0 * 15.0);
    if (h < 0.01) {
      EXPECT_NEAR(corner[2], 1.0 - softest, 1e-3);
    }
    EXPECT_LE(corner[2], 1.0 - softest + 1e-3);
  }
}

TEST(LiveCommand, StepsWaitForTheClockAndSayHowMany) {
  LiveWorlds live(scene_named("pendulum"), {});
  EXPECT_EQ(apply_command(R"({"do": "step", "count": 3})", &live).steps, 3);
  EXPECT_EQ(apply_command(R"({"do": "run"})", &live).runs, true);
  EXPECT_EQ(apply_command(R"({"do": "speed", "value": 0.5})", &live).speed, 0.5);
  EXPECT_EQ(live.steps(), 0);
}

TEST(BinaryFrame, HasTheSizesOfItsHeader) {
  LiveWorlds live(scene_named("clutter"), {});
  for (int i = 0; i < 200; ++i) live.step();
  ViewFrame frame;
  live.make_frame(0, &frame);
  const std::string bytes = binary_frame(2, frame);
  EXPECT_EQ(bytes.substr(0, 4), "STKF");
  EXPECT_EQ(bytes.size(),
            36 + 4 * (13 * frame.poses.size() + frame.values.size() + 16 * frame.contacts.size()));
}

}  // namespace
}  // namespace stiction::viewer
