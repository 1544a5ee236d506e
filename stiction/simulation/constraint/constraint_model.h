#pragma once
// What keeps joints and bodies of a model together, with its names looked up once: limits and dry friction of
// joints, couplings, loop closures, rods, ropes, bushings. stiction/simulation/constraint/constraint_rows.h makes rows
// of the solver of it in every step.
//
// Rules where a model file is silent or says it in another engine's words:
//   limits and equalities are as rigid as the step allows (stiction/constraint/row_laws.h), unless MJCF's
//   solref is negative, which is a stiffness and a damping; other numbers of solref and solimp do not act;
//   a weld or connect holds the places that coincide in the model's initial position;
//   a joint that mimics another one, or an equality of joints, couples positions: q1 = sum c_i (q2 - ref)^i.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/constraint/row_laws.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/constraint/attached_frame.h"

namespace stiction {

struct JointLimit {
  int joint = 0;
  int q = 0, dof = 0, tree = 0;  // position and velocity of the model
  double lower = 0.0, upper = 0.0;
  bool is_ball = false;  // upper: the largest angle from the reference orientation
};

struct DryFriction {
  int dof = 0, tree = 0;
  double force = 0.0;  // N or N m
};

// q1 = sum c_i (q2 - reference2)^i + reference1, of joints or of lengths of tendons.
struct Coupling {
  bool of_tendons = false;
  int first = 0, second = -1;  // velocities of the model, or tendons; -1: none
  int q1 = 0, q2 = -1;         // joints: positions
  int tree1 = 0, tree2 = -1;   // joints
  double reference1 = 0.0, reference2 = 0.0;
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};
};

enum class LoopClosureKind { point, pose, distance, bushing };

// Two places with something between them.
struct LoopClosure {
  LoopClosureKind kind = LoopClosureKind::point;
  AttachedFrame a, b;
  int common = -1;                            // the last node above both, -1: none
  double lower = 0.0, upper = 0.0;            // m, distance
  std::array<RowCompliance, 6> springs = {};  // bushing: along, then about the axes of a
};

struct Constraint {
  std::string name;  // may be empty
  bool active = true;
  bool is_loop_closure = false;
  int index = 0;  // in ties or couplings
  RowCompliance compliance;
};

struct TendonLimit {
  int tendon = 0;
  double lower = 0.0, upper = 0.0;  // m or rad
  RowCompliance compliance;
};

struct TendonFriction {
  int tendon = 0;
  double force = 0.0;  // N or N m
};

// An actuator that is a row: its force falls with length and velocity at constant rates.
struct ImplicitDrive {
  int actuator = 0;
  double lower = 0.0, upper = 0.0;  // N or N m, its own bounds and those of the joint or tendon it acts on
};

struct ConstraintModel {
  ConstraintModel(const Model& model, const ActuationModel& actuation);

  std::vector<JointLimit> limits;
  std::vector<DryFriction> frictions;
  std::vector<Coupling> couplings;
  std::vector<LoopClosure> loop_closures;
  std::vector<TendonLimit> tendon_limits;
  std::vector<TendonFriction> tendon_frictions;
  std::vector<ImplicitDrive> drives;
  // What can be switched: equalities of the model in their order, mimicking joints, distances, bushings.
  std::vector<Constraint> constraints;

  // Index by name; throws UserError with the closest name there is.
  int find(std::string_view name) const;
};

}  // namespace stiction
