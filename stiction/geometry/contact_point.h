#pragma once
// What collision detection returns: points where two shapes touch, overlap, or are about to.
//
// A and B are the two shapes, n points from A into B. Every point carries its own distance and a weight w in
// [0, 1]: its share of the stiffness of the pair. Weights vary continuously with the poses and go to zero
// where a point appears or vanishes; points that merge add theirs. A box lying flat, standing on an edge and
// on a corner has the weights 4 x 1/4, 2 x 1/4 and 1/4 in reach.

#include <cstdint>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

struct ContactPoint {
  Vec3 p_A = Vec3::Zero();     // m, in W, on the surface of A
  Vec3 normal = Vec3::Zero();  // unit, in W, from A into B
  double distance = 0.0;       // m, of this point; negative: overlap
  double weight = 1.0;
  std::uint64_t feature = 0;  // which features of A and B touch: stable over steps, unique within a pair

  Vec3 p_B() const { return p_A + distance * normal; }  // on the surface of B
};

using ContactPoints = std::vector<ContactPoint>;

// The feature id of a point: the feature of A in the upper half, that of B in the lower half.
enum class FeatureKind : std::uint32_t { smooth, vertex, edge, face };
constexpr std::uint64_t pair_feature(FeatureKind kind_a, int a, FeatureKind kind_b, int b) {
  const auto half = [](FeatureKind kind, int index) {
    return std::uint64_t{static_cast<std::uint32_t>(kind)} << 30 |
           (static_cast<std::uint32_t>(index) & 0x3fffffffu);
  };
  return half(kind_a, a) << 32 | half(kind_b, b);
}
inline std::uint64_t swapped_feature(std::uint64_t feature) { return feature << 32 | feature >> 32; }

}  // namespace stiction
