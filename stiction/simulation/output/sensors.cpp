#include "stiction/simulation/output/sensors.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "stiction/base/random.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/output/sensor_contacts.h"
#include "stiction/simulation/output/sensor_frames.h"
#include "stiction/simulation/output/sensor_geometry.h"

namespace stiction {
namespace {

double at(std::span<const double> values, int index) {
  return static_cast<std::size_t>(index) < values.size() ? values[index] : 0.0;
}

void write(const Vec3& x, double* values) { Eigen::Map<Vec3>{values} = x; }

// Distance inside the limits and its rate, for the first limit that is violated.
struct LimitState {
  bool is_passed = false;
  double room = 0.0, rate = 0.0;
};

LimitState limit_state(double x, double rate, double lower, double upper, double margin) {
  if (x - lower < margin) return {true, x - lower - margin, rate};
  if (upper - x < margin) return {true, upper - x - margin, -rate};
  return {};
}

LimitState joint_limit_state(const Forest& forest, int index, const double* q, const double* v) {
  const Joint& joint = forest.joint(index);
  const JointIndices& place = forest.joints[index];
  const double *qj = q + place.q_begin, *vj = v + place.v_begin;
  if (!joint.limited) return {};
  if (joint.type != JointType::ball) return limit_state(qj[0], vj[0], joint.lower[0], joint.upper[0], 0.0);
  // The angle from the reference, and its rate along the rotation axis.
  const Vec3 turn = quaternion_log<double>(Vec4(qj[0], qj[1], qj[2], qj[3]));
  const double angle = turn.norm();
  if (angle <= joint.upper[0]) return {};
  return {true, joint.upper[0] - angle, -turn.dot(Vec3(vj[0], vj[1], vj[2])) / angle};
}

LimitState tendon_limit_state(const Tendon& tendon, double length, double velocity) {
  if (!tendon.range.limited) return {};
  return limit_state(length, velocity, tendon.range.lower, tendon.range.upper, tendon.margin);
}

// Momentum of a part of a subtree.
struct PartMomentum {
  double mass;
  Vec3 com, velocity, spin;  // spin about the part's own centre of mass
};

PartMomentum momentum_of(const Forest& forest, const Kinematics& k, const SubtreePart& part) {
  const Pose X = body_pose(forest, k, part.body);
  const Vec3 com = X * part.inertia.com;
  const Vec3 w = body_velocity(forest, k, part.body).head<3>();
  return {part.inertia.mass, com, point_velocity(forest, k, part.body, com),
          X.R * (part.inertia.I_com * (X.R.transpose() * w))};
}

void read_subtree(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                  const Kinematics& k, double* values) {
  double mass = 0.0;
  Vec3 moment = Vec3::Zero(), momentum = Vec3::Zero();
  for (int i = s.parts.begin; i < s.parts.end; ++i) {
    const PartMomentum part = momentum_of(forest, k, sensors.parts[i]);
    mass += part.mass;
    moment += part.mass * part.com;
    momentum += part.mass * part.velocity;
  }
  const Vec3 com = mass > 0.0 ? Vec3(moment / mass) : frame_pose(forest, k, s.object).p;
  const Vec3 velocity = mass > 0.0 ? Vec3(momentum / mass) : Vec3(Vec3::Zero());
  if (s.kind == SensorKind::subtreecom) return write(com, values);
  if (s.kind == SensorKind::subtreelinvel) return write(velocity, values);
  Vec3 angular = Vec3::Zero();
  for (int i = s.parts.begin; i < s.parts.end; ++i) {
    const PartMomentum part = momentum_of(forest, k, sensors.parts[i]);
    angular += part.spin + part.mass * (part.com - com).cross(part.velocity - velocity);
  }
  write(angular, values);
}

double potential_energy(const SensorModel& sensors, const Forest& forest, const SensorInputs& in) {
  double moved = 0.0;
  for (std::size_t b = 1; b < forest.bodies.size(); ++b) {
    if (forest.places[b].kinematic < 0) continue;
    const Inertia& inertia = forest.bodies[b].inertia;
    moved -= inertia.mass * forest.gravity.dot(body_pose(forest, *in.now, static_cast<int>(b)) * inertia.com);
  }
  return gravity_energy(forest, *in.now) + moved + sensors.rest_mass_energy + spring_energy(forest, in.q) +
         in.tendon_energy;
}

void read(const SensorModel& sensors, const ResolvedSensor& s, const Model& model, const SensorInputs& in,
          SensorWork* work, double* values) {
  const Forest& forest = model.forest;
  const auto limit_of_joint = [&] { return joint_limit_state(forest, s.index, in.q, in.v); };
  const auto limit_of_tendon = [&] {
    return tendon_limit_state(model.elements.tendons[s.index], at(in.tendon_lengths, s.index),
                              at(in.tendon_velocities, s.index));
  };
  switch (s.kind) {
    case SensorKind::touch:
      *values = touch_force(sensors, s, forest, *in.start, in.contacts);
      return;
    case SensorKind::accelerometer: {
      const Mat3 R = frame_pose(forest, *in.start, s.object).R;
      return write(R.transpose() * frame_acceleration(forest, *in.start, in.vdot, s.object).tail<3>(),
                   values);
    }
    case SensorKind::velocimeter:
    case SensorKind::gyro: {
      const Mat3 R = frame_pose(forest, *in.now, s.object).R;
      const Vec6 V = frame_velocity(forest, *in.now, s.object);
      return write(R.transpose() * (s.kind == SensorKind::gyro ? V.head<3>() : V.tail<3>()), values);
    }
    case SensorKind::force:
    case SensorKind::torque: {
      const Pose X = frame_pose(forest, *in.start, s.object);
      const Vec6& reaction = in.reactions->of_bodies[s.object.body];
      const Vec3 force = reaction.tail<3>();
      const Vec3 arm = in.reactions->origins[s.object.body] - X.p;
      return write(X.R.transpose() *
                       (s.kind == SensorKind::force ? force : Vec3(reaction.head<3>() + arm.cross(force))),
                   values);
    }
    case SensorKind::magnetometer:
      return write(frame_pose(forest, *in.now, s.object).R.transpose() * model.elements.options.magnetic,
                   values);
    case SensorKind::rangefinder:
      return read_rangefinder(sensors, s, forest, *in.now, values);
    case SensorKind::jointpos:
      *values = in.q[forest.joints[s.index].q_begin];
      return;
    case SensorKind::jointvel:
      *values = in.v[forest.joints[s.index].v_begin];
      return;
    case SensorKind::tendonpos:
      *values = at(in.tendon_lengths, s.index);
      return;
    case SensorKind::tendonvel:
      *values = at(in.tendon_velocities, s.index);
      return;
    case SensorKind::actuatorpos:
      *values = at(in.actuator_lengths, s.index);
      return;
    case SensorKind::actuatorvel:
      *values = at(in.actuator_velocities, s.index);
      return;
    case SensorKind::actuatorfrc:
      *values = at(in.actuator_forces, s.index);
      return;
    case SensorKind::jointactuatorfrc:
      *values = at(in.joint_actuator_forces, forest.joints[s.index].v_begin);
      return;
    case SensorKind::tendonactuatorfrc:
      *values = 0.0;
      for (int i = s.actuators.begin; i < s.actuators.end; ++i)
        *values += at(in.actuator_forces, sensors.actuators[i]);
      return;
    case SensorKind::ballquat: {
      const double* q = in.q + forest.joints[s.index].q_begin;
      Eigen::Map<Vec4>{values} = Vec4(q[0], q[1], q[2], q[3]).normalized();
      return;
    }
    case SensorKind::ballangvel:
      return write(Eigen::Map<const Vec3>(in.v + forest.joints[s.index].v_begin), values);
    case SensorKind::jointlimitpos:
      *values = limit_of_joint().room;
      return;
    case SensorKind::jointlimitvel:
      *values = limit_of_joint().rate;
      return;
    case SensorKind::jointlimitfrc:
      *values = at(in.joint_limit_forces, s.index);
      return;
    case SensorKind::tendonlimitpos:
      *values = limit_of_tendon().room;
      return;
    case SensorKind::tendonlimitvel:
      *values = limit_of_tendon().rate;
      return;
    case SensorKind::tendonlimitfrc:
      *values = at(in.tendon_limit_forces, s.index);
      return;
    case SensorKind::framepos:
    case SensorKind::framequat:
    case SensorKind::framexaxis:
    case SensorKind::frameyaxis:
    case SensorKind::framezaxis:
    case SensorKind::framelinvel:
    case SensorKind::frameangvel:
      return read_frame_sensor(sensors, s, forest, *in.now, in.q, nullptr, values);
    case SensorKind::framelinacc:
    case SensorKind::frameangacc:
      return read_frame_sensor(sensors, s, forest, *in.start, nullptr, in.vdot, values);
    case SensorKind::subtreecom:
    case SensorKind::subtreelinvel:
    case SensorKind::subtreeangmom:
      return read_subtree(sensors, s, forest, *in.now, values);
    case SensorKind::insidesite: {
      const SensorShape& zone = sensors.zones[s.zone];
      const Pose X_WZ = body_pose(forest, *in.now, zone.body) * zone.X_BS;
      *values = is_inside(zone, X_WZ, frame_pose(forest, *in.now, s.object).p) ? 1.0 : 0.0;
      return;
    }
    case SensorKind::distance:
    case SensorKind::normal:
    case SensorKind::fromto:
      return read_distance_sensor(sensors, s, forest, *in.now, values);
    case SensorKind::contact:
      return read_contact_sensor(sensors, s, forest, *in.start, in.contacts, &work->matches, values);
    case SensorKind::e_potential:
      *values = potential_energy(sensors, forest, in);
      return;
    case SensorKind::e_kinetic:
      *values = kinetic_energy(forest, *in.now) + rotor_energy(forest, in.v);
      return;
    case SensorKind::clock:
      *values = in.time;
      return;
  }
}

void cut_off(const ResolvedSensor& s, double* values) {
  if (!(s.cutoff > 0.0) || s.kind == SensorKind::contact || s.kind == SensorKind::fromto) return;
  for (int i = 0; i < s.size; ++i) {
    if (s.data == SensorData::real) values[i] = std::clamp(values[i], -s.cutoff, s.cutoff);
    if (s.data == SensorData::positive) values[i] = std::min(values[i], s.cutoff);
  }
}

}  // namespace

void compute_sensor(const SensorModel& sensors, const Model& model, const SensorInputs& inputs, int sensor,
                    SensorWork* work, double* values) {
  const ResolvedSensor& s = sensors.sensors[sensor];
  if (!s.is_simulated) return;
  double* own = values + s.begin;
  if (sensors.is_disabled) {
    std::fill(own, own + s.size, 0.0);
    return;
  }
  read(sensors, s, model, inputs, work, own);
  cut_off(s, own);
}

void compute_sensors(const SensorModel& sensors, const Model& model, const SensorInputs& inputs,
                     SensorWork* work, double* values) {
  for (std::size_t i = 0; i < sensors.sensors.size(); ++i)
    compute_sensor(sensors, model, inputs, static_cast<int>(i), work, values);
}

void add_sensor_noise(const SensorModel& sensors, std::uint64_t seed, double time, int sensor,
                      double* values) {
  const ResolvedSensor& s = sensors.sensors[sensor];
  if (!(s.noise > 0.0) || s.size == 0) return;
  std::uint64_t mixed = seed;
  mixed = splitmix64(&mixed) ^ std::bit_cast<std::uint64_t>(time);
  mixed = splitmix64(&mixed) ^ static_cast<std::uint64_t>(sensor);
  Random random(mixed);
  double* own = values + s.begin;
  if (s.data == SensorData::real || s.data == SensorData::positive) {
    for (int k = 0; k < s.size; ++k) {
      own[k] += s.noise * random.normal();
      if (s.data == SensorData::positive) own[k] = std::abs(own[k]);
    }
  } else {
    const std::array<double, 3> direction = random.unit_vector<3>();
    const double angle = s.noise * random.normal();
    const Vec4 turn = quaternion_exp<double>(angle * Vec3(direction[0], direction[1], direction[2]));
    if (s.data == SensorData::axis) {
      Eigen::Map<Vec3> axis(own);
      axis = (rotation_from_quaternion<double>(turn) * Vec3(axis)).eval();
    } else {
      Eigen::Map<Vec4> quaternion(own);
      quaternion = quaternion_product<double>(Vec4(quaternion), turn);
    }
  }
  cut_off(s, own);
}

}  // namespace stiction
