#pragma once
// A tree of boxes that do not move relative to each other: which of them overlap a box, or are hit by a ray?
//
// Every node has eight children, stored by coordinate, so that one comparison tests all of them. The set is
// halved at the median of its longest side three times per level. Bounds are single precision, rounded
// outwards: a query may return a box that it misses by round-off, but never omits one that it hits. The order
// of the results depends on the boxes alone.

#include <cstdint>
#include <span>
#include <vector>

#include "stiction/geometry/simd/box_packs.h"
#include "stiction/math/matrix.h"

namespace stiction {

// A ray origin + t direction, 0 <= t <= length; the direction need not be a unit vector.
struct Ray {
  Vec3 origin = Vec3::Zero();      // m
  Vec3 direction = Vec3::UnitZ();  // t is in units of its length
  double length = 1e300;           // the largest t
};

class BoxTree {
 public:
  BoxTree() = default;
  explicit BoxTree(std::span<const Eigen::AlignedBox3d> boxes) { assign(boxes); }

  // Rebuilds the tree for these boxes, reusing its memory.
  void assign(std::span<const Eigen::AlignedBox3d> boxes);

  // Appends the indices of the boxes that overlap the closed box [lower, upper].
  void overlap(const Vec3& lower, const Vec3& upper, std::vector<int>* out) const;

  // Calls visit(i, t) for boxes i that the ray hits before t, the nearest child first; visit returns the new
  // largest t. Returns the last t.
  template <class Visit>
  double cast(const Ray& ray, const Visit& visit) const;

  bool empty() const { return nodes_.empty(); }
  std::size_t num_nodes() const { return nodes_.size(); }

 private:
  static constexpr int kWide = simd::kFloatLanes;
  static constexpr int kMaxStack = 256;  // (kWide - 1) times the depth of a tree of 2^31 boxes, and more
  struct Node {
    float lower[3][kWide], upper[3][kWide];
    std::int32_t child[kWide];  // a node, or -1 - i for box i; unused ones have lower > upper
  };

  int build(std::span<const Eigen::AlignedBox3d> boxes, const std::vector<Vec3>& centres,
            std::span<int> items);
  void entry_times(const Node& node, const Ray& ray, const Vec3& inverse, double t[kWide]) const;

  std::vector<Node> nodes_;
};

template <class Visit>
double BoxTree::cast(const Ray& ray, const Visit& visit) const {
  double nearest = ray.length;
  if (nodes_.empty()) return nearest;
  const Vec3 inverse = ray.direction.cwiseInverse();  // infinite along axes the ray does not move on
  struct Entry {
    std::int32_t child;
    double t;
  };
  Entry stack[kMaxStack];
  int size = 0;
  stack[size++] = {0, 0.0};
  while (size > 0) {
    const Entry entry = stack[--size];
    if (entry.t > nearest) continue;
    if (entry.child < 0) {
      nearest = visit(-1 - entry.child, nearest);
      continue;
    }
    // Push the children that are hit, the nearest one last.
    const Node& node = nodes_[entry.child];
    double t[kWide];
    entry_times(node, ray, inverse, t);
    const int begin = size;
    for (int k = 0; k < kWide; ++k) {
      if (!(t[k] <= nearest)) continue;
      int place = size++;
      for (; place > begin && stack[place - 1].t < t[k]; --place) stack[place] = stack[place - 1];
      stack[place] = {node.child[k], t[k]};
    }
  }
  return nearest;
}

}  // namespace stiction
