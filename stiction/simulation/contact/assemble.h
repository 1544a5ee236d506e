#pragma once
// Assembles the contact problem from the contact points: bodies in contact and their Jacobians, patches and
// points.
//
// A contact point lies halfway between its two witness points; a point of a pressure patch, on the sheet of equal
// pressure. The points of a patch share one w, that of its centre, divided by their shares of its stiffness. The velocities of static and kinematic bodies
// and of moving surfaces (conveyor belts) enter the bias of the points. If B is static or kinematic, A and B
// are swapped. Only trees in contact get numbers.

#include "stiction/constraint/contact_rows.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/contact/contact_record.h"

namespace stiction {

// The inputs of the problem: the motion without contact, and the contact points.
struct AssembleInputs {
  double h = 0.0;                                // s
  double stiffness_step = 0.0;                   // s, of default stiffness (default_stiffness.h)
  const VecX& v;                                 // at the start
  const VecX &acceleration, &last_acceleration;  // of the last two steps, for guesses; may be empty
  const Kinematics& kinematics;
  const MassMatrix& mass;
  const VecX& added_diagonal;  // A - M
  const VecX& v_free;
  const CollisionRecord& collision;
};

// The problem must already contain its trees (ModelTables) and scalar rows.
void assemble_problem(const Model& model, const ContactOptions& options, const AssembleInputs& in,
                      ContactRecord* contact, ContactWorkspace* work);

}  // namespace stiction
