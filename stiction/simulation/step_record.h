#pragma once
// The results of one step, grouped by stage: all that the viewer, the recorder, sensors, derivatives and
// tests read. A plain value: it can be copied and kept. Sized once for a model; a step allocates nothing.
//
// A scheme may take a step in parts (GeometricallyImplicit halves a step that it cannot solve). The record
// then has
//   of the whole step    h, v_start, v_next, the report; kinematics, forces and inertia at its start;
//                        forces of actuators and tendons, as means
//   of the last part     collision, constraints, contact
// Code that reads impulses uses for_each_part, so that it sums over the whole step.

#include <memory>
#include <string>
#include <vector>

#include "stiction/math/matrix.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/actuation/body_forces.h"
#include "stiction/simulation/collision/collision_record.h"
#include "stiction/simulation/constraint/constraint_record.h"
#include "stiction/simulation/contact/contact_memory.h"
#include "stiction/simulation/contact/contact_record.h"
#include "stiction/simulation/model/model.h"
#include "stiction/simulation/scheme/geometric/record.h"

namespace stiction {

enum class StepStatus {
  done,
  not_converged,  // the free motion's Newton iteration stopped above its tolerance; best iterate taken
  contact_not_converged,  // the contact solver stopped above its tolerance; its best velocities were taken
  not_positive_definite,  // mass matrix, at StepReport::dof
  not_finite,             // a position or velocity is not finite, at StepReport::dof
};

struct Certificate;
struct State;

struct StepReport {
  StepStatus status = StepStatus::done;
  double time = 0.0;   // s, at the start of the step
  int iterations = 0;  // Newton iterations of the free motion
  // Largest change of a velocity in the last of them, relative to the largest velocity.
  double residual = 0.0;
  int dof = -1;                                    // index of the velocity that the status is about, -1: none
  SolveReport contact;                             // of the contact solver
  GeometricReport geometric;                       // of the geometrically implicit step
  std::shared_ptr<const Certificate> certificate;  // where Formulation::certifies; certificate.h
  bool ok() const { return status <= StepStatus::contact_not_converged; }
};

struct StepRecord {
  explicit StepRecord(const Model& model);

  // begin: the step size and the inputs
  double h = 0.0;         // s
  VecX q_start, v_start;  // at the start of the step
  VecX joint_forces;
  std::vector<BodyWrench> wrenches;
  std::vector<RememberedDeflection> deflections;  // of the layers of geometric_quasi_rigid, at the start
  // compute_kinematics: at the start of the step
  Kinematics kinematics;
  // compute_forces: at the start of the step
  VecX bias;     // Coriolis, gyroscopic, gravity: M vdot + bias = applied + passive
  VecX applied;  // joint forces, J' wrenches and actuators
  VecX passive;  // springs and dampers of joints and tendons, fluid forces, gravity compensation
  ActuationRecord actuation;
  BodyForcesRecord body_forces;
  // find_pairs, find_contacts: at the start of the step; empty if Formulation::finds_contacts is false
  CollisionRecord collision;
  // free_motion
  MassMatrix mass;      // rows: M(q0); factor: of A, the linearised momentum matrix of the scheme (S eq. 15)
  VecX added_diagonal;  // A - M
  VecX v_free;
  // add_constraint_rows, assemble_problem, solve
  ConstraintRecord constraints;
  ContactRecord contact;
  // solve_contact of the geometric laws: the contacts of the islands that were solved with the geometry at
  // the end
  std::vector<GeometricContact> geometric_contacts;
  // The end of the step.
  VecX v_next;
  StepReport report;
  // If the step was taken in parts: their records, in order of time. Otherwise empty.
  std::vector<StepRecord> parts;
};

// Calls use(part, its share of the step's time) for each part of a step, or once with the step itself.
template <class Use>
void for_each_part(const StepRecord& record, const Use& use) {
  if (record.parts.empty()) {
    use(record, 1.0);
    return;
  }
  for (const StepRecord& part : record.parts) use(part, part.h / record.h);
}

// Takes the contact solver's report into that of the step.
void report_contact(const Model& model, StepRecord* r);
// The status and the velocity at which the next state is not finite, if it is not.
void check_finite(const Model& model, const State& next, StepReport* report);

// "simulation of 'arm' failed at t = 0.2 s: ..." with the joint or body.
std::string describe(const Model& model, const StepReport& report);

}  // namespace stiction
