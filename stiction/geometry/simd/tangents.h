#pragma once
// Two tangents for a normal: (t1, t2, n) is right-handed and orthonormal.
//
// A fixed frame (a, c x a, c) is rotated by the shortest rotation that takes c to n, so that
//
//   t1 = a - (a.n)/(1 + c.n) (c + n),      t2 = n x t1.
//
// It depends on n alone and is smooth for all n but one: -c, a direction chosen away from the axes and
// diagonals that are common normals in models. Some singular direction is unavoidable (hairy ball theorem); a
// rule with a branch, such as on the sign of n_z, would jump along a whole circle of normals, for instance
// those of upright walls.

#include "stiction/math/matrix.h"

namespace stiction {

struct Tangents {
  Vec3 t1, t2;
};

Tangents tangents(const Vec3& n);

}  // namespace stiction
