// Pressure patches on their way to the eye: in live frames, in binary messages, in pictures.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "apps/viewer/binary_frame.h"
#include "apps/viewer/live_worlds.h"
#include "apps/viewer/world_picture.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::viewer {
namespace {

constexpr double kEdge = 0.1, kMass = 1.0, kGravity = 9.81;  // m, kg, m/s^2

// A cube with a pressure field that lies on the ground without friction, and moves with V = (angular, linear).
Scene cube_on_ground(const Vec6& V = Vec6::Zero(), const Vec3& belt = Vec3::Zero()) {
  ModelBuilder builder("cube");
  builder.set_gravity(Vec3(0, 0, -kGravity));
  builder.add_shape("ground", "world", {}, HalfSpace{});
  const Vec3 half = Vec3::Constant(0.5 * kEdge);
  // E/H = 1e6/0.05 = 2e7 Pa/m on 0.01 m^2: it rests m g/(kappa A) deep.
  const double depth = kMass * kGravity / (2e7 * kEdge * kEdge);
  builder.add_free_body("cube", translation(0, 0, 0.5 * kEdge - depth), solid_box(kMass, half));
  builder.add_shape("cube", "cube", {}, Box{half});
  ContactMaterial soft;
  soft.pressure_modulus = 1e6;
  soft.static_friction = soft.dynamic_friction = 0.0;
  builder.set_material("cube", soft);
  Scene scene = scene_of_model(builder.build());
  scene.model.shapes[0].surface_velocity = belt;
  scene.model.v0 = V;
  return scene;
}

ViewFrame frame_after_a_step(const Scene& scene) {
  LiveWorlds live(scene, {});
  live.step();
  ViewFrame frame;
  live.make_frame(0, &frame);
  return frame;
}

// Integrals over all polygons, from triangles: the area (m^2) and the force of the pressure (N).
std::pair<double, double> area_and_force(const ViewPolygons& polygons) {
  double area = 0.0, force = 0.0;
  std::size_t begin = 0;
  const auto corner = [&](std::size_t c) {
    return Vec3(polygons.corners[4 * c], polygons.corners[4 * c + 1], polygons.corners[4 * c + 2]);
  };
  for (const std::uint32_t count : polygons.counts) {
    for (std::size_t i = 2; i < count; ++i) {
      const std::size_t a = begin, b = begin + i - 1, c = begin + i;
      const double part = 0.5 * (corner(b) - corner(a)).cross(corner(c) - corner(a)).norm();
      area += part;
      force += part *
               (polygons.corners[4 * a + 3] + polygons.corners[4 * b + 3] + polygons.corners[4 * c + 3]) /
               3.0;
    }
    begin += count;
  }
  return {area, force};
}

TEST(PressureView, ALiveFrameHasThePolygonsOfAPatch) {
  const ViewFrame frame = frame_after_a_step(cube_on_ground());
  ASSERT_FALSE(frame.polygons.counts.empty());
  ASSERT_EQ(frame.polygons.slips.size(), frame.polygons.num_corners());
  const auto [area, force] = area_and_force(frame.polygons);
  EXPECT_NEAR(area, kEdge * kEdge, 1e-3 * kEdge * kEdge);
  EXPECT_NEAR(force, kMass * kGravity, 2e-3 * kMass * kGravity);  // 2 depths of 0.1 mm in 10 cm: the rim
}

TEST(PressureView, AModelWithoutFieldsHasNone) {
  Scene scene = cube_on_ground();
  scene.model.shapes[1].contact.pressure_modulus.reset();
  EXPECT_TRUE(frame_after_a_step(scene).polygons.counts.empty());
}

TEST(PressureView, ABinaryFrameEndsWithPolygonsPressuresAndSlips) {
  const ViewFrame frame = frame_after_a_step(cube_on_ground());
  const std::string bytes = binary_frame(3, frame);
  // docs/viewer_protocol.md: 36 bytes, then numbers of 4 bytes.
  std::size_t at = 36 + 4 * (7 * frame.poses.size() + 6 * frame.velocities.size() + frame.values.size() +
                             16 * frame.contacts.size());
  const auto take = [&](auto* number) {
    ASSERT_LE(at + sizeof(*number), bytes.size());
    std::memcpy(number, bytes.data() + at, sizeof(*number));
    at += sizeof(*number);
  };
  std::uint32_t polygons = 0, corners = 0;
  take(&polygons);
  take(&corners);
  ASSERT_EQ(polygons, frame.polygons.counts.size());
  ASSERT_EQ(corners, frame.polygons.num_corners());
  for (const std::uint32_t expected : frame.polygons.counts) {
    std::uint32_t count = 0;
    take(&count);
    EXPECT_EQ(count, expected);
  }
  for (const std::vector<float>* list : {&frame.polygons.corners, &frame.polygons.slips})
    for (const float expected : *list) {
      float number = NAN;
      take(&number);
      EXPECT_EQ(number, expected);
    }
  EXPECT_EQ(at, bytes.size());
}

TEST(PressureView, SlipIsHowFastTheCubeMovesOverTheGround) {
  Vec6 V = Vec6::Zero();
  V[3] = 0.3;
  V[4] = -0.4;
  const ViewFrame sliding = frame_after_a_step(cube_on_ground(V));
  ASSERT_FALSE(sliding.polygons.slips.empty());
  for (const float slip : sliding.polygons.slips) EXPECT_NEAR(slip, 0.5, 1e-4);

  // Spinning about its axis: the distance from it times 2 rad/s.
  V = Vec6::Zero();
  V[2] = 2.0;
  const ViewFrame spinning = frame_after_a_step(cube_on_ground(V));
  ASSERT_FALSE(spinning.polygons.slips.empty());
  for (std::size_t c = 0; c < spinning.polygons.num_corners(); ++c) {
    const float* corner = spinning.polygons.corners.data() + 4 * c;
    EXPECT_NEAR(spinning.polygons.slips[c], 2.0 * std::hypot(corner[0], corner[1]), 1e-4);
  }
  // The middle, where nothing slips, is among them.
  EXPECT_LT(*std::min_element(spinning.polygons.slips.begin(), spinning.polygons.slips.end()), 1e-4f);
  const auto [area, force] = area_and_force(spinning.polygons);
  EXPECT_NEAR(area, kEdge * kEdge, 1e-3 * kEdge * kEdge);
  EXPECT_NEAR(force, kMass * kGravity, 2e-3 * kMass * kGravity);
}

TEST(PressureView, ABeltSlipsUnderACubeAtRest) {
  const ViewFrame frame = frame_after_a_step(cube_on_ground(Vec6::Zero(), Vec3(0.2, 0, 0)));
  ASSERT_FALSE(frame.polygons.slips.empty());
  for (const float slip : frame.polygons.slips) EXPECT_NEAR(slip, 0.2, 1e-4);
}

// A picture from above, looking straight down on the cube of 10 cm, with and without its patch.
struct Pictures {
  Picture with, without;
  ViewPolygons patches;

  explicit Pictures(const Scene& scene, PatchColour by = PatchColour::pressure) {
    World world = make_world(scene);
    world.step();
    const std::vector<ViewPose> poses = poses_of(world.model(), world.state(), world.input());
    const PictureSize size{200, 200};
    const DrawingCamera camera = drawing_camera(world.model(), poses, "0,-0.001,1,0,0,0,20", size);
    patches = patches_of(world, world.input());
    ShapeMeshes meshes;
    without = draw_model(world.model(), poses, camera, size, &meshes);
    with = draw_model(world.model(), poses, camera, size, &meshes, patches, by);
  }

  Vec3 colour(const Picture& picture, int x, int y) const {
    const unsigned char* at = picture.rgb.data() + 3 * (y * picture.width + x);
    return Vec3(at[0], at[1], at[2]) / 255.0;
  }
};

double linear(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }
double shown(double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055; }

// Of the page's scale (patches.ts), sRGB.
const Vec3 kRed = Vec3(0xd7, 0x30, 0x1f) / 255.0, kBlue = Vec3(0x2b, 0x4b, 0xdc) / 255.0;
constexpr double kShare = 0.85;  // of the patch in what is seen
constexpr double kTwoSteps = 2.0 / 255.0;

Vec3 over(const Vec3& patch, const Vec3& below) {
  Vec3 out;
  for (int i = 0; i < 3; ++i) out[i] = shown(kShare * linear(patch[i]) + (1.0 - kShare) * linear(below[i]));
  return out;
}

TEST(PressureView, APictureHasThePatchInItsColours) {
  const Pictures p(cube_on_ground());
  ASSERT_FALSE(p.patches.counts.empty());
  // The pressure is the same nearly everywhere under a flat cube: the largest, red.
  for (int y = 90; y < 110; ++y)
    for (int x = 90; x < 110; ++x) {
      const Vec3 expected = over(kRed, p.colour(p.without, x, y));
      EXPECT_LT((p.colour(p.with, x, y) - expected).cwiseAbs().maxCoeff(), kTwoSteps) << x << " " << y;
    }
  // Nothing else changes: the patch is 10 cm of 2 tan(10 degrees) m, 57 of 200 pixels.
  int changed = 0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) changed += p.colour(p.with, x, y) != p.colour(p.without, x, y);
  const double side = 0.1 / (2.0 * std::tan(10.0 / 180.0 * M_PI)) * 200.0;
  EXPECT_NEAR(changed, side * side, 4.0 * side);
}

TEST(PressureView, APictureOfSlipIsBlueWhereNothingSlipsAndRedWhereItIsFastest) {
  Vec6 V = Vec6::Zero();
  const Pictures rest(cube_on_ground(V), PatchColour::slip);
  EXPECT_LT((rest.colour(rest.with, 100, 100) - over(kBlue, rest.colour(rest.without, 100, 100)))
                .cwiseAbs()
                .maxCoeff(),
            10.0 / 255.0);  // up to 0.1 mm/s of the last step
  V[3] = 1.0;
  const Pictures slides(cube_on_ground(V), PatchColour::slip);
  EXPECT_LT((slides.colour(slides.with, 100, 100) - over(kRed, slides.colour(slides.without, 100, 100)))
                .cwiseAbs()
                .maxCoeff(),
            kTwoSteps);
}

TEST(PressureView, ColoursOfPatchesGoFromBlueToRed) {
  ViewPolygons patches;
  patches.counts = {4};
  for (const float p : {0.0f, 1000.0f, 2000.0f, 3000.0f}) {
    patches.corners.insert(patches.corners.end(), {0.0f, 0.0f, 0.0f, p});
    patches.slips.push_back(p / 3000.0f);
  }
  const std::uint32_t scale[] = {0x2b4bdc, 0x1fb6c9, 0xf7d548, 0xd7301f};
  for (const PatchColour by : {PatchColour::pressure, PatchColour::slip}) {
    const std::vector<Vec3f> colours = patch_colours(patches, by);
    ASSERT_EQ(colours.size(), 4u);
    for (std::size_t c = 0; c < 4; ++c)
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(colours[c][i], linear((scale[c] >> (16 - 8 * i) & 255) / 255.0), 1e-6) << c << " " << i;
  }
}

}  // namespace
}  // namespace stiction::viewer
