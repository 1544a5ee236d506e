#include "bench/race/field_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "scenes/pressure_fields.h"
#include "stiction/base/check.h"
#include "stiction/io/mesh/mesh_file.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::race {
namespace {

using nlohmann::json;

constexpr double kStepGoal = 20.0, kCenicGoal = 10.0, kTetGoal = 6.0;

constexpr double kE = 1e7;  // Pa

template <class Vector>
std::vector<double> numbers(const Vector& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

struct KindAndSize {
  json* out;
  void operator()(const Sphere& s) const { set("sphere", {s.radius}); }
  void operator()(const Box& s) const { set("box", numbers(Vec3(2.0 * s.half_extents))); }
  void operator()(const Capsule& s) const { set("capsule", {s.radius, s.length}); }
  void operator()(const Cylinder& s) const { set("cylinder", {s.radius, s.length}); }
  void operator()(const Ellipsoid& s) const { set("ellipsoid", numbers(s.radii)); }
  void operator()(const HalfSpace&) const { set("half_space", {}); }
  void operator()(const SharedMesh&) const { set("mesh", {}); }
  template <class Other>
  void operator()(const Other&) const {
    set("none", {});
  }
  void set(const char* kind, const std::vector<double>& size) const {
    (*out)["kind"] = kind;
    (*out)["size"] = size;
  }
};

// Forty balls and cubes in a box, as scenes/piles.h has them, with fields.
Model field_clutter() {
  constexpr double kWall = 0.1, kSide = 0.8, kHigh = 1.0;
  ModelBuilder builder("field_clutter");
  builder.add_shape("floor", "world", translation(0, 0, -kWall), Box{Vec3(1.0, 1.0, kWall)});
  const double out = 0.5 * kSide + kWall;
  const std::pair<Vec3, Vec3> walls[] = {{Vec3(out, 0, kHigh), Vec3(kWall, kSide, kHigh)},
                                         {Vec3(-out, 0, kHigh), Vec3(kWall, kSide, kHigh)},
                                         {Vec3(0, out, kHigh), Vec3(kSide, kWall, kHigh)},
                                         {Vec3(0, -out, kHigh), Vec3(kSide, kWall, kHigh)}};
  builder.set_material("floor", field_material(0.0, 10.0));
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("wall{}", i);
    builder.add_shape(name, "world", translation(walls[i].first.x(), walls[i].first.y(), walls[i].first.z()),
                      Box{walls[i].second});
    builder.set_material(name, field_material(0.0, 10.0));
  }
  for (int i = 0; i < 40; ++i) {
    const int column = i / 10, layer = i % 10;
    const Vec3 p(0.2 * (column % 2) - 0.1 + 0.002 * (i % 3), 0.2 * (column / 2) - 0.1 + 0.003 * (i % 2),
                 0.06 + 0.105 * layer);
    const std::string name = fmt::format("body{}", i);
    builder.add_free_body(name, {Mat3::Identity(), p}, Inertia{});
    if (i % 2 == 0)
      builder.add_solid(name, name, {}, Box{Vec3::Constant(0.05)}, 1000.0);
    else
      builder.add_solid(name, name, {}, Sphere{0.05}, 1000.0);
    builder.set_material(name, field_material(kE, 10.0));
  }
  return builder.build();
}

// Triangles of a disc: a middle, vertex 0, and `rings` circles of `around` corners; each with ascending corners, so that
// the sides of neighbouring prisms agree.
std::vector<std::array<int, 3>> disc_triangles(int around, int rings) {
  std::vector<std::array<int, 3>> triangles;
  const auto add = [&](int a, int b, int c) {
    std::array<int, 3> t = {a, b, c};
    std::sort(t.begin(), t.end());
    triangles.push_back(t);
  };
  const auto at = [&](int ring, int i) { return 1 + (ring - 1) * around + i % around; };
  for (int i = 0; i < around; ++i) {
    add(0, at(1, i), at(1, i + 1));
    for (int ring = 1; ring < rings; ++ring) {
      add(at(ring, i), at(ring, i + 1), at(ring + 1, i));
      add(at(ring, i + 1), at(ring + 1, i), at(ring + 1, i + 1));
    }
  }
  return triangles;
}

// The prisms between two copies of a disc, whose vertices begin at `here` and `next`.
void add_prisms(const std::vector<std::array<int, 3>>& triangles, int here, int next, TetVolume* volume) {
  for (const auto& [a, b, c] : triangles) {
    volume->tets.push_back({here + a, here + b, here + c, next + c});
    volume->tets.push_back({here + a, here + b, next + b, next + c});
    volume->tets.push_back({here + a, next + a, next + b, next + c});
  }
}

// Reads what write_vtk wrote.
SharedMesh mesh_of_file(const TetVolume& volume, const std::string& file) {
  write_vtk(volume, file);
  return std::make_shared<const TriangleMesh>(read_mesh(file));
}

FieldScene clutter() { return {"clutter", field_clutter(), 1e-2, 2.0, kStepGoal, kCenicGoal}; }

// The meshes that Drake's own example of this gripper has.
FieldScene bubble_gripper() {
  FieldScene scene{"bubble_gripper", scenes::bubble_gripper(), 5e-3, 6.0, kStepGoal, kCenicGoal};
  scene.grip = {
      {"period", 6.0}, {"duty", 0.75}, {"firm", scenes::grip_at(0.0)}, {"loose", scenes::grip_at(5.0)}};
  scene.drake = {{"left_bubble", {0.04, ""}}, {"right_bubble", {0.04, ""}}, {"handle", {0.005, ""}}};
  return scene;
}

// A ring of 0.4 kg with 2592 tetrahedra falls into a bowl, leaning, and comes to rest on its outer rim.
FieldScene ring_in_bowl(const std::string& folder) {
  constexpr double kModulus = 1e6, kDensity = 1000.0, kLean = 0.3;  // Pa, kg/m^3, rad
  const std::string ring_file = folder + "/ring.vtk", bowl_file = folder + "/bowl.vtk";
  const SharedMesh ring = mesh_of_file(ring_volume(0.05, 0.02, 24, 12, 2), ring_file);
  const SharedMesh bowl = mesh_of_file(bowl_volume(0.12, 0.14, 0.4 * std::numbers::pi, 48, 10), bowl_file);
  ModelBuilder builder("ring_in_bowl");
  builder.add_shape("bowl", "world", {}, bowl);
  builder.set_material("bowl", field_material(0.0, 10.0));
  const Mat3 R = Eigen::AngleAxisd(kLean, Vec3::UnitX()).toRotationMatrix();
  builder.add_free_body("ring", {R, Vec3(0.0, 0.0, -0.03)}, Inertia{});
  builder.add_solid("ring", "ring", {}, ring, kDensity);
  builder.set_material("ring", field_material(kModulus, 10.0));
  FieldScene scene{"ring_in_bowl", builder.build(), 2e-3, 2.0, kTetGoal, kTetGoal};
  scene.drake = {{"ring", {kDefaultHint, ring_file}}, {"bowl", {kDefaultHint, bowl_file}}};
  return scene;
}

DrakeMesh drake_of(const FieldScene& scene, const PlacedShape& placed) {
  const auto found = scene.drake.find(placed.name);
  return found == scene.drake.end() ? DrakeMesh{} : found->second;
}

}  // namespace

ContactMaterial field_material(double modulus, double dissipation) {
  ContactMaterial material;
  if (modulus > 0.0) material.pressure_modulus = modulus;
  material.dissipation = dissipation;
  material.static_friction = 1.0;
  return material;
}

FieldScene field_scene(const std::string& name, const std::string& folder) {
  if (name == "clutter") return clutter();
  if (name == "bubble_gripper") return bubble_gripper();
  STICTION_ASSERT(name == "ring_in_bowl");
  return ring_in_bowl(folder);
}

TetVolume ring_volume(double large, double small, int around, int across, int layers) {
  TetVolume volume;
  for (int s = 0; s < around; ++s) {
    const double angle = 2.0 * std::numbers::pi * s / around;
    const Vec3 out(std::cos(angle), std::sin(angle), 0.0);
    volume.vertices.push_back(large * out);
    for (int layer = 1; layer <= layers; ++layer)
      for (int c = 0; c < across; ++c) {
        const double turn = 2.0 * std::numbers::pi * (c + 0.5) / across, r = small * layer / layers;
        volume.vertices.push_back((large + r * std::cos(turn)) * out + r * std::sin(turn) * Vec3::UnitZ());
      }
  }
  const auto triangles = disc_triangles(across, layers);
  const int of_section = 1 + across * layers;
  for (int s = 0; s < around; ++s)
    add_prisms(triangles, s * of_section, (s + 1) % around * of_section, &volume);
  return volume;
}

TetVolume bowl_volume(double inner, double outer, double angle, int around, int rings) {
  TetVolume volume;
  for (const double radius : {inner, outer}) {
    volume.vertices.push_back(-radius * Vec3::UnitZ());
    for (int ring = 1; ring <= rings; ++ring)
      for (int i = 0; i < around; ++i) {
        const double down = angle * ring / rings, turn = 2.0 * std::numbers::pi * i / around;
        volume.vertices.push_back(
            radius * Vec3(std::sin(down) * std::cos(turn), std::sin(down) * std::sin(turn), -std::cos(down)));
      }
  }
  add_prisms(disc_triangles(around, rings), 0, 1 + around * rings, &volume);
  return volume;
}

void write_vtk(const TetVolume& volume, const std::string& file) {
  std::ofstream out(file);
  out << "# vtk DataFile Version 3.0\na solid of tetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\n";
  out << fmt::format("POINTS {} double\n", volume.vertices.size());
  for (const Vec3& x : volume.vertices) out << fmt::format("{} {} {}\n", x.x(), x.y(), x.z());
  out << fmt::format("CELLS {} {}\n", volume.tets.size(), 5 * volume.tets.size());
  for (const Tet& t : volume.tets) {
    // In the order that the format asks for: the fourth corner where the first three are seen counter-clockwise.
    const bool is_turned = six_volumes(volume.vertices, t) < 0.0;
    out << fmt::format("4 {} {} {} {}\n", t[0], t[is_turned ? 2 : 1], t[is_turned ? 1 : 2], t[3]);
  }
  out << fmt::format("CELL_TYPES {}\n", volume.tets.size());
  for (std::size_t i = 0; i < volume.tets.size(); ++i) out << "10\n";
  STICTION_USER_CHECK(out.good(), "cannot write {}", file);
}

std::vector<int> shapes_in_order(const Model& model) {
  std::vector<int> order;
  const auto add_of = [&](const auto& is_wanted) {
    for (std::size_t i = 0; i < model.shapes.size(); ++i)
      if (is_wanted(model.shapes[i].body)) order.push_back(static_cast<int>(i));
  };
  add_of([&](int body) { return model.forest.places[static_cast<std::size_t>(body)].is_static(); });
  for (const JointIndices& place : model.forest.joints) add_of([&](int body) { return body == place.body; });
  return order;
}

json shape_json(const Shape& shape, const Pose& X, const ContactMaterial& material, const DrakeMesh& drake) {
  json out = {{"position", numbers(X.p)},
              {"quaternion", numbers(quaternion_from_rotation(X.R))},
              {"modulus", material.pressure_modulus.value_or(0.0)},
              {"depth", material.pressure_depth.value_or(0.0)},
              {"dissipation", material.dissipation.value_or(0.0)},
              {"friction", material.static_friction.value_or(1.0)},
              {"hint", drake.hint},
              {"file", drake.file}};
  std::visit(KindAndSize{&out}, shape);
  return out;
}

json scene_json(const FieldScene& scene, const char* law, double most_s) {
  const Model& model = scene.model;
  const Forest& forest = model.forest;
  json fixed = json::array(), bodies = json::array();
  for (const PlacedShape& placed : model.shapes)
    if (forest.places[placed.body].is_static())
      fixed.push_back(shape_json(placed.shape, placed.X_BS, placed.contact, drake_of(scene, placed)));
  for (const JointIndices& place : forest.joints) {
    const Body& body = forest.bodies[place.body];
    json shapes = json::array();
    for (const PlacedShape& placed : model.shapes)
      if (placed.body == place.body) {
        // Of the centre of mass, where Drake's body has its origin.
        const Pose X = translation(-body.inertia.com) * placed.X_BS;
        shapes.push_back(shape_json(placed.shape, X, placed.contact, drake_of(scene, placed)));
      }
    json one = {{"name", body.name},
                {"mass", body.inertia.mass},
                {"moments", numbers(Vec3(body.inertia.I_com.diagonal()))},
                {"shapes", shapes}};
    const Joint& joint = body.joints.front();
    if (joint.type == JointType::prismatic) {
      one["axis"] = numbers(joint.axis);
      one["origin"] = numbers(body.X_PB.p);
    } else {
      const double* q = model.q0.data() + place.q_begin;
      one["quaternion"] = std::vector<double>(q, q + 4);
      const Mat3 R = rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3]));
      one["position"] = numbers(Vec3(Vec3(q[4], q[5], q[6]) + R * body.inertia.com));
    }
    bodies.push_back(one);
  }
  return {{"h", scene.h},     {"law", law},         {"fixed", fixed},
          {"bodies", bodies}, {"grip", scene.grip}, {"steps", std::lround(scene.duration / scene.h)},
          {"most_s", most_s}};
}

}  // namespace stiction::race
