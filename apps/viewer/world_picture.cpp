#include "apps/viewer/world_picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <sstream>

#include "apps/viewer/stage_shapes.h"
#include "stiction/math/rotation.h"
#include "stiction/multibody/positions.h"

namespace stiction::viewer {
namespace {

// Of palette.ts: a colour for each tree of bodies, every second link light; what does not move is grey.
constexpr std::array<std::uint32_t, 10> kBodies = {0x3f7fd9, 0xee6d57, 0x23a597, 0xf2b134, 0x8a6bd8,
                                                   0x6cb255, 0xe0699f, 0x4aa8d8, 0xc98a4b, 0x8194ad};
constexpr std::uint32_t kFixed = 0xb4bbc6, kLink = 0xe3e7ed, kGround = 0xdbe0e7;
// Of patches.ts: from little to the most, and the slip (m/s) up to which nothing is red.
constexpr std::array<std::uint32_t, 4> kScale = {0x2b4bdc, 0x1fb6c9, 0xf7d548, 0xd7301f};
constexpr float kLeastSlip = 1e-3f;
constexpr float kBlack = 0.025f;  // the least part of light that comes back

Vec3f colour(std::uint32_t hex) {
  return linear_colour(Vec3f(static_cast<float>(hex >> 16 & 255), static_cast<float>(hex >> 8 & 255),
                             static_cast<float>(hex & 255)) /
                       255.0f);
}

bool is_default(const Rgba& rgba) {
  return std::all_of(rgba.begin(), rgba.begin() + 3, [](double part) { return std::abs(part - 0.5) < 0.01; });
}

// Colours of the bodies whose shapes have none.
std::vector<Vec3f> body_colours(const Forest& forest) {
  std::vector<Vec3f> out(forest.bodies.size(), colour(kFixed));
  std::vector<int> tree(forest.bodies.size(), -1), depth(forest.bodies.size(), 0);
  int trees = 0;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    if (forest.places[b].is_static()) continue;
    const auto parent = static_cast<std::size_t>(forest.bodies[b].parent);
    const bool is_link = parent > 0 && !forest.places[parent].is_static() && tree[parent] >= 0;
    tree[b] = is_link ? tree[parent] : trees++;
    depth[b] = is_link ? depth[parent] + 1 : 0;
    out[b] = colour(depth[b] % 2 == 1 ? kLink : kBodies[static_cast<std::size_t>(tree[b]) % kBodies.size()]);
  }
  return out;
}

Vec3f own_colour(const Rgba& rgba) {
  const Vec3f srgb(static_cast<float>(rgba[0]), static_cast<float>(rgba[1]), static_cast<float>(rgba[2]));
  return linear_colour(srgb).cwiseMax(kBlack);
}

Pose pose_of(const ViewPose& pose) {
  return {rotation_from_quaternion(Vec4(pose[0], pose[1], pose[2], pose[3])),
          Vec3(pose[4], pose[5], pose[6])};
}

}  // namespace

std::vector<ViewPose> poses_of(const Model& model, const State& state, const Input& input) {
  Kinematics kinematics(model.forest);
  set_prescribed(model.forest, input.prescribed, &kinematics);
  compute_positions(model.forest, state.q.data(), &kinematics);
  std::vector<ViewPose> poses;
  for (std::size_t b = 0; b < model.forest.bodies.size(); ++b) {
    const Pose X = body_pose(model.forest, kinematics, static_cast<int>(b));
    const Vec4 q = quaternion_from_rotation(X.R);
    poses.push_back({q[0], q[1], q[2], q[3], X.p[0], X.p[1], X.p[2]});
  }
  return poses;
}

DrawingCamera drawing_camera(const Model& model, const std::vector<ViewPose>& poses,
                             const std::string& camera, const PictureSize& size) {
  check_camera(camera);
  constexpr double kFieldOfView = 42.0;  // degrees, of the smaller side
  const ViewBall ball = view_ball(model, poses);
  const double half = 0.5 * kFieldOfView * std::numbers::pi / 180.0;
  const double aspect = static_cast<double>(size.width) / size.height;
  DrawingCamera out;
  out.field_of_view =
      static_cast<float>(2.0 * std::atan(std::tan(half) / std::min(aspect, 1.0)) * 180.0 / std::numbers::pi);
  out.nearest = static_cast<float>(ball.radius / 200.0);
  const bool is_name = camera.find(',') == std::string::npos;
  if (is_name) {
    const Vec3 direction = camera == "front"  ? Vec3(1.0, 0.0, 0.06)
                           : camera == "side" ? Vec3(0.0, -1.0, 0.06)
                           : camera == "top"  ? Vec3(0.0, -1e-3, 1.0)
                                              : Vec3(0.78, -1.15, 0.62);
    const Vec3 eye = ball.centre + 1.2 * ball.radius / std::sin(half) * direction.normalized();
    out.eye = eye.cast<float>();
    out.target = ball.centre.cast<float>();
    return out;
  }
  std::array<float, 7> numbers = {};
  std::istringstream text(camera);
  std::string part;
  std::size_t count = 0;
  while (count < numbers.size() && std::getline(text, part, ',')) numbers[count++] = std::stof(part);
  out.eye = Vec3f(numbers[0], numbers[1], numbers[2]);
  out.target = Vec3f(numbers[3], numbers[4], numbers[5]);
  if (count == numbers.size()) out.field_of_view = numbers[6];
  out.nearest = std::min(out.nearest, (out.target - out.eye).norm() / 100.0f);
  return out;
}

ViewPolygons patches_of(const World& world, const Input& input) {
  FrameMaker maker(world, true);
  ViewFrame frame;
  maker.set_state(world, input, &frame);
  if (has_step(world)) maker.set_step(world.record(), world.record().report, &frame);
  return frame.polygons;
}

std::vector<Vec3f> patch_colours(const ViewPolygons& patches, PatchColour by) {
  const auto value = [&](std::size_t c) {
    return by == PatchColour::slip ? patches.slips[c] : patches.corners[4 * c + 3];
  };
  float largest = by == PatchColour::slip ? kLeastSlip : std::numeric_limits<float>::min();
  for (std::size_t c = 0; c < patches.num_corners(); ++c) largest = std::max(largest, value(c));
  std::vector<Vec3f> colours;
  for (std::size_t c = 0; c < patches.num_corners(); ++c) {
    const float at = std::clamp(value(c) / largest, 0.0f, 1.0f) * (kScale.size() - 1);
    const auto below = std::min(static_cast<std::size_t>(at), kScale.size() - 2);
    const Vec3f from = colour(kScale[below]), to = colour(kScale[below + 1]);
    colours.emplace_back(from + (at - static_cast<float>(below)) * (to - from));
  }
  return colours;
}

Picture draw_model(const Model& model, const std::vector<ViewPose>& poses, const DrawingCamera& camera,
                   const PictureSize& size, ShapeMeshes* meshes, const ViewPolygons& patches,
                   PatchColour by) {
  DrawnScene scene;
  scene.polygons.counts = patches.counts;
  for (std::size_t c = 0; c < patches.num_corners(); ++c)
    scene.polygons.corners.emplace_back(patches.corners[4 * c], patches.corners[4 * c + 1],
                                        patches.corners[4 * c + 2]);
  scene.polygons.colours = patch_colours(patches, by);
  const ViewBall ball = view_ball(model, poses);
  scene.centre = ball.centre.cast<float>();
  scene.radius = static_cast<float>(ball.radius);
  const std::vector<Vec3f> by_body = body_colours(model.forest);
  const std::vector<ShapeLook> looks = shape_looks(model, poses);
  std::vector<std::shared_ptr<const ShapeMesh>> kept;
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const PlacedShape& shape = model.shapes[s];
    const Rgba& rgba = looks[s].rgba;
    if (std::string_view(looks[s].role) == "collision" || !(rgba[3] > 0.0)) continue;
    const Pose X_WS = pose_of(poses[static_cast<std::size_t>(shape.body)]) * shape.X_BS;
    const bool has_colour = !is_default(rgba);
    if (std::holds_alternative<HalfSpace>(shape.shape)) {
      const Vec3f usual = colour(kGround);
      scene.grounds.push_back({X_WS.R.cast<float>(), X_WS.p.cast<float>(),
                               has_colour ? Vec3f(0.5f * (usual + own_colour(rgba))) : usual, false});
      continue;
    }
    kept.push_back(meshes->of(shape.shape, shape.rounding));
    scene.shapes.push_back({kept.back().get(), X_WS.R.cast<float>(), X_WS.p.cast<float>(),
                            has_colour ? own_colour(rgba) : by_body[static_cast<std::size_t>(shape.body)],
                            static_cast<float>(std::clamp(rgba[3], 0.0, 1.0))});
  }
  if (scene.grounds.empty()) {
    DrawnGround grid;
    grid.p = Vec3f(0.0f, 0.0f, std::min(0.0f, scene.centre[2] - scene.radius));
    grid.is_bare_grid = true;
    scene.grounds.push_back(grid);
  }
  return draw(scene, camera, size);
}

}  // namespace stiction::viewer
