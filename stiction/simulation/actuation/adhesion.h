#pragma once
// Actuators that pull a body towards the bodies it touches (MJCF's `body` transmission, the adhesion
// actuator).
//
// The force f of the actuator is shared equally by the n contact points of the body's shapes that are within
// the margin of their pair: a = f/n at each of them, along the normal; by the points of a pressure patch in
// proportion to their areas. Without a point there is no force.
//
// Under a scheme with theta > 0 (S eq. 6) f is that at theta, as of all actuators: it follows from the
// activation w^theta. The points are those at q0 under every scheme, as S eq. 7 has them for contact forces,
//
//   M(q^theta) (v - v0) = h k(q^theta, v^theta) + J(q0)' gamma.
//
// Contact pushes and adhesion pulls along the same rows J_i, those of the normal velocities: together J_i'
// (lambda_i - a_i) with lambda_i = gamma_i/h. A row turns within a step by h dJ_i/dt, so that its mean is
// J_i(q0) + h/2 dJ_i/dt, and the momentum that a step misses is
//
//   h^2/2 sum dJ_i'/dt (lambda_i - a_i) + O(h^3).
//
// So adhesion has the order of the contact forces: one; two where the rows stay as they are (points at rest
// in the world, bodies that move along straight lines). In a body that is held lambda_i - a_i is its load,
// and the error that of the load, however hard it is pulled. With a_i at theta and lambda_i at q0 it would be
// h^2/2 dJ_i'/dt lambda_i, of the same order and larger by every newton of the pull. Nor could a_i be had
// cheaply at theta: a contact point belongs to neither body, so that it does not move along with one;
// contacts would have to be found anew in every iteration of the free motion.

#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// To be called after contacts were found, with the kinematics there: adds the forces of the record's
// actuators to its joint_forces and to `forces`, by velocity.
void add_adhesion(const Model& model, const Kinematics& kinematics, const CollisionRecord& collision,
                  VecX* forces, ActuationRecord* actuation);

}  // namespace stiction
