#pragma once
// Reaction wrenches in the joints: the wrench that every body gets from its parent, fixed joints included.
//
//   F_b = m_b (a_b - g),   M_b = I_b alpha_b + w_b x I_b w_b      required by the motion of body b
//   R_b = (M_b, F_b) - (external wrenches on b) + sum of R_c over the children c of b
//
// These are Newton's and Euler's equations of b and its descendants, summed from the leaves to the roots.
// Bodies that are fixed to each other are one node of the recursions in stiction/multibody, but each has its
// own R here. Forces inside a joint (actuators, springs, dampers, limits, dry friction, couplings, fixed
// tendons) are part of R, because they act between the two bodies. So are actuators at sites, gravity
// compensation and fluid forces: as in MuJoCo, they count as forces of the joints.
//
// It allocates nothing, and its cost is linear in the number of bodies. The tests compare it with the same sum in
// its simplest form (test/multibody/joint_reactions.h).

#include <span>
#include <vector>

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// Sized once for a forest.
struct Reactions {
  explicit Reactions(const Forest& forest);

  // By body: (moment about the body's origin, force), in W, from its parent. Entry 0 is the total exerted by
  // the world, about its origin.
  std::vector<Vec6> of_bodies;

  // Scratch memory.
  NodeForces forces;
  VecX tau;
  std::vector<Vec3> origins;  // m, of the bodies, in W
};

// For the motion vdot at q and v of the kinematics, under all external wrenches on bodies.
void compute_reactions(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                       std::span<const BodyWrench> wrenches, Reactions* reactions);

// (moment, force) in W that a loop closure (index into ConstraintModel::constraints) exerted on its first
// frame in a step, at the origin of that frame.
Vec6 loop_closure_wrench(const Model& model, const StepRecord& record, int constraint);

// External wrenches on bodies in one part of a step, at their points of application: of its input, its
// contacts, loop closures (welds, balls, rods, ropes, bushings), and of spatial tendons along their paths.
// `tendon_forces` is scratch memory.
void outside_wrenches(const Model& model, const StepRecord& record, std::span<const ContactForce> contacts,
                      std::vector<double>* tendon_forces, std::vector<BodyWrench>* wrenches);

}  // namespace stiction
