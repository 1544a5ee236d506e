#pragma once
// Poses and motions of the frames of sensors, and the readings of frame sensors.
//
//   in the world:             p, R, v, w;  accelerations as an accelerometer measures them, a - g
//   in a frame of reference:  R_r' (p - p_r),  R_r' R,  R_r' (v - v_r - w_r x (p - p_r)),  R_r' (w - w_r)
//
// A quaternion is the product of those of the joints from the root to the frame, so that its sign does not
// jump during a motion; q and -q are the same orientation.

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

Pose frame_pose(const Forest& forest, const Kinematics& kinematics, const SensorFrame& frame);
// (angular velocity, velocity of the frame's origin), in W.
Vec6 frame_velocity(const Forest& forest, const Kinematics& kinematics, const SensorFrame& frame);
// (angular acceleration, classical acceleration of the frame's origin minus gravity), in W.
Vec6 frame_acceleration(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                        const SensorFrame& frame);
// Unit quaternion (w, x, y, z) of the frame in W.
Vec4 frame_quaternion(const SensorModel& sensors, const Forest& forest, const Kinematics& kinematics,
                      const double* q, const SensorFrame& frame);

// Kinds framepos to frameangacc; `kinematics` must be those of the time that the kind refers to.
void read_frame_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                       const Kinematics& kinematics, const double* q, const double* vdot, double* values);

}  // namespace stiction
