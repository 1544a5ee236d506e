#pragma once
// The compiled model: everything that depends on the model alone, so that a step need not look it up or
// compute it again.
//
//   collision     shapes that can touch, ready for the narrow phase, and which pairs of them may
//   contact       materials and how two of them combine, overrides of pairs included
//   stiffness     that of pairs to which nobody gave one, for every step of a World
//   actuation     actuators, tendons and their transmissions, by index
//   body_forces   gravity compensation and fluid forces
//   constraints   limits, dry friction, loop closures, couplings, by index
//   trees         the blocks of the contact problem and how the velocities of a robot couple (branches)
//
// Model::tables() returns the tables of a model. Changing a model makes new tables; those that do not depend
// on the change are shared with the old ones.

#include <memory>
#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/actuation/body_forces.h"
#include "stiction/simulation/collision/collision_model.h"
#include "stiction/simulation/constraint/constraint_model.h"
#include "stiction/simulation/contact/contact_model.h"
#include "stiction/simulation/contact/default_stiffness.h"

namespace stiction {

struct ModelTables {
  // Throws UserError, which names the element, if something in the model cannot be simulated.
  explicit ModelTables(const Model& model);

  std::shared_ptr<const CollisionModel> collision;
  std::shared_ptr<const ContactModel> contact;
  std::shared_ptr<const ActuationModel> actuation;
  std::shared_ptr<const DefaultStiffness> stiffness;
  std::shared_ptr<const BodyForcesModel> body_forces;
  std::shared_ptr<const ConstraintModel> constraints;
  std::vector<ProblemTree> trees;       // of the forest, in its order
  std::vector<ProblemBranch> branches;  // of all trees
  bool has_surface_velocities = false;  // some shape of the model has a moving surface

  // The material of a pair of collision items, with its stiffness in a World made for steps of h (s).
  PairMaterial pair(int i, int j, double h) const;
};

// What has changed in a model.
enum class ModelChange {
  bodies,     // masses
  joints,     // parameters of joints, armature among them
  surfaces,   // materials, overrides of pairs
  actuators,  // gains and ranges
  gravity,
  shapes,  // sizes
};

// The tables of a changed model, made from those it had before the change.
std::shared_ptr<const ModelTables> updated_tables(const ModelTables& before, const Model& changed,
                                                  ModelChange change);

}  // namespace stiction
