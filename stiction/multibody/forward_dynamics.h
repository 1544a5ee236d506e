#pragma once
// Motion from forces in O(n): the articulated-body algorithm (Featherstone, chapter 7) in one common frame
// per tree.
//
//   leaves to root   U = I^a S,   D = S . U + armature,   I^a_parent += I^a - U U' / D
//                    u = tau - bias - S . p,              p_parent += p + U u / D
//   root to leaves   vdot = (u - U . A_parent) / D,       A = A_parent + S vdot
//
// We subtract the bias forces first (inverse_dynamics.h), so that M vdot = tau - bias remains: the
// elimination does not depend on velocities and serves any number of right-hand sides. Joints with several
// velocities are eliminated one velocity at a time.

#include "stiction/multibody/free_body.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"

namespace stiction {

struct ArticulatedBodies {
  explicit ArticulatedBodies(const Forest& forest);

  // I^a of every node: columns of [A B; B' C] as A, B', B, C, three columns of four numbers each: 48 numbers
  // per node.
  AlignedVector<double> inertias;
  AlignedVector<double> U;                  // 8 numbers per velocity
  AlignedVector<double> inverse_diagonal;   // 1/D by velocity
  std::vector<FreeBodyFactor> free_bodies;  // by node, for trees that are free bodies
  AlignedVector<double> wrenches;           // p of every node, 8 numbers
};

// Eliminates from the leaves to the roots; `extra` (may be null) is added to the diagonal of M. Returns the
// first velocity whose D is not positive, or -1.
int eliminate(const Forest& forest, const Kinematics& kinematics, const double* extra,
              ArticulatedBodies* bodies);

// x <- (M + diag(extra))^-1 x.
void solve(const Forest& forest, const Kinematics& kinematics, ArticulatedBodies* bodies, double* x);

// vdot of (q, v, tau), from scratch. Returns as `eliminate` does; vdot is meaningful where it returns -1.
int forward_dynamics(const Forest& forest, const Kinematics& kinematics, const double* tau, NodeForces* work,
                     ArticulatedBodies* bodies, double* vdot);

}  // namespace stiction
