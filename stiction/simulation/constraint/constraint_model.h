#pragma once
// The constraints of a model with their names looked up: limits and dry friction of joints, couplings, loop
// closures, rods, ropes, bushings. stiction/simulation/constraint/constraint_rows.h writes their rows in
// every step.
//
// Conventions where a model file says nothing or uses the parameters of another engine:
//   - Limits and equalities are as rigid as the step allows (stiction/constraint/row_laws.h), unless MJCF's
//     solref is negative, which gives a stiffness and a damping; other values of solref and solimp are
//     ignored.
//   - A weld or connect holds together the frames that coincide in the model's initial position.
//   - A joint that mimics another one, and an equality of joints, couple positions:
//     q1 = sum c_i (q2 - ref)^i.

#include <string_view>
#include <vector>

#include "stiction/constraint/all.h"
#include "stiction/simulation/actuation/actuation.h"

namespace stiction {

struct ConstraintModel {
  ConstraintModel(const Model& model, const ActuationModel& actuation);

  std::vector<JointLimit> limits;
  std::vector<JointFriction> frictions;
  std::vector<TendonLimit> tendon_limits;
  std::vector<TendonFriction> tendon_frictions;
  std::vector<ImplicitDrive> drives;
  // Constraints that can be switched: equalities of the model in their order, mimicking joints, distances,
  // slots, bushings, supports.
  std::vector<Constraint> constraints;

  // Index by name; throws UserError with the closest name there is.
  int find(std::string_view name) const;
  // An upper bound, without locks, which are inputs.
  int most_rows() const;
};

}  // namespace stiction
