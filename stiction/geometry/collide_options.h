#pragma once
// What every function of the pair table (narrow_phase.h) takes besides the two shapes and their poses.

#include <cstdint>

#include "stiction/geometry/contact_point.h"
#include "stiction/math/spatial.h"

namespace stiction {

struct CollisionShape;  // stiction/geometry/shape/collision_shape.h

struct CollideOptions {
  double margin = 0.0;  // m, points up to this distance are returned too (speculative)
  int max_points = 8;   // of a pair of convex shapes: 4 or 8; the deepest is never dropped
  // Polytopes that overlap nearly equally along several directions get contact points along all of them, each
  // with a share that is continuous in the poses. false: only along the direction of least overlap, which
  // jumps where two are equal.
  bool share_axes = true;
};

// What a pair remembers from one step to the next to save time, e.g. an axis that separated the shapes. Zero
// for a new pair. Never changes a result.
struct PairMemory {
  Vec3 axis = Vec3::Zero();  // in A's axes
  std::int32_t a = -1, b = -1;
};

// A function of the pair table: appends the contact points of A and B to `out`.
using CollideFunction = void (*)(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                                 ContactPoints* out);

}  // namespace stiction
