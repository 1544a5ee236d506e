#pragma once
// Sensors of contact: touch, which sums the normal forces on a zone, and contact, which picks points of
// contact by what touches what and tells all about them.
//
// A point counts if its shapes overlap or push each other. It is inside a zone of touch if a ray from it
// along the normal, away from the body of the zone, meets the zone: points that have sunk in at the back
// still count.
//
// The frame of a point is (n, t, n x t), n from the first object of the sensor to the second and in the order
// of the model's shapes where both may be either; t is e - (e.n) n made a unit vector, with e = y, or z where
// |n_y| >= 1/2. Turning the order of the objects turns n and t. Forces are those on the second object.

#include <span>
#include <vector>

#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

double touch_force(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                   const Kinematics& kinematics, std::span<const ContactForce> contacts);

// `matches` is work space.
void read_contact_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                         const Kinematics& kinematics, std::span<const ContactForce> contacts,
                         std::vector<int>* matches, double* values);

}  // namespace stiction
