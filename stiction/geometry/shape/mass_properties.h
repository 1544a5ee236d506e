#pragma once
// Mass, centre and inertia of a triangle mesh, by summing over its triangles.
//
// A solid is the sum of the tetrahedra between a point o and the triangles (a, b, c), with volume
// V = (a - o) . (b - o) x (c - o) / 6, negative where the triangle faces o. With x from o,
//
//   integral of x      = V (a + b + c)/4
//   integral of x x'   = V/20 (2 (a a' + b b' + c c') + a b' + b a' + b c' + c b' + c a' + a c')
//
// and for a shell of area A: A (a + b + c)/3 and A/12 of the same bracket (F. Tonon, "Explicit exact formulas
// for the 3-D tetrahedron inertia tensor", J. Math. Stat. 1, 2004). For a closed surface the result does not
// depend on o. For others it does, and we choose as MuJoCo does, so that its models keep their mass: the
// centre of area o for volume and centre of mass, then the centre of mass for volume and inertia.

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// MJCF's mesh/inertia.
enum class MeshInertia {
  exact,   // V with its sign: right for a closed surface
  legacy,  // |V|: counts twice what is not convex
  convex,  // of the convex hull
  shell,   // of the surface, by area
};
const char* name_of(MeshInertia mode);

// Unit density: `mass` is the volume in m^3, or the area in m^2 of a shell. Throws UserError if it is not
// positive; `convex` computes the hull.
Inertia unit_density_inertia(const TriangleMesh& mesh, MeshInertia mode);
Inertia unit_density_inertia(const ConvexHull& hull);

// At a density in kg/m^3, or kg/m^2 for a shell.
Inertia mesh_inertia(const TriangleMesh& mesh, MeshInertia mode, double density);
Inertia hull_inertia(const ConvexHull& hull, double density);

// The same distribution scaled to a total mass of `mass` kg.
Inertia with_mass(const Inertia& inertia, double mass);

}  // namespace stiction
