#include "apps/viewer/frame.h"

#include <algorithm>

#include "stiction/base/format.h"
#include "stiction/math/rotation.h"
#include "stiction/simulation/model_tables.h"

namespace stiction::viewer {
namespace {

// Indices of the first values.
enum FirstValue { kKinetic, kGravity, kSprings, kResidual, kIterations, kStatus, kFirstValues };

// Reads the state alone, not the step that led to it.
bool is_of_the_state(SensorKind kind) {
  switch (kind) {
    case SensorKind::touch:
    case SensorKind::accelerometer:
    case SensorKind::force:
    case SensorKind::torque:
    case SensorKind::actuatorfrc:
    case SensorKind::jointactuatorfrc:
    case SensorKind::tendonactuatorfrc:
    case SensorKind::jointlimitfrc:
    case SensorKind::tendonlimitfrc:
    case SensorKind::framelinacc:
    case SensorKind::frameangacc:
    case SensorKind::contact:
      return false;
    default:
      return true;
  }
}

std::string name_or_number(const std::string& name, std::size_t index) {
  return name.empty() ? std::to_string(index) : name;
}

std::array<float, 3> floats(const recorded::Vector3& x) { return {x.x, x.y, x.z}; }

}  // namespace

const std::vector<std::string>& status_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const SolveStatus status :
         {SolveStatus::converged, SolveStatus::round_off, SolveStatus::stalled, SolveStatus::max_iterations,
          SolveStatus::infeasible, SolveStatus::not_finite})
      list.emplace_back(name_of(status));
    return list;
  }();
  return names;
}

PairFriction::PairFriction(std::shared_ptr<const CollisionModel> collision,
                           std::shared_ptr<const ContactModel> contact)
    : collision_(std::move(collision)), contact_(std::move(contact)) {
  for (std::size_t i = 0; i < collision_->items.size(); ++i) {
    const auto shape = static_cast<std::size_t>(collision_->items[i].shape);
    if (items_.size() <= shape) items_.resize(shape + 1, -1);
    items_[shape] = static_cast<int>(i);
  }
}

double PairFriction::operator()(int shape_a, int shape_b) const {
  const auto item = [this](int shape) {
    return shape >= 0 && static_cast<std::size_t>(shape) < items_.size()
               ? items_[static_cast<std::size_t>(shape)]
               : -1;
  };
  const int a = item(shape_a), b = item(shape_b);
  return a < 0 || b < 0 ? 0.0 : contact_->pair(std::min(a, b), std::max(a, b)).dynamic_friction;
}

FrameMaker::FrameMaker(const World& world, bool has_steps)
    : friction_(world.model().tables().collision, world.model().tables().contact),
      kinematics_(world.model().forest),
      names_{"kinetic", "gravity", "springs", "residual", "iterations", "status"} {
  const Model& model = world.model();
  for (std::size_t j = 0; j < model.forest.joints.size(); ++j) {
    const JointIndices& place = model.forest.joints[j];
    if (place.num_q != 1) continue;
    joints_.push_back(place.q_begin);
    names_.push_back("joint:" + name_or_number(model.forest.joint(static_cast<int>(j)).name, j));
  }
  const SensorModel& sensors = world.sensor_model();
  for (std::size_t s = 0; s < sensors.sensors.size(); ++s) {
    const ResolvedSensor& sensor = sensors.sensors[s];
    if (!sensor.is_simulated || (!has_steps && !is_of_the_state(sensor.kind))) continue;
    sensors_.emplace_back(sensor.begin, sensor.size);
    const std::string name = name_or_number(model.elements.sensors[s].name, s);
    for (int i = 0; i < sensor.size; ++i) names_.push_back(format("sensor:{}[{}]", name, i));
  }
  for (std::size_t a = 0; a < model.elements.actuators.size(); ++a)
    names_.push_back("control:" + name_or_number(model.elements.actuators[a].name, a));
}

void FrameMaker::set_state(const World& world, const Input& input, ViewFrame* frame) {
  const Model& model = world.model();
  const Forest& forest = model.forest;
  const State& state = world.state();
  set_prescribed(forest, input.prescribed, &kinematics_);
  compute_positions(forest, state.q.data(), &kinematics_);
  compute_velocities(forest, state.v.data(), &kinematics_);
  frame->time = state.time;
  frame->poses.resize(forest.bodies.size());
  frame->velocities.resize(forest.bodies.size());
  for (std::size_t b = 0; b < forest.bodies.size(); ++b) {
    const Pose X = body_pose(forest, kinematics_, static_cast<int>(b));
    const Vec4 q = quaternion_from_rotation(X.R);
    frame->poses[b] = {q[0], q[1], q[2], q[3], X.p[0], X.p[1], X.p[2]};
    const Vec6 V = body_velocity(forest, kinematics_, static_cast<int>(b));
    std::copy(V.data(), V.data() + 6, frame->velocities[b].begin());
  }
  const Energies energies =
      stiction::energies(model, state, input);  // without contacts, which take a step's work
  frame->values = {energies.kinetic, energies.gravity, energies.springs, 0.0, 0.0, 0.0};
  for (const int at : joints_) frame->values.push_back(state.q[at]);
  if (!sensors_.empty()) {
    const std::span<const double> all = world.sensors();
    for (const auto& [begin, size] : sensors_)
      frame->values.insert(frame->values.end(), all.begin() + begin, all.begin() + begin + size);
  }
  const Eigen::Index actuators = static_cast<Eigen::Index>(model.elements.actuators.size());
  for (Eigen::Index a = 0; a < actuators; ++a)
    frame->values.push_back(input.controls.size() == actuators ? input.controls[a] : 0.0);
  frame->contacts.clear();
  frame->polygons.clear();
}

void FrameMaker::set_step(const StepRecord& record, const StepReport& report, ViewFrame* frame) {
  copy_contacts(record, &touching_);
  set_contacts(touching_.contacts.data(), static_cast<std::size_t>(touching_.num_contacts), frame);
  copy_patches(friction_.collision(), record, &patches_, &touching_);
  set_patches(touching_.patches.data(), static_cast<std::size_t>(touching_.num_patches), frame);
  set_solve(report.contact.residual, report.contact.iterations, name_of(report.contact.status), frame);
}

void FrameMaker::set_contacts(const recorded::Contact* contacts, std::size_t count, ViewFrame* frame) const {
  frame->contacts.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const recorded::Contact& from = contacts[i];
    frame->contacts[i] = {from.body_a,        from.body_b,
                          from.shape_a,       from.shape_b,
                          floats(from.point), floats(from.normal),
                          floats(from.force), from.distance,
                          from.sliding,       static_cast<float>(friction_(from.shape_a, from.shape_b))};
  }
}

void FrameMaker::set_patches(const recorded::Patch* patches, std::size_t count, ViewFrame* frame) {
  frame->polygons.clear();
  for (const recorded::Patch* patch = patches; patch != patches + count; ++patch) {
    for (const int corners : patch->corner_counts)
      frame->polygons.counts.push_back(static_cast<std::uint32_t>(corners));
    for (std::size_t c = 0; c < patch->pressures.size(); ++c) {
      for (std::size_t k = 0; k < 3; ++k) frame->polygons.corners.push_back(patch->corners[3 * c + k]);
      frame->polygons.corners.push_back(patch->pressures[c]);
    }
  }
}

void FrameMaker::set_solve(double residual, int iterations, const std::string& status, ViewFrame* frame) {
  if (frame->values.size() < kFirstValues) return;
  frame->values[kResidual] = residual;
  frame->values[kIterations] = iterations;
  const std::vector<std::string>& words = status_names();
  const auto found = std::find(words.begin(), words.end(), status);
  frame->values[kStatus] = found == words.end() ? -1.0 : static_cast<double>(found - words.begin());
}

}  // namespace stiction::viewer
