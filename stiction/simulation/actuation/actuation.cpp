#include "stiction/simulation/actuation/actuation.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

constexpr double kShortestTime = 1e-15;  // s, of a filter

// x shifted by multiples of the period to within half a period of `to`.
double nearest_turn(const ActuatorLaw& law, double x, double to) {
  return law.period == 0.0 ? x : x - law.period * std::round((x - to) / law.period);
}

double activation_rate(const ActuatorLaw& law, double control, double activation) {
  switch (law.dynamics) {
    case ActivationKind::integrator:
      return control;
    case ActivationKind::filter:
    case ActivationKind::filter_exact:
      return (nearest_turn(law, control, activation) - activation) /
             std::max(kShortestTime, law.dynamics_parameters[0]);
    case ActivationKind::muscle:
      return muscle_activation_rate(control, activation, law.dynamics_parameters);
    case ActivationKind::pid:
    case ActivationKind::none:
      break;
  }
  return 0.0;
}

double next_activation(const ActuatorLaw& law, double activation, double rate, double length, double h) {
  double time = h;
  if (law.dynamics == ActivationKind::filter_exact) {
    const double T = std::max(kShortestTime, law.dynamics_parameters[0]);
    time = -T * std::expm1(-h / T);
  }
  const double next = std::clamp(activation + rate * time, law.lowest_activation, law.highest_activation);
  return nearest_turn(law, next, length);
}

// w^theta of w1 = w + h rate(u, w^theta), without bounds: the root of x - w - theta h rate(u, x), which rises
// with x and has its root between w and u.
double activation_within(const ActuatorLaw& law, double control, double w, double h, double theta) {
  if (theta == 0.0) return w;
  if (law.dynamics == ActivationKind::integrator) return w + theta * h * control;
  const double u = nearest_turn(law, control, w);
  if (law.dynamics == ActivationKind::filter || law.dynamics == ActivationKind::filter_exact) {
    const double T = std::max(kShortestTime, law.dynamics_parameters[0]);
    if (law.dynamics == ActivationKind::filter_exact) return w - (u - w) * std::expm1(-theta * h / T);
    return (T * w + theta * h * u) / (T + theta * h);
  }
  double low = std::min(w, u), high = std::max(w, u);
  for (int i = 0; i < 100 && low < high; ++i) {
    const double x = 0.5 * (low + high);
    if (x == low || x == high) break;
    (x - w - theta * h * activation_rate(law, control, x) < 0.0 ? low : high) = x;
  }
  return 0.5 * (low + high);
}

// f, K and D.
void set_force(const ActuationModel& model, const ActuatorLaw& law, ActuatorRecord* a) {
  if (law.muscle >= 0) {
    const MuscleForce f = muscle_force(model.muscles[law.muscle], a->length, a->velocity);
    a->free_force = f.gain * a->input + f.bias;
    a->stiffness = -(f.gain_by_length * a->input + f.bias_by_length);
    a->damping = -f.gain_by_velocity * a->input;
    return;
  }
  const auto& [g0, g1, g2] = law.gain;
  const auto& [b0, b1, b2] = law.bias;
  const double l = a->length, v = a->velocity;
  a->free_force = (g0 + g1 * l + g2 * v) * a->input + b0 + b1 * l + b2 * v + a->integral_force;
  a->stiffness = -(g1 * a->input + b1) + a->integral_stiffness;
  a->damping = -(g2 * a->input + b2);
}

// The set point and the integral of a PID controller: those that its force has, and those after the step.
void advance_pid(const ActuatorLaw& law, const VecX& activations, double h, double theta, bool is_first,
                 ActuatorRecord* a, ActuationRecord* record) {
  const double within = theta > 0.0 ? theta * h : h;  // s
  const auto set = [&](int at, double next) {
    record->next_activations[at] = next;
    record->activation_rates[at] = (next - activations[at]) / h;
  };
  if (law.set_point >= 0) {
    const double last = activations[law.set_point];
    const auto after = [&](double t) {
      return is_first ? a->control : std::clamp(a->control, last - law.fastest * t, last + law.fastest * t);
    };
    set(law.set_point, after(h));
    a->input = after(within);
  }
  if (law.integral_gain == 0.0) return;
  const double last = activations[law.activation], error = a->input - a->length;
  const auto bounded = [&](double sum) {
    return std::clamp(sum, -law.largest_integral, law.largest_integral);
  };
  const double sum = last + within * error;
  a->integral_force = law.integral_gain * bounded(sum);
  a->integral_stiffness = theta > 0.0 && bounded(sum) == sum ? law.integral_gain * within : 0.0;
  set(law.activation, bounded(last + h * error));
}

// Scales the forces of all actuators on one tendon into its bounds.
void bound_on_tendon(const ActuationModel& model, int tendon, std::vector<ActuatorRecord>* actuators) {
  const TendonLaw& law = model.tendons[tendon];
  double total = 0.0;
  for (std::size_t i = 0; i < actuators->size(); ++i)
    if (model.transmissions.tendon_of(static_cast<int>(i)) == tendon) total += (*actuators)[i].force;
  const double bounded = std::clamp(total, law.lowest_force, law.highest_force);
  if (bounded == total) return;
  for (std::size_t i = 0; i < actuators->size(); ++i)
    if (model.transmissions.tendon_of(static_cast<int>(i)) == tendon)
      (*actuators)[i].force *= bounded / total;
}

}  // namespace

ActuationRecord::ActuationRecord(const ActuationModel& model, int num_v)
    : transmissions(model.transmissions),
      tendons(model.tendons.size()),
      actuators(model.actuators.size()),
      activation_rates(model.num_activations),
      next_activations(model.num_activations),
      tendon_forces(VecX::Zero(num_v)),
      joint_forces(VecX::Zero(num_v)) {}

void set_controls(const ActuationModel& model, const VecX& controls, ActuationRecord* record) {
  for (std::size_t i = 0; i < record->actuators.size(); ++i) {
    const ActuatorLaw& law = model.actuators[i];
    const double control = controls.size() > 0 ? controls[static_cast<Eigen::Index>(i)] : 0.0;
    record->actuators[i].control = std::clamp(control, law.lowest_control, law.highest_control);
  }
}

void compute_tendon_forces(const ActuationModel& model, const Kinematics& kinematics, const double* q,
                           const double* v, ActuationRecord* record) {
  model.transmissions.compute(kinematics, q, &record->transmissions);
  const MomentRows& rows = record->transmissions.tendon_rows;
  for (std::size_t t = 0; t < record->tendons.size(); ++t) {
    record->tendons[t].length = record->transmissions.tendon_lengths[t];
    record->tendons[t].velocity = rows.dot(static_cast<int>(t), v);
  }
  if (!model.elastic_tendons.empty()) record->tendon_forces.setZero();
  for (const int t : model.elastic_tendons) {
    const TendonLaw& law = model.tendons[t];
    TendonRecord& tendon = record->tendons[t];
    const double stretch = tendon.length - std::clamp(tendon.length, law.shortest, law.longest);
    tendon.force = -law.stiffness * stretch - law.damping * tendon.velocity;
    tendon.stiffness = stretch != 0.0 || law.shortest == law.longest ? law.stiffness : 0.0;
    tendon.damping = law.damping;
    if (!tendon.is_implicit) rows.add(t, tendon.force, record->tendon_forces.data());
  }
}

void compute_actuator_forces(const ActuationModel& model, const double* v, const VecX& activations, double h,
                             const double* gravity_compensation, ActuationRecord* record, double theta,
                             bool is_first) {
  const MomentRows& rows = record->transmissions.actuator_rows;
  for (std::size_t i = 0; i < record->actuators.size(); ++i) {
    const ActuatorLaw& law = model.actuators[i];
    ActuatorRecord& a = record->actuators[i];
    a.length = record->transmissions.actuator_lengths[i];
    a.velocity = rows.dot(static_cast<int>(i), v);
    a.input = a.control;
    if (law.dynamics == ActivationKind::pid) {
      for (const int at : {law.activation, law.set_point})
        if (at >= 0 && !law.acts) record->next_activations[at] = activations[at];
      if (law.acts) advance_pid(law, activations, h, theta, is_first, &a, record);
    } else if (law.activation >= 0) {
      const double now = activations[law.activation];
      const double within = activation_within(law, a.control, now, h, theta);
      // filterexact is exact over the whole step from its start.
      const bool is_exact = law.dynamics == ActivationKind::filter_exact;
      const double rate = activation_rate(law, a.control, is_exact ? now : within);
      const double next = law.acts ? next_activation(law, now, rate, a.length, h) : now;
      record->activation_rates[law.activation] = rate;
      record->next_activations[law.activation] = next;
      a.input = law.is_early ? next : std::clamp(within, law.lowest_activation, law.highest_activation);
      if (theta == 0.0 && !law.is_early) a.input = now;
    }
    if (!law.acts) {
      a.free_force = a.stiffness = a.damping = a.force = 0.0;
      a.is_implicit = false;
      continue;
    }
    a.input = nearest_turn(law, a.input, a.length);
    set_force(model, law, &a);
    a.force = a.free_force;
  }

  // Apply the bounds of tendons, then of actuators, then of joints.
  for (const int tendon : model.bounded_tendons) bound_on_tendon(model, tendon, &record->actuators);
  VecX& tau = record->joint_forces;
  tau.setZero();
  for (std::size_t i = 0; i < record->actuators.size(); ++i) {
    ActuatorRecord& a = record->actuators[i];
    a.force = std::clamp(a.force, model.actuators[i].lowest_force, model.actuators[i].highest_force);
    if (!a.is_implicit) rows.add(static_cast<int>(i), a.force, tau.data());
  }
  if (gravity_compensation != nullptr)
    for (const int d : model.compensating_dofs) tau[d] += gravity_compensation[d];
  for (const JointForceBounds& bounds : model.joint_bounds)
    tau[bounds.dof] = std::clamp(tau[bounds.dof], bounds.lower, bounds.upper);
}

}  // namespace stiction
