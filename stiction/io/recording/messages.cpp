#include "stiction/io/recording/messages.h"

#include <algorithm>

#include "stiction/base/check.h"

namespace stiction::recorded {
namespace {

std::vector<double> numbers(const auto& vector) { return {vector.begin(), vector.end()}; }

// Throws UserError where the recording has more or fewer numbers.
template <class Vector>
Vector vector_of(const std::vector<double>& values, const char* what) {
  Vector vector;
  STICTION_USER_CHECK(static_cast<Eigen::Index>(values.size()) == vector.size(),
                      "{} of the recording has {} numbers, not {}", what, values.size(), vector.size());
  std::copy(values.begin(), values.end(), vector.data());
  return vector;
}

Error error_of(const stiction::Error& error) { return {error.absolute, error.relative}; }

}  // namespace

void set_snapshot(const stiction::State& state, std::int64_t step, Snapshot* message) {
  message->time = state.time;
  message->step = step;
  message->hash = hash(state);
  message->q = state.q;
  message->v = state.v;
  message->activations = state.activations;
  message->acceleration = state.acceleration;
  message->last_acceleration = state.last_acceleration;
  message->points.clear();
  for (const stiction::RememberedPoint& p : state.memory.points)
    message->points.push_back(
        {p.shape_A, p.shape_B, p.feature, numbers(p.place), numbers(p.force), numbers(p.moment)});
  message->rows.clear();
  for (const stiction::RememberedRow& r : state.memory.rows)
    message->rows.push_back({r.kind, r.index, r.component, r.force});
  message->deflections.clear();
  for (const stiction::RememberedDeflection& d : state.memory.deflections)
    message->deflections.push_back(
        {d.shape_A, d.shape_B, d.normal_A, d.normal_B, numbers(d.shear_A), numbers(d.shear_B)});
  message->penalties.clear();
  for (const stiction::RememberedPenalty& p : state.memory.penalties)
    message->penalties.push_back({p.tree, p.rho});
}

void set_state(const Snapshot& message, stiction::State* state) {
  state->time = message.time;
  state->q = message.q;
  state->v = message.v;
  state->activations = message.activations;
  state->acceleration = message.acceleration;
  state->last_acceleration = message.last_acceleration;
  state->memory.points.clear();
  for (const RememberedPoint& p : message.points) {
    stiction::RememberedPoint point;
    point.shape_A = p.shape_a;
    point.shape_B = p.shape_b;
    point.feature = p.feature;
    point.place = vector_of<Vec3>(p.place, "a remembered place");
    point.force = vector_of<Vec3>(p.force, "a remembered force");
    point.moment = vector_of<Vec3>(p.moment, "a remembered moment");
    state->memory.points.push_back(point);
  }
  state->memory.rows.clear();
  for (const RememberedRow& r : message.rows)
    state->memory.rows.push_back({r.kind, r.index, r.component, r.force});
  state->memory.deflections.clear();
  for (const RememberedDeflection& d : message.deflections)
    state->memory.deflections.push_back({d.shape_a, d.shape_b, d.normal_a, d.normal_b,
                                         vector_of<Vec3>(d.shear_a, "a deflection"),
                                         vector_of<Vec3>(d.shear_b, "a deflection")});
  state->memory.penalties.clear();
  for (const RememberedPenalty& p : message.penalties) state->memory.penalties.push_back({p.tree, p.rho});
}

void set_input(const stiction::Input& input, Input* message) {
  message->controls = input.controls;
  message->joint_forces = input.joint_forces;
  message->wrenches.clear();
  for (const BodyWrench& w : input.wrenches)
    message->wrenches.push_back({w.body, numbers(w.p_W), numbers(w.wrench)});
  message->prescribed.clear();
  for (const PrescribedMotion& motion : input.prescribed) {
    const Mat3& R = motion.X_WB.R;
    message->prescribed.push_back(
        {{R.data(), R.data() + R.size()}, numbers(motion.X_WB.p), numbers(motion.V), numbers(motion.A)});
  }
  const DisabledContacts& disabled = input.disabled_contacts;
  message->disabled_shapes = disabled.shapes;
  message->disabled_bodies = disabled.bodies;
  message->disabled_pairs.clear();
  for (const std::array<int, 2>& pair : disabled.pairs)
    message->disabled_pairs.insert(message->disabled_pairs.end(), pair.begin(), pair.end());
  message->groups.clear();
  for (const stiction::GroupSwitch& s : disabled.groups)
    message->groups.push_back({s.group, s.other, s.collides});
  const ConstraintSwitches& switches = input.constraints;
  message->active_constraints.bytes.assign(switches.active.begin(), switches.active.end());
  message->locks.clear();
  for (const stiction::JointLock& lock : switches.locks)
    message->locks.push_back({lock.joint, {lock.q.begin(), lock.q.end()}});
  message->unlimited_joints = switches.unlimited_joints;
  message->surface_velocities.clear();
  for (const stiction::SurfaceVelocity& surface : input.surface_velocities)
    message->surface_velocities.push_back({surface.shape, numbers(surface.v_B)});
}

void set_input(const Input& message, stiction::Input* input) {
  *input = {};
  input->controls = message.controls;
  input->joint_forces = message.joint_forces;
  for (const Wrench& w : message.wrenches) {
    BodyWrench wrench;
    wrench.body = w.body;
    wrench.p_W = vector_of<Vec3>(w.point, "the point of a wrench");
    wrench.wrench = vector_of<Vec6>(w.wrench, "a wrench");
    input->wrenches.push_back(wrench);
  }
  for (const Prescribed& p : message.prescribed) {
    PrescribedMotion motion;
    motion.X_WB.R = vector_of<Mat3>(p.rotation, "a prescribed rotation");
    motion.X_WB.p = vector_of<Vec3>(p.position, "a prescribed position");
    motion.V = vector_of<Vec6>(p.velocity, "a prescribed velocity");
    motion.A = vector_of<Vec6>(p.acceleration, "a prescribed acceleration");
    input->prescribed.push_back(motion);
  }
  DisabledContacts& disabled = input->disabled_contacts;
  disabled.shapes = message.disabled_shapes;
  disabled.bodies = message.disabled_bodies;
  for (std::size_t i = 0; i + 1 < message.disabled_pairs.size(); i += 2)
    disabled.pairs.push_back({message.disabled_pairs[i], message.disabled_pairs[i + 1]});
  for (const GroupSwitch& s : message.groups) disabled.groups.push_back({s.group, s.other, s.collides});
  ConstraintSwitches& switches = input->constraints;
  switches.active.assign(message.active_constraints.bytes.begin(), message.active_constraints.bytes.end());
  for (const JointLock& lock : message.locks) {
    stiction::JointLock own;
    own.joint = lock.joint;
    STICTION_USER_CHECK(lock.q.size() == own.q.size(), "a joint lock of the recording has {} numbers, not {}",
                        lock.q.size(), own.q.size());
    std::copy(lock.q.begin(), lock.q.end(), own.q.begin());
    switches.locks.push_back(own);
  }
  switches.unlimited_joints = message.unlimited_joints;
  for (const SurfaceVelocity& surface : message.surface_velocities)
    input->surface_velocities.push_back(
        {surface.shape, vector_of<Vec3>(surface.velocity, "the velocity of a surface")});
}

void set_certificate(const stiction::Certificate& certificate, Certificate* message) {
  const ContactResidual& c = certificate.contact;
  *message = {};
  message->momentum = error_of(c.momentum);
  message->law = error_of(c.law);
  message->primal = error_of(c.primal);
  message->dual = error_of(c.dual);
  message->complementarity = error_of(c.complementarity);
  message->signorini = error_of(c.signorini);
  message->dissipation = error_of(c.dissipation);
  if (c.rows) message->rows = error_of(*c.rows);
  if (c.slackness) message->slackness = error_of(*c.slackness);
  if (!certificate.dual) return;
  const DualResidual& d = *certificate.dual;
  ImpulseErrors& impulses = message->impulses.emplace();
  impulses.primal = error_of(d.primal);
  impulses.dual = error_of(d.dual);
  impulses.complementarity = error_of(d.complementarity);
  impulses.ccp_dual = error_of(d.ccp_dual);
  impulses.ccp_complementarity = error_of(d.ccp_complementarity);
  impulses.signorini = error_of(d.signorini);
  impulses.dissipation = error_of(d.dissipation);
  impulses.natural_velocity = error_of(d.natural_velocity);
  impulses.natural_map = error_of(d.natural_map);
  impulses.row_primal = error_of(d.row_primal);
  impulses.row_natural = error_of(d.row_natural);
  impulses.momentum = error_of(d.momentum);
  impulses.internal = error_of(d.internal);
  impulses.law = error_of(d.law);
}

}  // namespace stiction::recorded
