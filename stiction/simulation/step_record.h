#pragma once
// Everything one step computed, grouped by stage, readable afterwards: the viewer, the recorder, sensors,
// derivatives and tests read this and nothing else. Sized once for a model; a step allocates nothing.

#include <memory>

#include "stiction/base/timer.h"
#include "stiction/math/matrix.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/actuation/body_forces.h"
#include "stiction/simulation/collision/collision_record.h"
#include "stiction/simulation/constraint/constraint_record.h"
#include "stiction/simulation/contact/contact_record.h"
#include "stiction/simulation/scheme/geometric/record.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

enum class StepStatus {
  done,
  not_converged,  // the free motion's Newton iteration stopped above its tolerance; the best iterate was
                  // taken
  contact_not_converged,  // the contact solver stopped above its tolerance; its best velocities were taken
  not_positive_definite,  // mass matrix, at StepReport::dof
  not_finite,             // a position or velocity, at StepReport::dof
};

struct Certificate;
class GeometricStepper;

struct StepReport {
  StepStatus status = StepStatus::done;
  double time = 0.0;   // s, at the start of the step
  int iterations = 0;  // Newton iterations of the free motion
  double residual =
      0.0;              // largest change of a velocity in the last of them, relative to the largest velocity
  int dof = -1;         // velocity that the status is about, -1: none
  SolveReport contact;  // of the contact solver
  GeometricReport geometric;                       // of the geometrically implicit step
  std::shared_ptr<const Certificate> certificate;  // where Formulation::certifies; certificate.h
  bool ok() const { return status <= StepStatus::contact_not_converged; }
};

// The parts of a step that are timed.
enum StepStage { kKinematics, kForces, kCollision, kFreeMotion, kAssemble, kSolve, kAdvance };

struct StepRecord {
  explicit StepRecord(const Model& model);
  // With a collision model of the same model, where several records share one.
  StepRecord(const Model& model, std::shared_ptr<const CollisionModel> collision_model);

  // begin: the step and what acts during it
  double h = 0.0;  // s
  VecX joint_forces;
  std::vector<BodyWrench> wrenches;
  // compute_kinematics: at q0, v0
  Kinematics kinematics;
  // compute_forces: at q0, v0
  NodeForces node_forces;
  VecX bias;     // Coriolis, gyroscopic, gravity: M vdot + bias = applied + passive
  VecX applied;  // joint forces, J' wrenches and actuators
  VecX passive;  // springs and dampers of joints and tendons, the medium, gravity compensation
  ActuationRecord actuation;
  BodyForcesRecord body_forces;
  // find_pairs, find_contacts: at q0, v0; no pairs and no points where contacts are not wanted
  CollisionRecord collision;
  // free_motion
  MassMatrix mass;      // rows: M(q0); factor: of A, the linearised momentum matrix of the scheme (S eq. 15)
  VecX added_diagonal;  // A - M
  VecX v_free;
  // assemble_problem, solve
  ContactRecord contact;
  ConstraintRecord constraints;
  // solve under the geometric laws: every contact in an island that took them
  std::vector<GeometricContact> geometric_contacts;
  std::shared_ptr<GeometricStepper> geometric_stepper;  // work space, made when it is first needed
  // The end of the step.
  VecX v_next;
  StepReport report;
  // Seconds of each stage since the record was made, of the steps with Formulation::times_stages.
  StageTimers timers =
      StageTimers({"kinematics", "forces", "collision", "free_motion", "assemble", "solve", "advance"});

  // Work space of the implicit schemes, at q^theta, v^theta.
  Kinematics theta_kinematics;
  InverseDynamicsDerivatives theta_derivatives;
  VecX q_theta, v_theta, acceleration, force, step;
  AlignedVector<double> lu;
  std::vector<int> pivots;
};

// "simulation of 'arm' failed at t = 0.2 s: ..." with the joint or body.
std::string describe(const Model& model, const StepReport& report);

}  // namespace stiction
