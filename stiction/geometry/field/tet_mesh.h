#pragma once
// A volume of tetrahedra with a pressure that is linear in each: the field of a shape that is not convex.
//
// The pressure at a vertex is kappa times its distance from the surface, so 0 on the surface and E at the
// deepest vertex. A tetrahedron or an inner triangle whose corners all lie on the surface would have no pressure
// inside; it is divided by a new vertex in its middle. A tetrahedron at the surface is taken to reach beyond it,
// with negative pressure, as far as the margin of a query.

#include <array>
#include <memory>
#include <vector>

#include "stiction/geometry/field/pressure_field.h"
#include "stiction/geometry/shape/box_tree.h"
#include "stiction/geometry/shape/tet_volume.h"

namespace stiction {

struct MeshTree;  // stiction/geometry/shape/mesh_tree.h

// One tetrahedron as a query uses it.
struct TetCell {
  FieldPiece pressure;              // with kappa 1: a depth in m; id: index of the tetrahedron
  std::array<FieldPiece, 4> sides;  // outward planes, unit slopes, of sides that other tetrahedra share
  int num_sides = 0;
  Vec3 centre = Vec3::Zero();  // m, of a ball around the corners
  double radius = 0.0;         // m
  // The box around the corners, m.
  Vec3 box_centre = Vec3::Zero(), box_half = Vec3::Zero();
};

struct TetMesh {
  std::vector<TetCell> cells;
  BoxTree boxes;         // of the cells
  TriangleMesh surface;  // outward
  double depth = 0.0;    // m, of the deepest vertex
  double volume = 0.0;   // m^3
  // The convex hull, rigid, of a volume that is convex; null of others.
  std::shared_ptr<const PressureField> hull;
};

// Throws UserError if the volume has a defect.
TetMesh tet_mesh(const TetVolume& volume);

// The tetrahedra of a mesh, made when first asked for and kept with the tree, whose copies share them; null of a
// mesh without. Throws UserError as tet_mesh does.
std::shared_ptr<const TetMesh> tets_of(const MeshTree& tree);

}  // namespace stiction
