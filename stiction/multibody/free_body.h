#pragma once
// The 6x6 block of a free body in closed form: M = diag(I, m 1) about its centre of mass, I = L' D L.

#include "stiction/multibody/tree.h"

namespace stiction {

struct FreeBodyFactor {
  double l10 = 0.0, l20 = 0.0, l21 = 0.0;  // of L
};

// J: pseudo-inertia about the centre of mass, sixteen numbers. The armature of the six velocities and `extra`
// (six numbers, may be null) are added to the diagonal. Returns the velocity (0 to 5) whose pivot is not
// positive, or -1.
[[gnu::always_inline]] inline int factorise_free_body(const double* J, const Dof* dofs, const double* extra,
                                                      FreeBodyFactor* L, double* inverse) {
  double add[6];
  for (int i = 0; i < 6; ++i) add[i] = dofs[i].armature + (extra ? extra[i] : 0.0);
  const double trace = J[0] + J[5] + J[10];
  const double d2 = trace - J[10] + add[2], i2 = 1.0 / d2;
  L->l20 = -J[2] * i2;
  L->l21 = -J[6] * i2;
  const double d1 = trace - J[5] + add[1] + L->l21 * J[6], i1 = 1.0 / d1;
  const double m10 = -J[1] + L->l21 * J[2];
  L->l10 = m10 * i1;
  const double d0 = trace - J[0] + add[0] + L->l20 * J[2] - L->l10 * m10;
  inverse[0] = 1.0 / d0;
  inverse[1] = i1;
  inverse[2] = i2;
  if (!(d2 > 0.0)) return 2;
  if (!(d1 > 0.0)) return 1;
  if (!(d0 > 0.0)) return 0;
  for (int i = 3; i < 6; ++i) {
    const double d = J[15] + add[i];
    if (!(d > 0.0)) return i;
    inverse[i] = 1.0 / d;
  }
  return -1;
}

[[gnu::always_inline]] inline void solve_free_body(const FreeBodyFactor& L, const double* inverse,
                                                   double* x) {
  const double y2 = x[2], y1 = x[1] - L.l21 * y2, y0 = x[0] - L.l10 * y1 - L.l20 * y2;
  x[0] = y0 * inverse[0];
  x[1] = y1 * inverse[1] - L.l10 * x[0];
  x[2] = y2 * inverse[2] - L.l20 * x[0] - L.l21 * x[1];
  for (int i = 3; i < 6; ++i) x[i] *= inverse[i];
}

}  // namespace stiction
