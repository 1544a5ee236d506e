// One scene for every pair of the collision table as JSON, for tools/draw_contacts.py and for comparisons
// with other engines.
//
//   stiction_contact_probe            a list of scenes: {"a", "b", "method", "outline_a", "outline_b",
//                                     "points": [{"a", "b", "normal", "distance", "weight"}, ...]}
//   stiction_contact_probe distance   answers about distances: standard input {"pairs": [{"a": shape,
//                                     "b": shape, "poses": [[R row by row, p], ...]}, ...]}, the pose of b
//                                     in a, shape = {"kind", "size"}; output a list of distances for every
//                                     pair
// Outlines are lists of closed lines of (u, v) in the plane of the picture, m.

#include <cmath>
#include <cstring>
#include <iostream>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "test/tools/probe.h"

namespace {

using namespace stiction;
using nlohmann::json;

// The picture: u to the right, v up, seen from the front, a little from above and from the left.
const Vec3 kRight = Vec3(1.0, 0.32, 0.0), kUp = Vec3(0.0, 0.22, 1.0);
constexpr double kOverlap = 0.06;      // m
constexpr double kMeshOverlap = 0.03;  // m, of two surfaces: they see no more than surface_pairs.h says
constexpr double kDown = 5e-4;         // m
constexpr int kOutlinePoints = 72;

json in_picture(const Vec3& p) { return {kRight.dot(p), kUp.dot(p)}; }

json outline(const CollisionShape& shape, const Pose& X) {
  json lines = json::array();
  if (shape.kind == ShapeKind::half_space) {
    json line = json::array();
    for (const Vec3& corner :
         {Vec3(-0.6, -0.35, 0), Vec3(0.6, -0.35, 0), Vec3(0.6, 0.35, 0), Vec3(-0.6, 0.35, 0)})
      line.push_back(in_picture(X * corner));
    lines.push_back(line);
  } else if (shape.kind == ShapeKind::mesh) {
    for (const Triangle& t : shape.mesh->mesh.triangles) {
      json line = json::array();
      for (int i = 0; i < 3; ++i) line.push_back(in_picture(X * shape.mesh->mesh.vertices[t[i]]));
      lines.push_back(line);
    }
  } else if (shape.kind == ShapeKind::height_field) {
    const HeightField& field = *shape.field;
    for (int r = 0; r + 1 < field.rows; ++r)
      for (int c = 0; c + 1 < field.cols; ++c)
        lines.push_back({in_picture(X * field.point(r, c)), in_picture(X * field.point(r, c + 1)),
                         in_picture(X * field.point(r + 1, c + 1)), in_picture(X * field.point(r + 1, c))});
  } else {
    // The silhouette: support points in directions of the picture.
    json line = json::array();
    for (int k = 0; k < kOutlinePoints; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kOutlinePoints;
      const Vec3 d = X.R.transpose() * (std::cos(angle) * kRight + std::sin(angle) * kUp);
      line.push_back(in_picture(X * Vec3(core_support(shape, d).p + core_radius(shape) * d.normalized())));
    }
    lines.push_back(line);
    if (shape.hull)
      for (const HullFace& face : shape.hull->faces) {
        json polygon = json::array();
        for (int i = face.begin; i < face.end; ++i)
          polygon.push_back(in_picture(X * shape.hull->vertices[shape.hull->corners[i].vertex]));
        lines.push_back(polygon);
      }
  }
  return lines;
}

// What is pushed into a mesh or a height field as a mesh: a block.
CollisionShape upper_mesh() {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back((i & 1) != 0 ? 0.3 : -0.3, (i & 2) != 0 ? 0.22 : -0.22,
                               (i & 4) != 0 ? 0.18 : -0.18);
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return collision_shape(std::make_shared<const TriangleMesh>(mesh));
}

CollisionShape drawn_shape(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
      return collision_shape(Sphere{0.25});
    case ShapeKind::capsule:
      return collision_shape(Capsule{0.14, 0.4});
    case ShapeKind::ellipsoid:
      return collision_shape(Ellipsoid{Vec3(0.35, 0.25, 0.2)});
    case ShapeKind::superellipsoid:
      return collision_shape(Superellipsoid{Vec3(0.33, 0.25, 0.2), 0.4, 0.4});
    case ShapeKind::cylinder:
      return collision_shape(Cylinder{0.24, 0.4});
    case ShapeKind::box:
      return collision_shape(Box{Vec3(0.3, 0.22, 0.18)});
    case ShapeKind::hull: {
      std::vector<Vec3> corners;
      for (int i = 0; i < 6; ++i) {
        const double angle = std::numbers::pi * i / 3.0;
        corners.emplace_back(0.3 * std::cos(angle), 0.25 * std::sin(angle), -0.18);
        corners.emplace_back(0.2 * std::cos(angle), 0.17 * std::sin(angle), 0.18);
      }
      return collision_shape(std::make_shared<const ConvexHull>(convex_hull(corners)));
    }
    case ShapeKind::half_space:
      return collision_shape(HalfSpace{});
    case ShapeKind::mesh: {
      // A roof with a shallow ridge, standing on a box.
      TriangleMesh mesh{{Vec3(-0.5, -0.3, -0.05), Vec3(0, -0.3, 0), Vec3(0.5, -0.3, -0.05),
                         Vec3(-0.5, 0.3, -0.05), Vec3(0, 0.3, 0), Vec3(0.5, 0.3, -0.05)},
                        {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}}};
      return collision_shape(std::make_shared<const TriangleMesh>(mesh));
    }
    case ShapeKind::height_field: {
      HeightField field;
      field.size = {0.5, 0.3, 0.08, 0.1};
      field.rows = 4, field.cols = 6;
      for (int i = 0; i < field.rows * field.cols; ++i)
        field.heights.push_back(0.04 + 0.04 * std::sin(1.3 * (i % field.cols) + 0.7 * (i / field.cols)));
      return collision_shape(std::make_shared<const HeightField>(field));
    }
  }
  return {};
}

// The one with the higher number lies below; the other is pushed into it from above, turned and a little
// tilted so that depths differ.
json scene(ShapeKind upper, ShapeKind lower) {
  const CollisionShape A = drawn_shape(lower),
                       B = upper == ShapeKind::mesh ? upper_mesh() : drawn_shape(upper);
  const double overlap = upper == ShapeKind::mesh ? kMeshOverlap : kOverlap;
  Mat3 R_A = Mat3::Identity();
  if (lower == ShapeKind::capsule || lower == ShapeKind::cylinder)
    R_A = rotation_about<double>(Vec3::UnitY(), 0.5 * std::numbers::pi);
  Mat3 R_B = rotation_about<double>(Vec3(0.8, 0.6, 0), 0.06) * rotation_about<double>(Vec3::UnitZ(), 0.3);
  if (upper == ShapeKind::capsule) R_B = R_B * rotation_about<double>(Vec3::UnitY(), 0.5 * std::numbers::pi);
  if (upper == ShapeKind::half_space) R_B = rotation_about<double>(Vec3::UnitX(), std::numbers::pi);
  const Pose X_A{R_A, Vec3::Zero()};
  Pose X_B{R_B, Vec3(0.02, 0.01, 2.0)};
  // Down in small steps until it is as deep as wanted.
  ContactPoints points;
  CollideOptions options;
  options.margin = 0.05;
  for (double deepest = 1.0; deepest > -overlap && X_B.p.z() > -1.0; X_B.p.z() -= kDown) {
    points.clear();
    collide(A, X_A, B, X_B, options, nullptr, &points);
    for (const ContactPoint& p : points) deepest = std::min(deepest, p.distance);
    if (deepest <= -overlap) break;
  }
  json list = json::array();
  for (const ContactPoint& p : points)
    list.push_back({{"a", in_picture(p.p_A)},
                    {"b", in_picture(p.p_B())},
                    {"normal", in_picture(p.normal)},
                    {"distance", p.distance},
                    {"weight", p.weight}});
  return {{"a", name_of(lower)},
          {"b", name_of(upper)},
          {"method", pair_entry(lower, upper).method},
          {"outline_a", outline(A, X_A)},
          {"outline_b", outline(B, X_B)},
          {"points", list}};
}

json all_scenes() {
  json scenes = json::array();
  for (int b = 0; b < kNumShapeKinds; ++b)
    for (int a = b; a < kNumShapeKinds; ++a)
      if (pair_entry(ShapeKind(a), ShapeKind(b)).function != nullptr)
        scenes.push_back(scene(ShapeKind(b), ShapeKind(a)));
  return scenes;
}

CollisionShape read_shape(const json& j) {
  const std::string kind = j.at("kind");
  const std::vector<double> size = j.at("size");
  if (kind == "sphere") return collision_shape(Sphere{size[0]});
  if (kind == "capsule") return collision_shape(Capsule{size[0], 2.0 * size[1]});
  if (kind == "cylinder") return collision_shape(Cylinder{size[0], 2.0 * size[1]});
  if (kind == "ellipsoid") return collision_shape(Ellipsoid{Vec3(size[0], size[1], size[2])});
  if (kind == "box") return collision_shape(Box{Vec3(size[0], size[1], size[2])});
  STICTION_USER_CHECK(kind == "hull", "no shape of the kind {}", kind);
  std::vector<Vec3> points;  // size lists the points one after the other
  for (std::size_t i = 0; i + 2 < size.size(); i += 3) points.emplace_back(size[i], size[i + 1], size[i + 2]);
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(points)));
}

json distances(const json& question) {
  json answers = json::array();
  for (const json& pair : question.at("pairs")) {
    const CollisionShape A = read_shape(pair.at("a")), B = read_shape(pair.at("b"));
    json found = json::array();
    for (const json& pose : pair.at("poses")) {
      Pose X;
      for (int i = 0; i < 9; ++i) X.R(i / 3, i % 3) = pose[std::size_t(i)];
      for (int i = 0; i < 3; ++i) X.p[i] = pose[std::size_t(9 + i)];
      found.push_back(signed_distance(A, Pose{}, B, X).distance);
    }
    answers.push_back(found);
  }
  return answers;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "distance") == 0) return answer_question(distances);
  return run_probe([] { std::cout << all_scenes().dump() << "\n"; });
}
