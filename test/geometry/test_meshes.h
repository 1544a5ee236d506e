#pragma once
// Surfaces with a known answer, for the tests of meshes, hulls and masses.

#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// The box between two corners; twelve triangles, outward.
inline TriangleMesh box_mesh(const Vec3& lower, const Vec3& upper) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.emplace_back((i & 1) != 0 ? upper.x() : lower.x(), (i & 2) != 0 ? upper.y() : lower.y(),
                               (i & 4) != 0 ? upper.z() : lower.z());
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

// The corners 0, a e_x, b e_y, c e_z.
inline TriangleMesh corner_tetrahedron(double a, double b, double c) {
  return {{Vec3::Zero(), Vec3(a, 0, 0), Vec3(0, b, 0), Vec3(0, 0, c)},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

// An octahedron whose triangles are halved `times` along every side and pushed out to the unit sphere: the
// distance to the sphere goes with 4^-times.
inline TriangleMesh sphere_mesh(int times) {
  TriangleMesh mesh{
      {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)},
      {{0, 1, 2}, {1, 3, 2}, {3, 4, 2}, {4, 0, 2}, {1, 0, 5}, {3, 1, 5}, {4, 3, 5}, {0, 4, 5}}};
  for (; times > 0; --times) {
    std::map<std::pair<int, int>, int> halves;
    const auto half = [&](int a, int b) {
      const auto [place, is_new] =
          halves.try_emplace({std::min(a, b), std::max(a, b)}, int(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
      return place->second;
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : mesh.triangles) {
      const int ab = half(t[0], t[1]), bc = half(t[1], t[2]), ca = half(t[2], t[0]);
      finer.insert(finer.end(), {{t[0], ab, ca}, {t[1], bc, ab}, {t[2], ca, bc}, {ab, bc, ca}});
    }
    mesh.triangles = finer;
  }
  return mesh;
}

// Two surfaces as one mesh.
inline TriangleMesh both(TriangleMesh a, const TriangleMesh& b) {
  const int shift = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return a;
}

inline TriangleMesh inside_out(TriangleMesh mesh) {
  for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace stiction
