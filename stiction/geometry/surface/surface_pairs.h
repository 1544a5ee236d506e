#pragma once
// Two surfaces of triangles, and a surface with a half-space.
//
// Two surfaces touch in vertices of one above or behind facets of the other, with the facet's normal inside
// the vertex's normal cone, and where convex edges cross, across both. A vertex behind several facets leaves
// through the nearest. Points share the pair's stiffness by their depths,
//   w_i = 1/(sum over j of min(1, d_j/d_i)),
// so that four equal feet bear a quarter each and points that are not reached take nothing. What this does
// not do: weights jump by a finite amount where a vertex passes over an edge of the other surface at finite
// depth (distances and normals of the others do not); overlap deeper than kMeshDepth of the smaller surface
// is not seen; and two surfaces that pierce each other without any vertex behind a face or edges that cross
// outside (a thin spike through a wall) are pushed apart only along the edges.
//
// A half-space meets the convex hull of a mesh where it has one: no other point of a mesh can be lower.

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/surface/mesh_region.h"
#include "stiction/math/spatial.h"

namespace stiction {

inline constexpr double kMeshDepth = 0.05;

void collide_regions(const MeshRegion& A, const Pose& X_WA, const MeshRegion& B, const Pose& X_WB,
                     const CollideOptions& options, ContactPoints* out);

// A is the half-space z < 0 of its frame, B has these vertices; shares as above.
void collide_half_space_vertices(const Pose& X_WA, const Pose& X_WB, const std::vector<Vec3>& vertices,
                                 const CollideOptions& options, ContactPoints* out);

}  // namespace stiction
