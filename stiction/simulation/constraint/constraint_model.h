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
//   - Limits and loops relax in the model's relaxation time: its number `relaxation_time` (Elements::numbers, MJCF's
//     <custom><numeric>; s), or kDefaultRelaxationTime.
//   - A joint that mimics another one, and an equality of joints, couple positions:
//     q1 = sum c_i (q2 - ref)^i.

#include <string_view>
#include <vector>

#include "stiction/constraint/all.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/constraint/constraint_record.h"

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
  double relaxation_time = kDefaultRelaxationTime;  // s

  // Index by name; throws UserError with the closest name there is.
  int find(std::string_view name) const;
  bool is_active(const ConstraintSwitches& switches, std::size_t constraint) const {
    return switches.active.empty() ? constraints[constraint].active : switches.active[constraint] != 0;
  }
  // The options, with the model's relaxation time where they have none.
  ConstraintOptions completed(ConstraintOptions options) const {
    if (options.relaxation_time < 0.0) options.relaxation_time = relaxation_time;
    return options;
  }
  // An upper bound, without locks, which are inputs.
  int most_rows() const;
};

// Calls use(bushing) for the bushings that act.
template <class Use>
void for_each_bushing(const ConstraintModel& model, const ConstraintSwitches& switches, const Use& use) {
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const auto* bushing = std::get_if<BushingSprings>(&model.constraints[i].what);
    if (bushing != nullptr && model.is_active(switches, i) && !bushing->is_within_one_node()) use(*bushing);
  }
}

}  // namespace stiction
