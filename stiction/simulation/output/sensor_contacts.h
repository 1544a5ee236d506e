#pragma once
// Contact sensors: `touch` sums the normal forces inside a zone; `contact` selects contact points by their
// bodies or shapes and reports forces, positions and frames.
//
// A point counts if its shapes overlap or exert a force. It is inside a touch zone if a ray from it along the
// normal, away from the body of the zone, hits the zone, so that points that have penetrated beyond it still
// count.
//
// The frame of a point is (n, t, n x t). n points from the first object of the sensor to the second; if
// either body could be either object, the order of the model's shapes decides. t is e - (e.n) n normalised,
// with e = y, or z if |n_y| >= 1/2. Swapping the objects reverses n and t. Forces are those on the second
// object.

#include <span>
#include <vector>

#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

double touch_force(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                   const Kinematics& kinematics, std::span<const ContactForce> contacts);

// `matches` is scratch memory.
void read_contact_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                         const Kinematics& kinematics, std::span<const ContactForce> contacts,
                         std::vector<int>* matches, double* values);

}  // namespace stiction
