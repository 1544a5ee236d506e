#pragma once
// Poses and motions of the frames that sensors stand on, and what frame sensors read of them.
//
//   in the world:           p, R, v, w;  accelerations as an accelerometer feels them, a - g
//   in a frame of reference: R_r' (p - p_r),  R_r' R,  R_r' (v - v_r - w_r x (p - p_r)),  R_r' (w - w_r)
//
// A quaternion is the product of those of the joints from the root to the frame, so that it follows the
// motion without a jump of its sign; q and -q are the same orientation.

#include "stiction/multibody/kinematics.h"
#include "stiction/simulation/output/sensor_model.h"

namespace stiction {

Pose frame_pose(const Forest& forest, const Kinematics& kinematics, const SensorFrame& frame);
// (angular, of the frame's origin), in W.
Vec6 frame_velocity(const Forest& forest, const Kinematics& kinematics, const SensorFrame& frame);
// (angular, classical acceleration of the frame's origin less gravity), in W.
Vec6 frame_acceleration(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                        const SensorFrame& frame);
// Unit quaternion (w, x, y, z) of the frame in W.
Vec4 frame_quaternion(const SensorModel& sensors, const Forest& forest, const Kinematics& kinematics,
                      const double* q, const SensorFrame& frame);

// Kinds framepos to frameangacc; `kinematics` is at the instant that the kind is about.
void read_frame_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                       const Kinematics& kinematics, const double* q, const double* vdot, double* values);

}  // namespace stiction
