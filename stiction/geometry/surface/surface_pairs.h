#pragma once
// Two surfaces of triangles, and a surface with a half-space.
//
// Two surfaces touch where a vertex of one is above or behind a facet of the other, with the facet's normal
// inside the vertex's normal cone, and where convex edges cross, with a normal perpendicular to both. For a
// vertex behind several facets the nearest one counts. Points share the pair's stiffness by their depths,
//   w_i = 1/(sum over j of min(1, d_j/d_i)),
// so that four equally deep points have a quarter each and points without overlap take nothing. Limits of
// this method: weights jump by a finite amount where a vertex passes over an edge of the other surface at
// finite depth (distances and normals of the other points do not); overlap deeper than kMeshDepth of the
// smaller surface is not found; and two surfaces that pierce each other without a vertex behind a face and
// without convex edges that cross outside (a thin spike through a wall) are separated only along the edges.
//
// A half-space touches the convex hull of a mesh, if it has one: no other point of the mesh can be lower.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/surface/mesh_region.h"
#include "stiction/math/spatial.h"

namespace stiction {

inline constexpr double kMeshDepth = 0.05;  // of the size

void collide_regions(const MeshRegion& A, const Pose& X_WA, const MeshRegion& B, const Pose& X_WB,
                     const CollideOptions& options, ContactPoints* out);

// A is the half-space z < 0 of its frame, B is given by its vertices; shares as above.
void collide_half_space_vertices(const Pose& X_WA, const Pose& X_WB, const std::vector<Vec3>& vertices,
                                 const CollideOptions& options, ContactPoints* out);

}  // namespace stiction
