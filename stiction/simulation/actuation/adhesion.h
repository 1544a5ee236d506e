#pragma once
// Actuators that pull a body towards what it touches (MJCF's `body` transmission, the adhesion actuator).
//
//   force f of the actuator, n points of the body's shapes within the margin of their pair: f/n at each of
//   them, along the normal; nothing without a point

#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/collision/collision_record.h"

namespace stiction {

// After the contacts were found: adds to the applied forces by velocity, and to those of the actuators.
void add_adhesion(const Model& model, const Kinematics& kinematics, const CollisionRecord& collision,
                  VecX* applied, ActuationRecord* actuation);

}  // namespace stiction
