#pragma once
// Everything that a step uses besides its record: search structures, solvers with their factors, scratch
// memory, timers. It only saves time: a new workspace at every step gives the same results, bit for bit. Each
// thread that steps a model needs its own.

#include <memory>
#include <vector>

#include "stiction/base/timer.h"
#include "stiction/math/matrix.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/actuation/body_forces.h"
#include "stiction/simulation/collision/collision_record.h"
#include "stiction/simulation/constraint/constraint_record.h"
#include "stiction/simulation/contact/contact_record.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

class GeometricStepper;

// The parts of a step that are timed.
enum StepStage { kKinematics, kForces, kCollision, kFreeMotion, kAssemble, kSolve, kAdvance };

// Scratch memory of the schemes. The implicit ones evaluate at q^theta, v^theta.
struct SchemeWorkspace {
  explicit SchemeWorkspace(const Model& model);

  Kinematics theta_kinematics;
  InverseDynamicsDerivatives theta_derivatives;
  VecX q_theta, v_theta, acceleration, force, step;
  AlignedVector<double> lu;
  std::vector<int> pivots;
  // Forces at q^theta, v^theta: of actuators and tendons, and the rows of bushings, springs of tendons and
  // drives.
  ActuationRecord actuation;
  std::vector<NodeWrench> wrenches;
  ContactProblem rows;
  ConstraintRecord row_owners;
  // Trees that such rows couple are solved together. By tree: the first tree of its group, the next one (-1:
  // none), and the place of its first velocity in the matrix of the group; by first tree: the size of the
  // matrix.
  std::vector<int> group_of_tree, next_in_group, offset_in_group, group_size;
  VecX group_step;
};

struct StepWorkspace {
  explicit StepWorkspace(const Model& model);
  ~StepWorkspace();
  StepWorkspace(StepWorkspace&&) noexcept;
  StepWorkspace& operator=(StepWorkspace&&) noexcept;

  NodeForces node_forces;
  std::vector<NodeWrench> node_wrenches;
  CollisionWorkspace collision;
  SchemeWorkspace scheme;
  LockScratch locks;
  ContactWorkspace contact;
  std::unique_ptr<GeometricStepper> geometric;  // made when it is first needed
  // Seconds of each stage since the workspace was made, summed over steps with Formulation::times_stages.
  StageTimers timers =
      StageTimers({"kinematics", "forces", "collision", "free_motion", "assemble", "solve", "advance"});
};

}  // namespace stiction
