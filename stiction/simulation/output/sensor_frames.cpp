#include "stiction/simulation/output/sensor_frames.h"

#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

void write(const Vec3& x, double* values) { Eigen::Map<Vec3>{values} = x; }

Vec4 node_quaternion(const SensorModel& sensors, const Forest& forest, const Kinematics& k, const double* q,
                     int n) {
  const Node& node = forest.nodes[n];
  const double* p = q + node.q_begin;
  if (node.kind == NodeKind::free) return Vec4(p[0], p[1], p[2], p[3]).normalized();
  // From the frame to the root, multiplying by each factor on the left.
  Vec4 turn = Vec4(1, 0, 0, 0);
  if (node.kind == NodeKind::ball) {
    turn = Vec4(p[0], p[1], p[2], p[3]).normalized();
  } else if (forest.constants[n].turn != 0.0) {
    turn = Vec4(std::cos(0.5 * p[0]), 0, 0, std::sin(0.5 * p[0]));
  }
  turn = quaternion_product<double>(sensors.node_turns[n], turn);
  if (node.parent >= 0)
    return quaternion_product<double>(node_quaternion(sensors, forest, k, q, node.parent), turn);
  const int base = forest.trees[node.tree].kinematic_base;
  if (base < 0) return turn;
  return quaternion_product<double>(quaternion_from_rotation(k.prescribed[base].X_WB.R), turn);
}

}  // namespace

Pose frame_pose(const Forest& forest, const Kinematics& kinematics, const SensorFrame& frame) {
  return body_pose(forest, kinematics, frame.body) * frame.X_BF;
}

Vec6 frame_velocity(const Forest& forest, const Kinematics& kinematics, const SensorFrame& frame) {
  const Vec6 V = body_velocity(forest, kinematics, frame.body);
  return motion_at<double>(V, body_pose(forest, kinematics, frame.body).R * frame.X_BF.p);
}

Vec6 frame_acceleration(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                        const SensorFrame& frame) {
  const Vec6 A = body_acceleration(forest, kinematics, vdot, frame.body);
  const Vec3 w = body_velocity(forest, kinematics, frame.body).head<3>(), alpha = A.head<3>();
  const Vec3 r = body_pose(forest, kinematics, frame.body).R * frame.X_BF.p;
  return stack<double>(alpha, A.tail<3>() + alpha.cross(r) + w.cross(w.cross(r)) - forest.gravity);
}

Vec4 frame_quaternion(const SensorModel& sensors, const Forest& forest, const Kinematics& kinematics,
                      const double* q, const SensorFrame& frame) {
  const BodyPlace& place = forest.places[frame.body];
  if (place.node >= 0)
    return quaternion_product<double>(node_quaternion(sensors, forest, kinematics, q, place.node),
                                      frame.turn);
  if (place.kinematic < 0) return frame.turn;
  return quaternion_product<double>(quaternion_from_rotation(kinematics.prescribed[place.kinematic].X_WB.R),
                                    frame.turn);
}

void read_frame_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                       const Kinematics& kinematics, const double* q, const double* vdot, double* values) {
  const auto pose = [&](const SensorFrame& f) { return frame_pose(forest, kinematics, f); };
  const auto velocity = [&](const SensorFrame& f) { return frame_velocity(forest, kinematics, f); };
  // Without a frame of reference it is the world.
  const Pose X_r = s.has_reference ? pose(s.reference) : Pose();
  const Mat3 R_r = X_r.R.transpose();
  switch (s.kind) {
    case SensorKind::framepos:
      return write(R_r * (pose(s.object).p - X_r.p), values);
    case SensorKind::framequat: {
      Vec4 turn = frame_quaternion(sensors, forest, kinematics, q, s.object);
      if (s.has_reference)
        turn = quaternion_product<double>(
            quaternion_conjugate<double>(frame_quaternion(sensors, forest, kinematics, q, s.reference)),
            turn);
      Eigen::Map<Vec4>{values} = turn;
      return;
    }
    case SensorKind::framexaxis:
      return write(R_r * pose(s.object).R.col(0), values);
    case SensorKind::frameyaxis:
      return write(R_r * pose(s.object).R.col(1), values);
    case SensorKind::framezaxis:
      return write(R_r * pose(s.object).R.col(2), values);
    case SensorKind::framelinvel: {
      Vec3 v = velocity(s.object).tail<3>();
      if (s.has_reference) v -= motion_at<double>(velocity(s.reference), pose(s.object).p - X_r.p).tail<3>();
      return write(R_r * v, values);
    }
    case SensorKind::frameangvel: {
      Vec3 w = velocity(s.object).head<3>();
      if (s.has_reference) w -= velocity(s.reference).head<3>();
      return write(R_r * w, values);
    }
    case SensorKind::framelinacc:
      return write(frame_acceleration(forest, kinematics, vdot, s.object).tail<3>(), values);
    case SensorKind::frameangacc:
      return write(frame_acceleration(forest, kinematics, vdot, s.object).head<3>(), values);
    default:
      STICTION_ASSERT(false);
  }
}

}  // namespace stiction
