#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "scenes/catalog.h"
#include "stiction/io/model_json.h"
#include "stiction/io/scene_file/scene_file.h"

namespace stiction {
namespace {

class SavedScenes : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("stiction_saved_scenes_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

Scene scene_of(const SceneEntry& entry) {
  Scene scene = scene_of_model(entry.make());
  if (entry.schedule != nullptr) scene.schedule = entry.schedule(scene.model);
  return scene;
}

// Fifty steps from a moment at which schedules do something.
std::uint64_t hash_after_50_steps(const Scene& scene) {
  World world = make_world(scene);
  State state = world.state();
  state.time = 0.6;
  world.set_state(state);
  for (int i = 0; i < 50; ++i) {
    apply(scene.schedule, &world);
    world.step();
  }
  return hash(world.state());
}

// Numbers are written with the shortest digits that read back as the same bits, and both scenes run through
// the same code: not one bit differs.
TEST_F(SavedScenes, EverySceneOfTheCatalogMovesWithTheSameBits) {
  for (const SceneEntry& entry : scene_catalog()) {
    SCOPED_TRACE(entry.name);
    const Scene scene = scene_of(entry);
    const std::filesystem::path file = folder_ / (std::string(entry.name) + ".toml");
    save_scene_file(scene, file);
    const Scene again = load_scene_file(file);
    EXPECT_EQ(model_to_json(again.model), model_to_json(scene.model));
    EXPECT_EQ(hash_after_50_steps(again), hash_after_50_steps(scene));
  }
}

TEST_F(SavedScenes, PilesOfObjectsNeedNoModelFile) {
  for (const char* name : {"clutter", "box_stack", "brick_wall", "card_house", "dominoes"}) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(save_scene_file(scene_of(*find_scene(name)), folder_ / "pile.toml").empty());
  }
  EXPECT_EQ(save_scene_file(scene_of(*find_scene("arm")), folder_ / "arm.toml"), folder_ / "arm.model.json");
}

TEST_F(SavedScenes, EverythingThatASceneSaysComesBack) {
  const Scene scene = parse_scene(R"(
name = "all \"of\" it"
[simulation]
time = 2.5
step = 0.003
scheme = "midpoint"
threads = 2
seed = 11
gravity = [0.1, 0, -9]
[contact]
formulation = "coulomb_ncp+admm"
tolerance = 1e-8
max_iterations = 77
penetration_recovery = 0.1
[material.a]
friction = 0.3
friction_direction = [0, 1, 0]
anisotropy_ratio = 0.5
restitution = 0.2
[[ground]]
material = "a"
[[object]]
name = "box"
shape = "box"
size = [0.1, 0.2, 0.3]
position = [0, 0, 1]
rpy = [0.1, 0.2, 0.3]
velocity = [1, 2, 3]
angular_velocity = [0.1, 0, 0]
rounding = 0.001
[[object]]
name = "wall"
shape = "superellipsoid"
radii = [0.1, 0.2, 0.3]
exponents = [0.5, 0.7]
fixed = true
surface_velocity = [0.3, 0, 0]
[[pair]]
shapes = ["box", "wall"]
friction = 0.9
stiffness = 1e5
[[disturbance]]
body = "box"
force = [1, 0, 0]
sine = { amplitude = 2, period = 0.3, phase = 0.1, offset = 1, half = true }
from = 0.1
until = 0.9
[[disturbance]]
body = "box"
table = [[0, 1, 2, 3, 4, 5, 6], [1, 0, 0, 0, 0, 0, 0]]
hold = true
[start.positions]
box = [1, 0, 0, 0, 0, 0, 2]
[start.velocities]
box = [0, 0, 0, 0, 0, 1]
)");
  ASSERT_TRUE(save_scene_file(scene, folder_ / "all.toml").empty());
  const Scene again = load_scene_file(folder_ / "all.toml");
  EXPECT_EQ(write_scene(again, ""), write_scene(scene, ""));
  EXPECT_EQ(again.time, scene.time);
  EXPECT_EQ(again.threads, scene.threads);
  EXPECT_EQ(again.options.sensor_noise, scene.options.sensor_noise);
  EXPECT_EQ(again.schedule.wrenches.size(), 7u);
  EXPECT_EQ(hash_after_50_steps(again), hash_after_50_steps(scene));
}

}  // namespace
}  // namespace stiction
