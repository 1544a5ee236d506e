#pragma once
// Meshes that MJCF makes from a few numbers (mesh/builtin and mesh/params), of about unit size; scale and
// reference pose are applied afterwards. With c^e = sign(c) |c|^e,
//
//   sphere s               an icosahedron, every triangle cut into four s times, on the unit sphere
//   hemisphere r           the upper half of an octahedron with r + 1 strips, on the unit sphere; a lid
//   cone n r               hull of an n-gon of radius 1 at z = -1 and one of radius r at z = 1
//   supersphere k e n      (cos^n u cos^e w, cos^n u sin^e w, sin^n u), k steps of u and of w
//   supertorus k r s t     ((1 + r cos^s u) cos^t w, (1 + r cos^s u) sin^t w, r sin^s u)
//   wedge n m a b g        hull of n x m centres of cells between angles -a..a and -b..b on the unit sphere,
//                          around (0, 0, -1); the cells' edges x in [-1, 1] move to (1 - g) x + g x^5
//   plate n m              n x m centres of cells of the square at z = -1
//   grid, box              hull of a grid of `count` points at `spacing`, around the origin

#include "stiction/geometry/shape/triangle_mesh.h"
#include "stiction/io/mjcf/values.h"

namespace stiction {

// Throws UserError for kinds and numbers that MJCF does not know or that have no volume to collide with.
TriangleMesh built_in_mesh(const MjcfValues& values);

}  // namespace stiction
