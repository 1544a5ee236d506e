#pragma once
// The part of a mesh or height field that a shape may reach, gathered from either for the same code:
// triangles sorted into facets, each a set of triangles in one plane (mesh_tree.h).

#include <array>
#include <cstdint>
#include <vector>

#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"

namespace stiction {

struct RegionTriangle {
  std::array<Vec3, 3> corners;         // m, in S, counter-clockwise seen from outside
  std::array<Vec3, 3> across;          // unit normal of the facet across each side; zero at a boundary
  std::array<SideKind, 3> kinds;       // side i runs from corner i to i + 1
  std::array<int, 3> vertices, edges;  // names, the same for all triangles that share them
  int facet = -1;                      // in MeshRegion::facets
  int id = -1;                         // of the triangle
  bool names_side(int i) const { return owner[i]; }
  std::array<bool, 3> owner;  // of two triangles at a side one speaks for the edge
};

struct CoplanarFacet {
  Vec3 normal = Vec3::Zero(), t1 = Vec3::Zero(), t2 = Vec3::Zero();
  double offset = 0.0;     // m
  int id = -1;             // a name that stays the same from step to step
  int begin = 0, end = 0;  // its triangles

  double x(const Vec3& p) const { return t1.dot(p); }
  double y(const Vec3& p) const { return t2.dot(p); }
  double height(const Vec3& p) const { return normal.dot(p) - offset; }
};

struct MeshRegion {
  std::vector<CoplanarFacet> facets;
  std::vector<RegionTriangle> triangles;  // one facet after the other
  const MeshTree* mesh = nullptr;         // what it is a part of: one of the two
  const HeightField* field = nullptr;
  double size = 0.0;  // m, of the whole surface

  // Scratch.
  std::vector<std::uint64_t> keys;  // of triangles: facet, then number
  std::vector<int> found, label;
  std::vector<Vec3> normals;
  std::vector<double> xs, ys;
};

// What meets the box [lower, upper] in S. Of a height field also what lies above the box.
void gather(const MeshTree& mesh, const Vec3& lower, const Vec3& upper, MeshRegion* region);
void gather(const HeightField& field, const Vec3& lower, const Vec3& upper, MeshRegion* region);

// Whether the triangle, with unit normal n, has the point of its plane below p (in S), up to `slack` m.
bool is_above(const RegionTriangle& triangle, const Vec3& n, const Vec3& p, double slack);

// Whether the facet has it.
bool covers(const MeshRegion& region, const CoplanarFacet& facet, const Vec3& p, double slack);

// Calls visit(e) for every side that leaves the vertex at v, e from v to its other end.
template <class Visit>
void for_each_neighbour(const MeshRegion& region, int vertex, const Vec3& v, const Visit& visit) {
  if (region.mesh != nullptr) {
    const MeshTree& mesh = *region.mesh;
    for (int k = mesh.neighbour_begin[vertex]; k < mesh.neighbour_begin[vertex + 1]; ++k)
      visit(Vec3(mesh.mesh.vertices[mesh.neighbours[k]] - v));
    return;
  }
  const HeightField& field = *region.field;
  const int row = vertex / field.cols, col = vertex % field.cols;
  constexpr int kSteps[6][2] = {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}};
  for (const auto& step : kSteps) {
    const int r = row + step[0], c = col + step[1];
    if (r >= 0 && r < field.rows && c >= 0 && c < field.cols) visit(Vec3(field.point(r, c) - v));
  }
}

// Whether m lies in the normal cone of the vertex: no side that leaves it rises along m.
bool is_peak(const MeshRegion& region, int vertex, const Vec3& v, const Vec3& m);

}  // namespace stiction
