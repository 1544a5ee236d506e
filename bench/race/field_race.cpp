#include "bench/race/field_race.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "scenes/pressure_fields.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction::race {
namespace {

using nlohmann::json;

constexpr const char* kRace = "fields";
constexpr double kQueryGoal = 10.0, kStepGoal = 20.0, kCenicGoal = 10.0;
constexpr double kDefaultHint = 0.02;  // m, of Drake's parser and of its examples
constexpr double kE = 1e7;             // Pa

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
  template <class Other>
  void operator()(const Other&) const {
    set("none", {});
  }
  void set(const char* kind, const std::vector<double>& size) const {
    (*out)["kind"] = kind;
    (*out)["size"] = size;
  }
};

json shape_json(const Shape& shape, const Pose& X, const ContactMaterial& material, double hint) {
  json out = {{"position", numbers(X.p)},
              {"quaternion", numbers(quaternion_from_rotation(X.R))},
              {"modulus", material.pressure_modulus.value_or(0.0)},
              {"depth", material.pressure_depth.value_or(0.0)},
              {"dissipation", material.dissipation.value_or(0.0)},
              {"friction", material.static_friction.value_or(1.0)},
              {"hint", hint}};
  std::visit(KindAndSize{&out}, shape);
  return out;
}

ContactMaterial field(double modulus, double dissipation) {
  ContactMaterial material;
  if (modulus > 0.0) material.pressure_modulus = modulus;
  material.dissipation = dissipation;
  material.static_friction = 1.0;
  return material;
}

// ---- Patches of two shapes.

struct Query {
  const char* name;
  Shape A, B;
  double modulus_A;  // Pa, 0: rigid; B has kE
  Pose X_B;
  double force;  // N, exact or of a refined mesh
  const char* force_from;
  double hint;  // m, of Drake's meshes
};

Pose lying(double z) {
  return {Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitY()).toRotationMatrix(), Vec3(0, 0, z)};
}

std::vector<Query> queries() {
  constexpr double R = 0.05, edge = 0.1, d = 2e-3;
  const Box cube{Vec3::Constant(0.5 * edge)};
  // Two balls: one at half the overlap on its mirror plane. A ball on a box: on a half-space as stiff.
  const double balls = std::numbers::pi * kE * 0.25 * d * d * (1.0 - d / (3.0 * R));
  const auto on_layer = [&] {
    const PressureField layer = compliant_field(collision_shape(HalfSpace{}), kE, 0.5 * edge),
                        ball = compliant_field(collision_shape(Sphere{R}), kE);
    PressureWorkspace workspace;
    PressurePatch patch;
    find_pressure_patch(layer, {}, ball, translation(0, 0, R - d), {.is_fine = true}, &workspace, &patch);
    return patch.wrench()[5];
  }();
  // A capsule on a plane: its mantle by the closed form, its two half caps are a ball.
  const double r = 0.02, u = r - d, s = std::sqrt(r * r - u * u), kappa_capsule = kE / r;
  const double capsule = kappa_capsule * (r * s - u * u * std::asinh(s / u)) * edge +
                         std::numbers::pi * kE * d * d * (1.0 - 2.0 * d / (3.0 * r));
  const Pose turned{Eigen::AngleAxisd(0.5, Vec3::UnitZ()).toRotationMatrix(), Vec3(0, 0, edge - 1e-3)};
  // Two boxes: the derivative of the energy, an integral over volumes, by differences.
  const auto energy_at = [&](double z) {
    const PressureField box = compliant_field(collision_shape(cube), kE);
    PressureWorkspace workspace;
    PressurePatch patch;
    find_pressure_patch(box, {}, box, {turned.R, Vec3(0, 0, z)}, {.wants_energy = true}, &workspace, &patch);
    return patch.energy;
  };
  constexpr double kDifference = 1e-6;  // m
  const double boxes =
      (energy_at(turned.p.z() - kDifference) - energy_at(turned.p.z() + kDifference)) / (2.0 * kDifference);
  std::vector<Query> out = {
      {"box_on_box", cube, cube, kE, turned, boxes, "derivative of the energy", kDefaultHint}};
  for (const double hint : {kDefaultHint, 0.005})
    for (const Query& one : {Query{"two_balls", Sphere{R}, Sphere{R}, kE, translation(0, 0, 2.0 * R - d),
                                   balls, "closed form", hint},
                             Query{"ball_on_box", cube, Sphere{R}, kE, translation(0, 0, 0.5 * edge + R - d),
                                   on_layer, "ball on a half-space as stiff", hint},
                             Query{"capsule_on_plane", HalfSpace{}, Capsule{r, edge}, 0.0, lying(r - d),
                                   capsule, "closed form", hint}})
      out.push_back(one);
  return out;
}

struct OurPatch {
  Times times;
  double force = 0.0;
  std::size_t faces = 0;
};

OurPatch time_query(const Query& query) {
  const auto field_of = [](const Shape& shape, double modulus) {
    return modulus > 0.0 ? compliant_field(collision_shape(shape), modulus)
                         : rigid_field(collision_shape(shape));
  };
  const PressureField A = field_of(query.A, query.modulus_A), B = field_of(query.B, kE);
  PressureWorkspace workspace;
  PressurePatch patch;
  const auto work = [&] { find_pressure_patch(A, {}, B, query.X_B, {}, &workspace, &patch); };
  // The same to the bit, again and again: the least of its times counts, as for Drake.
  double best = 1e300;
  for (int batch = 0; batch < 40; ++batch) {
    constexpr int kCalls = 500;
    const double start = thread_seconds();
    for (int i = 0; i < kCalls; ++i) work();
    best = std::min(best, (thread_seconds() - start) / kCalls);
  }
  return {{best, best}, patch.wrench().tail<3>().norm(), patch.faces.size()};
}

json query_json(const Query& query) {
  return {{"shapes",
           {shape_json(query.A, {}, field(query.modulus_A, 10.0), query.hint),
            shape_json(query.B, query.X_B, field(kE, 10.0), query.hint)}}};
}

// ---- Steps.

struct Scene {
  std::string name;
  Model model;
  double h, duration;  // s
  json grip;           // of a gripper, see drake_fields.py
  double hint;         // m
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
  builder.set_material("floor", field(0.0, 10.0));
  for (int i = 0; i < 4; ++i) {
    const std::string name = fmt::format("wall{}", i);
    builder.add_shape(name, "world", translation(walls[i].first.x(), walls[i].first.y(), walls[i].first.z()),
                      Box{walls[i].second});
    builder.set_material(name, field(0.0, 10.0));
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
    builder.set_material(name, field(kE, 10.0));
  }
  return builder.build();
}

json scene_json(const Scene& scene, const char* law, double most_s) {
  const Model& model = scene.model;
  const Forest& forest = model.forest;
  json fixed = json::array(), bodies = json::array();
  for (const PlacedShape& placed : model.shapes)
    if (forest.places[placed.body].is_static())
      fixed.push_back(shape_json(placed.shape, placed.X_BS, placed.contact, scene.hint));
  for (const JointIndices& place : forest.joints) {
    const Body& body = forest.bodies[place.body];
    json shapes = json::array();
    for (const PlacedShape& placed : model.shapes)
      if (placed.body == place.body) {
        // Of the centre of mass, where Drake's body has its origin.
        const Pose X = translation(-body.inertia.com) * placed.X_BS;
        shapes.push_back(shape_json(placed.shape, X, placed.contact, scene.hint));
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

struct OurRun {
  Times times;
  std::size_t points = 0;
  double fastest = 0.0;
};

OurRun time_steps(const Scene& scene) {
  World world(scene.model, {.h = scene.h});
  std::vector<double> times;
  const int steps = static_cast<int>(std::lround(scene.duration / scene.h));
  for (int i = 0; i < steps; ++i) {
    if (!scene.grip.is_null()) {
      const double f = scenes::grip_at(world.time());
      world.set_control("left", f);
      world.set_control("right", -f);
    }
    const double start = thread_seconds();
    world.step();
    const double took = thread_seconds() - start - clock_seconds();
    if (2 * i >= steps) times.push_back(took);
  }
  OurRun out{times_of(times), world.record().collision.num_contacts(), 0.0};
  for (const JointIndices& joint : world.model().forest.joints)
    if (joint.num_q == 7)
      out.fastest = std::max(
          out.fastest, world.body_velocity(world.model().forest.bodies[joint.body].name).tail<3>().norm());
  return out;
}

// ---- Drake.

json ask_drake(const json& asked, std::string* why_not) {
  const std::string python = STICTION_RACE_PYTHON;
  if (std::system((python + " -c 'import pydrake' 2> /dev/null").c_str()) != 0) {
    *why_not = "Drake is not installed (tools/set_up.sh build test race)";
    return {};
  }
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("stiction_field_race_{}.json", getpid());
  std::ofstream(file) << asked;
  const std::string command =
      fmt::format("'{}' '{}/drake_fields.py' '{}'", python, STICTION_RACE_SCRIPTS, file.string());
  std::string text;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char region[4096];
    while (const std::size_t size = std::fread(region, 1, sizeof region, pipe)) text.append(region, size);
    pclose(pipe);
  }
  std::filesystem::remove(file);
  const json answer = json::parse(text, nullptr, false);
  if (answer.is_discarded()) *why_not = "drake_fields.py failed";
  return answer.is_discarded() ? json() : answer;
}

}  // namespace

std::vector<RaceRow> race_fields(const std::string& scene) {
  std::vector<RaceRow> rows;
  std::vector<Query> wanted;
  for (Query& query : queries())
    if (scene.empty() || scene == query.name) wanted.push_back(std::move(query));
  const json square = {
      {"period", 6.0}, {"duty", 0.75}, {"firm", scenes::grip_at(0.0)}, {"loose", scenes::grip_at(5.0)}};
  std::vector<Scene> scenes;
  for (const auto& make :
       {std::function<Scene()>([] { return Scene{"clutter", field_clutter(), 1e-2, 2.0, {}, kDefaultHint}; }),
        std::function<Scene()>([&] {
          return Scene{"bubble_gripper", scenes::bubble_gripper(), 5e-3, 6.0, square, kDefaultHint};
        })}) {
    Scene one = make();
    if (scene.empty() || scene == one.name) scenes.push_back(std::move(one));
  }
  constexpr const char* kLaws[] = {"lagged", "cenic"};
  json asked = {{"pairs", json::array()}, {"scenes", json::array()}};
  for (const Query& query : wanted) asked["pairs"].push_back(query_json(query));
  for (const Scene& one : scenes)
    for (const char* law : kLaws) asked["scenes"].push_back(scene_json(one, law, 20.0));
  std::string why_not;
  const json drake = ask_drake(asked, &why_not);
  const std::string version = drake.is_null() ? "" : drake.at("version").get<std::string>();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Query& query = wanted[i];
    const std::string name = query.hint == kDefaultHint
                                 ? query.name
                                 : fmt::format("{}_hint_{:g}_mm", query.name, 1e3 * query.hint);
    if (drake.is_null()) {
      rows.push_back(failed_row(kRace, name, "drake", version, kQueryGoal, why_not));
      continue;
    }
    const OurPatch ours = time_query(query);
    const json& theirs = drake.at("pairs").at(i);
    RaceRow row{kRace, name, "drake", version, ours.times, {}, kQueryGoal, ""};
    row.peer_s = {theirs.at("s").get<double>(), theirs.at("s").get<double>()};
    row.note =
        fmt::format("query; force over the exact one {:.4f} (Drake {:.4f}), {} faces (Drake {}); exact: {}",
                    ours.force / query.force, theirs.at("force").get<double>() / query.force, ours.faces,
                    theirs.at("faces").get<int>(), query.force_from);
    rows.push_back(row);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const OurRun ours = time_steps(scenes[i]);
    for (std::size_t k = 0; k < std::size(kLaws); ++k) {
      const std::string name = scenes[i].name + (k == 0 ? "" : "_cenic");
      const double goal = k == 0 ? kStepGoal : kCenicGoal;
      if (drake.is_null()) {
        rows.push_back(failed_row(kRace, name, "drake", version, goal, why_not));
        continue;
      }
      const json& theirs = drake.at("scenes").at(std::size(kLaws) * i + k);
      RaceRow row{kRace, name, "drake", version, ours.times, {}, goal, ""};
      row.peer_s = {theirs.at("median_s").get<double>(), theirs.at("mean_s").get<double>()};
      row.note = fmt::format(
          "step; {} points (Drake {} faces), fastest body {:.3g} m/s (Drake {:.3g}); Drake's {}", ours.points,
          theirs.at("faces").get<int>(), ours.fastest, theirs.at("fastest").get<double>(),
          k == 0 ? "discrete lagged" : "CENIC with a fixed step");
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace stiction::race
