#include "stiction/geometry/surface/height_field_pairs.h"

#include <algorithm>

#include "stiction/geometry/surface/surface_contact.h"
#include "stiction/geometry/surface/surface_pairs.h"

namespace stiction {

void collide_convex_height_field(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB, const CollideOptions& options, PairMemory* /*memory*/,
                                 ContactPoints* out) {
  thread_local MeshRegion region;
  const Eigen::AlignedBox3d box = reach_of(A, X_WA, X_WB, options.margin);
  gather(*B.field, box.min(), box.max(), &region);
  collide_with_region(A, X_WA, X_WB, region, options, out);
}

void collide_mesh_height_field(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB, const CollideOptions& options, PairMemory* /*memory*/,
                               ContactPoints* out) {
  thread_local MeshRegion region_a, region_b;
  // Include parts that have sunk below the terrain.
  const double reach = std::max(options.margin, kMeshDepth * std::min(A.mesh->size, 2.0 * B.box_half.norm()));
  const Eigen::AlignedBox3d in_a = reach_of(B, X_WB, X_WA, reach);
  gather(*A.mesh, in_a.min(), in_a.max(), &region_a);
  if (region_a.triangles.empty()) return;
  const Eigen::AlignedBox3d in_b = reach_of(A, X_WA, X_WB, reach);
  gather(*B.field, in_b.min(), in_b.max(), &region_b);
  collide_regions(region_a, X_WA, region_b, X_WB, options, out);
}

void collide_half_space_height_field(const CollisionShape& /*A*/, const Pose& X_WA, const CollisionShape& B,
                                     const Pose& X_WB, const CollideOptions& options, PairMemory* /*memory*/,
                                     ContactPoints* out) {
  thread_local std::vector<Vec3> vertices;
  const HeightField& field = *B.field;
  vertices.clear();
  for (int r = 0; r < field.rows; ++r)
    for (int c = 0; c < field.cols; ++c) vertices.push_back(field.point(r, c));
  // The solid extends down to the base.
  for (int k = 0; k < 4; ++k)
    vertices.emplace_back((k & 1) != 0 ? field.size.radius_x : -field.size.radius_x,
                          (k & 2) != 0 ? field.size.radius_y : -field.size.radius_y, -field.size.base);
  collide_half_space_vertices(X_WA, X_WB, vertices, options, out);
}

}  // namespace stiction
