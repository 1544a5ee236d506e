#include "apps/cli/run_answer.h"

#include <span>

#include <nlohmann/json.hpp>

#include "stiction/base/format.h"
#include "stiction/base/parallel.h"
#include "stiction/simulation/contact/default_stiffness.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {
namespace {

std::vector<double> numbers(const auto& vector) { return {vector.begin(), vector.end()}; }

nlohmann::json bodies_json(const World& world) {
  nlohmann::json list = nlohmann::json::array();
  const Forest& forest = world.model().forest;
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    const std::string& name = forest.bodies[b].name;
    const Pose X = world.body_pose(name);
    const Vec6 V = world.body_velocity(name);
    list.push_back({{"name", name},
                    {"position", numbers(X.p)},
                    {"quaternion", numbers(quaternion_from_rotation(X.R))},
                    {"angular_velocity", numbers(V.head<3>())},
                    {"velocity", numbers(V.tail<3>())}});
  }
  return list;
}

nlohmann::json joints_json(const World& world) {
  nlohmann::json list = nlohmann::json::array();
  const Forest& forest = world.model().forest;
  for (size_t j = 0; j < forest.joints.size(); ++j) {
    const JointIndices& place = forest.joints[j];
    list.push_back({{"name", forest.joint(static_cast<int>(j)).name},
                    {"q", numbers(world.state().q.segment(place.q_begin, place.num_q))},
                    {"v", numbers(world.state().v.segment(place.v_begin, place.num_v))}});
  }
  return list;
}

// Numbers, or lists of them; a sensor without a name goes by its number.
nlohmann::json sensors_json(const World& world) {
  nlohmann::json list = nlohmann::json::array();
  const std::vector<Sensor>& all = world.model().elements.sensors;
  if (all.empty()) return list;
  const std::span<const double> values = world.sensors();
  for (size_t i = 0; i < all.size(); ++i) {
    const ResolvedSensor& sensor = world.sensor_model().sensors[i];
    if (!sensor.is_simulated) continue;
    const std::span<const double> own = values.subspan(sensor.begin, sensor.size);
    list.push_back({{"name", all[i].name.empty() ? std::to_string(i) : all[i].name}});
    if (own.size() == 1)
      list.back()["value"] = own[0];
    else
      list.back()["value"] = numbers(own);
  }
  return list;
}

nlohmann::json energy_json(const Energies& e) {
  return {{"kinetic", e.kinetic},  {"potential", e.total() - e.kinetic},
          {"gravity", e.gravity},  {"springs", e.springs},
          {"tendons", e.tendons},  {"bushings", e.bushings},
          {"contacts", e.contacts}};
}

}  // namespace

nlohmann::json run_answer(const std::string& scene, const World& world, const Energies& start,
                          const RunStatistics& statistics, double begin, double wall) {
  const Formulation& f = world.options().formulation;
  nlohmann::json json = {{"scene", scene},
                         {"scheme", f.scheme->name()},
                         {"formulation", formulation_name(f.contact)},
                         {"force_law", force_name(f.contact)},
                         {"threads", thread_count()},
                         {"h", world.options().h},
                         {"steps", statistics.steps()},
                         {"simulated_s", world.time() - begin},
                         {"time", world.time()},
                         {"wall_s", wall},
                         {"nv", world.model().num_v()},
                         {"bodies", bodies_json(world)},
                         {"joints", joints_json(world)},
                         {"sensors", sensors_json(world)},
                         {"energy_start", energy_json(start)},
                         {"energy", energy_json(world.energies())},
                         {"notes", stiffness_notes(world.model(), world.formulation().stiffness_step)},
                         {"hash", format("{}", hash(world.state()))}};
  statistics.write(world, &json);
  return json;
}

nlohmann::json settled_json(const SettleReport& report) {
  return {{"steps", report.steps},      {"overlap_before", report.overlap_before},
          {"overlap", report.overlap},  {"shape1", report.shape1},
          {"shape2", report.shape2},    {"violation", report.violation},
          {"moved", report.moved},      {"body", report.body},
          {"settled", report.settled()}};
}

}  // namespace stiction::cli
