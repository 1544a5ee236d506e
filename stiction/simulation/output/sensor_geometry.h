#pragma once
// Sensors that ask about shapes: rays, distances, zones.
//
// A ray stops at surfaces. A solid that it starts in is left where the surface is, so that the reading is the
// way out; a half-space is met from outside alone. A distance is that of the nearest pair of two sets of
// shapes; overlaps count negative, by the shortest translation that ends them.

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

// Whether a point is inside a zone, or on its surface.
bool is_inside(const SensorShape& zone, const Pose& X_WZ, const Vec3& p_W);

// Whether a ray from p_W meets a zone, which it does where it starts inside.
bool meets(const SensorShape& zone, const Pose& X_WZ, const Vec3& p_W, const Vec3& direction);

void read_rangefinder(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                      const Kinematics& kinematics, double* values);

// Kinds distance, normal and fromto. Farther than the cutoff: the cutoff, and zeros.
void read_distance_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                          const Kinematics& kinematics, double* values);

}  // namespace stiction
