#pragma once
// Surfaces made of triangles: what a mesh file holds, its repair, and its normals.
//
// Meshes from files often have defects. repair() removes what has no meaning (triangles with two corners in
// one place, with numbers that are not finite, with corners that do not exist), welds vertices that are
// equal, and reverses the triangles of a closed surface that is inside out. It only counts, and leaves as it
// is, what may be intended: holes, edges shared by more than two triangles, several components; and triangles
// whose three corners lie on a line, which often close the gap between a long side and two short ones.

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "stiction/math/spatial.h"

namespace stiction {

using Triangle = std::array<int, 3>;  // vertices, counter-clockwise seen from outside

struct TetVolume;  // stiction/geometry/shape/tet_volume.h

struct TriangleMesh {
  std::vector<Vec3> vertices;  // m, in the frame of the file
  std::vector<Triangle> triangles;
  // The tetrahedra that the surface bounds, in the same frame; null of a surface alone. A mesh with them may be
  // compliant (stiction/geometry/field/tet_mesh.h). Changing vertices by hand leaves them behind: transformed().
  std::shared_ptr<const TetVolume> tets = nullptr;
};

// Limits on what a file may ask for; the largest meshes of robots have some 1e5 vertices.
inline constexpr std::size_t kMaxMeshVertices = std::size_t{1} << 24;
inline constexpr std::size_t kMaxMeshTriangles = std::size_t{1} << 25;

// What was found in a mesh.
struct MeshReport {
  // Repaired.
  int nonfinite_triangles = 0;     // removed: a corner is NaN or infinite
  int out_of_range_triangles = 0;  // removed: a corner is no vertex
  int degenerate_triangles = 0;    // removed: two corners are in one place
  int welded_vertices = 0;         // equal to an earlier vertex, whose place they take
  int unused_vertices = 0;         // removed: no triangle has them
  bool turned_inside_out = false;  // closed, but its volume was negative: every triangle was reversed
  bool made_from_hull = false;     // a file with vertices only: the triangles are those of their convex hull

  // Only counted.
  int flat_triangles = 0;      // three corners on a line, without area
  int open_edges = 0;          // of one triangle: the surface has a hole
  int nonmanifold_edges = 0;   // of more than two triangles
  int misoriented_edges = 0;   // of two triangles that disagree about what is outside
  int components = 0;          // parts that share no vertex
  int ignored_statements = 0;  // lines of a file that say nothing about the surface: groups, materials, ...

  // Of a volume of tetrahedra: removed, for the reasons above; and counted.
  int nonfinite_tets = 0, out_of_range_tets = 0, degenerate_tets = 0;
  int tets = 0;
  int inverted_tets = 0;  // corners in the other order than in most files; that is no defect
  int flat_tets = 0;      // four corners in a plane, without volume
  int crowded_sides = 0;  // triangles of more than two tetrahedra
  int ignored_cells = 0;  // elements of other kinds on the surface: triangles, lines, points

  // Whether the surface bounds a solid: every edge has two triangles that agree about what is outside.
  bool is_watertight() const { return open_edges == 0 && nonmanifold_edges == 0 && misoriented_edges == 0; }
};

// One sentence about what was repaired and found; empty if there is nothing to say.
std::string describe(const MeshReport& report);

// Repairs the mesh and counts what it found. A mesh without triangles keeps its vertices.
void repair(TriangleMesh* mesh, MeshReport* report);

// Counts edges and components of a mesh whose indices are in range; repairs nothing.
void inspect(const TriangleMesh& mesh, MeshReport* report);

// Empty if all numbers are finite, all indices in range and there is a triangle; otherwise what is wrong.
std::string mesh_defect(const TriangleMesh& mesh);

// x -> A x + b. If A mirrors, the triangles are reversed, so that outside stays outside. MJCF's scale s,
// refpos p and refquat Q are A = diag(s) R(Q)', b = -A p. Tetrahedra move along.
TriangleMesh transformed(TriangleMesh mesh, const Mat3& A, const Vec3& b);

// Merges equal vertices into one, in the order of first use; returns how many were removed.
int weld_equal_vertices(TriangleMesh* mesh);

// Twice the area times the outward unit normal.
inline Vec3 doubled_area(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3& a = mesh.vertices[t[0]];
  return (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
}

// m^3, the sum of the tetrahedra from the first vertex to each triangle; negative if inside out.
double signed_volume(const TriangleMesh& mesh);

// The smallest box in the axes of the mesh; empty if there are no points.
Eigen::AlignedBox3d bounding_box(const std::vector<Vec3>& points);

}  // namespace stiction
