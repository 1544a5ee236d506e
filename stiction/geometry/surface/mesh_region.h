#pragma once
// The part of a mesh or height field near a shape, gathered from either into one form: triangles sorted by
// facet, each facet a connected set of coplanar triangles (mesh_tree.h).

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
  std::array<int, 3> vertices, edges;  // ids, the same for all triangles that share them
  int facet = -1;                      // in MeshRegion::facets
  int id = -1;                         // of the triangle
  bool owns_edge(int i) const { return owner[i]; }
  std::array<bool, 3> owner;  // of the two triangles at an edge, one owns it
};

struct CoplanarFacet {
  Vec3 normal = Vec3::Zero(), t1 = Vec3::Zero(), t2 = Vec3::Zero();
  double offset = 0.0;     // m
  int id = -1;             // an id that stays the same from step to step
  int begin = 0, end = 0;  // its triangles

  double x(const Vec3& p) const { return t1.dot(p); }
  double y(const Vec3& p) const { return t2.dot(p); }
  double height(const Vec3& p) const { return normal.dot(p) - offset; }
};

struct MeshRegion {
  std::vector<CoplanarFacet> facets;
  std::vector<RegionTriangle> triangles;  // one facet after the other
  const MeshTree* mesh = nullptr;         // the surface it is a part of: one of the two
  const HeightField* field = nullptr;
  double size = 0.0;  // m, of the whole surface

  // Scratch.
  std::vector<std::uint64_t> keys;  // of triangles: facet, then index
  std::vector<int> found, label;
  std::vector<Vec3> normals;
  std::vector<double> xs, ys;
};

// Gathers the triangles that overlap the box [lower, upper] in S; of a height field also those above the box.
void gather(const MeshTree& mesh, const Vec3& lower, const Vec3& upper, MeshRegion* region);
void gather(const HeightField& field, const Vec3& lower, const Vec3& upper, MeshRegion* region);

// Whether the projection of p (in S) along n onto the triangle's plane lies in the triangle, up to `slack` m.
bool is_above(const RegionTriangle& triangle, const Vec3& n, const Vec3& p, double slack);

// Whether it lies in the facet.
bool covers(const MeshRegion& region, const CoplanarFacet& facet, const Vec3& p, double slack);

// Calls visit(e) for every side at the vertex, e from its position v to the other end.
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

// Whether m lies in the normal cone of the vertex: no side that starts at it rises along m.
bool is_peak(const MeshRegion& region, int vertex, const Vec3& v, const Vec3& m);

}  // namespace stiction
