#include "apps/viewer/stage.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "apps/viewer/stage_shapes.h"
#include "stiction/contact/catalog.h"
#include "stiction/math/eigenvalues.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/output/sensor_kinds.h"
#include "stiction/simulation/scheme/scheme.h"

namespace stiction::viewer {
namespace {

using Json = nlohmann::json;

// The first ones are told apart by people who do not see all colours.
constexpr const char* kColours[kTrackColours] = {"#2a78d6", "#e8743b", "#17a67c", "#9560d3", "#c2185b",
                                                 "#5b5b5b", "#c9a400", "#00a5c4", "#7a4a1e", "#6b7a00",
                                                 "#1a237e", "#ff7eb6", "#0b5d1e", "#e53935", "#b8a1ff",
                                                 "#000000", "#8bd450", "#7b1fa2", "#90a4ae", "#f5b68a"};

Json numbers(const Vec3& x) { return {x[0], x[1], x[2]}; }

// The solid box of the same mass and inertia about the centre of mass: I_x = m/3 (b^2 + c^2), ...
Json inertia_box(const Inertia& inertia) {
  if (!(inertia.mass > 0.0)) return nullptr;
  const PrincipalAxes axes = principal_axes(inertia.I_com);
  const Vec3& I = axes.moments;
  const double sum = 0.5 * I.sum();
  Vec3 half;
  for (int i = 0; i < 3; ++i) half[i] = std::sqrt(std::max(0.0, 3.0 * (sum - I[i]) / inertia.mass));
  const Vec4 q = quaternion_from_rotation(axes.R);
  return {{"half", numbers(half)}, {"q", {q[0], q[1], q[2], q[3]}}};
}

Json bodies(const Model& model) {
  Json out = Json::array();
  const Forest& forest = model.forest;
  for (std::size_t b = 0; b < forest.bodies.size(); ++b) {
    const Body& body = forest.bodies[b];
    out.push_back({{"name", b == 0 && body.name.empty() ? "world" : body.name},
                   {"parent", b == 0 ? -1 : body.parent},
                   {"mass", body.inertia.mass},
                   {"moves", !forest.places[b].is_static()},
                   {"com", numbers(body.inertia.com)},
                   {"inertia_box", inertia_box(body.inertia)}});
  }
  return out;
}

Json range_json(bool limited, double lower, double upper) {
  if (!limited || !std::isfinite(lower) || !std::isfinite(upper)) return nullptr;
  return {lower, upper};
}

Json joints(const Model& model) {
  Json out = Json::array();
  for (std::size_t j = 0; j < model.forest.joints.size(); ++j) {
    const JointIndices& place = model.forest.joints[j];
    if (place.num_q != 1) continue;
    const Joint& joint = model.forest.joint(static_cast<int>(j));
    out.push_back({{"name", joint.name},
                   {"kind", name_of(joint.type)},
                   {"body", place.body},
                   {"q_index", place.q_begin},
                   {"range", range_json(joint.limited, joint.lower[0], joint.upper[0])},
                   {"unit", joint.type == JointType::prismatic ? "m" : "rad"}});
  }
  return out;
}

Json actuators(const Model& model) {
  Json out = Json::array();
  for (std::size_t a = 0; a < model.elements.actuators.size(); ++a) {
    const Actuator& actuator = model.elements.actuators[a];
    const Range& range = actuator.control;
    out.push_back({{"name", actuator.name.empty() ? std::to_string(a) : actuator.name},
                   {"range", range_json(range.limited, range.lower, range.upper)},
                   {"unit", ""}});
  }
  return out;
}

const char* unit_of(SensorKind kind) {
  switch (kind) {
    case SensorKind::touch:
    case SensorKind::force:
      return "N";
    case SensorKind::torque:
      return "N m";
    case SensorKind::accelerometer:
    case SensorKind::framelinacc:
      return "m/s^2";
    case SensorKind::frameangacc:
      return "rad/s^2";
    case SensorKind::velocimeter:
    case SensorKind::framelinvel:
    case SensorKind::subtreelinvel:
      return "m/s";
    case SensorKind::gyro:
    case SensorKind::frameangvel:
    case SensorKind::ballangvel:
      return "rad/s";
    case SensorKind::framepos:
    case SensorKind::subtreecom:
    case SensorKind::distance:
    case SensorKind::fromto:
      return "m";
    case SensorKind::magnetometer:
      return "T";
    case SensorKind::subtreeangmom:
      return "N m s";
    case SensorKind::e_potential:
    case SensorKind::e_kinetic:
      return "J";
    case SensorKind::clock:
      return "s";
    default:
      return "";
  }
}

Json sensors(const Model& model) {
  Json out = Json::array();
  const SensorModel resolved(model);
  for (std::size_t s = 0; s < resolved.sensors.size(); ++s) {
    const std::string& name = model.elements.sensors[s].name;
    const ResolvedSensor& sensor = resolved.sensors[s];
    if (!sensor.is_simulated) continue;
    out.push_back({{"name", name.empty() ? std::to_string(s) : name},
                   {"size", sensor.size},
                   {"unit", unit_of(sensor.kind)}});
  }
  return out;
}

}  // namespace

const char* track_colour(std::size_t k) { return kColours[k % kTrackColours]; }

StageMaterials first_materials(const Model& model) {
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const bool has_properties = s < model.elements.shapes.size();
    if (has_properties && !model.elements.shapes[s].collides) continue;
    const ContactMaterial& material = model.shapes[s].contact;
    const double usual = model.elements.mujoco_contact && has_properties
                             ? model.elements.shapes[s].friction[0]
                             : kDefaultFriction;
    return {material.static_friction.value_or(usual), material.stiffness.value_or(kDefaultStiffness)};
  }
  return {kDefaultFriction, kDefaultStiffness};
}

std::string stage_json(const Model& model, const std::vector<ViewPose>& poses, const StageOptions& options) {
  StageShapes shapes = stage_shapes(model, poses);
  const ViewBall ball = view_ball(model, poses);
  const StageMaterials materials = first_materials(model);
  Json tracks = Json::array(), formulations = Json::array(), schemes = Json::array(),
       keyframes = Json::array();
  for (std::size_t t = 0; t < options.tracks.size(); ++t)
    tracks.push_back(
        {{"name", options.tracks[t].name}, {"colour", track_colour(t)}, {"h", options.tracks[t].h}});
  for (const CatalogEntry& entry : catalog()) formulations.push_back(entry.name());
  for (const Scheme* scheme : scheme_list()) schemes.push_back(scheme->name());
  for (std::size_t k = 0; k < model.elements.keyframes.size(); ++k) {
    const std::string& name = model.elements.keyframes[k].name;
    keyframes.push_back(name.empty() ? std::to_string(k) : name);
  }
  Json stage = {{"format", "stiction-stage"},
                {"version", 1},
                {"name", options.name.empty() ? model.name : options.name},
                {"gravity", numbers(model.forest.gravity)},
                {"h", options.tracks.empty() ? 0.0 : options.tracks.front().h},
                {"radius", ball.radius},
                {"centre", numbers(ball.centre)},
                {"bodies", bodies(model)},
                {"shapes", std::move(shapes.shapes)},
                {"meshes", std::move(shapes.meshes)},
                {"joints", joints(model)},
                {"actuators", actuators(model)},
                {"sensors", sensors(model)},
                {"keyframes", keyframes},
                {"materials", {{"friction", materials.friction}, {"stiffness", materials.stiffness}}},
                {"tracks", tracks},
                {"formulations", formulations},
                {"schemes", schemes},
                {"statuses", status_names()},
                {"live", options.live}};
  if (!options.values.empty()) stage["values"] = options.values;
  // A name need not be a text that JSON takes.
  return stage.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stiction::viewer
