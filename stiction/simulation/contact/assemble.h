#pragma once
// From what touches to the contact problem: touched bodies and their Jacobians, patches and points.
//
// A point of contact lies halfway between its two witness points. The velocity of bodies that do not move by
// themselves, and the velocity of surfaces (conveyors), is in the bias of the points. Where B does not move
// by itself, A and B change places. Only trees that are touched get numbers.

#include "stiction/constraint/contact_rows.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/contact/contact_record.h"

namespace stiction {

// What the problem is posed from: the motion without contact, and what touches.
struct AssembleInputs {
  double h = 0.0;                                // s
  const VecX& v;                                 // at the start
  const VecX &acceleration, &last_acceleration;  // of the last two steps, for guesses; may be empty
  const Kinematics& kinematics;
  const MassMatrix& mass;
  const VecX& added_diagonal;  // A - M
  const VecX& v_free;
  const CollisionRecord& collision;
};

// The trees (ModelTables) and the scalar rows are in the problem already.
void assemble_problem(const Model& model, const ContactOptions& options, const AssembleInputs& in,
                      ContactRecord* contact, ContactWorkspace* work);

}  // namespace stiction
