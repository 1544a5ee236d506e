#pragma once
// Actuators that pull a body towards the bodies it touches (MJCF's `body` transmission, the adhesion
// actuator).
//
// The force f of the actuator is shared equally by the n contact points of the body's shapes that are within
// the margin of their pair: f/n at each of them, along the normal. Without a point there is no force.

#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// To be called after contacts were found: adds to the applied forces by velocity, and to those of the
// actuators.
void add_adhesion(const Model& model, const Kinematics& kinematics, const CollisionRecord& collision,
                  VecX* applied, ActuationRecord* actuation);

}  // namespace stiction
