#pragma once
// Random states of a forest for tests.

#include "stiction/base/random.h"
#include "stiction/multibody/positions.h"

namespace stiction {

inline VecX random_vector(int n, double scale, Random* random) {
  VecX x(n);
  for (int i = 0; i < n; ++i) x[i] = scale * random->uniform(-1.0, 1.0);
  return x;
}

// Joint positions within +-pi (rad, m), free bodies within +-pi m, any orientation.
inline VecX random_positions(const Forest& forest, Random* random) {
  VecX q = random_vector(forest.num_q, 3.14159, random);
  normalise_quaternions(forest, q.data());
  return q;
}

}  // namespace stiction
