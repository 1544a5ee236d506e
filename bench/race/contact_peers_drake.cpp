#include "bench/race/contact_peers_drake.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "stiction/base/check.h"

namespace stiction::race {

namespace {

using nlohmann::json;

template <class Vector>
std::vector<double> numbers(const Vector& vector) {
  return {vector.data(), vector.data() + vector.size()};
}

json shape_json(const PlacedShape& placed) {
  const ContactMaterial& contact = placed.contact;
  json out = {{"name", placed.name},
              {"position", numbers(placed.X_BS.p)},
              {"quaternion", numbers(quaternion_from_rotation(placed.X_BS.R))},
              {"stiffness", contact.stiffness.value_or(2.0 * kDefaultStiffness)},
              {"dissipation", contact.dissipation.value_or(kDefaultDissipation)},
              {"relaxation_time", contact.relaxation_time.value_or(kContactStep)},
              {"friction", contact.static_friction.value_or(kDefaultFriction)}};
  if (const auto* sphere = std::get_if<Sphere>(&placed.shape)) {
    out["radius"] = sphere->radius;
  } else if (const auto* box = std::get_if<Box>(&placed.shape)) {
    out["edges"] = numbers(Vec3(2.0 * box->half_extents));
  } else {
    STICTION_USER_CHECK(std::holds_alternative<HalfSpace>(placed.shape), "no {} in the race against Drake",
                        name_of(placed.shape));
  }
  return out;
}

// (quaternion, origin, angular velocity, velocity) of every body.
json state_json(const Forest& forest, const State& state) {
  json out = json::array();
  for (const JointIndices& place : forest.joints) {
    std::vector<double> body = numbers(state.q.segment(place.q_begin, place.num_q));
    const std::vector<double> velocity = numbers(state.v.segment(place.v_begin, place.num_v));
    body.insert(body.end(), velocity.begin(), velocity.end());
    out.push_back(body);
  }
  return out;
}

json scene_json(const Model& model, const State& rest, const DrakePlan& plan) {
  const Forest& forest = model.forest;
  json fixed = json::array(), bodies = json::array();
  for (const PlacedShape& placed : model.shapes)
    if (forest.places[placed.body].is_static()) fixed.push_back(shape_json(placed));
  for (const JointIndices& place : forest.joints) {
    const Body& body = forest.bodies[place.body];
    json shapes = json::array();
    for (const PlacedShape& placed : model.shapes)
      if (placed.body == place.body) shapes.push_back(shape_json(placed));
    bodies.push_back({{"name", body.name},
                      {"mass", body.inertia.mass},
                      {"moments", numbers(Vec3(body.inertia.I_com.diagonal()))},
                      {"shapes", shapes}});
  }
  return {{"h", kContactStep},
          {"law", plan.law},
          {"fixed", fixed},
          {"bodies", bodies},
          {"start", state_json(forest, State(model))},
          {"rest", state_json(forest, rest)},
          {"fall_steps", plan.fall_steps},
          {"settle_steps", plan.settle_steps},
          {"rest_steps", plan.rest_steps},
          {"fall_s", plan.fall_s},
          {"settle_s", plan.settle_s},
          {"rest_s", plan.rest_s}};
}

// What the command prints; empty if it fails.
std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string text;
  char region[4096];
  while (const size_t size = std::fread(region, 1, sizeof region, pipe)) text.append(region, size);
  return pclose(pipe) == 0 ? text : "";
}

}  // namespace

std::optional<DrakeFigures> run_drake(const Model& model, const State& rest, const DrakePlan& plan,
                                      std::string* why_not) {
  const std::string python = STICTION_RACE_PYTHON;
  if (std::system((python + " -c 'import pydrake' 2> /dev/null").c_str()) != 0) {
    *why_not = "Drake is not installed (tools/set_up.sh build test race)";
    return std::nullopt;
  }
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("stiction_race_{}.json", getpid());
  std::ofstream(file) << scene_json(model, rest, plan);
  const std::string text =
      output_of(fmt::format("'{}' '{}/drake_clutter.py' '{}'", python, STICTION_RACE_SCRIPTS, file.string()));
  std::filesystem::remove(file);
  const json answer = json::parse(text, nullptr, false);
  if (answer.is_discarded()) {
    *why_not = "drake_clutter.py failed";
    return std::nullopt;
  }
  DrakeFigures figures;
  figures.version = answer.at("version");
  figures.fall = answer.at("fall_s").get<std::vector<double>>();
  figures.rest.steps = answer.at("rest_steps");
  figures.rest.step_s = times_of(answer.at("step_s").get<std::vector<double>>());
  figures.rest.deepest = answer.at("deepest_m");
  figures.rest.contacts = answer.at("contacts");
  figures.rest.creep = creep_of(answer.at("speed_sums"), figures.rest.steps);
  return figures;
}

}  // namespace stiction::race
