#pragma once
// What goes through the joints: the wrench that every body gets from its parent, fixed joints included.
//
//   F_b = m_b (a_b - g),   M_b = I_b alpha_b + w_b x I_b w_b            what the motion of body b asks for
//   R_b = (M_b, F_b) - (wrenches on b from outside) + sum of R_c over the bodies c that hang on b
//
// Newton's and Euler's law of everything that hangs on b, summed from the leaves to the roots. Bodies that
// are fixed to each other are one node of the recursions in stiction/multibody, but each has its own R here.
// What acts inside a joint (actuators, springs, dampers, limits, dry friction, couplings, fixed tendons) is
// part of R, because it goes from body to body there. So are actuators at sites, gravity compensation and the
// forces of a medium: as in MuJoCo, they count as forces of the joints.
//
// multibody's joint_reactions() is the same sum written plainly; this one allocates nothing and is linear in
// the number of bodies.

#include <span>
#include <vector>

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// Sized once for a forest.
struct Reactions {
  explicit Reactions(const Forest& forest);

  // (moment about the body's origin, force), in W, on every body from its parent. Entry 0 is what the world
  // as a whole gives, about its origin.
  std::vector<Vec6> of_bodies;

  // Work space.
  NodeForces forces;
  VecX tau;
  std::vector<Vec3> origins;  // m, of the bodies, in W
};

// In the motion vdot at the kinematics' q and v, under all wrenches on bodies from outside.
void compute_reactions(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                       std::span<const BodyWrench> wrenches, Reactions* reactions);

// (moment, force) in W that a loop closure (of ConstraintModel::constraints) put on its first frame in a step, at the
// origin of that frame.
Vec6 loop_closure_wrench(const Model& model, const StepRecord& record, int constraint);

// Wrenches on bodies in one part of a step, as they were applied: of its input, of its contacts, of loop closures
// (welds, balls, rods, ropes, bushings) and of spatial tendons along their paths.
// `tendon_forces` is work space.
void outside_wrenches(const Model& model, const StepRecord& record, std::span<const ContactForce> contacts,
                      std::vector<double>* tendon_forces, std::vector<BodyWrench>* wrenches);

}  // namespace stiction
