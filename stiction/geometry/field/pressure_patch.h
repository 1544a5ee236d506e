#pragma once
// Pressure-field (hydroelastic) contact of two shapes: the sheet where their pressures are equal, as points
// with an area, a pressure and a gradient.
//
// The model is a potential (derivation: U changes only where min(pA, pB) does, and p = 0 on the boundaries):
//
//   U = integral over A and B of min(pA, pB) dV,   force on B = -dU/dx_B = integral over the sheet of p n dA,
//
// n from A into B. If one shape is rigid, the sheet is its surface inside the other, with that one's pressure.
// A pressure patch of two rigid shapes does not exist; they touch at points (narrow_phase.h).
//
// Faces. Fields are least of linear functions (pressure_field.h), so the sheet consists of convex polygons, one
// for each pair of pieces pA = a_f - G_f . x, pB = a_g - G_g . x: the plane pA = pB cut by pf <= pf', pg <= pg'
// and p >= -kappa margin. With G_f and G_g outward,
//
//   n = (G_f - G_g)/|G_f - G_g|,   g_A = G_f . n,   g_B = -G_g . n,   1/g = 1/g_A + 1/g_B
//
// (a rigid side has g infinite, and n from its own face), dp/dt = -g vn at a fixed place. Polygons are split at
// p = 0, so that those with p > 0 carry the force at the start of the step exactly, and those below
// (speculative ones) act only if they close.
//
// Sides of one shape that look the same way as the other's have a negative gradient g: they keep their
// pressure, which makes the potential, but no stiffness, and fade out as n turns from 90 to 112.5 degrees
// away from their own gradient: a thin plate is not swallowed by the cancelling of its two sides. Nothing fades
// in a half-space, where every side counts: its force on a rigid body is that of Archimedes.
//
// Two balls, and a ball and a half-space, have a sheet of revolution, which is divided into rings of equal
// steps of pressure with Gauss's nodes: force, stiffness and rocking stiffness are exact where the radius of
// the sheet squared is quadratic in p (rigid planes, half-spaces, equal balls). So has a ball on a face of a box or a
// hull, away from its edges; towards them facets take over bit by bit, along a quarter of the sheet's radius (where both
// have a part, the weight of each depends on the poses, and the force is -dU to the order of the facets only). An ellipsoid on a
// plane is a ball in other coordinates and has the same rings. A capsule on a plane has strips across its axis
// (pressure_strips.cpp), within 1e-3 of the closed forms; towards edges, and where an end reaches into the plane by
// half its radius, facets take over in the same way.
//
// Facets of round shapes follow how far the shapes overlap. What presses is laid for the overlap alone, and what does not
// press yet by itself for the overlap with the margin, with fewer facets: no margin changes a force.
//
// Stiffness of a point: k = max(A g, A p/reach), the reach being the length of the overlap along n through
// the point. At the rim of a patch g may be 0 (the sides of a box that lies on a plane), where pressure acts
// without stiffness; the second term bounds how far such a point pushes.
//
// Quadrature. A polygon with a share in the second moment of the patch has a point per corner, drawn in so
// that area, centroid and second moment are those of the polygon: force and moment of a linear pressure are
// exact. A small one has all of them in its centroid, which is one point. Between the two the points move
// continuously.

#include <cstdint>
#include <memory>

#include "stiction/geometry/field/pressure_field.h"
#include "stiction/math/spatial.h"

namespace stiction {

struct PressurePoint {
  Vec3 p = Vec3::Zero();       // m, in W, on the sheet
  Vec3 normal = Vec3::Zero();  // unit, in W, from A into B
  double area = 0.0;           // m^2
  double pressure = 0.0;       // Pa; negative: speculative
  double gradient = 0.0;       // Pa/m, g, not negative
  double stiffness = 0.0;      // N/m, k above
  int face = 0;                // index in PressurePatch::faces
  std::uint64_t feature = 0;   // stable over steps, unique within a pair

  double force() const { return area * pressure; }  // N
};

// A polygon of the sheet (of rings: a part of one, without corners).
struct PressureFace {
  Vec3 centroid = Vec3::Zero(), normal = Vec3::Zero();
  double area = 0.0, pressure = 0.0, gradient = 0.0;  // at the centroid
  Vec3 pressure_slope = Vec3::Zero();                 // Pa/m, of the pressure along the face
  double share = 1.0;                                 // of the polygon's area: less where a side fades out
  double reach = 0.0;                                 // m
  double trace = 0.0;                                 // m^4, second moment about the centroid
  int piece_A = 0, piece_B = 0;                       // ids of the pieces
  int begin = 0, end = 0;                             // in PressurePatch::corners
};

struct PressurePatch {
  std::vector<PressurePoint> points;
  std::vector<PressureFace> faces;
  std::vector<Vec3> corners;  // m, in W, of all faces, counter-clockwise seen against n
  double energy = 0.0;        // J, U; only where asked for
  // Whether a polygon has faded out, in part or as a whole, or shares its place with rings: F is then not exactly -dU.
  bool fades = false;

  void clear() {
    points.clear();
    faces.clear();
    corners.clear();
    energy = 0.0;
    fades = false;
  }
  // Force and moment about the origin of W, on B.
  Vec6 wrench() const;
};

struct PressureOptions {
  double margin = 0.0;        // m, speculative faces up to this distance
  bool is_fine = false;       // all polygons in four parts, four rings: torsional friction to 1 %
  bool wants_energy = false;  // U, at the cost of many more polygons
};

// Buffers of a query, which are kept; throwing them away changes no result.
class PressureWorkspace {
 public:
  PressureWorkspace();
  ~PressureWorkspace();
  PressureWorkspace(PressureWorkspace&&) noexcept;
  PressureWorkspace& operator=(PressureWorkspace&&) noexcept;

  struct Buffers;
  Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<Buffers> buffers_;
};

// Whether two fields make a patch: not both rigid, both with a surface, and no two half-spaces.
bool makes_pressure_patch(const PressureField& A, const PressureField& B);

// The patch of A and B; empty if they do not meet within the margin.
void find_pressure_patch(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB,
                         const PressureOptions& options, PressureWorkspace* workspace, PressurePatch* patch);

}  // namespace stiction
