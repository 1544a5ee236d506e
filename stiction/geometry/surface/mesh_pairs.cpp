#include "stiction/geometry/surface/mesh_pairs.h"

#include <algorithm>

#include "stiction/geometry/primitive/half_space_pairs.h"
#include "stiction/geometry/surface/surface_contact.h"
#include "stiction/geometry/surface/surface_pairs.h"

namespace stiction {

void collide_convex_mesh(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                         const CollideOptions& options, PairMemory* /*memory*/, ContactPoints* out) {
  thread_local MeshRegion region;
  const Eigen::AlignedBox3d box = reach_of(A, X_WA, X_WB, options.margin);
  gather(*B.mesh, box.min(), box.max(), &region);
  collide_with_region(A, X_WA, X_WB, region, options, out);
}

void collide_half_space_mesh(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                             ContactPoints* out) {
  const CollisionShape* hull = hull_of(*B.mesh);
  if (hull == nullptr) {
    collide_half_space_vertices(X_WA, X_WB, B.mesh->mesh.vertices, options, out);
    return;
  }
  const std::size_t begin = out->size();
  collide_polytope_half_space(*hull, X_WB, A, X_WA, options, memory, out);
  for (std::size_t i = begin; i < out->size(); ++i) {
    ContactPoint& point = (*out)[i];
    point.p_A = point.p_B();
    point.normal = -point.normal;
    point.feature = swapped_feature(point.feature);
  }
}

void collide_mesh_mesh(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                       const CollideOptions& options, PairMemory* /*memory*/, ContactPoints* out) {
  thread_local MeshRegion region_a, region_b;
  // Include parts that lie behind the other surface.
  const double reach = std::max(options.margin, kMeshDepth * std::min(A.mesh->size, B.mesh->size));
  const Eigen::AlignedBox3d in_a = reach_of(B, X_WB, X_WA, reach);
  gather(*A.mesh, in_a.min(), in_a.max(), &region_a);
  if (region_a.triangles.empty()) return;
  const Eigen::AlignedBox3d in_b = reach_of(A, X_WA, X_WB, reach);
  gather(*B.mesh, in_b.min(), in_b.max(), &region_b);
  collide_regions(region_a, X_WA, region_b, X_WB, options, out);
}

}  // namespace stiction
