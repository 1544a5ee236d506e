#include "apps/viewer/stage.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "apps/viewer/base64.h"
#include "apps/viewer/frame.h"
#include "scenes/catalog.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction::viewer {
namespace {

using Json = nlohmann::json;

Json stage_of(const Model& model) {
  World world(model);
  FrameMaker maker(world, true);
  ViewFrame frame;
  maker.set_state(world, world.input(), &frame);
  StageOptions options;
  options.tracks = {{"sap", 0.002}};
  return Json::parse(stage_json(model, frame.poses, options));
}

template <class Number>
std::vector<Number> numbers_of(const Json& text) {
  const std::string bytes = bytes_of_base64(text.get<std::string>());
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return numbers;
}

TEST(Stage, EverySceneHasOne) {
  for (const SceneEntry& entry : scene_catalog()) {
    SCOPED_TRACE(entry.name);
    const Model model = entry.make();
    const Json stage = stage_of(model);
    EXPECT_EQ(stage["format"], "stiction-stage");
    EXPECT_EQ(stage["bodies"].size(), model.forest.bodies.size());
    EXPECT_EQ(stage["shapes"].size(), model.shapes.size());
    EXPECT_TRUE(stage["radius"].get<double>() > 0.0);
    for (const Json& shape : stage["shapes"]) {
      EXPECT_LT(shape["body"].get<std::size_t>(), stage["bodies"].size());
      if (shape.contains("mesh")) {
        EXPECT_LT(shape["mesh"].get<std::size_t>(), stage["meshes"].size());
      }
    }
  }
}

TEST(Stage, ColoursOfFormulationsAreFarFromEachOther) {
  std::vector<Vec3> colours;
  for (std::size_t k = 0; k < kTrackColours; ++k) {
    const std::string text = track_colour(k);
    ASSERT_EQ(text.size(), 7u);
    Vec3 rgb;
    for (int i = 0; i < 3; ++i)
      rgb[i] = std::stoi(text.substr(1 + 2 * static_cast<std::size_t>(i), 2), nullptr, 16);
    for (const Vec3& other : colours) EXPECT_GT((rgb - other).norm(), 40.0) << text;
    colours.push_back(rgb);
  }
  EXPECT_STREQ(track_colour(kTrackColours), track_colour(0));
  EXPECT_GE(kTrackColours, kMostTracks);
}

TEST(Stage, TheInertiaBoxOfABrickIsTheBrick) {
  ModelBuilder builder("brick");
  const Vec3 half(0.3, 0.1, 0.2);
  builder.add_free_body("brick", Pose(), solid_box(2.0, half));
  const Json stage = stage_of(builder.build());
  const Json& box = stage["bodies"][1]["inertia_box"];
  std::vector<double> sides = box["half"].get<std::vector<double>>();
  std::sort(sides.begin(), sides.end());
  EXPECT_NEAR(sides[0], 0.1, 1e-12);
  EXPECT_NEAR(sides[1], 0.2, 1e-12);
  EXPECT_NEAR(sides[2], 0.3, 1e-12);
  EXPECT_TRUE(stage["bodies"][0]["inertia_box"].is_null());
}

TEST(Stage, SharedMeshesAreThereOnce) {
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const auto hull = std::make_shared<const ConvexHull>(convex_hull(corners));
  ModelBuilder builder("hulls");
  for (const char* name : {"a", "b", "c"}) {
    builder.add_free_body(name, Pose(), solid_sphere(1.0, 0.1));
    builder.add_shape(name, name, Pose(), hull);
  }
  const Json stage = stage_of(builder.build());
  ASSERT_EQ(stage["meshes"].size(), 1u);
  EXPECT_EQ(stage["shapes"][2]["mesh"], 0);
  EXPECT_EQ(numbers_of<float>(stage["meshes"][0]["positions"]).size(), 12u);
  EXPECT_EQ(numbers_of<std::uint32_t>(stage["meshes"][0]["indices"]).size(), 12u);
}

// Six times the volume of a closed surface whose triangles are counter-clockwise from outside.
double six_volumes(const std::vector<float>& p, const std::vector<std::uint32_t>& indices) {
  double sum = 0.0;
  const auto point = [&](std::uint32_t i) { return Vec3(p[3 * i], p[3 * i + 1], p[3 * i + 2]); };
  for (std::size_t t = 0; t + 2 < indices.size(); t += 3)
    sum += point(indices[t]).dot(point(indices[t + 1]).cross(point(indices[t + 2])));
  return sum;
}

TEST(Stage, ATerrainIsDrawnAsTheSolidThatItIs) {
  const HeightField field = height_field(3, 4, {0, 1, 2, 0, 3, 1, 0, 2, 1, 1, 2, 0}, {1.0, 2.0, 0.5, 0.25});
  ModelBuilder builder("terrain");
  builder.add_shape("terrain", "world", Pose(), std::make_shared<const HeightField>(field));
  const Json mesh = stage_of(builder.build())["meshes"][0];
  // Without its floor, which nobody sees and which lies at z = -base: that part of the sum is base times
  // area.
  const double floor = 6.0 / 3.0 * 0.25 * (2.0 * 4.0);
  EXPECT_NEAR(
      six_volumes(numbers_of<float>(mesh["positions"]), numbers_of<std::uint32_t>(mesh["indices"])) + floor,
      6.0 * volume(field), 1e-5);
}

TEST(Stage, WallsWithoutAColourAreGlass) {
  ModelBuilder builder("room");
  builder.add_free_body("ball", translation(0, 0, 1), solid_sphere(1.0, 0.1));
  builder.add_shape("ball", "ball", Pose(), Sphere{0.1});
  builder.add_shape("floor", "world", Pose(), Box{Vec3(1, 1, 0.05)});
  builder.add_shape("wall", "world", translation(1, 0, 0.5), Box{Vec3(0.05, 1, 0.5)});
  const Json stage = stage_of(builder.build());
  EXPECT_EQ(stage["shapes"][1]["rgba"][3], 1.0);
  EXPECT_LT(stage["shapes"][2]["rgba"][3].get<double>(), 0.5);
}

TEST(Stage, NamesThatAreNoTextDoNoHarm) {
  Model model = make_scene("slope");
  model.name = "a\xff</script>\xc3";
  EXPECT_NO_THROW(stage_of(model));
}

}  // namespace
}  // namespace stiction::viewer
