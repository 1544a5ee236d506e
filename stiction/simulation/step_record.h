#pragma once
// Everything one step computed, grouped by stage, readable afterwards: the viewer, the recorder, sensors,
// derivatives and tests read this and nothing else. Sized once for a model; a step allocates nothing.

#include "stiction/math/matrix.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/model.h"

namespace stiction {

enum class StepStatus {
  done,
  not_converged,  // the free motion's Newton iteration stopped above its tolerance; the best iterate was
                  // taken
  not_positive_definite,  // mass matrix, at StepReport::dof
  not_finite,             // a position or velocity, at StepReport::dof
};

struct StepReport {
  StepStatus status = StepStatus::done;
  double time = 0.0;   // s, at the start of the step
  int iterations = 0;  // Newton iterations of the free motion
  double residual =
      0.0;       // largest change of a velocity in the last of them, relative to the largest velocity
  int dof = -1;  // velocity that the status is about, -1: none
  bool ok() const { return status == StepStatus::done || status == StepStatus::not_converged; }
};

struct StepRecord {
  explicit StepRecord(const Model& model);

  // begin: the step and what acts during it
  double h = 0.0;  // s
  VecX joint_forces;
  std::vector<BodyWrench> wrenches;
  // compute_kinematics: at q0, v0
  Kinematics kinematics;
  // compute_forces: at q0, v0
  NodeForces node_forces;
  VecX bias;     // Coriolis, gyroscopic, gravity: M vdot + bias = applied + passive
  VecX applied;  // joint forces and J' wrenches
  VecX passive;  // springs and dampers
  // free_motion
  MassMatrix mass;      // rows: M(q0); factor: of A, the linearised momentum matrix of the scheme (S eq. 15)
  VecX added_diagonal;  // A - M
  VecX v_free;
  // The end of the step.
  VecX v_next;
  StepReport report;

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
