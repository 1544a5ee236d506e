#pragma once
// Actuators: from controls to forces on the joints, and the springs and dampers of tendons.
//
//   w' = rate(u, w)                                   activation, where an actuator has dynamics
//   f  = (g0 + g1 l + g2 l') x + b0 + b1 l + b2 l'    x: the activation, or the control if there is none;
//                                                     muscles have curves in place of g and b (muscle.h)
//   tau = sum row' clamp(f)                           rows: transmission.h
//
//   dynamics      rate           after a step h
//   integrator    u              w + h rate
//   filter        (u - w) / T    w + h rate
//   filterexact   (u - w) / T    w + (u - w) (1 - exp(-h / T))
//   muscle        muscle.h       w + h rate
//
//   pid           the controller of MuJoCo's plugin mujoco.pid (is_first: no set point before); up to the
//                 time t of the step its set point and integral have come to
//                   u(t) = clamp(control, u_last -+ t slewmax), from the second step on;   e = u - l
//                   I(t) = clamp(I_last + t e, -+ imax/ki)
//                 f = kp e - kd l' + ki I, with u(h) and I(h) as in the plugin; they are its next activations
//
// A tendon has f = -k (l - [l0, l1]) - d l': no force from the spring within the band [l0, l1].
//
// l is the length of the transmission, l' = row . v its velocity, u the control clamped to its range. All are
// evaluated at the start of the step; under a scheme with theta > 0 (S eq. 6) at q^theta, v^theta and
// w^theta = w + theta (w1 - w), so that w1 = w + h rate(u, w^theta) is of second order at theta = 1/2. A pid
// then has u(theta h) and I(theta h) in f, and e = u(theta h) - l(q^theta) in I(theta h) and I(h): of second
// order as well. The record also has the derivatives before clamping, K = -df/dl and D = -df/dl', so that a
// force can be integrated implicitly,
//
//   f = clamp(f0 - (h K + D) (l'_new - l') - h K l').
//
// Actuators and tendons marked `is_implicit` become rows of the contact problem (constraint/drive.h) and are
// left out of the sums of forces below.
//
// If the length is an angle (of a ball joint, or of a site relative to a reference site), a position servo
// (g0 = -b1) takes the shorter way round: x is shifted by multiples of 2 pi to within pi of l, and so are
// activations after a step, and controls relative to activations.
//
// These are the actuators of MJCF as of MuJoCo 4.0, without the kinds dcmotor, pid, so3, user and the plugins
// other than mujoco.pid (`missing_part`).

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "stiction/simulation/actuation/muscle.h"
#include "stiction/simulation/actuation/transmission.h"

namespace stiction {

// Names what an actuator needs that is not simulated; empty: nothing. An actuator with a missing part has no
// force.
std::string missing_part(const Actuator& actuator);

enum class ActivationKind : std::uint8_t { none, integrator, filter, filter_exact, muscle, pid };

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// An actuator in the form that the step uses.
struct ActuatorLaw {
  bool acts = true;
  bool is_early = false;  // the force uses the activation at the end of the step
  ActivationKind dynamics = ActivationKind::none;
  int activation = -1;  // in State::activations
  int muscle = -1;      // in ActuationModel::muscles
  std::array<double, 3> gain = {}, bias = {};
  std::array<double, 3> dynamics_parameters = {};
  double integral_gain = 0.0;            // pid: ki
  double largest_integral = kUnbounded;  // pid: of I, imax/ki
  double fastest = kUnbounded;           // pid: slewmax
  int set_point = -1;                    // pid: its last one, in State::activations
  double period = 0.0;                   // rad, of a servo whose length is an angle; 0: none
  double lowest_control = -kUnbounded, highest_control = kUnbounded;
  double lowest_force = -kUnbounded, highest_force = kUnbounded;
  double lowest_activation = -kUnbounded, highest_activation = kUnbounded;
};

struct TendonLaw {
  double stiffness = 0.0, damping = 0.0;           // N/m, N s/m
  double shortest = 0.0, longest = 0.0;            // m, between them the spring is slack
  double lowest_force = 0.0, highest_force = 0.0;  // N, of all actuators on it together
  bool bounds_force = false;
};

// Bounds of the total force of all actuators on a joint.
struct JointForceBounds {
  int dof = 0;
  double lower = 0.0, upper = 0.0;
};

// A body that an actuator pulls towards the bodies it touches (adhesion.h).
struct AdhesiveBody {
  int actuator = 0;
  int body = 0;
};

struct ActuationModel {
  explicit ActuationModel(const Model& model);

  Transmissions transmissions;
  std::vector<ActuatorLaw> actuators;  // in the order of Elements::actuators
  std::vector<MuscleCurves> muscles;
  std::vector<TendonLaw> tendons;
  std::vector<int> elastic_tendons;  // with stiffness or damping
  std::vector<int> bounded_tendons;  // with bounds_force
  std::vector<JointForceBounds> joint_bounds;
  std::vector<AdhesiveBody> adhesive_bodies;
  std::vector<int> compensating_dofs;  // gravity compensation on these counts as actuator force
  int num_activations = 0;
};

struct ActuatorRecord {
  double length = 0.0, velocity = 0.0;
  double control = 0.0;                   // within its range
  double input = 0.0;                     // x: the factor of the gain
  double integral_force = 0.0;            // N or N m, of a PID controller, in free_force
  double integral_stiffness = 0.0;        // its part of K, ki theta h within the bounds of the integral
  double free_force = 0.0;                // f, before clamping
  double stiffness = 0.0, damping = 0.0;  // K, D
  double force = 0.0;                     // after clamping
  bool is_implicit = false;
};

struct TendonRecord {
  double length = 0.0, velocity = 0.0;
  double force = 0.0;                     // of spring and damper; positive: pushes its ends apart
  double stiffness = 0.0, damping = 0.0;  // K (0 where it is slack), D
  bool is_implicit = false;
};

// The part of the StepRecord about actuators and tendons.
struct ActuationRecord {
  ActuationRecord(const ActuationModel& model, int num_v);

  TransmissionState transmissions;
  std::vector<TendonRecord> tendons;
  std::vector<ActuatorRecord> actuators;
  std::vector<double> activation_rates, next_activations;  // in the order of State::activations
  VecX tendon_forces;  // by velocity, of all springs and dampers that are not implicit
  VecX joint_forces;   // by velocity, of all actuators that are not implicit, within the bounds of joints
};

// Clamps controls to their ranges; no controls: zeros.
void set_controls(const ActuationModel& model, const VecX& controls, ActuationRecord* record);

// Lengths, velocities, springs and dampers of tendons.
void compute_tendon_forces(const ActuationModel& model, const Kinematics& kinematics, const double* q,
                           const double* v, ActuationRecord* record);

// Forces of actuators in a step h, after compute_tendon_forces. `gravity_compensation` (by velocity; null:
// none) is added on the joints that count it as actuator force. theta: the time within the step at which
// forces and rates of activations are taken; v is that at this time, activations those at the start of the
// step.
// is_first: no step has been taken yet, so that PID controllers have no last set point.
void compute_actuator_forces(const ActuationModel& model, const double* v, const VecX& activations, double h,
                             const double* gravity_compensation, ActuationRecord* record, double theta = 0.0,
                             bool is_first = false);

}  // namespace stiction
