#pragma once
// The faces of a shape that face a facet of a surface (surface_contact.h), in the frame S of the surface; and
// which facets a box cannot touch.
//
// A contact joins a point x of the facet and a point p of the box on the line along the facet's normal n, x =
// p - h n, with the height h of p between that of the lowest point of the box, h_0, and the margin. In the
// axes of a box with half extents b that is
//   |x_k| <= b_k + max(margin, -h_0) |n_k|,
// so that a triangle whose corners all violate one of these has no contact point.

#include <vector>

#include "stiction/geometry/shape/polytope.h"
#include "stiction/geometry/surface/surface_contact.h"

namespace stiction {

// A face of the shape in S.
struct IncidentFace {
  int id = 0;
  std::uint64_t call = 0;  // the call in which it was filled
  Vec3 normal = Vec3::Zero();
  double offset = 0.0, area = 0.0, length = 0.0;  // m, m^2, m of its outline
  FeatureKind corner_kind = FeatureKind::vertex;
  std::vector<Vec3> corners;         // counter-clockwise seen from outside
  std::vector<int> vertices, edges;  // ids
  std::vector<Vec3> across;          // normals of the adjacent faces; zero: none

  double height_along(const Vec3& x, const Vec3& m) const { return (offset - normal.dot(x)) / normal.dot(m); }
};

// A face towards -n, with its share; the shares sum to one.
struct IncidentShare {
  int face;
  double blend;
};

// Fills in the face f of P.
void fill_face(const Polytope& P, const Pose& X_SA, int f, IncidentFace* out);

// Fills in the disc of a cylinder that faces -n, as the square of four rim points: the lowest, its opposite
// and the two at right angles.
void fill_disc(const CollisionShape& shape, const Pose& X_SA, const Vec3& n, IncidentFace* out);

// The face best aligned with -n, and others that are almost as well aligned.
void find_incident_faces(const Polytope& P, const Mat3& R_SA, const Vec3& n, std::vector<IncidentShare>* out);

// Whether the bounds above prove that the facet has no contact with a box without rounding; false proves
// nothing.
bool box_misses(const ConvexOnSurface& body, const MeshRegion& region, const CoplanarFacet& facet);

}  // namespace stiction
