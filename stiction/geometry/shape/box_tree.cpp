#include "stiction/geometry/shape/box_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace stiction {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

float rounded_down(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) <= x ? f : std::nextafter(f, -kInfinity);
}
float rounded_up(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) >= x ? f : std::nextafter(f, kInfinity);
}

// Halves the items at the median of their centres along the longest side.
std::size_t halved(const std::vector<Vec3>& centres, std::span<int> items) {
  Eigen::AlignedBox3d around;
  for (int i : items) around.extend(centres[i]);
  int axis = 0;
  around.sizes().maxCoeff(&axis);
  const std::size_t middle = items.size() / 2;
  std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(middle), items.end(),
                   [&centres, axis](int a, int b) {
                     return centres[a][axis] != centres[b][axis] ? centres[a][axis] < centres[b][axis]
                                                                 : a < b;
                   });
  return middle;
}

}  // namespace

void BoxTree::assign(std::span<const Eigen::AlignedBox3d> boxes) {
  nodes_.clear();
  if (boxes.empty()) return;
  thread_local std::vector<Vec3> centres;
  thread_local std::vector<int> items;
  centres.resize(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) centres[i] = boxes[i].center();
  items.resize(boxes.size());
  std::iota(items.begin(), items.end(), 0);
  nodes_.reserve(boxes.size() / 3 + 1);
  build(boxes, centres, items);
}

int BoxTree::build(std::span<const Eigen::AlignedBox3d> boxes, const std::vector<Vec3>& centres,
                   std::span<int> items) {
  // Three halvings give eight parts; parts of one item are not split.
  std::array<std::span<int>, kWide> parts;
  int count = 1;
  parts[0] = items;
  while (count < kWide) {
    const auto largest = std::max_element(parts.begin(), parts.begin() + count,
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    if (largest->size() < 2) break;
    const std::size_t middle = halved(centres, *largest);
    parts[count++] = largest->subspan(middle);
    *largest = largest->first(middle);
  }

  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  for (int k = 0; k < kWide; ++k) {
    Eigen::AlignedBox3d box;
    std::int32_t child = 0;
    if (k < count) {
      for (int i : parts[k]) box.extend(boxes[i]);
      child = parts[k].size() == 1 ? -1 - parts[k][0] : build(boxes, centres, parts[k]);
    }
    Node& node = nodes_[index];  // building a child may have moved it
    node.child[k] = child;
    for (int axis = 0; axis < 3; ++axis) {
      node.lower[axis][k] = k < count ? rounded_down(box.min()[axis]) : kInfinity;
      node.upper[axis][k] = k < count ? rounded_up(box.max()[axis]) : -kInfinity;
    }
  }
  return index;
}

void BoxTree::overlap(const Vec3& lower, const Vec3& upper, std::vector<int>* out) const {
  if (nodes_.empty()) return;
  simd::FloatPack low[3], high[3];
  // Clamp to finite numbers, so that no query hits the unused children of a node.
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = simd::broadcast_float(rounded_down(std::max(lower[axis], -kLargest)));
    high[axis] = simd::broadcast_float(rounded_up(std::min(upper[axis], kLargest)));
  }
  std::int32_t stack[kMaxStack];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const Node& node = nodes_[stack[--size]];
    simd::MaskPack meets =
        (simd::load_floats(node.lower[0]) <= high[0]) & (simd::load_floats(node.upper[0]) >= low[0]);
    for (int axis = 1; axis < 3; ++axis)
      meets &= (simd::load_floats(node.lower[axis]) <= high[axis]) &
               (simd::load_floats(node.upper[axis]) >= low[axis]);
    for (unsigned bits = simd::bits_of(meets); bits != 0; bits &= bits - 1) {
      const std::int32_t child = node.child[__builtin_ctz(bits)];
      if (child < 0)
        out->push_back(-1 - child);
      else
        stack[size++] = child;
    }
  }
}

void BoxTree::entry_times(const Node& node, const Ray& ray, const Vec3& inverse, double t[kWide]) const {
  for (int k = 0; k < kWide; ++k) {
    double begin = 0.0, end = std::numeric_limits<double>::infinity();
    bool meets = true;
    for (int axis = 0; axis < 3; ++axis) {
      const double low = node.lower[axis][k] - ray.origin[axis],
                   high = node.upper[axis][k] - ray.origin[axis];
      if (ray.direction[axis] == 0.0) {
        meets &= low <= 0.0 && high >= 0.0;
        continue;
      }
      const double a = low * inverse[axis], b = high * inverse[axis];
      begin = std::max(begin, std::min(a, b));
      end = std::min(end, std::max(a, b));
    }
    // The quotients have round-off of a few 1e-16; a ray along a face must not miss it because of that.
    constexpr double kRoundOff = 1e-14;
    meets &= begin <= end + kRoundOff * std::abs(end) && node.lower[0][k] <= node.upper[0][k];
    t[k] = meets ? begin : std::numeric_limits<double>::infinity();
  }
}

}  // namespace stiction
