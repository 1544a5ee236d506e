#include "stiction/geometry/surface/mesh_region.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

// Relative to their length: sides that rise by less than this do not exclude a direction from a normal cone.
constexpr double kConeSlack = 1e-9;

int next_corner(int i) { return i == 2 ? 0 : i + 1; }

}  // namespace

void gather(const MeshTree& mesh, const Vec3& lower, const Vec3& upper, MeshRegion* region) {
  region->mesh = &mesh, region->field = nullptr;
  region->size = mesh.size;
  region->facets.clear();
  region->triangles.clear();
  region->found.clear();
  mesh.boxes.overlap(lower, upper, &region->found);
  // Sort by facet, then by triangle.
  region->keys.clear();
  for (const int t : region->found)
    if (mesh.facet_of[t] >= 0)
      region->keys.push_back(static_cast<std::uint64_t>(mesh.facet_of[t]) << 32 |
                             static_cast<std::uint32_t>(t));
  std::sort(region->keys.begin(), region->keys.end());
  region->triangles.reserve(region->keys.size());
  for (const std::uint64_t key : region->keys) {
    const int id = static_cast<int>(key >> 32), t = static_cast<int>(key & 0xffffffffu);
    if (region->facets.empty() || region->facets.back().id != id) {
      const MeshFacet& plane = mesh.facets[id];
      const int begin = static_cast<int>(region->triangles.size());
      region->facets.push_back({plane.normal, plane.t1, plane.t2, plane.offset, id, begin, begin});
    }
    RegionTriangle& out = region->triangles.emplace_back();
    out.id = t;
    out.facet = static_cast<int>(region->facets.size()) - 1;
    region->facets.back().end = static_cast<int>(region->triangles.size());
    for (int i = 0; i < 3; ++i) {
      const MeshSide& side = mesh.sides[t][i];
      const int other = side.across >= 0 ? mesh.facet_of[side.across] : -1;
      out.vertices[i] = mesh.mesh.triangles[t][i];
      out.corners[i] = mesh.mesh.vertices[out.vertices[i]];
      out.edges[i] = side.edge;
      out.kinds[i] = side.kind;
      out.across[i] = other >= 0 ? mesh.facets[other].normal : Vec3::Zero();
      out.owner[i] = other < 0 || t < side.across;
    }
  }
}

bool is_above(const RegionTriangle& triangle, const Vec3& n, const Vec3& p, double slack) {
  double most = -1.0, at = 0.0;  // of the longest side, squared; of p along it
  for (int i = 0; i < 3; ++i) {
    const Vec3 side = triangle.corners[next_corner(i)] - triangle.corners[i], from = p - triangle.corners[i];
    const double length2 = side.squaredNorm();
    if (n.cross(side).dot(from) < -slack * std::sqrt(length2)) return false;
    if (length2 > most) most = length2, at = side.dot(from);
  }
  // Beyond the tip of a needle the slack of two sides extends far.
  const double longest = std::sqrt(most);
  return at >= -slack * longest && at <= (longest + slack) * longest;
}

bool covers(const MeshRegion& region, const CoplanarFacet& facet, const Vec3& p, double slack) {
  for (int t = facet.begin; t < facet.end; ++t)
    if (is_above(region.triangles[t], facet.normal, p, slack)) return true;
  return false;
}

bool is_peak(const MeshRegion& region, int vertex, const Vec3& v, const Vec3& m) {
  bool peak = true;
  for_each_neighbour(region, vertex, v,
                     [&peak, &m](const Vec3& e) { peak = peak && m.dot(e) <= kConeSlack * e.norm(); });
  return peak;
}

}  // namespace stiction
