#include "stiction/simulation/actuation/transmission.h"

#include <algorithm>
#include <cmath>

#include "stiction/simulation/actuation/tendon_wrap.h"

namespace stiction {
namespace {

constexpr double kTiny = 1e-15;  // m

Vec3 vec3(const double* p) { return Vec3(p[0], p[1], p[2]); }

// If both points coincide, any direction will do: MJCF takes x.
Vec3 direction(const Vec3& from, const Vec3& to) {
  const double length = (to - from).norm();
  return length > kTiny ? Vec3((to - from) / length) : Vec3::UnitX();
}

}  // namespace

// values += wrench' J over the velocities of the reach; torque and force in W, at p_W.
void Transmissions::pull(const Kinematics& k, const Reach& reach, const Vec3& p_W, const Vec3& torque,
                         const Vec3& force, double* values) const {
  if (reach.begin == reach.end) return;
  const Vec3 moment = torque + (p_W - vec3(k.origins.data() + 4 * reach.tree)).cross(force);
  for (int e = reach.begin; e < reach.end; ++e) {
    const double* S = k.axis(entries_[e].dof);
    values[entries_[e].slot] += vec3(S).dot(moment) + vec3(S + 4).dot(force);
  }
}

// A straight part of a tendon; returns its length.
double Transmissions::straight(const Kinematics& k, const Span& span, const Vec3& from, const Vec3& to,
                               double divisor, double* values) const {
  const Vec3 force = direction(from, to) / divisor;
  pull(k, span.to, to, Vec3::Zero(), force, values);
  pull(k, span.from, from, Vec3::Zero(), -force, values);
  return (to - from).norm() / divisor;
}

// The path around the shape of a part, if it has one that is in the way.
std::optional<TendonWrapPath> Transmissions::wrap(const Kinematics& k, const TendonPart& part,
                                                  const Vec3& from, const Vec3& to) {
  if (!part.has_shape) return std::nullopt;
  std::optional<Vec3> side;
  if (part.has_side) side = point_of(k, part.side);
  return wrap_tendon(from, to, pose_of(k, part.shape), part.radius, part.is_cylinder, side);
}

TransmissionState::TransmissionState(const Transmissions& transmissions)
    : tendon_lengths(transmissions.num_tendons()),
      actuator_lengths(transmissions.num_actuators()),
      tendon_rows(transmissions.tendon_rows()),
      actuator_rows(transmissions.actuator_rows()) {}

void Transmissions::compute(const Kinematics& k, const double* q, TransmissionState* state) const {
  compute_tendons(k, q, state);
  compute_actuators(k, q, state);
}

void Transmissions::compute_tendons(const Kinematics& k, const double* q, TransmissionState* state) const {
  double* lengths = state->tendon_lengths.data();
  MomentRows* rows = &state->tendon_rows;
  std::fill_n(lengths, num_tendons(), 0.0);
  for (const FixedTerm& term : fixed_) lengths[term.tendon] += term.coefficient * q[term.q];

  double* values = rows->values.data();
  for (const int tendon : spatial_)
    std::fill(values + rows->begin[tendon], values + rows->begin[tendon + 1], 0.0);
  for (const TendonPart& part : parts_) {
    const Vec3 from = point_of(k, part.from), to = point_of(k, part.to);
    const std::optional<TendonWrapPath> path = wrap(k, part, from, to);
    double& length = lengths[part.tendon];
    if (!path) {
      length += straight(k, part.direct, from, to, part.divisor, values);
      continue;
    }
    length += straight(k, part.first, from, path->points[0], part.divisor, values);
    length += path->length / part.divisor;
    length += straight(k, part.second, path->points[1], to, part.divisor, values);
  }
}

void Transmissions::add_tendon_wrenches(const Kinematics& k, const double* forces,
                                        std::vector<BodyWrench>* wrenches) const {
  for (const TendonPart& part : parts_) {
    const double force = forces[part.tendon] / part.divisor;
    if (force == 0.0) continue;
    const auto push_apart = [&](int from_body, const Vec3& from, int to_body, const Vec3& to) {
      const Vec3 along = force * direction(from, to);
      wrenches->push_back({to_body, to, stack<double>(Vec3::Zero(), along)});
      wrenches->push_back({from_body, from, stack<double>(Vec3::Zero(), Vec3(-along))});
    };
    const Vec3 from = point_of(k, part.from), to = point_of(k, part.to);
    const std::optional<TendonWrapPath> path = wrap(k, part, from, to);
    if (!path) {
      push_apart(part.from.body, from, part.to.body, to);
      continue;
    }
    push_apart(part.from.body, from, part.shape.body, path->points[0]);
    push_apart(part.shape.body, path->points[1], part.to.body, to);
  }
}

// Length: position of the slider's pin along the z axis of its site; a rod of fixed length joins it to the
// crank's pin.
double Transmissions::slider_crank(const Kinematics& k, const ActuatorPlan& a, double* values) const {
  const Pose X_crank = pose_of(k, a.site), X_slider = pose_of(k, a.reference);
  const Vec3 axis = X_slider.R.col(2), between = X_crank.p - X_slider.p;
  const double along = axis.dot(between),
               rest = along * along + a.crank_length * a.crank_length - between.squaredNorm();
  Vec3 by_axis = between, by_between = axis;
  double root = 0.0;
  if (rest > 0.0) {
    root = std::sqrt(rest);
    by_axis = between * (1.0 - along / root);
    by_between = axis * (1.0 - along / root) + between / root;
  }
  pull(k, a.span.to, X_crank.p, Vec3::Zero(), a.gear * by_between, values);
  pull(k, a.span.from, X_slider.p, a.gear * axis.cross(by_axis), -a.gear * by_between, values);
  return a.gear * (along - root);
}

void Transmissions::compute_actuators(const Kinematics& k, const double* q, TransmissionState* state) const {
  double* lengths = state->actuator_lengths.data();
  MomentRows* rows = &state->actuator_rows;
  const MomentRows& tendon_rows = state->tendon_rows;
  for (std::size_t i = 0; i < actuators_.size(); ++i) {
    const ActuatorPlan& a = actuators_[i];
    switch (a.kind) {
      case Kind::joint:
        lengths[i] = a.gear * q[a.q];
        break;
      case Kind::tendon:
        lengths[i] = a.gear * state->tendon_lengths[a.tendon];
        break;
      case Kind::ball:
        lengths[i] = a.torque.dot(quaternion_log(Vec4(q[a.q], q[a.q + 1], q[a.q + 2], q[a.q + 3])));
        break;
      default:
        lengths[i] = 0.0;
    }
  }

  double* values = rows->values.data();
  for (const int i : moving_) {
    const ActuatorPlan& a = actuators_[i];
    double* row = values + rows->begin[i];
    std::fill(row, values + rows->begin[i + 1], 0.0);
    switch (a.kind) {
      case Kind::tendon: {
        const double* of_tendon = tendon_rows.values.data() + tendon_rows.begin[a.tendon];
        for (int c = 0; c < rows->begin[i + 1] - rows->begin[i]; ++c) row[c] = a.gear * of_tendon[c];
        break;
      }
      case Kind::ball: {
        const Mat3 R = rotation_from_quaternion(Vec4(q[a.q], q[a.q + 1], q[a.q + 2], q[a.q + 3]));
        Eigen::Map<Vec3>(row, 3) = R.transpose() * a.torque;
        break;
      }
      case Kind::free: {
        // The force in world axes at the body's origin, the torque in the body's or the world's.
        const Pose X = pose_of(k, a.site);
        pull(k, a.span.to, X.p, a.in_parent ? a.torque : Vec3(X.R * a.torque), a.force, values);
        break;
      }
      case Kind::site: {
        const Pose X = pose_of(k, a.site);
        pull(k, a.span.to, X.p, X.R * a.torque, X.R * a.force, values);
        break;
      }
      case Kind::site_to_site: {
        // Position and orientation in the reference site's frame.
        const Pose X = pose_of(k, a.site), X_ref = pose_of(k, a.reference);
        const Vec3 force = X_ref.R * a.force, torque = X_ref.R * a.torque;
        pull(k, a.span.to, X.p, torque, force, values);
        pull(k, a.span.from, X_ref.p, -torque, -force, values);
        lengths[i] = force.dot(X.p - X_ref.p) + a.torque.dot(rotation_log(X_ref.R.transpose() * X.R));
        break;
      }
      case Kind::slider_crank:
        lengths[i] = slider_crank(k, a, values);
        break;
      default:
        break;
    }
  }
}

}  // namespace stiction
