#pragma once
// Where rings of facets begin: a direction across the contact direction, modulo the symmetry of the rings (a turn by
// 60 degrees changes nothing). The force depends on it a little, to the order of the facets, so it must move
// with the shapes and continuously:
//
//   two round shapes     the principal direction of their relative curvature, in which they part most slowly. It turns
//                        with both, does not see a ball, capsule or cylinder spin about itself, and is the same for
//                        B against A. It jumps only where the relative curvature is the same in all directions:
//                        there the patch is a disc and the lattice of the facets matters least. At the end of a
//                        cylinder, which is flat, the direction from its axis counts instead.
//   a box or a hull      a field of directions on the sphere of contact directions, fixed in that shape. No such
//                        field is continuous everywhere; this one has four singular directions, on corners of a box.
//   a triangle           a side of it, turned with the contact direction from the triangle's normal by the
//                        shortest way; singular where the direction is opposite.

#include "stiction/geometry/field/pressure_query.h"

namespace stiction {

// direction: unit, in Q, from A to B; near: m, in Q, between them.
Vec3 phase_of_round_pair(const PressureSide& A, const PressureSide& B, const Vec3& direction,
                         const Vec3& near);
// direction: unit, in Q, from the round shape to the other one.
Vec3 phase_on(const PressureSide& other, const Vec3& direction);
// A vector normal to the unit vector `from`, turned by the shortest way from there to the unit vector `to`.
Vec3 turned_along(const Vec3& from, const Vec3& to, const Vec3& vector);

}  // namespace stiction
