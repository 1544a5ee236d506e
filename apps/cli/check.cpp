#include "stiction/base/check.h"

#include <cstdio>
#include <map>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "apps/cli/scene_arguments.h"
#include "apps/cli/size_warnings.h"
#include "stiction/math/eigenvalues.h"
#include "stiction/math/physical_inertia.h"
#include "stiction/simulation/collision/collision.h"
#include "stiction/simulation/contact/default_stiffness.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/law_notes.h"
#include "stiction/simulation/overlap_energy.h"
#include "stiction/simulation/pressure_notes.h"

namespace stiction::cli {

namespace {

struct Arguments {
  SceneArguments scene;
  std::string keyframe;
  bool json = false;
  bool all = false;
};

const Tree* tree_of(const Forest& forest, int body) {
  const int node = forest.places[size_t(body)].node;
  return node < 0 ? nullptr : &forest.trees[size_t(forest.nodes[size_t(node)].tree)];
}

// kg, of all bodies, or of those in trees with a free root.
double total_mass(const Forest& forest, bool only_free) {
  double mass = 0.0;
  for (int b = 1; b < int(forest.bodies.size()); ++b) {
    const Tree* tree = tree_of(forest, b);
    const bool is_free = tree && forest.nodes[size_t(tree->node_begin)].kind == NodeKind::free;
    if (!only_free || is_free) mass += forest.bodies[size_t(b)].inertia.mass;
  }
  return mass;
}

// ---- Problems to expect in a simulation ----

using Warnings = std::vector<std::string>;

// Bodies that move as one: their mass in kg, and the body whose joint moves them.
struct MovingMass {
  double mass = 0.0;
  std::string body;
};

std::map<int, MovingMass> moving_masses(const Forest& forest) {
  std::map<int, MovingMass> by_node;
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    const int node = forest.places[b].node;
    if (node < 0) continue;
    by_node[node].mass += forest.bodies[b].inertia.mass;
    if (!forest.bodies[b].joints.empty()) by_node[node].body = forest.bodies[b].name;
  }
  return by_node;
}

void warn_of_missing_mass(const Forest& forest, Warnings* warnings) {
  for (const auto& moving : moving_masses(forest))
    if (moving.second.mass <= 0.0)
      warnings->push_back(format("body '{}' moves and has no mass of its own", moving.second.body));
}

// A heavy body on a light one makes every solver slow.
void warn_of_mass_ratio(const Forest& forest, Warnings* warnings) {
  constexpr double kLargeRatio = 1e4;
  std::map<int, std::pair<MovingMass, MovingMass>> extremes;  // by tree: lightest, heaviest
  for (const auto& moving : moving_masses(forest)) {
    const MovingMass& here = moving.second;
    if (here.mass <= 0.0) continue;
    auto& tree = extremes.try_emplace(forest.nodes[size_t(moving.first)].tree, here, here).first->second;
    if (here.mass < tree.first.mass) tree.first = here;
    if (here.mass > tree.second.mass) tree.second = here;
  }
  for (const auto& tree : extremes) {
    const MovingMass &light = tree.second.first, &heavy = tree.second.second;
    if (heavy.mass <= kLargeRatio * light.mass) continue;
    warnings->push_back(
        format("body '{}' ({:.3g} kg) is {:.3g} times as heavy as body '{}' ({:.3g} kg) of the "
               "same tree",
               heavy.body, heavy.mass, heavy.mass / light.mass, light.body, light.mass));
  }
}

void warn_of_limits(const Model& model, Warnings* warnings) {
  for (int j = 0; j < int(model.forest.joints.size()); ++j) {
    const JointIndices& place = model.forest.joints[size_t(j)];
    const Joint& joint = model.forest.joint(j);
    if (!joint.limited || place.num_q != 1) continue;
    const double q = model.q0[place.q_begin];
    if (q < joint.lower[0] || q > joint.upper[0])
      warnings->push_back(format("joint '{}' rests at {}, outside its limits {} and {}", joint.name, q,
                                 joint.lower[0], joint.upper[0]));
  }
}

void warn_of_impossible_inertia(const Forest& forest, Warnings* warnings) {
  for (const Body& body : forest.bodies)
    if (violates_triangle_inequality(body.inertia))
      warnings->push_back(
          format("body '{}' {}; it is simulated as it is", body.name, inertia_defect(body.inertia)));
}

// Shapes that overlap in the initial position are pushed apart by a force that nobody intended.
void warn_of_overlaps(const Model& model, Warnings* warnings) {
  constexpr double kNoticeable = 1e-6;  // m; less is how files round their numbers
  for (const RestOverlap& overlap : overlaps_at_rest(model, kNoticeable))
    warnings->push_back(format("shapes '{}' and '{}' overlap by {:.3g} mm at rest",
                               model.shapes[size_t(overlap.shape_A)].name,
                               model.shapes[size_t(overlap.shape_B)].name, 1e3 * overlap.depth));
}

Warnings find_warnings(const Model& model) {
  Warnings warnings;
  for (const std::string& odd : size_warnings(model)) warnings.push_back(odd);
  warn_of_mass_ratio(model.forest, &warnings);
  warn_of_missing_mass(model.forest, &warnings);
  warn_of_limits(model, &warnings);
  warn_of_impossible_inertia(model.forest, &warnings);
  warn_of_overlaps(model, &warnings);
  const std::string powerless = powerless_actuators(model);
  if (!powerless.empty()) warnings.push_back(powerless);
  return warnings;
}

// m; less is how files round their numbers.
constexpr double kNoticeableOverlap = 1e-6;

double total_energy(const std::vector<OverlapEnergy>& overlaps) {
  double sum = 0.0;
  for (const OverlapEnergy& one : overlaps) sum += one.energy;
  return sum;
}

// ---- Printing ----

// What overlaps at the start of the scene, and what a compliant law makes of it.
void print_overlaps(World* world) {
  constexpr std::size_t kMostLines = 10;
  const std::vector<OverlapEnergy> overlaps = overlap_energies(*world, world->input(), kNoticeableOverlap);
  if (overlaps.empty()) return;
  const Model& model = world->model();
  std::printf("overlaps at the start: %zu pair%s, %.3g J; --settle removes them before time begins\n",
              overlaps.size(), overlaps.size() == 1 ? "" : "s", total_energy(overlaps));
  for (std::size_t i = 0; i < std::min(kMostLines, overlaps.size()); ++i) {
    const OverlapEnergy& one = overlaps[i];
    std::printf("  '%s' and '%s': %.3g mm, %.3g J", model.shapes[size_t(one.shape_A)].name.c_str(),
                model.shapes[size_t(one.shape_B)].name.c_str(), 1e3 * one.depth, one.energy);
    if (one.speed > 0.0) std::printf(", enough for %.3g m/s of %.3g kg", one.speed, one.mass);
    std::printf("\n");
  }
  if (overlaps.size() > kMostLines) std::printf("  and %zu more\n", overlaps.size() - kMostLines);
}

nlohmann::json overlaps_json(World* world) {
  nlohmann::json list = nlohmann::json::array();
  for (const OverlapEnergy& one : overlap_energies(*world, world->input(), kNoticeableOverlap))
    list.push_back({{"shape1", world->model().shapes[size_t(one.shape_A)].name},
                    {"shape2", world->model().shapes[size_t(one.shape_B)].name},
                    {"depth", one.depth},
                    {"energy", one.energy},
                    {"mass", one.mass},
                    {"speed", one.speed}});
  return list;
}

std::string joint_summary(const Body& body) {
  std::string text;
  for (const Joint& joint : body.joints) {
    text += format("{}{} ({}, {})", text.empty() ? "" : ", ", joint.name, name_of(joint.type),
                   num_velocities(joint.type));
  }
  return text.empty() ? "fixed" : text;
}

void print_body(const Model& model, int index, int depth) {
  const Body& body = model.forest.bodies[size_t(index)];
  const Vec3 moments = principal_moments(body.inertia.I_com);
  int shapes = 0, colliding = 0;
  for (size_t s = 0; s < model.shapes.size(); ++s) {
    if (model.shapes[s].body != index) continue;
    ++shapes;
    if (model.elements.shapes.empty() || model.elements.shapes[s].collides) ++colliding;
  }
  constexpr int kDeepest = 10, kNameWidth = 32;
  const int indent = 2 * std::min(depth, kDeepest);
  std::printf("  %*s%-*s %9.4f kg  (%8.2e %8.2e %8.2e) kg m2  %d of %d shapes collide  %s\n", indent, "",
              std::max(1, kNameWidth - indent), body.name.c_str(), body.inertia.mass, moments[0], moments[1],
              moments[2], colliding, shapes, joint_summary(body).c_str());
}

// Bodies come after their parents but not always depth first; the tree is walked without recursion.
void print_tree(const Model& model) {
  const std::vector<Body>& bodies = model.forest.bodies;
  std::vector<std::vector<int>> children(bodies.size());
  for (size_t b = bodies.size(); b-- > 1;) children[size_t(bodies[b].parent)].push_back(int(b));
  std::vector<std::pair<int, int>> open;
  for (const int child : children[0]) open.emplace_back(child, 0);
  while (!open.empty()) {
    const std::pair<int, int> at = open.back();
    open.pop_back();
    print_body(model, at.first, at.second);
    for (const int child : children[size_t(at.first)]) open.emplace_back(child, at.second + 1);
  }
}

void print_names(const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::printf("%s:", title);
  for (const std::string& name : names) std::printf(" %s", name.c_str());
  std::printf("\n");
}

// What a scene file says beyond its model.
void print_scene(const Scene& scene) {
  std::printf(
      "scene: %g s with h = %g ms, %s, %s; %zu set-points, %zu disturbances, %zu pairs, %zu sensors "
      "recorded\n",
      scene.time, 1e3 * scene.options.h, scene.options.formulation.scheme->name(),
      formulation_name(scene.options.formulation.contact).c_str(), scene.schedule.controls.size(),
      scene.schedule.wrenches.size(), scene.pairs.size(), scene.recorded_sensors.size());
}

// What becomes of the numbers of the model under the law of the scene.
std::vector<std::string> all_notes(const Scene& scene) {
  const double given = scene.options.formulation.stiffness_step;
  std::vector<std::string> notes = stiffness_notes(scene.model, given > 0.0 ? given : scene.options.h);
  const ContactOptions& law = scene.options.formulation.contact;
  for (const auto& more : {tet_notes(scene.model), pressure_notes(scene.model, law),
                           soft_contact_notes(scene.model, law), ignored_numbers(scene.model, law)})
    notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

void print_text(const Arguments& a, const Scene& scene, World* world, const CompatibilityReport& report) {
  const Model& model = scene.model;
  const Forest& forest = model.forest;
  std::printf("%s: %s, %zu bodies, %zu joints, nq %d, nv %d, %.6g kg (%.6g kg free), %zu shapes\n",
              a.scene.name.c_str(), model.name.c_str(), forest.bodies.size() - 1, forest.joints.size(),
              forest.num_q, forest.num_v, total_mass(forest, false), total_mass(forest, true),
              model.shapes.size());
  print_tree(model);
  std::vector<std::string> actuators, sensors;
  for (const Actuator& actuator : model.elements.actuators)
    actuators.push_back(actuator.name + "->" + actuator.target);
  for (const Sensor& sensor : model.elements.sensors)
    sensors.push_back(sensor.name + "(" + sensor.kind + ")");
  print_names("actuators", actuators);
  print_names("sensors", sensors);
  if (is_scene_file(a.scene)) print_scene(scene);
  for (const std::string& warning : find_warnings(model)) std::printf("warning: %s\n", warning.c_str());
  print_overlaps(world);
  for (const std::string& note : all_notes(scene)) std::printf("note: %s\n", note.c_str());
  std::printf("report: %s", to_text(report, a.all).c_str());
}

void print_json(const Scene& scene, World* world, const CompatibilityReport& report) {
  const Model& model = scene.model;
  const nlohmann::json json = {{"name", model.name},
                               {"nq", model.num_q()},
                               {"nv", model.num_v()},
                               {"mass", total_mass(model.forest, false)},
                               {"moving_mass", total_mass(model.forest, true)},
                               {"bodies", model.forest.bodies.size() - 1},
                               {"joints", model.forest.joints.size()},
                               {"geoms", model.shapes.size()},
                               {"actuators", model.elements.actuators.size()},
                               {"sensors", model.elements.sensors.size()},
                               {"setpoints", scene.schedule.controls.size()},
                               {"disturbances", scene.schedule.wrenches.size()},
                               {"pairs", scene.pairs.size()},
                               {"warnings", find_warnings(model)},
                               {"overlaps", overlaps_json(world)},
                               {"notes", all_notes(scene)},
                               {"report", nlohmann::json::parse(to_json(report))}};
  std::printf("%s\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

int check(const Arguments& a) {
  CompatibilityReport report;
  Scene scene = load(a.scene, &report);
  if (!a.keyframe.empty()) scene.keyframe = a.keyframe;
  World world(scene.model, scene.options);
  // Also reports errors that only show at the start of a run.
  const std::optional<SettleReport> settled = start_scene(scene, &world);
  if (settled && !a.json) std::printf("%s\n", settled->text().c_str());
  if (a.json)
    print_json(scene, &world, report);
  else
    print_text(a, scene, &world, report);
  return kDone;
}

}  // namespace

void add_check(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "check",
      "Loads a scene or model and tells what is in it, what will hurt, and what "
      "of the file is honoured.\nExample: stiction convert hand hand.xml && stiction check hand.xml");
  add_scene_options(command, &arguments->scene);
  add_settle_option(command, &arguments->scene);
  command.add_option("--keyframe", &arguments->keyframe,
                     "Look at this keyframe of the file for overlaps, by name or number");
  command.add_flag("--json", &arguments->json, "Print JSON alone on standard output");
  command.add_flag("--all", &arguments->all, "List what is honoured too");
  command.callback([arguments, exit_code] { *exit_code = check(*arguments); });
}

}  // namespace stiction::cli
