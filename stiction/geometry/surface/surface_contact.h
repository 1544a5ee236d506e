#pragma once
// A convex shape against a surface of triangles: mesh or height field.
//
// Facet by facet (surface/mesh_region.h), n the facet's outward normal:
//   flat faces (box, hull, the discs of a cylinder): the face F that looks most along -n throws a projected on
//   the
//     facet; the corners of (projected) and (facet) are the points (surface/facet_outline.h), each with its own distance
//     between F and the facet along n. Between two faces that look along -n almost alike the facet goes from
//     one to the other with weights that are ramps of their alignment.
//   segments swept by a ball (capsule; the mantle of a cylinder): the parts of the segment above the facet,
//     above each convex edge and above each convex vertex (their Voronoi regions); the ends of each part,
//     above edges and vertices its nearest place too, are the points.
//   one point (sphere, ellipsoid, superellipsoid): the support point along -n if it lies above the facet; on
//     convex edges and vertices the place where the shape's tangent plane passes through them, with a normal
//     between those of the facets (the Gauss map). Flat and concave edges never touch.
//
// Weights.
//   1. Within a facet: the shares of the outline; of a segment half the length at either end, above edges and
//      vertices as far as the ends are as near as the nearest place (capsule_pairs.h).
//   2. Between facets i under one face: s_i = A_i/(sum over j of A_j min(1, d_j/d_i)), A the area of the
//   face
//      above the facet and d the depth there: a floor of many facets carries a box like one, a facet that is
//      entered shares from zero, and one that is not reached takes nothing. For one facet s = 1. The sum over
//      the facets may pass 1 where depths differ, at most by the number of facets.
//   3. Where another normal separates sooner. At a corner on a convex edge or vertex of the mesh the axes
//      edge x edge and "normal of F" are tried; and a point of facet i that lies behind facet j is compared
//      with the depth of j (the flank of a table whose top carries the box); where the surface ends, with the
//      way over its boundary. The axis of depth d keeps
//         b = ramp((1 + kRampBegin + kRampWidth - d/d_best)/kRampWidth)
//      of its weight; what is left goes to the better axis at a corner, and is dropped behind a facet.
// So the wrench of k = 1 is Lipschitz, |F(X') - F(X)| <= 10 delta, delta the largest way of any point of the
// shape, as long as depths stay below the sizes of faces and facets. It is not where more than 8 points of a
// facet or 32 of a pair are cut down: the deepest is kept, the others by weight times depth, and the weight
// of one that goes is given to the nearest one that stays; nor for a segment that lies along a concave edge.
//
// A mesh is a surface with outward normals. A facet acts on a shape whose centre lies in front of it; or
// behind it, if the shape still reaches through the plane and no other facet is on the way from the centre
// along n, nor on that from the point: the other side of a thin wall does not pull. A height field is solid
// down to its base: there the shape need not reach through the plane.

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/surface/mesh_region.h"

namespace stiction {

inline constexpr double kRampBegin = 0.02, kRampWidth = 0.25;  // of the ratio of depths
// The disc of a cylinder acts from this cosine between axis and normal on, and fully this much later; below
// it its mantle can_touch alone.
inline constexpr double kDiscBegin = 0.02, kDiscWidth = 0.05;
inline constexpr int kMaxSurfacePoints = 32;  // of a pair

// A point of contact in the frame S of the surface.
struct SurfacePoint {
  Vec3 p = Vec3::Zero();       // m, on the shape
  Vec3 normal = Vec3::Zero();  // unit, out of the surface
  double distance = 0.0;       // m
  double weight = 0.0;
  std::uint64_t feature = 0;
  int facet = -1;  // of the piece, if the normal is its own
};

// The shape as seen from the surface.
struct ConvexOnSurface {
  const CollisionShape& shape;
  Pose X_SA;
  double margin;  // m
  int max_points;

  Vec3 centre() const { return X_SA * shape.box_centre; }
  // How far the shape reaches in front of (positive) or behind the facet at its lowest, m.
  double lowest(const CoplanarFacet& facet) const;
  // The point of the shape that lies lowest on the line through x along m, unit, both in S; false: it misses.
  bool find_lowest_on_line(const Vec3& x, const Vec3& m, SurfacePoint* point) const;
};

// What the three kinds of shapes add to `out`.
void collide_flat_faces(const ConvexOnSurface& body, const MeshRegion& region,
                        std::vector<SurfacePoint>* out);
void collide_segment(const ConvexOnSurface& body, const MeshRegion& region, std::vector<SurfacePoint>* out);
void collide_one_point(const ConvexOnSurface& body, const MeshRegion& region, std::vector<SurfacePoint>* out);

// Whether the facet acts on the shape (the rule of the header), if the shape reaches it at all.
bool acts_on(const MeshRegion& region, const CoplanarFacet& facet, const ConvexOnSurface& body);

// The point of side i of triangle t nearest to x, which is there but for round-off; i = -1: of the triangle.
// Where the triangle ends in a needle, the band around its sides (surface/facet_outline.h) reaches far beyond its
// tip; then `is_moved`.
Vec3 on_triangle(const MeshRegion& region, int t, int i, const Vec3& x, bool* is_moved);

// The unit vector across `axis` that looks most along -n; `other`, across the axis too, where all are alike.
Vec3 lowest_across(const Vec3& axis, const Vec3& n, const Vec3& other);

// The share b of an axis of depth d where the best one has depth `best`; 1 where nothing overlaps.
double ramp_share(double d, double best);

// Cuts the points from `begin` on down to `most`, deepest first, weights conserved.
void reduce(std::size_t begin, std::size_t most, std::vector<SurfacePoint>* points);

// The points of the shape A and the gathered piece of B, appended in W.
void collide_with_region(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB,
                         const MeshRegion& region, const CollideOptions& options, ContactPoints* out);

// The box around A in the frame of B, with the margin.
Eigen::AlignedBox3d reach_of(const CollisionShape& A, const Pose& X_WA, const Pose& X_WB, double margin);

}  // namespace stiction
