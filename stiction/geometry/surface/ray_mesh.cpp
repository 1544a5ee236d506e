#include "stiction/geometry/surface/ray_mesh.h"

#include <cmath>

namespace stiction {

double hit_triangle(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  constexpr double kRoundOff = 1e-12;  // of the coordinates within the triangle
  const Vec3 ab = b - a, ac = c - a, normal = ab.cross(ac);
  const double det = -ray.direction.dot(normal);
  if (det == 0.0) return -1.0;
  const Vec3 ao = ray.origin - a, turn = ao.cross(ray.direction);
  const double t = ao.dot(normal) / det;
  const double u = ac.dot(turn) / det, v = -ab.dot(turn) / det;
  if (!(u >= -kRoundOff && v >= -kRoundOff && u + v <= 1.0 + kRoundOff)) return -1.0;
  return t >= 0.0 && t <= ray.length ? t : -1.0;
}

MeshHit first_hit(const MeshTree& mesh, const Ray& ray) {
  MeshHit hit;
  mesh.boxes.cast(ray, [&mesh, &ray, &hit](int i, double nearest) {
    const Triangle& t = mesh.mesh.triangles[i];
    const auto& v = mesh.mesh.vertices;
    const double at = hit_triangle(ray, v[t[0]], v[t[1]], v[t[2]]);
    // Of two triangles at the same t the one with the lower index, independent of the order of the visits.
    if (at < 0.0 || at > nearest || (at == nearest && hit.triangle >= 0 && hit.triangle < i)) return nearest;
    hit = {i, at};
    return at;
  });
  return hit;
}

}  // namespace stiction
