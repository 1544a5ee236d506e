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
  // What can be switched: equalities of the model in their order, mimicking joints, distances, bushings.
  std::vector<Constraint> constraints;

  // Index by name; throws UserError with the closest name there is.
  int find(std::string_view name) const;
  // At most; locks, which come from outside, apart.
  int most_rows() const;
};

}  // namespace stiction
