#include "apps/viewer/frame.h"

#include <algorithm>
#include <cmath>

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

// Motions of surfaces against their bodies, in W; empty if there are none.
std::vector<Vec3> moving_belts(const Model& model, const Input& input, const Kinematics& kinematics) {
  std::vector<Vec3> belts;
  for (const PlacedShape& shape : model.shapes) belts.push_back(shape.surface_velocity);
  for (const SurfaceVelocity& given : input.surface_velocities)
    belts[static_cast<std::size_t>(given.shape)] = given.v_B;
  if (std::all_of(belts.begin(), belts.end(), [](const Vec3& v) { return v.isZero(); })) return {};
  for (std::size_t s = 0; s < belts.size(); ++s)
    belts[s] = body_pose(model.forest, kinematics, model.shapes[s].body).R * belts[s];
  return belts;
}

struct PatchCorner {
  Vec3 x = Vec3::Zero();  // m, in W
  double pressure = 0.0;  // Pa
  double slip = 0.0;      // m/s
};

void add_corner(const PatchCorner& corner, ViewPolygons* out) {
  for (const double number : {corner.x[0], corner.x[1], corner.x[2], corner.pressure})
    out->corners.push_back(static_cast<float>(number));
  out->slips.push_back(static_cast<float>(corner.slip));
}

// As it is, or as triangles around its middle, where that slips otherwise than its corners do: as around an axis of spin. The
// pressure is linear, that of the middle is the mean.
void add_polygon(const std::vector<PatchCorner>& corners, const PatchCorner& middle, ViewPolygons* out) {
  constexpr double kOtherwise = 0.1;  // of the fastest corner
  constexpr double kNoSlip = 1e-6;    // m/s
  double mean = 0.0, fastest = kNoSlip;
  for (const PatchCorner& corner : corners) {
    mean += corner.slip / static_cast<double>(corners.size());
    fastest = std::max(fastest, corner.slip);
  }
  if (corners.size() < 3 || std::abs(mean - middle.slip) <= kOtherwise * fastest) {
    out->counts.push_back(static_cast<std::uint32_t>(corners.size()));
    for (const PatchCorner& corner : corners) add_corner(corner, out);
    return;
  }
  for (std::size_t c = 0; c < corners.size(); ++c) {
    out->counts.push_back(3);
    add_corner(corners[c], out);
    add_corner(corners[(c + 1) % corners.size()], out);
    add_corner(middle, out);
  }
}

// The normal of a polygon, of any length.
Vec3 normal_of(const float* corners, int count) {
  const auto corner = [corners](int i) {
    return Vec3(corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]);
  };
  Vec3 sum = Vec3::Zero();
  for (int i = 1; i + 1 < count; ++i) sum += (corner(i) - corner(0)).cross(corner(i + 1) - corner(0));
  return sum;
}

}  // namespace

bool has_step(const World& world) {
  const StepRecord& record = world.record();
  const double end = record.report.time + record.h;
  return record.h > 0.0 && std::abs(end - world.time()) <= 1e-9 * (1.0 + std::abs(end));
}

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
  belts_ = moving_belts(model, input, kinematics_);
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

Vec3 FrameMaker::surface_motion(int body, int shape, const Vec3& x, const ViewFrame& frame) const {
  const ViewPose& pose = frame.poses[static_cast<std::size_t>(body)];
  const std::array<double, 6>& V = frame.velocities[static_cast<std::size_t>(body)];
  const Vec3 arm = x - Vec3(pose[4], pose[5], pose[6]);
  const Vec3 v = Vec3(V[3], V[4], V[5]) + Vec3(V[0], V[1], V[2]).cross(arm);
  return belts_.empty() ? v : v + belts_[static_cast<std::size_t>(shape)];
}

void FrameMaker::set_patches(const recorded::Patch* patches, std::size_t count, ViewFrame* frame) const {
  frame->polygons.clear();
  std::vector<PatchCorner> polygon;
  for (const recorded::Patch* patch = patches; patch != patches + count; ++patch) {
    std::size_t at = 0;
    for (const int corners : patch->corner_counts) {
      const Vec3 n = normal_of(patch->corners.data() + 3 * at, corners).stableNormalized();
      // b over a, along the polygon.
      const auto slip_at = [&](const Vec3& x) {
        const Vec3 v = surface_motion(patch->body_b, patch->shape_b, x, *frame) -
                       surface_motion(patch->body_a, patch->shape_a, x, *frame);
        return (v - n.dot(v) * n).norm();
      };
      polygon.clear();
      PatchCorner middle;
      for (int c = 0; c < corners; ++c, ++at) {
        const float* x = patch->corners.data() + 3 * at;
        const Vec3 place(x[0], x[1], x[2]);
        polygon.push_back({place, patch->pressures[at], slip_at(place)});
        middle.x += place / corners;
        middle.pressure += patch->pressures[at] / corners;
      }
      middle.slip = slip_at(middle.x);
      add_polygon(polygon, middle, &frame->polygons);
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
