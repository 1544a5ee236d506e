#pragma once
// A triangle mesh prepared for collision: adjacency, coplanar facets, convex and concave edges, and a tree of
// boxes.
//
// A facet is a connected set of coplanar triangles: the sides between them are not features of the surface. A
// triangle joins the facet of a neighbour if its normal lies within kFlatAngle of the normal of the facet's
// first triangle and its corners within kFlatness (of the mesh's size) of that triangle's plane. A facet has
// the mean normal of its triangles and the outermost plane.
//
// A side of a triangle is flat (inside a facet), convex or concave (between two facets) or a boundary (one
// triangle, more than two, or two with opposite orientations).

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "stiction/geometry/shape/box_tree.h"
#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

struct CollisionShape;  // stiction/geometry/shape/collision_shape.h

inline constexpr double kFlatAngle = 1e-4;  // rad
inline constexpr double kFlatness = 1e-8;   // of the diagonal of the mesh

enum class SideKind : std::uint8_t { flat, convex, concave, boundary };

struct MeshSide {
  int across = -1;  // the triangle on the other side; -1 at a boundary
  int edge = -1;    // index of the edge, the same for both of its sides
  SideKind kind = SideKind::boundary;
};

struct MeshFacet {
  Vec3 normal = Vec3::Zero();                 // unit, outward
  double offset = 0.0;                        // m: normal . x of its plane
  Vec3 t1 = Vec3::Zero(), t2 = Vec3::Zero();  // (t1, t2, normal) is right-handed
};

// The convex hull of the mesh, for contact with half-spaces; computed when first needed.
struct MeshHull {
  std::once_flag once;
  std::shared_ptr<const CollisionShape> shape;
};

// The tetrahedra of the mesh with their pressures (stiction/geometry/field/tet_mesh.h); made when first needed.
struct TetMesh;
struct MeshTets {
  std::once_flag once;
  std::shared_ptr<const TetMesh> tets;
};

struct MeshTree {
  TriangleMesh mesh;
  std::vector<std::array<MeshSide, 3>> sides;  // of each triangle: side i runs from corner i to i + 1
  std::vector<int> facet_of;                   // of each triangle; -1: it has no area and is ignored
  std::vector<MeshFacet> facets;
  std::vector<int> neighbour_begin;  // vertex i has neighbours[neighbour_begin[i]], ..., [i + 1])
  std::vector<int> neighbours;       //   along the sides of its triangles
  BoxTree boxes;                     // of the triangles
  Eigen::AlignedBox3d bounds;
  double size = 0.0;  // m, diagonal of the bounds
  std::shared_ptr<MeshHull> hull;
  std::shared_ptr<MeshTets> tets;  // null of a mesh without tetrahedra
};

// Throws UserError if the mesh has a defect (mesh_defect).
MeshTree mesh_tree(TriangleMesh mesh);

// The hull; null for a mesh without volume.
const CollisionShape* hull_of(const MeshTree& tree);

}  // namespace stiction
