#include "apps/viewer/stage_shapes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "apps/viewer/base64.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/shape_list.h"
#include "stiction/geometry/shape/triangle_mesh.h"
#include "stiction/math/rotation.h"

namespace stiction::viewer {
namespace {

using Json = nlohmann::json;

Json numbers(const Vec3& x) { return {x[0], x[1], x[2]}; }

template <class Number>
std::string base64_of(const std::vector<Number>& numbers) {
  return base64({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
}

Json mesh_json(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  std::vector<float> positions;
  std::vector<std::uint32_t> indices;
  for (const Vec3& p : points)
    for (int i = 0; i < 3; ++i) positions.push_back(static_cast<float>(p[i]));
  for (const Triangle& triangle : triangles)
    for (const int corner : triangle) indices.push_back(static_cast<std::uint32_t>(corner));
  return {{"positions", base64_of(positions)}, {"indices", base64_of(indices)}};
}

// The surface, the sides and the floor of a terrain.
Json terrain_json(const HeightField& field) {
  std::vector<Vec3> points;
  std::vector<Triangle> cells;
  for (int row = 0; row < field.rows; ++row) {
    for (int col = 0; col < field.cols; ++col) {
      points.push_back(field.point(row, col));
      if (row + 1 == field.rows || col + 1 == field.cols) continue;
      const int here = row * field.cols + col, above = here + field.cols;
      // Triangulated as the height field that bodies collide with.
      cells.push_back({here, here + 1, above + 1});
      cells.push_back({here, above + 1, above});
    }
  }
  // Once around the border, counter-clockwise from above; each side goes down to the base.
  std::vector<int> border;
  for (int col = 0; col < field.cols; ++col) border.push_back(col);
  for (int row = 1; row < field.rows; ++row) border.push_back(row * field.cols + field.cols - 1);
  for (int col = field.cols - 2; col >= 0; --col) border.push_back((field.rows - 1) * field.cols + col);
  for (int row = field.rows - 2; row >= 1; --row) border.push_back(row * field.cols);
  const int below = static_cast<int>(points.size()), count = static_cast<int>(border.size());
  for (const int at : border) {
    const Vec3 top = points[static_cast<std::size_t>(at)];
    points.emplace_back(top[0], top[1], -field.size.base);
  }
  for (int i = 0; i < count; ++i) {
    const int next = (i + 1) % count;
    const int top = border[static_cast<std::size_t>(i)], top_next = border[static_cast<std::size_t>(next)];
    cells.push_back({top, below + i, below + next});
    cells.push_back({top, below + next, top_next});
  }
  return mesh_json(points, cells);
}

// Sizes and mesh of a shape.
class ShapeWriter {
 public:
  ShapeWriter(double rounding, std::map<const void*, std::size_t>* known, Json* meshes, Json* out)
      : rounding_(rounding), known_(known), meshes_(meshes), out_(out) {}

  void operator()(const Sphere& s) const { put({s.radius + rounding_}); }
  void operator()(const Box& b) const { put(numbers(b.half_extents + Vec3::Constant(rounding_))); }
  void operator()(const Cylinder& c) const { put({c.radius + rounding_, c.length + 2.0 * rounding_}); }
  void operator()(const Capsule& c) const { put({c.radius + rounding_, c.length}); }
  void operator()(const Ellipsoid& e) const { put(numbers(e.radii)); }
  void operator()(const Superellipsoid& e) const { put({e.radii[0], e.radii[1], e.radii[2], e.e1, e.e2}); }
  void operator()(const HalfSpace&) const { put(Json::array()); }
  void operator()(const SharedHull& hull) const {
    put_mesh(hull.get(), [&] { return mesh_json(hull->vertices, hull->triangles); });
  }
  void operator()(const SharedMesh& mesh) const {
    put_mesh(mesh.get(), [&] { return mesh_json(mesh->vertices, mesh->triangles); });
  }
  void operator()(const SharedHeightField& field) const {
    put_mesh(field.get(), [&] { return terrain_json(*field); });
  }

 private:
  void put(const Json& size) const { (*out_)["size"] = size; }
  template <class Make>
  void put_mesh(const void* key, const Make& make) const {
    put(Json::array());
    const auto [found, is_new] = known_->emplace(key, meshes_->size());
    if (is_new) meshes_->push_back(make());
    (*out_)["mesh"] = found->second;
  }

  double rounding_;  // m
  std::map<const void*, std::size_t>* known_;
  Json* meshes_;
  Json* out_;
};

const ShapeProperties& properties_of(const Model& model, std::size_t shape) {
  static const ShapeProperties usual;
  return shape < model.elements.shapes.size() ? model.elements.shapes[shape] : usual;
}

// The colour of the material is used if the shape has none of its own.
Rgba colour_of(const Model& model, const ShapeProperties& properties) {
  if (properties.rgba != kDefaultRgba || properties.material.empty()) return properties.rgba;
  for (const Material& material : model.elements.materials)
    if (material.name == properties.material) return material.rgba;
  return properties.rgba;
}

// If a body has shapes that do not collide, these are drawn and its other shapes are for collision only
// (in MJCF files only those of groups from 3 on, which MuJoCo hides); otherwise its collision shapes are
// drawn.
std::vector<const char*> roles(const Model& model) {
  std::vector<bool> has_visual(model.forest.bodies.size(), false);
  for (std::size_t s = 0; s < model.shapes.size(); ++s)
    if (!properties_of(model, s).collides) has_visual[static_cast<std::size_t>(model.shapes[s].body)] = true;
  std::vector<const char*> out;
  constexpr int kHiddenGroup = 3;
  const bool is_mjcf = model.elements.mujoco_contact;
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const ShapeProperties& properties = properties_of(model, s);
    const bool hides = has_visual[static_cast<std::size_t>(model.shapes[s].body)] &&
                       (!is_mjcf || properties.group >= kHiddenGroup);
    out.push_back(!properties.collides ? "visual" : hides ? "collision" : "both");
  }
  return out;
}

Pose pose_of(const ViewPose& pose) {
  return {rotation_from_quaternion(Vec4(pose[0], pose[1], pose[2], pose[3])),
          Vec3(pose[4], pose[5], pose[6])};
}

bool is_wall(const Model& model, const PlacedShape& shape, const std::vector<ViewPose>& poses) {
  constexpr double kUpright = 3.0;  // times as high as thick
  const Box* box = std::get_if<Box>(&shape.shape);
  if (box == nullptr || model.num_v() == 0 ||
      !model.forest.places[static_cast<std::size_t>(shape.body)].is_static())
    return false;
  const Mat3 R = (pose_of(poses[static_cast<std::size_t>(shape.body)]) * shape.X_BS).R;
  const Vec3 half = R.cwiseAbs() * box->half_extents;
  return half[2] > kUpright * std::min(half[0], half[1]);
}

double friction_of(const Model& model, std::size_t shape) {
  const ContactMaterial& material = model.shapes[shape].contact;
  if (material.static_friction) return *material.static_friction;
  return model.elements.mujoco_contact ? properties_of(model, shape).friction[0] : kDefaultFriction;
}

// The box around a shape in its own frame; none for a half-space.
class BoxOf {
 public:
  using Answer = std::optional<Eigen::AlignedBox3d>;
  Answer operator()(const Sphere& s) const { return around(Vec3::Constant(s.radius)); }
  Answer operator()(const Box& b) const { return around(b.half_extents); }
  Answer operator()(const Cylinder& c) const { return around({c.radius, c.radius, 0.5 * c.length}); }
  Answer operator()(const Capsule& c) const {
    return around({c.radius, c.radius, 0.5 * c.length + c.radius});
  }
  Answer operator()(const Ellipsoid& e) const { return around(e.radii); }
  Answer operator()(const Superellipsoid& e) const { return around(e.radii); }
  Answer operator()(const HalfSpace&) const { return {}; }
  Answer operator()(const SharedHull& hull) const { return of(hull->vertices); }
  Answer operator()(const SharedMesh& mesh) const { return of(mesh->vertices); }
  Answer operator()(const SharedHeightField& field) const { return bounding_box(*field); }

 private:
  static Answer around(const Vec3& half) { return Eigen::AlignedBox3d(-half, half); }
  static Answer of(const std::vector<Vec3>& points) {
    Eigen::AlignedBox3d box;
    for (const Vec3& p : points) box.extend(p);
    if (box.isEmpty()) return {};
    return box;
  }
};

}  // namespace

std::vector<ShapeLook> shape_looks(const Model& model, const std::vector<ViewPose>& poses) {
  constexpr double kGlass = 0.2;
  std::vector<ShapeLook> out;
  const std::vector<const char*> role = roles(model);
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    Rgba rgba = colour_of(model, properties_of(model, s));
    if (rgba == kDefaultRgba && is_wall(model, model.shapes[s], poses)) rgba[3] = kGlass;
    out.push_back({role[s], rgba});
  }
  return out;
}

StageShapes stage_shapes(const Model& model, const std::vector<ViewPose>& poses) {
  StageShapes out;
  std::map<const void*, std::size_t> known;
  const std::vector<ShapeLook> looks = shape_looks(model, poses);
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const PlacedShape& shape = model.shapes[s];
    const ShapeProperties& properties = properties_of(model, s);
    const Vec4 q = quaternion_from_rotation(shape.X_BS.R);
    Json json = {{"name", shape.name},
                 {"body", shape.body},
                 {"role", looks[s].role},
                 {"p", numbers(shape.X_BS.p)},
                 {"q", {q[0], q[1], q[2], q[3]}},
                 {"rgba", looks[s].rgba},
                 {"group", properties.group},
                 {"mu", friction_of(model, s)}};
    json["kind"] = row_of(shape.shape).key;
    std::visit(ShapeWriter(shape.rounding, &known, &out.meshes, &json), shape.shape);
    out.shapes.push_back(std::move(json));
  }
  return out;
}

ViewBall view_ball(const Model& model, const std::vector<ViewPose>& poses) {
  constexpr double kNotMuchLarger = 3.0;
  const auto world_box = [&](const PlacedShape& shape) -> std::optional<Eigen::AlignedBox3d> {
    const std::optional<Eigen::AlignedBox3d> own = std::visit(BoxOf(), shape.shape);
    if (!own) return {};
    const Pose X_WS = pose_of(poses[static_cast<std::size_t>(shape.body)]) * shape.X_BS;
    Eigen::AlignedBox3d box;
    for (int corner = 0; corner < 8; ++corner)
      box.extend(X_WS * Vec3(own->corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner))));
    return box;
  };
  Eigen::AlignedBox3d moving, all;
  for (const PlacedShape& shape : model.shapes) {
    const std::optional<Eigen::AlignedBox3d> box = world_box(shape);
    if (!box) continue;
    all.extend(*box);
    if (!model.forest.places[static_cast<std::size_t>(shape.body)].is_static()) moving.extend(*box);
  }
  Eigen::AlignedBox3d shown = moving.isEmpty() ? all : moving;
  if (shown.isEmpty()) return {};
  const double size = 0.5 * shown.diagonal().norm();
  for (const PlacedShape& shape : model.shapes) {
    const std::optional<Eigen::AlignedBox3d> box = world_box(shape);
    if (box && 0.5 * box->diagonal().norm() <= kNotMuchLarger * size &&
        (box->center() - shown.center()).norm() <= kNotMuchLarger * size)
      shown.extend(*box);
  }
  return {shown.center(), std::max(0.5 * shown.diagonal().norm(), 1e-3)};
}

}  // namespace stiction::viewer
