#pragma once
// The frame in which the functions of the pair table compute: the frame of A, so that no digits are lost far
// from the origin of the world.

#include "stiction/geometry/contact_point.h"
#include "stiction/math/spatial.h"

namespace stiction {

struct PairFrame {
  const Pose& X_WA;
  Pose X_AB;

  PairFrame(const Pose& WA, const Pose& WB)
      : X_WA(WA), X_AB{WA.R.transpose() * WB.R, WA.R.transpose() * (WB.p - WA.p)} {}

  // A contact point in W from its position on A, normal and distance, all in A.
  ContactPoint point(const Vec3& p_a, const Vec3& n_a, double distance, double weight,
                     std::uint64_t feature) const {
    return {X_WA.p + X_WA.R * p_a, X_WA.R * n_a, distance, weight, feature};
  }
};

}  // namespace stiction
