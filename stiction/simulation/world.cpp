#include "stiction/simulation/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/energy_audit.h"
#include "stiction/simulation/law_notes.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/scheme/scheme.h"
#include "stiction/simulation/simulated_time.h"

namespace stiction {
namespace {

// Adds an item to a list of disabled items, or removes it.
template <class Item>
void switch_in(std::vector<Item>* off, const Item& item, bool is_on) {
  off->erase(std::remove(off->begin(), off->end(), item), off->end());
  if (!is_on) off->push_back(item);
}

void set_switch(const GroupSwitch& to, std::vector<GroupSwitch>* switches) {
  for (GroupSwitch& s : *switches) {
    if (s.group != to.group || s.other != to.other) continue;
    s.collides = to.collides;
    return;
  }
  switches->push_back(to);
}

int kinematic_index(const Model& model, std::string_view body) {
  const std::vector<int>& bodies = model.forest.kinematic_bodies;
  const auto found = std::find(bodies.begin(), bodies.end(), model.body(body));
  STICTION_USER_CHECK(found != bodies.end(), "body '{}' of model '{}' is not kinematic", body, model.name);
  return static_cast<int>(found - bodies.begin());
}

}  // namespace

World::World(Model model, const WorldOptions& options)
    : World(std::make_shared<Model>(std::move(model)), options) {}

World::World(std::shared_ptr<Model> own, const WorldOptions& options)
    : World(std::shared_ptr<const Model>(own), options) {
  own_model_ = std::move(own);
}

World::World(std::shared_ptr<const Model> model, const WorldOptions& options)
    : model_(std::move(model)),
      options_(options),
      state_(*model_),
      next_(*model_),
      record_(*model_),
      workspace_(*model_),
      stiffness_step_(options.h),
      now_(model_->forest) {
  STICTION_USER_CHECK(std::isfinite(options.h) && options.h > 0.0,
                      "the step must be positive and finite, not {} s", options.h);
  say_ignored_numbers(*model_, options.formulation.contact);
}

void World::set_state(const State& state) {
  STICTION_USER_CHECK(state.q.size() == model_->num_q() && state.v.size() == model_->num_v(),
                      "model '{}' has {} positions and {} velocities, but the state has {} and {}",
                      model_->name, model_->num_q(), model_->num_v(), state.q.size(), state.v.size());
  STICTION_USER_CHECK(state.q.allFinite() && state.v.allFinite() && std::isfinite(state.time),
                      "a state of model '{}' is not finite", model_->name);
  STICTION_USER_CHECK(state.activations.size() == 0 || state.activations.size() == model_->num_activations(),
                      "model '{}' has {} activations, but the state has {}", model_->name,
                      model_->num_activations(), state.activations.size());
  STICTION_USER_CHECK(state.activations.allFinite(), "an activation of model '{}' is not finite",
                      model_->name);
  State accepted = state;
  if (accepted.activations.size() == 0) accepted.activations = VecX::Zero(model_->num_activations());
  STICTION_USER_CHECK(normalise_quaternions(model_->forest, accepted.q.data()),
                      "a state of model '{}' has a quaternion of length zero", model_->name);
  state_ = std::move(accepted);
}

void World::reset() {
  state_ = State(*model_);
  input_.controls.resize(0);
  input_.prescribed.clear();
}

void World::reset_to_keyframe(std::string_view keyframe) {
  const std::vector<Keyframe>& keys = model_->elements.keyframes;
  std::vector<std::string> names;
  const Keyframe* found = nullptr;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    names.push_back(keys[k].name.empty() ? std::to_string(k) : keys[k].name);
    if (found == nullptr && (keys[k].name == keyframe || std::to_string(k) == keyframe)) found = &keys[k];
  }
  if (found == nullptr) {
    std::string known;
    for (const std::string& name : names) known += (known.empty() ? "" : ", ") + name;
    throw_user_error(format("model '{}': {} (it has {})", model_->name,
                            unknown_name_message("keyframe", keyframe, names),
                            known.empty() ? "none" : known));
  }
  State state(*model_);
  state.time = found->time;
  if (found->q.size() > 0) state.q = found->q;
  if (found->v.size() > 0) state.v = found->v;
  if (!found->activations.empty())
    state.activations =
        Eigen::Map<const VecX>(found->activations.data(), Eigen::Index(found->activations.size()));
  set_state(state);
  input_.controls = Eigen::Map<const VecX>(found->controls.data(), Eigen::Index(found->controls.size()));
  input_.prescribed.clear();
  const std::vector<std::string>& mocap = model_->elements.mocap_bodies;
  for (std::size_t b = 0; b < mocap.size(); ++b) {
    PrescribedMotion& motion = prescribed()[kinematic_index(*model_, mocap[b])];
    if (found->mocap_positions.size() == 3 * mocap.size())
      motion.X_WB.p = Eigen::Map<const Vec3>(found->mocap_positions.data() + 3 * b);
    if (found->mocap_quaternions.size() == 4 * mocap.size())
      motion.X_WB.R = rotation_from_quaternion(Vec4(found->mocap_quaternions.data() + 4 * b));
  }
}

Formulation World::formulation() const {
  Formulation f = options_.formulation;
  if (!(f.stiffness_step > 0.0)) f.stiffness_step = stiffness_step_;
  return f;
}

StepReport World::step() { return step(options_.h); }

StepReport World::step(double h) {
  STICTION_USER_CHECK(std::isfinite(h) && h > 0.0, "the step must be positive and finite, not {} s", h);
  check_input(*model_, input_);
  has_stepped_ = false;
  Formulation& f = options_.formulation;
  if (!(f.stiffness_step > 0.0)) f.stiffness_step = stiffness_step_;
  // The law may change between steps; the record has that of the last one.
  if (record_.contact.problem.law != scheme_of(f).posed_contact(f.contact).law)
    say_ignored_numbers(*model_, f.contact);
  const StepReport report = stiction::step(*model_, state_, input_, h, f, &record_, &workspace_, &next_);
  if (!report.ok()) throw SimulationError(describe(*model_, report));
  std::swap(state_, next_);
  has_stepped_ = true;
  return report;
}

void World::simulate(double duration) {
  STICTION_USER_CHECK(std::isfinite(duration) && duration >= 0.0, "cannot simulate for {} s", duration);
  // A remainder shorter than this fraction of h is round-off of the sum of steps, not a last step.
  constexpr double kRoundOff = 1e-6;
  const double end = duration > 0.0 ? time_after(state_.time, duration) : state_.time, h = options_.h;
  while (end - state_.time > kRoundOff * h) step(std::min(h, end - state_.time));
  state_.time = end;
}

const JointIndices& World::one_dof(std::string_view joint) const {
  const JointIndices& place = model_->forest.joints[model_->joint(joint)];
  STICTION_USER_CHECK(place.num_v == 1, "joint '{}' has {} velocities; use the state's q and v", joint,
                      place.num_v);
  return place;
}

double World::position(std::string_view joint) const { return state_.q[one_dof(joint).q_begin]; }
double World::velocity(std::string_view joint) const { return state_.v[one_dof(joint).v_begin]; }
void World::set_position(std::string_view joint, double q) { state_.q[one_dof(joint).q_begin] = q; }
void World::set_velocity(std::string_view joint, double v) { state_.v[one_dof(joint).v_begin] = v; }

void World::set_joint_force(std::string_view joint, double tau) {
  if (input_.joint_forces.size() == 0) input_.joint_forces = VecX::Zero(model_->num_v());
  input_.joint_forces[one_dof(joint).v_begin] = tau;
}

void World::set_control(std::string_view actuator, double control) {
  const int index = model_->actuator(actuator);
  if (input_.controls.size() == 0)
    input_.controls = VecX::Zero(Eigen::Index(model_->elements.actuators.size()));
  input_.controls[index] = control;
}

double World::control(std::string_view actuator) const {
  const int index = model_->actuator(actuator);
  return input_.controls.size() == 0 ? 0.0 : input_.controls[index];
}

double World::activation(std::string_view actuator) const {
  const std::vector<Actuator>& all = model_->elements.actuators;
  const int index = model_->actuator(actuator);
  STICTION_USER_CHECK(has_activation(all[std::size_t(index)]),
                      "actuator '{}' of model '{}' has no activation", actuator, model_->name);
  int at = 0;
  for (int i = 0; i < index; ++i) at += activation_count(all[std::size_t(i)]);
  return state_.activations[at];
}

const Kinematics& World::kinematics_now() const {
  set_prescribed(model_->forest, input_.prescribed, &now_);
  compute_positions(model_->forest, state_.q.data(), &now_);
  compute_velocities(model_->forest, state_.v.data(), &now_);
  return now_;
}

Pose World::body_pose(std::string_view body) const {
  return stiction::body_pose(model_->forest, kinematics_now(), model_->body(body));
}

Vec6 World::body_velocity(std::string_view body) const {
  return stiction::body_velocity(model_->forest, kinematics_now(), model_->body(body));
}

int World::free_joint(std::string_view body) const {
  const int b = model_->body(body);
  const int node = model_->forest.places[b].node;
  const bool has_own = node >= 0 && model_->forest.nodes[node].kind == NodeKind::free &&
                       model_->forest.joints[model_->forest.nodes[node].joint].body == b;
  STICTION_USER_CHECK(has_own, "body '{}' has no free joint", body);
  return node;
}

void World::set_body_pose(std::string_view body, const Pose& X_WB) {
  const Node& node = model_->forest.nodes[free_joint(body)];
  state_.q.segment<4>(node.q_begin) = quaternion_from_rotation(X_WB.R);
  state_.q.segment<3>(node.q_begin + 4) = X_WB.p;
}

void World::set_body_velocity(std::string_view body, const Vec6& V_WB) {
  const int n = free_joint(body);
  const Node& node = model_->forest.nodes[n];
  const Vec3 com = Eigen::Map<const Vec3>(model_->forest.constants[n].p);
  const Mat3 R = rotation_from_quaternion(Vec4(state_.q.segment<4>(node.q_begin)));
  const Vec3 w = V_WB.head<3>();
  state_.v.segment<3>(node.v_begin) = w;
  state_.v.segment<3>(node.v_begin + 3) = V_WB.tail<3>() + w.cross(R * com);
}

void World::set_shape_collides(std::string_view shape, bool collides) {
  switch_in(&input_.disabled_contacts.shapes, model_->shape(shape), collides);
}

void World::set_body_collides(std::string_view body, bool collides) {
  switch_in(&input_.disabled_contacts.bodies, model_->body(body), collides);
}

void World::set_pair_collides(std::string_view shape1, std::string_view shape2, bool collides) {
  const int i = model_->shape(shape1), j = model_->shape(shape2);
  switch_in(&input_.disabled_contacts.pairs, {std::min(i, j), std::max(i, j)}, collides);
}

void World::set_group_collides(std::string_view group, bool collides) {
  set_switch({find_collision_group(*model_, group), -1, collides}, &input_.disabled_contacts.groups);
}

void World::set_groups_collide(std::string_view group1, std::string_view group2, bool collides) {
  const int i = find_collision_group(*model_, group1), j = find_collision_group(*model_, group2);
  set_switch({std::min(i, j), std::max(i, j), collides}, &input_.disabled_contacts.groups);
}

std::vector<PrescribedMotion>& World::prescribed() {
  if (input_.prescribed.empty()) {
    for (const int body : model_->forest.kinematic_bodies) {
      PrescribedMotion motion;
      motion.X_WB = model_->forest.bodies[body].X_PB;
      input_.prescribed.push_back(motion);
    }
  }
  return input_.prescribed;
}

void World::set_kinematic_motion(std::string_view body, const Pose& X_WB, const Vec6& V_WB) {
  PrescribedMotion& motion = prescribed()[kinematic_index(*model_, body)];
  motion.X_WB = X_WB;
  motion.V = V_WB;
}

void World::set_surface_velocity(std::string_view shape, const Vec3& v_B) {
  const int index = model_->shape(shape);
  for (SurfaceVelocity& surface : input_.surface_velocities) {
    if (surface.shape != index) continue;
    surface.v_B = v_B;
    return;
  }
  input_.surface_velocities.push_back({index, v_B});
}

Vec3 World::contact_force(std::string_view on_body) const {
  return contact_wrench(record_, model_->body(on_body), Vec3::Zero()).tail<3>();
}

Vec3 World::contact_force(std::string_view on_body, ContactPartner other) const {
  return contact_wrench(record_, model_->body(other.of_body), model_->body(on_body), Vec3::Zero()).tail<3>();
}

SensorRecord& World::sensor_record() const {
  if (!sensors_)
    sensors_.emplace(*model_, std::make_shared<const SensorModel>(*model_), model_->tables().actuation);
  return *sensors_;
}

Vec6 World::reaction(std::string_view body) const {
  SensorRecord& r = sensor_record();
  compute_last_reactions(*model_, kinematics_now(), last_step(), &r);
  return r.reactions.of_bodies[model_->body(body)];
}

std::span<const double> World::sensor(std::string_view name) const {
  SensorRecord& r = sensor_record();
  const int index = r.model->find(*model_, name);
  STICTION_USER_CHECK(r.model->sensors[index].is_simulated, "sensor '{}' of model '{}' is not simulated",
                      name, model_->name);
  read_sensors(*model_, state_, kinematics_now(), last_step(), index, &r);
  if (options_.sensor_noise)
    add_sensor_noise(*r.model, *options_.sensor_noise, time(), index, r.values.data());
  return r.of(index);
}

std::span<const double> World::sensors() const {
  SensorRecord& r = sensor_record();
  read_sensors(*model_, state_, kinematics_now(), last_step(), kAllSensors, &r);
  for (std::size_t i = 0; options_.sensor_noise && i < r.model->sensors.size(); ++i)
    add_sensor_noise(*r.model, *options_.sensor_noise, time(), static_cast<int>(i), r.values.data());
  return r.values;
}

EnergyAudit& World::energy_audit() const {
  if (!energy_audit_) energy_audit_ = std::make_shared<EnergyAudit>(*model_);
  return *energy_audit_;
}

Energies World::energies() const {
  return energy_audit().energies(state_, input_, options_.h, formulation());
}

EnergyBooks World::energy_books() const {
  if (!has_stepped_) return {};
  return energy_audit().audit(record_, state_, input_, formulation());
}

}  // namespace stiction
