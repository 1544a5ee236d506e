#include "stiction/simulation/output/sensor_geometry.h"

#include <cmath>

#include "stiction/base/check.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/query/ray_cast.h"
#include "stiction/simulation/output/sensor_frames.h"

namespace stiction {
namespace {

Pose pose_of(const Forest& forest, const Kinematics& k, const SensorShape& shape) {
  return body_pose(forest, k, shape.body) * shape.X_BS;
}

// Where a ray that starts inside a convex solid leaves it: where the reversed ray from beyond the solid
// enters.
RayHit way_out(const CollisionShape& shape, const Pose& X, const Ray& ray) {
  const double beyond = 2.0 * ((X * shape.box_centre - ray.origin).norm() + shape.ball_radius);
  RayHit hit = cast_ray(shape, X, {ray.origin + beyond * ray.direction, -ray.direction, beyond});
  hit.t = beyond - hit.t;
  return hit;
}

// For a ray with a unit direction.
RayHit first_surface(const CollisionShape& shape, const Pose& X, const Ray& ray) {
  const bool is_bounded = shape.kind != ShapeKind::half_space;
  if (is_bounded) {
    // Does it miss the bounding sphere?
    const Vec3 to = X * shape.box_centre - ray.origin;
    const double along = to.dot(ray.direction);
    const double across = to.squaredNorm() - along * along;
    if (across > shape.ball_radius * shape.ball_radius * (1.0 + 1e-9)) return {};
  }
  const RayHit hit = cast_ray(shape, X, ray);
  if (!hit.hit || hit.t > 0.0 || !shape.is_convex()) return hit;
  if (is_bounded) return way_out(shape, X, ray);
  return {};
}

void write_ray(unsigned fields, const Ray& ray, const RayHit& hit, double* values) {
  const auto put = [&](const Vec3& x) {
    Eigen::Map<Vec3>{values} = x;
    values += 3;
  };
  const Vec3 zero = Vec3::Zero();
  if (has_field(fields, kRayDist)) *values++ = hit.hit ? hit.t : -1.0;
  if (has_field(fields, kRayDir)) put(hit.hit ? ray.direction : zero);
  if (has_field(fields, kRayOrigin)) put(ray.origin);
  if (has_field(fields, kRayPoint)) put(hit.hit ? Vec3(ray.origin + hit.t * ray.direction) : zero);
  if (has_field(fields, kRayNormal)) put(hit.hit ? hit.normal : zero);
  if (has_field(fields, kRayDepth)) *values++ = hit.hit ? hit.t : -1.0;
}

}  // namespace

bool is_inside(const SensorShape& zone, const Pose& X_WZ, const Vec3& p_W) {
  const Vec3 p = X_WZ.R.transpose() * (p_W - X_WZ.p), size = zone.geometry.size;
  switch (zone.geometry.kind) {
    case ShapeKind::sphere:
      return p.norm() <= size[0];
    case ShapeKind::capsule: {
      const double z = std::max(std::abs(p.z()) - size[1], 0.0);
      return p.head<2>().squaredNorm() + z * z <= size[0] * size[0];
    }
    case ShapeKind::cylinder:
      return p.head<2>().norm() <= size[0] && std::abs(p.z()) <= size[1];
    case ShapeKind::ellipsoid:
      return p.cwiseQuotient(size).squaredNorm() <= 1.0;
    case ShapeKind::box:
      return (p.cwiseAbs() - size).maxCoeff() <= 0.0;
    // No shapes of sites, which zones are.
    case ShapeKind::superellipsoid:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  STICTION_ASSERT(false);
  return false;
}

bool meets(const SensorShape& zone, const Pose& X_WZ, const Vec3& p_W, const Vec3& direction) {
  return is_inside(zone, X_WZ, p_W) || cast_ray(zone.geometry, X_WZ, {p_W, direction}).hit;
}

void read_rangefinder(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                      const Kinematics& kinematics, double* values) {
  const Pose X = frame_pose(forest, kinematics, s.object);
  Ray ray{X.p, X.R.col(2)};
  RayHit nearest;
  for (int i = s.shapes1.begin; i < s.shapes1.end; ++i) {
    const SensorShape& shape = sensors.ray_shapes[i];
    const RayHit hit = first_surface(shape.geometry, pose_of(forest, kinematics, shape), ray);
    if (!hit.hit || (nearest.hit && hit.t >= nearest.t)) continue;
    nearest = hit;
    ray.length = hit.t;
  }
  write_ray(s.fields, ray, nearest, values);
}

void read_distance_sensor(const SensorModel& sensors, const ResolvedSensor& s, const Forest& forest,
                          const Kinematics& kinematics, double* values) {
  ContactPoint nearest;
  nearest.distance = s.cutoff;
  bool is_near = false;
  for (int i = s.shapes1.begin; i < s.shapes1.end; ++i) {
    const SensorShape& A = sensors.distance_shapes[i];
    const Pose X_WA = pose_of(forest, kinematics, A);
    for (int j = s.shapes2.begin; j < s.shapes2.end; ++j) {
      const SensorShape& B = sensors.distance_shapes[j];
      if (pair_entry(A.geometry.kind, B.geometry.kind).function == nullptr) continue;
      const ContactPoint point =
          signed_distance(A.geometry, X_WA, B.geometry, pose_of(forest, kinematics, B));
      if (point.distance >= nearest.distance) continue;
      nearest = point;
      is_near = true;
    }
  }
  if (s.kind == SensorKind::distance) {
    *values = nearest.distance;
  } else if (s.kind == SensorKind::normal) {
    // From the surface of the first to that of the second: against the normal if they overlap.
    const double sign = nearest.distance < 0.0 ? -1.0 : 1.0;
    Eigen::Map<Vec3>{values} = is_near ? Vec3(sign * nearest.normal) : Vec3(Vec3::Zero());
  } else {
    Eigen::Map<Vec3>{values} = is_near ? nearest.p_A : Vec3(Vec3::Zero());
    Eigen::Map<Vec3>{values + 3} = is_near ? nearest.p_B() : Vec3(Vec3::Zero());
  }
}

}  // namespace stiction
