#pragma once
// Actuators: from controls to forces on the joints, and the springs and dampers of tendons.
//
//   w' = rate(u, w)                                   activation, where an actuator has dynamics
//   f  = (g0 + g1 l + g2 l') x + b0 + b1 l + b2 l'    x: the activation, or the control if there is none;
//                                                     muscles have curves in place of g and b (muscle.h)
//   tau = sum row' clamp(f)                           rows: transmission.h
//
//   dynamics      rate                            after a step h
//   integrator    u                               w + h rate
//   filter        (u - w) / T                     w + h rate
//   filterexact   (u - w) / T                     w + (u - w) (1 - exp(-h / T))
//   muscle        muscle.h                        w + h rate
//
//   tendon        f = -k (l - [l0, l1]) - d l'    no force from the spring within the band [l0, l1]
//
// l is the length of the transmission, l' = row . v its velocity, u the control in its range. Everything is
// taken at the start of the step. The derivatives K = -df/dl and D = -df/dl' before clamping are in the
// record, so that a force can be taken implicitly, f = clamp(f0 - (h K + D) (l'_new - l') - h K l'): those marked
// `is_implicit` are rows of the contact problem (constraint/drive.h), and the sums over forces leave them out.
//
// Where the length is a turn (a ball joint, or a site that turns about another), a position servo (g0 = -b1)
// goes the short way: x is moved by whole turns to within half a turn of l, and so are activations after a
// step and controls towards them. These are the actuators of MJCF
// as of MuJoCo 4.0, without its dcmotor, pid, so3, user and plugin kinds (`missing_part`).

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "stiction/simulation/actuation/muscle.h"
#include "stiction/simulation/actuation/transmission.h"

namespace stiction {

// What an actuator needs that is not simulated, as a phrase; empty: nothing. It then has no force.
std::string missing_part(const Actuator& actuator);

enum class ActivationKind : std::uint8_t { none, integrator, filter, filter_exact, muscle };

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// An actuator as the step needs it.
struct ActuatorLaw {
  bool acts = true;
  bool is_early = false;  // the activation after the step acts
  ActivationKind dynamics = ActivationKind::none;
  int activation = -1;  // in State::activations
  int muscle = -1;      // in ActuationModel::muscles
  std::array<double, 3> gain = {}, bias = {};
  std::array<double, 3> dynamics_parameters = {};
  double period = 0.0;  // rad, of a servo on a turn; 0: none
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

// All actuators together give a joint no more than this.
struct JointForceBounds {
  int dof = 0;
  double lower = 0.0, upper = 0.0;
};

// Pulled towards what it touches by an actuator (adhesion.h).
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
  std::vector<int> compensating_dofs;  // whose share of gravity compensation counts as actuators' force
  int num_activations = 0;
};

struct ActuatorRecord {
  double length = 0.0, velocity = 0.0;
  double control = 0.0;                   // within its range
  double input = 0.0;                     // x: what the gain multiplies
  double free_force = 0.0;                // f, before clamping
  double stiffness = 0.0, damping = 0.0;  // K, D
  double force = 0.0;                     // that acts
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

// Controls into their ranges; no controls: zeros.
void set_controls(const ActuationModel& model, const VecX& controls, ActuationRecord* record);

// Lengths, velocities, springs and dampers of tendons.
void compute_tendon_forces(const ActuationModel& model, const Kinematics& kinematics, const double* q,
                           const double* v, ActuationRecord* record);

// Forces of actuators in a step h, after compute_tendon_forces. `gravity_compensation` (by velocity; null:
// none) joins them on the joints that ask for it.
void compute_actuator_forces(const ActuationModel& model, const double* v, const VecX& activations, double h,
                             const double* gravity_compensation, ActuationRecord* record);

}  // namespace stiction
