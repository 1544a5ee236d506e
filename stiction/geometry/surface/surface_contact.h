#pragma once
// A convex shape against a surface of triangles: mesh or height field.
//
// For every facet (mesh_region.h), n the facet's outward normal:
//   flat faces   (box, hull, the discs of a cylinder) The face F best aligned with -n is projected on the
//                facet; the corners of the intersection of the two are the points (facet_outline.h), each
//                with its own distance between F and the facet along n. Where two faces are almost equally
//                aligned with -n both contribute, with weights that are ramps of their alignment.
//   segments     (capsule; the lateral surface of a cylinder) The parts of the segment above the facet, above
//                each convex edge and above each convex vertex (their Voronoi regions); the ends of each part
//                are the points, above edges and vertices also its nearest point.
//   one point    (sphere, ellipsoid, superellipsoid) The support point along -n if it lies above the facet;
//                at convex edges and vertices the point where the shape's tangent plane passes through them,
//                with a normal between those of the facets (the Gauss map). Flat and concave edges are never
//                touched.
//
// Weights.
//   1. Within a facet: the shares of the outline; of a segment half the length at either end, above edges and
//      vertices by the rule for nearest point and ends of capsule_pairs.h.
//   2. Between facets i under one face: s_i = A_i/(sum over j of A_j min(1, d_j/d_i)), A the area of the face
//      above the facet and d the depth there: a floor of many facets supports a box like one facet, the share
//      of a facet that is entered starts from zero, and one that is not in contact takes nothing. For one
//      facet s = 1. The sum over the facets may exceed 1 where depths differ, at most by their number.
//   3. Where another normal separates sooner. At a corner on a convex edge or vertex of the mesh the axes
//      edge x edge and "normal of F" are tried; a point of facet i that lies behind facet j is compared with
//      the depth of j (the side of a table whose top supports the box); where the surface ends, with the
//      distance over its boundary. The axis of depth d keeps
//         b = ramp((1 + kRampBegin + kRampWidth - d/d_best)/kRampWidth)
//      of its weight; the rest goes to the better axis at a corner, and is dropped behind a facet.
// So the wrench of k = 1 is Lipschitz, |F(X') - F(X)| <= 10 delta, delta the largest displacement of any
// point of the shape, as long as depths stay below the sizes of faces and facets. It is not where more than 8
// points of a facet or 32 of a pair are reduced (the deepest is kept, the others by weight times depth, and
// the weight of a dropped one is given to the nearest that stays), nor for a segment that lies along a
// concave edge.
//
// A mesh is a surface with outward normals. A facet acts on a shape whose centre lies in front of it; or
// behind it, if the shape still extends through the plane and no other facet lies on the line from the centre
// along n, nor on that from the point: the other side of a thin wall does not pull. A height field is solid
// down to its base: there the shape need not extend through the plane.

#include "stiction/geometry/collide_options.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/surface/mesh_region.h"

namespace stiction {

inline constexpr double kRampBegin = 0.02, kRampWidth = 0.25;  // of the ratio of depths
// Cosine between axis and normal from which on the disc of a cylinder acts, and the width over which its
// share grows to 1; below it only the lateral surface acts.
inline constexpr double kDiscBegin = 0.02, kDiscWidth = 0.05;
inline constexpr int kMaxSurfacePoints = 32;  // of a pair

// A point of contact in the frame S of the surface.
struct SurfacePoint {
  Vec3 p = Vec3::Zero();       // m, on the shape
  Vec3 normal = Vec3::Zero();  // unit, out of the surface
  double distance = 0.0;       // m
  double weight = 0.0;
  std::uint64_t feature = 0;
  int facet = -1;  // of the region, if it has the normal of the facet
};

// The shape in the frame of the surface.
struct ConvexOnSurface {
  const CollisionShape& shape;
  Pose X_SA;
  double margin;  // m
  int max_points;

  Vec3 centre() const { return X_SA * shape.box_centre; }
  // Height of the lowest point of the shape above the facet's plane, m.
  double lowest(const CoplanarFacet& facet) const;
  // The lowest point of the shape on the line through x along the unit vector m, both in S; false: it misses.
  bool find_lowest_on_line(const Vec3& x, const Vec3& m, SurfacePoint* point) const;
};

// The contacts of the three kinds of shapes, appended to `out`.
void collide_flat_faces(const ConvexOnSurface& body, const MeshRegion& region,
                        std::vector<SurfacePoint>* out);
void collide_segment(const ConvexOnSurface& body, const MeshRegion& region, std::vector<SurfacePoint>* out);
void collide_one_point(const ConvexOnSurface& body, const MeshRegion& region, std::vector<SurfacePoint>* out);

// Whether the facet acts on the shape by the rule above, if it is in reach at all.
bool acts_on(const MeshRegion& region, const CoplanarFacet& facet, const ConvexOnSurface& body);

// The point of side i of triangle t nearest to x, which lies there up to round-off; i = -1: of the triangle.
// At the tip of a needle the tolerance band around its sides (facet_outline.h) extends far beyond the tip; x
// is then moved back and `is_moved` set.
Vec3 on_triangle(const MeshRegion& region, int t, int i, const Vec3& x, bool* is_moved);

// The unit vector perpendicular to `axis` that is nearest to -n; `other`, if all are equally near.
Vec3 lowest_across(const Vec3& axis, const Vec3& n, const Vec3& other);

// The share b of an axis of depth d where the best one has depth `best`; 1 without overlap.
double ramp_share(double d, double best);

// Reduces the points from `begin` on to `most`, keeping the deepest; the sum of the weights is conserved.
void reduce(std::size_t begin, std::size_t most, std::vector<SurfacePoint>* points);

// Appends the contact points of the shape A and the gathered region of B, in W.
void collide_with_region(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB,
                         const MeshRegion& region, const CollideOptions& options, ContactPoints* out);

// The bounding box of A in the frame of B, with the margin.
Eigen::AlignedBox3d reach_of(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB, double margin);

}  // namespace stiction
