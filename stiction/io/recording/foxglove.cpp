#include "stiction/io/recording/foxglove.h"

#include <algorithm>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/triangle_mesh.h"
#include "stiction/io/recording/foxglove_messages.h"
#include "stiction/io/recording/names.h"
#include "stiction/math/rotation.h"

namespace stiction {
namespace {

constexpr double kGroundSize = 20.0, kGroundThickness = 0.01;  // m, of what is drawn for a half-space
// Arrows are this long for the weight of a mean body; their widths as shares of their lengths.
constexpr double kArrowLength = 0.2;  // m
constexpr double kHead = 0.2, kShaftWidth = 0.04, kHeadWidth = 0.1;
constexpr double kShortestArrow = 1e-4;  // m

template <class Message>
int add_channel(const char* topic, McapWriter* file) {
  const int schema = file->add_schema(full_name<Message>(), "protobuf", descriptor_set<Message>());
  return file->add_channel(topic, "protobuf", schema);
}

foxglove::Timestamp timestamp(std::uint64_t time) {
  return {static_cast<std::int64_t>(time / kNanoseconds), static_cast<int>(time % kNanoseconds)};
}

foxglove::Vector3 vector(const Vec3& x) { return {x[0], x[1], x[2]}; }

foxglove::Quaternion quaternion(const Mat3& R) {
  const Vec4 q = quaternion_from_rotation(R);
  return {q[1], q[2], q[3], q[0]};
}

foxglove::Pose pose(const Pose& X) { return {vector(X.p), quaternion(X.R)}; }

Pose moved(const Pose& X, const Vec3& p_S) {
  Pose out = X;
  out.p = X.p + X.R * p_S;
  return out;
}

// Adds a shape at a pose of its body to an entity.
class ShapeDrawing {
 public:
  ShapeDrawing(const Pose& X_BS, const Rgba& rgba, foxglove::SceneEntity* entity)
      : X_(X_BS), color_{rgba[0], rgba[1], rgba[2], rgba[3]}, entity_(entity) {}

  void operator()(const Sphere& s) const { ball(X_, Vec3::Constant(2.0 * s.radius)); }
  void operator()(const Box& b) const {
    entity_->cubes.push_back({pose(X_), vector(2.0 * b.half_extents), color_});
  }
  void operator()(const Cylinder& c) const { tube(c.radius, c.length); }
  void operator()(const Capsule& c) const {
    tube(c.radius, c.length);
    for (const double side : {-0.5, 0.5})
      ball(moved(X_, Vec3(0.0, 0.0, side * c.length)), Vec3::Constant(2.0 * c.radius));
  }
  void operator()(const Ellipsoid& e) const { ball(X_, 2.0 * e.radii); }
  void operator()(const Superellipsoid& e) const { ball(X_, 2.0 * e.radii); }
  void operator()(const HalfSpace&) const {
    entity_->cubes.push_back({pose(moved(X_, Vec3(0.0, 0.0, -0.5 * kGroundThickness))),
                              vector(Vec3(kGroundSize, kGroundSize, kGroundThickness)), color_});
  }
  void operator()(const SharedHull& hull) const { triangles(hull->vertices, hull->triangles); }
  void operator()(const SharedMesh& mesh) const { triangles(mesh->vertices, mesh->triangles); }
  void operator()(const SharedHeightField& field) const {
    std::vector<Vec3> points;
    std::vector<Triangle> cells;
    for (int row = 0; row < field->rows; ++row) {
      for (int col = 0; col < field->cols; ++col) {
        points.push_back(field->point(row, col));
        if (row + 1 == field->rows || col + 1 == field->cols) continue;
        const int here = row * field->cols + col, above = here + field->cols;
        cells.push_back({here, here + 1, above});
        cells.push_back({here + 1, above + 1, above});
      }
    }
    triangles(points, cells);
  }

 private:
  void ball(const Pose& X, const Vec3& size) const {
    entity_->spheres.push_back({pose(X), vector(size), color_});
  }
  void tube(double radius, double length) const {
    entity_->cylinders.push_back(
        {pose(X_), vector(Vec3(2.0 * radius, 2.0 * radius, length)), 1.0, 1.0, color_});
  }
  void triangles(const std::vector<Vec3>& points, const std::vector<Triangle>& corners) const {
    foxglove::TriangleListPrimitive list;
    list.pose = pose(X_);
    list.color = color_;
    for (const Vec3& p : points) list.points.push_back({p[0], p[1], p[2]});
    for (const Triangle& triangle : corners)
      for (const int corner : triangle) list.indices.push_back(static_cast<std::uint32_t>(corner));
    entity_->triangles.push_back(std::move(list));
  }

  Pose X_;
  foxglove::Color color_;
  foxglove::SceneEntity* entity_;
};

// A rotation that takes the x axis, along which arrows are drawn, to the direction d.
Mat3 along(const Vec3& d) {
  const Vec3 x = d.normalized();
  const Vec3 other = std::abs(x[2]) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 y = other.cross(x).normalized();
  Mat3 R;
  R.col(0) = x;
  R.col(1) = y;
  R.col(2) = x.cross(y);
  return R;
}

// From blue over white to red.
foxglove::Color colour_of(double share) {
  const double warm = std::min(1.0, 2.0 * share), cold = std::min(1.0, 2.0 - 2.0 * share);
  return {warm, std::min(warm, cold), cold, 1.0};
}

// The polygons of all pressure patches, coloured by pressure, red where it is largest.
void add_patches(const RecorderFrame& frame, foxglove::SceneEntity* entity) {
  float most = 0.0f;
  for (int i = 0; i < frame.num_patches; ++i)
    for (const float p : frame.patches[static_cast<std::size_t>(i)].pressures) most = std::max(most, p);
  if (!(most > 0.0f)) return;
  foxglove::TriangleListPrimitive list;
  list.pose = {{}, {0.0, 0.0, 0.0, 1.0}};
  for (int i = 0; i < frame.num_patches; ++i) {
    const recorded::Patch& patch = frame.patches[static_cast<std::size_t>(i)];
    const auto first = static_cast<std::uint32_t>(list.points.size());
    for (std::size_t c = 0; c < patch.pressures.size(); ++c) {
      list.points.push_back({patch.corners[3 * c], patch.corners[3 * c + 1], patch.corners[3 * c + 2]});
      list.colors.push_back(colour_of(patch.pressures[c] / most));
    }
    std::uint32_t begin = first;
    for (const int count : patch.corner_counts) {
      for (std::uint32_t c = 2; c < static_cast<std::uint32_t>(count); ++c)
        list.indices.insert(list.indices.end(), {begin, begin + c - 1, begin + c});
      begin += static_cast<std::uint32_t>(count);
    }
  }
  entity->triangles.push_back(std::move(list));
}

}  // namespace

FoxgloveScene::FoxgloveScene(const Model& model, McapWriter* file)
    : model_(model), kinematics_(model.forest) {
  transforms_ = add_channel<foxglove::FrameTransforms>("/tf", file);
  shapes_ = add_channel<foxglove::SceneUpdate>("/shapes", file);
  arrows_ = add_channel<foxglove::SceneUpdate>("/contact_arrows", file);
  double weight = 0.0;
  int bodies = 0;
  for (std::size_t b = 0; b < model.forest.bodies.size(); ++b) {
    const Body& body = model.forest.bodies[b];
    frames_.push_back(b == 0 ? "world" : body.name.empty() ? "body_" + std::to_string(b) : body.name);
    weight += body.inertia.mass * model.forest.gravity.norm();
    bodies += body.inertia.mass > 0.0 ? 1 : 0;
  }
  metres_per_newton_ = weight > 0.0 ? kArrowLength * bodies / weight : 0.0;
}

void FoxgloveScene::write_shapes(std::uint64_t time, McapWriter* file) {
  foxglove::SceneUpdate update;
  for (std::size_t s = 0; s < model_.shapes.size(); ++s) {
    const PlacedShape& shape = model_.shapes[s];
    foxglove::SceneEntity entity;
    entity.timestamp = timestamp(time);
    entity.frame_id = frames_[static_cast<std::size_t>(shape.body)];
    entity.id = shape.name.empty() ? "shape_" + std::to_string(s) : shape.name;
    entity.frame_locked = true;
    const std::vector<ShapeProperties>& properties = model_.elements.shapes;
    const Rgba rgba = s < properties.size() ? properties[s].rgba : kDefaultRgba;
    std::visit(ShapeDrawing(shape.X_BS, rgba, &entity), shape.shape);
    update.entities.push_back(std::move(entity));
  }
  bytes_.clear();
  encode(update, &bytes_);
  file->write(shapes_, time, bytes_);
}

void FoxgloveScene::write_poses(const State& state, const std::vector<PrescribedMotion>& prescribed,
                                std::uint64_t time, McapWriter* file) {
  set_prescribed(model_.forest, prescribed, &kinematics_);
  compute_positions(model_.forest, state.q.data(), &kinematics_);
  bytes_.clear();
  foxglove::FrameTransform transform;
  transform.timestamp = timestamp(time);
  transform.parent_frame_id = frames_[0];
  for (std::size_t b = 1; b < frames_.size(); ++b) {
    const Pose X_WB = body_pose(model_.forest, kinematics_, static_cast<int>(b));
    transform.child_frame_id = frames_[b];
    transform.translation = vector(X_WB.p);
    transform.rotation = quaternion(X_WB.R);
    put_message(1, transform, &bytes_);
  }
  file->write(transforms_, time, bytes_);
}

void FoxgloveScene::write_contacts(const RecorderFrame& frame, std::uint64_t time, McapWriter* file) {
  foxglove::SceneEntity entity;
  entity.timestamp = timestamp(time);
  entity.frame_id = frames_[0];
  entity.id = "contacts";
  for (int i = 0; i < frame.num_contacts; ++i) {
    const recorded::Contact& contact = frame.contacts[static_cast<std::size_t>(i)];
    const Vec3 force(contact.force.x, contact.force.y, contact.force.z);
    const double length = metres_per_newton_ * force.norm();
    if (length < kShortestArrow) continue;
    foxglove::ArrowPrimitive arrow;
    arrow.pose = {{contact.point.x, contact.point.y, contact.point.z}, quaternion(along(force))};
    arrow.shaft_length = (1.0 - kHead) * length;
    arrow.head_length = kHead * length;
    arrow.shaft_diameter = kShaftWidth * length;
    arrow.head_diameter = kHeadWidth * length;
    // Red where it slides, green where it sticks.
    arrow.color = contact.sliding ? foxglove::Color{0.9, 0.2, 0.1, 1.0} : foxglove::Color{0.1, 0.7, 0.2, 1.0};
    entity.arrows.push_back(arrow);
  }
  add_patches(frame, &entity);
  foxglove::SceneUpdate update;
  update.entities.push_back(std::move(entity));
  bytes_.clear();
  encode(update, &bytes_);
  file->write(arrows_, time, bytes_);
}

}  // namespace stiction
