#pragma once
// What the parts of a pressure query share: the two shapes seen from the frame Q (axes of W, origin in the
// middle of the overlap of their bounds), and the buffers. pressure_patch.h is the entry.

#include "stiction/geometry/field/field_pieces.h"
#include "stiction/geometry/field/piece_rows.h"
#include "stiction/geometry/field/plane_polygon.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/geometry/surface/mesh_region.h"

namespace stiction {

inline bool is_round(ShapeKind kind) {
  return kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder ||
         kind == ShapeKind::ellipsoid;
}

struct TetCell;  // stiction/geometry/field/tet_mesh.h

struct PressureSide {
  const PressureField* field = nullptr;
  Pose X_QS;
  bool is_rigid = false;
};

struct PressureQuery {
  PressureSide A, B;
  Vec3 origin = Vec3::Zero();    // m, of Q in W
  double radius = 0.0;           // m, of a ball around the origin of Q that holds the overlap with its margin
  Mat3 axes = Mat3::Identity();  // of a box that holds it too, in Q,
  Vec3 half = Vec3::Zero();      // m, and its half extents
  double kappa = 0.0;            // Pa/m, of the pair: in series
  // m: polygons begin as squares of half width `radius` in planes that meet the ball, and lie within this distance of 0.
  double reach() const { return 1.7320508075688772 * radius; }
  double least_pressure = 0.0;  // Pa, -kappa margin
  double least_overlap = 0.0;   // m, of facets: less is round-off of the places
  bool fades = true;            // sides that look away from their gradient
  bool is_speculative = false;  // only what does not press yet, p <= 0
  PressureOptions options;      // the margin is that of this pass: 0 for what presses

  // Of facets: fewer for what does not press yet.
  int rings_of(const PressureField& field) const {
    const int rings = static_cast<int>(field.rings);
    return is_speculative && rings > 1 ? rings - 1 : rings;
  }
};

// Whether a cut lies in the plane in which it has been restricted, to round-off of the places.
inline bool lies_in(const PressureQuery& query, const OnPlane& on_plane, const FieldPiece& cut) {
  const double square = cut.slope.squaredNorm(), turned = PlaneTie::kTied * PlaneTie::kTied * square;
  return square > 0.0 && on_plane.c * on_plane.c <= query.least_overlap * query.least_overlap * square &&
         on_plane.cu * on_plane.cu <= turned && on_plane.cv * on_plane.cv <= turned;
}

// The direction from a round shape to another one, around which facets are laid (round_direction.h).
struct RoundDirection {
  Vec3 towards = Vec3::UnitZ();  // unit
  Vec3 near = Vec3::Zero();      // m, of the other shape
  bool is_deep = false;          // it reaches into the core: the way out, or for triangles nothing
  double distance = 0.0;         // m, of two round shapes
};

// The search from face to face (polygon_faces.cpp).
struct FaceWalk {
  std::vector<std::pair<int, int>> open;   // pairs of pieces that are to be looked at
  std::vector<char> seen;                  // by pair
  std::vector<int> beyond;                 // pairs that may lie beyond an edge, one edge after the other
  std::vector<std::pair<int, int>> edges;  // from and to in `beyond`
  std::vector<int> near_A, near_B;         // pieces that meet at an edge
  // Slower, for tests: the same result; the same force, and more of what does not press yet beyond the overlap.
  bool tries_every_pair = false, keeps_every_piece = false;
};

struct PressureWorkspace::Buffers {
  FieldPieces pieces_A, pieces_B, facets, cell, one_A, one_B;
  PieceRows rows_A, rows_B;
  FaceWalk walk;
  std::vector<std::pair<int, double>> rings;  // planes that meet a ball, and the weights of their rings
  std::vector<std::pair<FieldPiece, double>> ring_planes;  // those that have rings
  RoundDirection direction;                                // of the query; the search for it is made once
  bool has_direction = false;
  std::vector<int> found, others;
  PlanePolygon polygon, lower, quarter;
  MeshRegion region;
  FieldPieces cuts, prism;
  std::vector<Vec3> corners, part;
  std::vector<double> weights;
};
using Buffers = PressureWorkspace::Buffers;

// Faces of all pairs of pieces.
void add_polygon_faces(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                       Buffers* buffers, PressurePatch* patch);

// The same, from a face near x (Q) to its neighbours. n: unit, from A towards B. False, and nothing added, unless it is
// certain that there is one connected sheet and that no part of it is missing.
bool add_faces_around(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                      const Vec3& x, const Vec3& n, Buffers* buffers, PressurePatch* patch);

// Faces of a rigid triangle with corners in Q, whose outward normal is that of its orientation, against the
// pieces of a compliant shape. rigid_is_A: the triangle belongs to A.
void add_triangle_faces(const PressureQuery& query, const Vec3 (&corners)[3], int id, bool rigid_is_A,
                        const FieldPieces& pieces, Buffers* buffers, PressurePatch* patch);

// Faces of one piece of either shape inside all `cuts` (which are positive there); a rigid side has a depth for a
// piece. corners: of a rigid triangle to begin with, or null.
void add_element_faces(const PressureQuery& query, const FieldPiece& f, const FieldPiece& g,
                       const FieldPieces& cuts, const Vec3* corners, Buffers* buffers, PressurePatch* patch);
// The integral of min(pA, pB) over the same region.
double element_energy(const PressureQuery& query, const FieldPiece& f, const FieldPiece& g,
                      const FieldPieces& cuts, Buffers* buffers);

// A volume of tetrahedra against anything (tet_faces.cpp).
void add_tet_faces(const PressureQuery& query, Buffers* buffers, PressurePatch* patch);
// The pressure of one tetrahedron in Q; cuts: becomes its inner sides, as depths.
FieldPiece cell_in_query(const PressureSide& side, const TetCell& cell, FieldPieces* cuts);

// A rigid mesh or height field against a compliant shape that is no volume of tetrahedra (surface_faces.cpp).
void add_surface_faces(const PressureQuery& query, bool surface_is_A, Buffers* buffers, PressurePatch* patch);
// Of a mesh or height field, between two corners of a box in its axes.
void gather_surface(const CollisionShape& shape, const Vec3& lower, const Vec3& upper, MeshRegion* region);

// A ball and a half-space, or two balls.
bool has_rings(const PressureField& A, const PressureField& B);
void add_rings(const PressureQuery& query, PressurePatch* patch);

// A ball or an ellipsoid and one plane of a shape, in Q. The weight is 1 where the sheet lies within the cell of the plane, 0
// where it comes to its border, and continuous between: facets have the rest. first_feature, id: of the plane in features and
// faces, -1 if there is no other one.
bool has_plane_rings(ShapeKind kind);
double ring_weight(const PressureQuery& query, bool round_is_A, const FieldPieces& planes, std::size_t j);
void add_plane_rings(const PressureQuery& query, bool round_is_A, const FieldPiece& plane, double weight,
                     std::uint64_t first_feature, int id, PressurePatch* patch);
double plane_ring_energy(const PressureQuery& query, bool round_is_A, const FieldPiece& plane);

// The same of a capsule, in strips (pressure_strips.cpp). Strips do not depend on the bounds of the query.
bool has_strips(ShapeKind kind);
double strip_weight(const PressureQuery& query, bool round_is_A, const FieldPieces& planes, std::size_t j);
void add_strips(const PressureQuery& query, bool round_is_A, const FieldPiece& plane, double weight,
                std::uint64_t first_feature, int id, PressurePatch* patch);
double strip_energy(const PressureQuery& query, bool round_is_A, const FieldPiece& plane);

// Points of the faces from `first` on.
void add_points(const PressureQuery& query, std::size_t first, Buffers* buffers, PressurePatch* patch);

// Integral of min(pA, pB) over the overlap, J; only_A, only_B as above: over the cell of that piece.
double overlap_energy(const PressureQuery& query, const FieldPieces& pieces_A, const FieldPieces& pieces_B,
                      Buffers* buffers, int only_A = -1, int only_B = -1);
double ring_energy(const PressureQuery& query);
// The same of a rigid mesh or height field with a volume of tetrahedra, or a shape that has planes: those in
// buffers->pieces_B (surface_energy.cpp).
double energy_inside_surface(const PressureQuery& query, bool surface_is_A, Buffers* buffers);
// Of a rigid triangle with corners in Q and a round shape with these facets there: over what the triangle hides from the
// middle of the round shape, negative where it looks away from it.
double energy_behind_triangle(const PressureQuery& query, bool surface_is_A, const Vec3 (&corners)[3],
                              const FieldPieces& facets, Buffers* buffers);
// What is to be added to the sum over all triangles: the energy of the whole shape if its middle is inside the surface.
double energy_of_middle(const PressureQuery& query, bool surface_is_A, Buffers* buffers);

}  // namespace stiction
