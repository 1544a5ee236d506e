#include "stiction/geometry/shape/mass_properties.h"

#include <cmath>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Sums over the triangles: volume or area, and its first and second moments about a point o.
struct Moments {
  double content = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

Moments moments_about(const Vec3& o, const TriangleMesh& mesh, MeshInertia mode) {
  const bool is_shell = mode == MeshInertia::shell;
  Moments sum;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - o, b = mesh.vertices[t[1]] - o, c = mesh.vertices[t[2]] - o;
    const Vec3 doubled = (b - a).cross(c - a);
    double content = is_shell ? doubled.norm() / 2.0 : a.dot(doubled) / 6.0;
    if (mode == MeshInertia::legacy) content = std::abs(content);
    // With s = a + b + c the bracket of the second moment is s s' + a a' + b b' + c c'.
    const Vec3 s = a + b + c;
    sum.content += content;
    sum.first += content / (is_shell ? 3.0 : 4.0) * s;
    sum.second += content / (is_shell ? 12.0 : 20.0) *
                  (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return sum;
}

Vec3 centre_of_area(const TriangleMesh& mesh) {
  const Vec3 o = mesh.vertices.front();
  double area = 0.0;
  Vec3 first = Vec3::Zero();
  for (const Triangle& t : mesh.triangles) {
    const double doubled = doubled_area(mesh, t).norm();
    area += doubled;
    first += doubled * (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]] - 3.0 * o);
  }
  STICTION_USER_CHECK(area > 0.0, "a mesh of {} triangles has no area", mesh.triangles.size());
  return o + first / (3.0 * area);
}

void check_content(double content, MeshInertia mode) {
  STICTION_USER_CHECK(std::isfinite(content) && content > 0.0,
                      "a mesh has {} {} in mode '{}'; it must be positive and finite: is the surface closed, "
                      "and are its triangles counter-clockwise seen from outside?",
                      mode == MeshInertia::shell ? "area" : "volume", content, name_of(mode));
}

Inertia inertia_of_triangles(const TriangleMesh& mesh, MeshInertia mode) {
  const std::string defect = mesh_defect(mesh);
  STICTION_USER_CHECK(defect.empty(), "a mesh without mass properties: it {}", defect);

  const Vec3 o = centre_of_area(mesh);
  const Moments about_o = moments_about(o, mesh, mode);
  check_content(about_o.content, mode);

  const Vec3 com = o + about_o.first / about_o.content;
  const Moments about_com = moments_about(com, mesh, mode);
  check_content(about_com.content, mode);
  return {about_com.content, com, about_com.second.trace() * Mat3::Identity() - about_com.second};
}

}  // namespace

const char* name_of(MeshInertia mode) {
  switch (mode) {
    case MeshInertia::exact:
      return "exact";
    case MeshInertia::legacy:
      return "legacy";
    case MeshInertia::convex:
      return "convex";
    case MeshInertia::shell:
      return "shell";
  }
  return "unknown";
}

Inertia unit_density_inertia(const TriangleMesh& mesh, MeshInertia mode) {
  if (mode == MeshInertia::convex) return unit_density_inertia(convex_hull(mesh.vertices));
  return inertia_of_triangles(mesh, mode);
}

Inertia unit_density_inertia(const ConvexHull& hull) {
  return inertia_of_triangles(surface_mesh(hull), MeshInertia::exact);
}

Inertia mesh_inertia(const TriangleMesh& mesh, MeshInertia mode, double density) {
  const Inertia unit = unit_density_inertia(mesh, mode);
  return with_mass(unit, density * unit.mass);
}

Inertia hull_inertia(const ConvexHull& hull, double density) {
  const Inertia unit = unit_density_inertia(hull);
  return with_mass(unit, density * unit.mass);
}

Inertia with_mass(const Inertia& inertia, double mass) {
  STICTION_USER_CHECK(inertia.mass > 0.0, "matter of mass {} kg cannot be spread to weigh {} kg",
                      inertia.mass, mass);
  return {mass, inertia.com, inertia.I_com * (mass / inertia.mass)};
}

}  // namespace stiction
