#pragma once
// The pressure field of one shape: how hard its foundation pushes back at a depth.
//
// A compliant shape has a modulus E (Pa) and a depth H (m), and the pressure
//
//   p(x) = kappa depth(x),   kappa = E/H (Pa/m),
//
// which is 0 on the surface, E where the shape is deepest (unless H is given otherwise) and, for margins,
// negative outside. The depth is that of the elastic-foundation model (P. Elandt et al., "A pressure field
// model for fast, robust approximation of net contact force and moment", 2019), written without tetrahedra:
//
//   box, hull, half-space   min_f (b_f - n_f . x): the least of linear functions, exact, also outside
//   sphere                  R - |x|
//   capsule                 R - distance to the segment
//   cylinder                min(R - r, L/2 - |z|)
//   ellipsoid               (1 - |D^-1 x|) times the least radius; D the radii
//
// Round shapes are replaced by planes that touch them where the other shape meets them, anew in every query
// (field_pieces.h), so that turning a ball changes nothing. H is the radius of the largest inscribed ball
// unless it is given; a half-space has no such radius and needs one. A shape that is rounded has the depth of
// its core, plus the rounding. A mesh is compliant as a volume of tetrahedra (tet_mesh.h).
//
// A rigid shape has a surface and no field: the pressure on it is the other shape's. Superellipsoids and height
// fields cannot be compliant; superellipsoids have no surface here either (has_surface).

#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/math/aligned_vector.h"

namespace stiction {

// A linear pressure p(x) = value - slope . x; of a rigid shape a depth, with a unit slope.
struct FieldPiece {
  Vec3 slope = Vec3::Zero();  // Pa/m, outward; rigid: 1
  double value = 0.0;         // Pa; rigid: m
  int id = 0;                 // face of the shape, or facet of a round one
};

// How finely a round shape is replaced by planes: rings of facets around the contact direction (1 + 6 + 12
// for two), and a row across lateral surfaces (5, 9, 13).
enum class FacetRings : std::uint8_t { one = 1, two = 2, three = 3 };

struct TetMesh;  // stiction/geometry/field/tet_mesh.h

struct PressureField {
  CollisionShape shape;
  double modulus = 0.0;  // Pa; 0: rigid
  double depth = 0.0;    // m, H
  FacetRings rings = FacetRings::two;
  std::vector<FieldPiece> pieces;       // of a box, hull or half-space, in S
  std::shared_ptr<const TetMesh> tets;  // of a compliant mesh

  bool is_rigid() const { return modulus == 0.0; }
  double kappa() const { return modulus / depth; }  // Pa/m, of a compliant one
};

// Whether every shape of this kind may be compliant (a mesh may if it has tetrahedra), and whether it may be one side of a pressure patch at all.
bool can_be_compliant(ShapeKind kind);
bool has_surface(ShapeKind kind);

// modulus in Pa, depth in m; depth 0: the radius of the largest inscribed ball, of a mesh that of the deepest
// vertex of its tetrahedra. Throws UserError for numbers that are not positive and finite, a half-space without a
// depth, shapes that cannot be compliant, meshes without tetrahedra and with defective ones.
PressureField compliant_field(const CollisionShape& shape, double modulus, double depth = 0.0,
                              FacetRings rings = FacetRings::two);
// A shape that need not be convex, as tetrahedra; depth 0: that of the deepest vertex.
PressureField compliant_field(std::shared_ptr<const TetMesh> tets, double modulus, double depth = 0.0,
                              FacetRings rings = FacetRings::two);
// Throws UserError for shapes without a surface.
PressureField rigid_field(const CollisionShape& shape, FacetRings rings = FacetRings::two);

// The radius of the largest ball inside a convex shape, m; infinite for a half-space.
double inscribed_radius(const CollisionShape& shape);

}  // namespace stiction
