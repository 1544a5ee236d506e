#include "bench/race/field_race.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "bench/race/field_reference.h"
#include "bench/race/field_scenes.h"
#include "scenes/pressure_fields.h"
#include "stiction/base/check.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/simulation/world.h"

namespace stiction::race {
namespace {

using nlohmann::json;

constexpr const char* kRace = "fields";
constexpr double kQueryGoal = 10.0;
constexpr double kE = 1e7;  // Pa

// What the sampled force may miss, relative.
constexpr double kSampling = RaceRow::kNoError;

// ---- Patches of two shapes.

struct Query {
  const char* name;
  Shape A, B;
  double modulus_A;  // Pa, 0: rigid; B has kE
  Pose X_B;
  double force;  // N, of the closed form or sampled
  const char* force_from;
  double hint;  // m, of Drake's meshes
};

Pose lying(double z) {
  return {Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitY()).toRotationMatrix(), Vec3(0, 0, z)};
}

std::vector<Query> queries() {
  constexpr double R = 0.05, edge = 0.1, d = 2e-3;
  const Box cube{Vec3::Constant(0.5 * edge)};
  // Two balls: one at half the overlap on its mirror plane.
  const double balls = std::numbers::pi * kE * 0.25 * d * d * (1.0 - d / (3.0 * R));
  // A capsule on a plane: its mantle by the closed form, its two half caps are a ball.
  const double r = 0.02, u = r - d, s = std::sqrt(r * r - u * u), kappa_capsule = kE / r;
  const double capsule = kappa_capsule * (r * s - u * u * std::asinh(s / u)) * edge +
                         std::numbers::pi * kE * d * d * (1.0 - 2.0 * d / (3.0 * r));
  const Pose turned{Eigen::AngleAxisd(0.5, Vec3::UnitZ()).toRotationMatrix(), Vec3(0, 0, edge - 1e-3)};
  const auto sampled = [](const Shape& A, const Shape& B, const Pose& X_B) {
    return reference_force({A, kE}, {}, {B, kE}, X_B, Vec3::UnitZ()).norm();
  };
  const Pose on_face = translation(0, 0, 0.5 * edge + R - d), on_ball = translation(0, 0, 2.0 * R - d);
  const double boxes = sampled(cube, cube, turned), on_box = sampled(cube, Sphere{R}, on_face);
  // The sampling has the force of the closed form where there is one.
  STICTION_ASSERT(std::abs(sampled(Sphere{R}, Sphere{R}, on_ball) / balls - 1.0) < kSampling);
  STICTION_ASSERT(
      std::abs(
          reference_force({HalfSpace{}}, {}, {Capsule{r, edge}, kE}, lying(r - d), Vec3::UnitZ()).norm() /
              capsule -
          1.0) < kSampling);
  std::vector<Query> out = {{"box_on_box", cube, cube, kE, turned, boxes, "sampled", kDefaultHint}};
  for (const double hint : {kDefaultHint, 0.005})
    for (const Query& one :
         {Query{"two_balls", Sphere{R}, Sphere{R}, kE, on_ball, balls, "closed form", hint},
          Query{"ball_on_box", cube, Sphere{R}, kE, on_face, on_box, "sampled", hint},
          Query{"capsule_on_plane", HalfSpace{}, Capsule{r, edge}, 0.0, lying(r - d), capsule, "closed form",
                hint}})
      out.push_back(one);
  return out;
}

PressureField field_of(const Shape& shape, double modulus, double depth = 0.0) {
  return modulus > 0.0 ? compliant_field(collision_shape(shape), modulus, depth)
                       : rigid_field(collision_shape(shape));
}

struct OurPatch {
  Times times;
  double force = 0.0;
  std::size_t faces = 0;
};

OurPatch time_query(const Query& query) {
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
           {shape_json(query.A, {}, field_material(query.modulus_A, 10.0), {query.hint, ""}),
            shape_json(query.B, query.X_B, field_material(kE, 10.0), {query.hint, ""})}}};
}

// ---- Steps.

// Where the shapes are at the end of a run, in the order of shapes_in_order, and the forces between them, each on the
// second shape of the pair.
struct End {
  std::vector<Pose> X_WS;
  std::map<std::pair<int, int>, Vec3> forces;  // N, what the fields press, without friction and dissipation
};

struct OurRun {
  Times times;
  std::size_t points = 0;
  double fastest = 0.0;  // m/s
  End end;
};

// Calls use(i, j) for all pairs of shapes in order that may touch by fields.
template <class Use>
void for_each_pair(const Model& model, const std::vector<int>& order, const Use& use) {
  const auto placed = [&](std::size_t i) -> const PlacedShape& {
    return model.shapes[static_cast<std::size_t>(order[i])];
  };
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j)
      if (placed(i).body != placed(j).body &&
          (placed(i).contact.pressure_modulus || placed(j).contact.pressure_modulus))
        use(static_cast<int>(i), static_cast<int>(j));
}

FieldShape field_shape(const PlacedShape& placed) {
  return {placed.shape, placed.contact.pressure_modulus.value_or(0.0),
          placed.contact.pressure_depth.value_or(0.0)};
}

// Our forces with the shapes at these poses.
std::map<std::pair<int, int>, Vec3> our_forces(const Model& model, const std::vector<Pose>& X_WS) {
  const std::vector<int> order = shapes_in_order(model);
  std::vector<PressureField> fields;
  for (const int i : order) {
    const FieldShape shape = field_shape(model.shapes[static_cast<std::size_t>(i)]);
    fields.push_back(field_of(shape.shape, shape.modulus, shape.depth));
  }
  std::map<std::pair<int, int>, Vec3> forces;
  PressureWorkspace workspace;
  PressurePatch patch;
  for_each_pair(model, order, [&](int i, int j) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
    find_pressure_patch(fields[a], X_WS[a], fields[b], X_WS[b], {}, &workspace, &patch);
    if (!patch.points.empty()) forces[{i, j}] = patch.wrench().tail<3>();
  });
  return forces;
}

// What the forces miss of those sampled at the same poses: the sum of the differences over the sum of the forces.
double force_error(const Model& model, const End& end) {
  const std::vector<int> order = shapes_in_order(model);
  // The lines of the sampling run along what we or they have found; a pair where nobody found any force has none.
  const auto ours = our_forces(model, end.X_WS);
  const auto found = [](const std::map<std::pair<int, int>, Vec3>& forces, int i, int j) {
    const auto place = forces.find({i, j});
    return place == forces.end() ? Vec3(Vec3::Zero()) : place->second;
  };
  double missed = 0.0, all = 0.0;
  for_each_pair(model, order, [&](int i, int j) {
    const Vec3 force = found(end.forces, i, j), along = found(ours, i, j);
    if (force.isZero(0.0) && along.isZero(0.0)) return;
    const auto shape = [&](int k) {
      return field_shape(model.shapes[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
    };
    const auto& X = end.X_WS;
    const Vec3 exact = reference_force(shape(i), X[static_cast<std::size_t>(i)], shape(j),
                                       X[static_cast<std::size_t>(j)], along.isZero(0.0) ? force : along);
    missed += (force - exact).norm();
    all += exact.norm();
  });
  return all > 0.0 ? missed / all : 0.0;
}

OurRun time_steps(const FieldScene& scene) {
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
  const Model& model = world.model();
  OurRun out{times_of(times), world.record().collision.num_contacts(), 0.0, {}};
  for (const JointIndices& joint : model.forest.joints)
    if (joint.num_q == 7)
      out.fastest =
          std::max(out.fastest, world.body_velocity(model.forest.bodies[joint.body].name).tail<3>().norm());
  for (const int i : shapes_in_order(model)) {
    const PlacedShape& placed = model.shapes[static_cast<std::size_t>(i)];
    out.end.X_WS.push_back(world.body_pose(model.forest.bodies[placed.body].name) * placed.X_BS);
  }
  out.end.forces = our_forces(model, out.end.X_WS);
  return out;
}

// ---- Drake.

// Where Drake's run ended. Its bodies have their origins in their centres of mass.
End end_of_drake(const Model& model, const json& answer) {
  std::map<int, Pose> X_WB;
  for (std::size_t i = 0; i < model.forest.joints.size(); ++i) {
    const int body = model.forest.joints[i].body;
    const auto x = answer.at("poses").at(i).get<std::vector<double>>();
    const Pose X{rotation_from_quaternion(Vec4(x[0], x[1], x[2], x[3])), Vec3(x[4], x[5], x[6])};
    X_WB[body] = X * translation(-model.forest.bodies[body].inertia.com);
  }
  End end;
  for (const int i : shapes_in_order(model)) {
    const PlacedShape& placed = model.shapes[static_cast<std::size_t>(i)];
    const auto moving = X_WB.find(placed.body);
    end.X_WS.push_back(moving == X_WB.end() ? placed.X_BS : moving->second * placed.X_BS);
  }
  for (const json& surface : answer.at("surfaces")) {
    const int i = surface.at(0), j = surface.at(1);
    const auto f = surface.at(2).get<std::vector<double>>();
    const Vec3 force(f[0], f[1], f[2]);
    end.forces[{std::min(i, j), std::max(i, j)}] = i < j ? force : Vec3(-force);
  }
  return end;
}

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

// A new folder, removed with all that is in it.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("stiction_field_race_{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

RaceRow row_of_query(const Query& query, const json& theirs, RaceRow row) {
  const OurPatch ours = time_query(query);
  row.ours_s = ours.times;
  row.peer_s = {theirs.at("s").get<double>(), theirs.at("s").get<double>()};
  const double ours_over = ours.force / query.force,
               theirs_over = theirs.at("force").get<double>() / query.force;
  row.ours_error = std::abs(ours_over - 1.0);
  row.peer_error = std::abs(theirs_over - 1.0);
  row.note =
      fmt::format("query; force over the exact one {:.4f} (Drake {:.4f}), {} faces (Drake {}); exact: {}",
                  ours_over, theirs_over, ours.faces, theirs.at("faces").get<int>(), query.force_from);
  return row;
}

RaceRow row_of_step(const FieldScene& scene, const OurRun& ours, double ours_error, const json& theirs,
                    const char* law, RaceRow row) {
  row.ours_s = ours.times;
  row.peer_s = {theirs.at("median_s").get<double>(), theirs.at("mean_s").get<double>()};
  row.ours_error = ours_error;
  row.peer_error = force_error(scene.model, end_of_drake(scene.model, theirs));
  row.note = fmt::format(
      "step; {} points (Drake {} faces), fastest body {:.3g} m/s (Drake {:.3g}); at the end of its own run "
      "each side's "
      "forces miss {:.2g} of those sampled (Drake {:.2g}); Drake's {}",
      ours.points, theirs.at("faces").get<int>(), ours.fastest, theirs.at("fastest").get<double>(),
      ours_error, *row.peer_error, law);
  return row;
}

}  // namespace

std::vector<RaceRow> race_fields(const std::string& scene) {
  const Folder folder;
  std::vector<Query> wanted;
  for (Query& query : queries())
    if (scene.empty() || scene == query.name) wanted.push_back(std::move(query));
  std::vector<FieldScene> scenes;
  for (const char* name : kFieldScenes)
    if (scene.empty() || scene == name) scenes.push_back(field_scene(name, folder.path()));
  constexpr const char* kLaws[] = {"lagged", "cenic"};
  json asked = {{"pairs", json::array()}, {"scenes", json::array()}};
  for (const Query& query : wanted) asked["pairs"].push_back(query_json(query));
  for (const FieldScene& one : scenes)
    for (const char* law : kLaws) asked["scenes"].push_back(scene_json(one, law, 20.0));
  std::string why_not;
  const json drake = ask_drake(asked, &why_not);
  const std::string version = drake.is_null() ? "" : drake.at("version").get<std::string>();

  std::vector<RaceRow> rows;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Query& query = wanted[i];
    const std::string name = query.hint == kDefaultHint
                                 ? query.name
                                 : fmt::format("{}_hint_{:g}_mm", query.name, 1e3 * query.hint);
    const RaceRow row = failed_row(kRace, name, "drake", version, kQueryGoal, why_not);
    rows.push_back(drake.is_null() ? row : row_of_query(query, drake.at("pairs").at(i), row));
  }
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const OurRun ours = drake.is_null() ? OurRun{} : time_steps(scenes[i]);
    const double ours_error = drake.is_null() ? 0.0 : force_error(scenes[i].model, ours.end);
    for (std::size_t k = 0; k < std::size(kLaws); ++k) {
      const std::string name = scenes[i].name + (k == 0 ? "" : "_cenic");
      const double goal = k == 0 ? scenes[i].goal : scenes[i].cenic_goal;
      const RaceRow row = failed_row(kRace, name, "drake", version, goal, why_not);
      rows.push_back(drake.is_null()
                         ? row
                         : row_of_step(scenes[i], ours, ours_error,
                                       drake.at("scenes").at(std::size(kLaws) * i + k),
                                       k == 0 ? "discrete lagged" : "CENIC with a fixed step", row));
    }
  }
  return rows;
}

}  // namespace stiction::race
