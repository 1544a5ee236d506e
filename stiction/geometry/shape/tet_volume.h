#pragma once
// A solid made of tetrahedra, which need not be convex, and the surface that bounds it.
//
// The surface consists of the sides that one tetrahedron has for itself, turned outward; its volume and mass
// properties are those of the solid. Tetrahedra may have their corners in either order.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

using Tet = std::array<int, 4>;

struct TetVolume {
  std::vector<Vec3> vertices;  // m, in the frame of the file
  std::vector<Tet> tets;
};

// A limit on what a file may ask for; the finest volumes of robots have some 1e5 tetrahedra.
inline constexpr std::size_t kMaxTets = std::size_t{1} << 22;

// A side of tetrahedra: its corners in ascending order, and who has it.
struct TetSide {
  std::array<int, 3> corners{};
  int tet = 0;
  int opposite = 0;  // which corner of the tetrahedron is not on it, 0 to 3
  int count = 0;     // tetrahedra that share it
};
// All 4 n of them, sorted by corners: those that are shared stand together. Indices must be in range.
std::vector<TetSide> sides_of(const std::vector<Tet>& tets);

// The side's corners, counter-clockwise seen from outside of its tetrahedron.
Triangle outward_triangle(const TetVolume& volume, const TetSide& side);

// Six times the signed volume, m^3; negative if the corners run the other way round.
double six_volumes(const std::vector<Vec3>& vertices, const Tet& tet);
// Whether the corners lie in a plane, but for round-off.
bool is_flat(const std::vector<Vec3>& vertices, const Tet& tet);

// Removes what has no meaning (tetrahedra with corners that do not exist, are not finite or are in one place,
// vertices of no tetrahedron) and welds equal vertices; counts it in the report.
void repair(TetVolume* volume, MeshReport* report);
// Counts tetrahedra, those that are inverted or flat, and triangles that more than two of them share.
void inspect(const TetVolume& volume, MeshReport* report);

// Empty if the solid is sound: indices in range, finite vertices, tetrahedra with volume, no triangle shared
// by more than two of them. Otherwise what is wrong.
std::string tet_volume_defect(const TetVolume& volume);

// The surface, which keeps the solid as its TriangleMesh::tets. Repairs and inspects it first. Throws UserError
// if no tetrahedron is left.
TriangleMesh mesh_of_tets(TetVolume volume, MeshReport* report = nullptr);

// Whether the triangles bound the tetrahedra: as many, in the same box.
bool is_surface_of(const TriangleMesh& mesh, const TetVolume& volume);

}  // namespace stiction
