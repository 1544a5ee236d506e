#include "stiction/simulation/output/sensor_contacts.h"

#include <algorithm>
#include <cmath>

#include "stiction/simulation/output/sensor_geometry.h"

namespace stiction {
namespace {

bool counts(const ContactForce& contact) { return contact.distance <= 0.0 || contact.force != Vec3::Zero(); }

Pose pose_of(const Forest& forest, const Kinematics& k, const SensorShape& zone) {
  return body_pose(forest, k, zone.body) * zone.X_BS;
}

// How the two bodies of a contact match the two objects of a sensor; turned: in reverse order.
enum class Match { none, straight, turned };

bool fits(const SensorModel& sensors, const SensorRange& bodies, int wanted_shape, int body, int shape) {
  if (wanted_shape >= 0) return shape == wanted_shape;
  if (bodies.begin == bodies.end) return true;
  const auto begin = sensors.bodies.begin() + bodies.begin, end = sensors.bodies.begin() + bodies.end;
  return std::find(begin, end, body) != end;
}

Match match(const SensorModel& sensors, const ResolvedSensor& s, const ContactForce& c) {
  const auto first = [&](int body, int shape) { return fits(sensors, s.bodies1, s.shape1, body, shape); };
  const auto second = [&](int body, int shape) { return fits(sensors, s.bodies2, s.shape2, body, shape); };
  if (first(c.body_A, c.shape_A) && second(c.body_B, c.shape_B)) return Match::straight;
  if (first(c.body_B, c.shape_B) && second(c.body_A, c.shape_A)) return Match::turned;
  return Match::none;
}

Vec3 tangent_of(const Vec3& n) {
  const Vec3 e = std::abs(n.y()) < 0.5 ? Vec3::UnitY() : Vec3::UnitZ();
  return (e - e.dot(n) * n).normalized();
}

// A contact with the first object of the sensor as its first body.
struct Seen {
  double found = 0.0;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // in the frame, on the second
  double distance = 0.0;
  Vec3 p_W = Vec3::Zero();
  Mat3 frame = Mat3::Identity();                       // columns n, t, n x t in W
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // of the second relative to the first, in the frame
};

Seen seen(const ContactForce& c, bool is_turned, const Forest& forest, const Kinematics& k) {
  const double sign = is_turned ? -1.0 : 1.0;
  const Vec3 n = sign * c.n, t = sign * tangent_of(c.n);
  Seen out;
  out.distance = c.distance;
  out.p_W = c.p_W;
  out.frame << n, t, n.cross(t);
  const Mat3 R = out.frame.transpose();
  out.force = R * (sign * c.force);
  out.torque = R * (sign * c.moment);
  out.linear =
      R * (sign * (point_velocity(forest, k, c.body_B, c.p_W) - point_velocity(forest, k, c.body_A, c.p_W)));
  const Vec3 w_B = body_velocity(forest, k, c.body_B).head<3>(),
             w_A = body_velocity(forest, k, c.body_A).head<3>();
  out.angular = R * (sign * (w_B - w_A));
  return out;
}

void write(unsigned fields, const Seen& contact, double* values) {
  const auto put = [&](const Vec3& x) {
    Eigen::Map<Vec3>{values} = x;
    values += 3;
  };
  if (has_field(fields, kContactFound)) *values++ = contact.found;
  if (has_field(fields, kContactForce)) put(contact.force);
  if (has_field(fields, kContactTorque)) put(contact.torque);
  if (has_field(fields, kContactDist)) *values++ = contact.distance;
  if (has_field(fields, kContactPos)) put(contact.p_W);
  if (has_field(fields, kContactNormal)) put(contact.frame.col(0));
  if (has_field(fields, kContactTangent)) put(contact.frame.col(1));
  if (has_field(fields, kContactLinvel)) put(contact.linear);
  if (has_field(fields, kContactAngvel)) put(contact.angular);
}

// All matches combined to one wrench at the centre of their forces, in W.
Seen net(const SensorModel& sensors, const ResolvedSensor& s, std::span<const ContactForce> contacts,
         const std::vector<int>& matches) {
  Seen out;
  out.found = static_cast<double>(matches.size());
  double weights = 0.0;
  for (const int i : matches) {
    weights += contacts[i].force.norm();
    out.p_W += contacts[i].force.norm() * contacts[i].p_W;
  }
  if (weights > 0.0) {
    out.p_W /= weights;
  } else {
    for (const int i : matches) out.p_W += contacts[i].p_W / out.found;
  }
  for (const int i : matches) {
    const double sign = match(sensors, s, contacts[i]) == Match::turned ? -1.0 : 1.0;
    const Vec3 force = sign * contacts[i].force;
    out.force += force;
    out.torque += sign * contacts[i].moment + (contacts[i].p_W - out.p_W).cross(force);
  }
  return out;
}

}  // namespace

double touch_force(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                   const Kinematics& kinematics, std::span<const ContactForce> contacts) {
  const SensorShape& zone = sensors.zones[s.zone];
  const Pose X_WZ = pose_of(forest, kinematics, zone);
  double sum = 0.0;
  for (const ContactForce& c : contacts) {
    const double push = c.force.dot(c.n);
    if ((c.body_A != zone.body && c.body_B != zone.body) || !(push > 0.0)) continue;
    const Vec3 outward = c.body_B == zone.body ? Vec3(-c.n) : c.n;
    if (meets(zone, X_WZ, c.p_W, outward)) sum += push;
  }
  return sum;
}

void read_contact_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                         const Kinematics& kinematics, std::span<const ContactForce> contacts,
                         std::vector<int>* matches, double* values) {
  // Find the points that match.
  matches->clear();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const ContactForce& c = contacts[i];
    if (!counts(c) || match(sensors, s, c) == Match::none) continue;
    if (s.zone >= 0) {
      const SensorShape& zone = sensors.zones[s.zone];
      if (!is_inside(zone, pose_of(forest, kinematics, zone), c.p_W)) continue;
    }
    matches->push_back(static_cast<int>(i));
  }
  // Keep the first ones in the requested order; ties stay in the order of the points.
  const auto sort_by = [&](const auto& key) {
    std::sort(matches->begin(), matches->end(), [&](int i, int j) {
      const double a = key(contacts[i]), b = key(contacts[j]);
      return a < b || (a == b && i < j);
    });
  };
  if (s.reduction == ContactReduction::mindist) sort_by([](const ContactForce& c) { return c.distance; });
  if (s.reduction == ContactReduction::maxforce)
    sort_by([](const ContactForce& c) { return -c.force.norm(); });

  std::fill(values, values + s.size, 0.0);
  if (matches->empty()) return;
  if (s.reduction == ContactReduction::netforce)
    return write(s.fields, net(sensors, s, contacts, *matches), values);
  const int stride = s.size / s.count;
  for (int slot = 0; slot < std::min(s.count, static_cast<int>(matches->size())); ++slot) {
    const ContactForce& c = contacts[(*matches)[slot]];
    Seen contact = seen(c, match(sensors, s, c) == Match::turned, forest, kinematics);
    contact.found = static_cast<double>(matches->size());
    write(s.fields, contact, values + slot * stride);
  }
}

}  // namespace stiction
