#include "stiction/geometry/field/tet_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/LU>

#include "stiction/base/check.h"

namespace stiction {
namespace {

using Tet = std::array<int, 4>;
using Side = std::array<int, 3>;  // ascending

// The side opposite corner i.
Side side_of(const Tet& tet, int i) {
  Side side{tet[(i + 1) % 4], tet[(i + 2) % 4], tet[(i + 3) % 4]};
  std::sort(side.begin(), side.end());
  return side;
}

using SideCounts = std::map<Side, int>;
SideCounts count_sides(const std::vector<Tet>& tets) {
  SideCounts counts;
  for (const Tet& tet : tets)
    for (int i = 0; i < 4; ++i) ++counts[side_of(tet, i)];
  return counts;
}

double six_volumes(const std::vector<Vec3>& p, const Tet& tet) {
  return (p[tet[1]] - p[tet[0]]).cross(p[tet[2]] - p[tet[0]]).dot(p[tet[3]] - p[tet[0]]);
}

std::vector<bool> on_surface(std::size_t vertices, const SideCounts& counts) {
  std::vector<bool> is_on(vertices, false);
  for (const auto& [side, count] : counts)
    if (count == 1)
      for (const int v : side) is_on[v] = true;
  return is_on;
}

// New vertices in tetrahedra and inner triangles whose corners all lie on the surface.
void divide_flat_parts(std::vector<Vec3>* vertices, std::vector<Tet>* tets) {
  const SideCounts counts = count_sides(*tets);
  const std::vector<bool> is_on = on_surface(vertices->size(), counts);
  // A new vertex for each inner triangle of this kind, which both of its tetrahedra share.
  std::map<Side, int> middles;
  for (const auto& [side, count] : counts) {
    if (count != 2 || !is_on[side[0]] || !is_on[side[1]] || !is_on[side[2]]) continue;
    middles[side] = static_cast<int>(vertices->size());
    vertices->push_back(((*vertices)[side[0]] + (*vertices)[side[1]] + (*vertices)[side[2]]) / 3.0);
  }
  std::vector<Tet> divided;
  for (const Tet& tet : *tets) {
    bool is_flat = true, has_middle = false;
    for (int i = 0; i < 4; ++i) {
      is_flat = is_flat && is_on[tet[i]];
      has_middle = has_middle || middles.contains(side_of(tet, i));
    }
    if (!is_flat && !has_middle) {
      divided.push_back(tet);
      continue;
    }
    // Around its own middle: each side, divided or not, makes tetrahedra with it.
    const int middle = static_cast<int>(vertices->size());
    Vec3 centre = Vec3::Zero();
    for (const int v : tet) centre += 0.25 * (*vertices)[v];
    vertices->push_back(centre);
    for (int i = 0; i < 4; ++i) {
      const Side side = side_of(tet, i);
      const auto found = middles.find(side);
      if (found == middles.end()) {
        divided.push_back({side[0], side[1], side[2], middle});
        continue;
      }
      for (int k = 0; k < 3; ++k) divided.push_back({side[k], side[(k + 1) % 3], found->second, middle});
    }
  }
  *tets = std::move(divided);
}

double distance_to_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double square = n.squaredNorm();
  if (square > 0.0) {
    const double u = (c - b).cross(x - b).dot(n), v = (a - c).cross(x - c).dot(n),
                 w = (b - a).cross(x - a).dot(n);
    if (u >= 0.0 && v >= 0.0 && w >= 0.0) return std::abs(n.dot(x - a)) / std::sqrt(square);
  }
  const auto to_segment = [&x](const Vec3& p, const Vec3& q) {
    const Vec3 d = q - p;
    const double length = d.squaredNorm();
    const double t = length > 0.0 ? std::clamp(d.dot(x - p) / length, 0.0, 1.0) : 0.0;
    return (x - p - t * d).norm();
  };
  return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

}  // namespace

std::string tet_volume_defect(const TetVolume& volume) {
  if (volume.tets.empty()) return "has no tetrahedra";
  for (std::size_t i = 0; i < volume.vertices.size(); ++i)
    if (!volume.vertices[i].allFinite()) return format("has a vertex {} that is not finite", i);
  const int count = static_cast<int>(volume.vertices.size());
  for (std::size_t i = 0; i < volume.tets.size(); ++i) {
    for (const int v : volume.tets[i])
      if (v < 0 || v >= count) return format("has a tetrahedron {} with the vertex {}, of {}", i, v, count);
    const Tet& tet = volume.tets[i];
    double longest = 0.0;
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b)
        longest = std::max(longest, (volume.vertices[tet[a]] - volume.vertices[tet[b]]).norm());
    if (!(std::abs(six_volumes(volume.vertices, tet)) > 1e-12 * longest * longest * longest))
      return format("has a tetrahedron {} without volume", i);
  }
  for (const auto& [side, times] : count_sides(volume.tets))
    if (times > 2)
      return format("has a triangle ({}, {}, {}) that {} tetrahedra share", side[0], side[1], side[2], times);
  return "";
}

TetMesh tet_mesh(const TetVolume& volume) {
  const std::string defect = tet_volume_defect(volume);
  STICTION_USER_CHECK(defect.empty(), "a volume of tetrahedra {}", defect);
  std::vector<Vec3> vertices = volume.vertices;
  std::vector<Tet> tets = volume.tets;
  divide_flat_parts(&vertices, &tets);

  TetMesh mesh;
  const SideCounts counts = count_sides(tets);
  const std::vector<bool> is_on = on_surface(vertices.size(), counts);
  mesh.surface.vertices = vertices;
  for (const Tet& tet : tets) {
    mesh.volume += std::abs(six_volumes(vertices, tet)) / 6.0;
    for (int i = 0; i < 4; ++i) {
      const Side side = side_of(tet, i);
      if (counts.at(side) != 1) continue;
      const Vec3 &a = vertices[side[0]], &b = vertices[side[1]], &c = vertices[side[2]];
      const bool is_outward = (b - a).cross(c - a).dot(vertices[tet[i]] - a) < 0.0;
      mesh.surface.triangles.push_back(is_outward ? Triangle{side[0], side[1], side[2]}
                                                  : Triangle{side[0], side[2], side[1]});
    }
  }
  std::vector<double> depth(vertices.size(), 0.0);
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    if (is_on[v]) continue;
    depth[v] = 1e300;
    for (const Triangle& t : mesh.surface.triangles)
      depth[v] = std::min(depth[v],
                          distance_to_triangle(vertices[v], vertices[t[0]], vertices[t[1]], vertices[t[2]]));
    if (depth[v] == 1e300) depth[v] = 0.0;  // in no tetrahedron
    mesh.depth = std::max(mesh.depth, depth[v]);
  }

  std::vector<Eigen::AlignedBox3d> boxes;
  for (const Tet& tet : tets) {
    TetCell cell;
    // The linear function through the depths of the corners: value - slope . x.
    const Vec3& x0 = vertices[tet[0]];
    Mat3 edges;
    Vec3 rises;
    Eigen::AlignedBox3d box(x0);
    for (int i = 0; i < 3; ++i) {
      edges.row(i) = (vertices[tet[i + 1]] - x0).transpose();
      rises[i] = depth[tet[i + 1]] - depth[tet[0]];
      box.extend(vertices[tet[i + 1]]);
    }
    cell.pressure.slope = -edges.inverse() * rises;
    cell.pressure.value = depth[tet[0]] + cell.pressure.slope.dot(x0);
    cell.pressure.id = static_cast<int>(mesh.cells.size());
    for (int i = 0; i < 4; ++i) {
      const Side side = side_of(tet, i);
      if (counts.at(side) == 1) continue;
      const Vec3 &a = vertices[side[0]], &b = vertices[side[1]], &c = vertices[side[2]];
      Vec3 n = (b - a).cross(c - a).normalized();
      if (n.dot(vertices[tet[i]] - a) > 0.0) n = -n;
      cell.sides[static_cast<std::size_t>(cell.num_sides++)] = {n, n.dot(a), i};
    }
    for (const int v : tet) cell.centre += 0.25 * vertices[v];
    for (const int v : tet) cell.radius = std::max(cell.radius, (vertices[v] - cell.centre).norm());
    boxes.push_back(box);
    mesh.cells.push_back(cell);
  }
  mesh.boxes.assign(boxes);
  return mesh;
}

}  // namespace stiction
