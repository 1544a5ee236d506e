#pragma once
// Sensors that query shapes: rays, distances, zones.
//
// A ray stops at the first surface. If it starts inside a solid, the reading is the distance to where it
// leaves the solid; a half-space is hit from outside only. A distance is that of the nearest pair of two sets
// of shapes; overlaps are negative, by the shortest translation that separates them.

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

// Whether a point is inside a zone, or on its surface.
bool is_inside(const SensorShape& zone, const Pose& X_WZ, const Vec3& p_W);

// Whether a ray from p_W hits a zone; true if it starts inside.
bool meets(const SensorShape& zone, const Pose& X_WZ, const Vec3& p_W, const Vec3& direction);

void read_rangefinder(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                      const Kinematics& kinematics, double* values);

// Kinds distance, normal and fromto. Beyond the cutoff: the cutoff, and zeros.
void read_distance_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                          const Kinematics& kinematics, double* values);

}  // namespace stiction
