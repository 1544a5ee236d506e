#pragma once
// What the force between two pressure fields is, computed without the polygons and facets that are raced: by dense
// sampling of the depths of the shapes, so that the error of both sides can be told.
//
// With the pressures pA and pB the force on a compliant shape C against another one O is (pressure_patch.h: -dU/dx_C)
//
//   F_C = integral over {0 < pC < pO} of grad pC dV,     pO infinite inside of a rigid O.
//
// Along a line in the direction e the integral of grad pC . e is the sum of the differences of pC between the ends of the
// intervals where 0 < pC < pO, which are found by bisection: the lines start from a sequence of points that cover the
// overlap evenly, and are the only thing that is sampled. A volume of tetrahedra against a rigid mesh has the sum of its
// pressure over small parts of the mesh's triangles.

#include "stiction/geometry/shape/shape.h"
#include "stiction/math/spatial.h"

namespace stiction::race {

// A shape with the words of a material. Box, ball, capsule, cylinder, ellipsoid, half-space; a mesh with tetrahedra
// against a rigid mesh.
struct FieldShape {
  Shape shape;
  double modulus = 0.0;  // Pa; 0: rigid
  double depth = 0.0;    // m; 0: as deep as the shape is
};

// The force on B, N, right to some 1e-3 of itself. along: about the direction of the force. Zero for shapes that do not
// overlap and for two rigid ones.
Vec3 reference_force(const FieldShape& A, const Pose& X_WA, const FieldShape& B, const Pose& X_WB,
                     const Vec3& along);

}  // namespace stiction::race
