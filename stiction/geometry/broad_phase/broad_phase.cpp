#include "stiction/geometry/broad_phase/broad_phase.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/geometry/simd/box_packs.h"
#include "stiction/math/lanes.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

using simd::FloatPack;
using simd::kFloatLanes;
using simd::load_floats;
using simd::Pack;

typedef float HalfPack __attribute__((vector_size(16)));

constexpr float kInfinity = std::numeric_limits<float>::infinity();
// An empty box: overlaps nothing and is contained in nothing.
constexpr PackedBox kNoBox = {{kInfinity, kInfinity, kInfinity, 0, kInfinity, kInfinity, kInfinity, 0}};

// The margin of a fat box: at least this fraction of the smallest edge, so that the jitter of a resting body
// stays inside, and this multiple of the last displacement, but at most a fraction of the largest edge.
constexpr float kShareOfSmallestEdge = 0.1f, kMovesAhead = 8.0f, kShareOfLargestEdge = 0.25f;

// Cost of sorting and filing in a sweep, per box, in comparisons of eight boxes.
constexpr std::int64_t kSortBlocks = 8;

int padded_size(int n) { return (n + kFloatLanes - 1) / kFloatLanes * kFloatLanes + kFloatLanes; }

bool overlap(const PackedBox& a, const PackedBox& b) {
  const FloatPack x = load_floats(a.numbers), y = load_floats(b.numbers);
  return simd::all_of(x <= -__builtin_shufflevector(y, y, 4, 5, 6, 7, 0, 1, 2, 3));
}

bool holds(const PackedBox& outer, const PackedBox& inner) {
  return simd::all_of(load_floats(inner.numbers) >= load_floats(outer.numbers));
}

bool equal(const PackedBox& a, const PackedBox& b) {
  return simd::all_of(load_floats(a.numbers) == load_floats(b.numbers));
}

// Lower bounds, rounded down: a float is off by up to 2^-24 of itself; twice that is subtracted. Bounds that
// are not numbers or too large for single precision become +-kFar.
HalfPack lower_bounds(Pack x) {
  constexpr double kRoundOff = 0x1p-23, kFar = 1e30;  // m
  const Pack far = simd::broadcast(kFar);
  Pack bounded = x < far ? x : far;
  bounded = x > -far ? bounded : -far;
  return __builtin_convertvector(bounded - kRoundOff * maximum(bounded, -bounded), HalfPack);
}

PackedBox packed(const Vec3& lower, const Vec3& upper) {
  const HalfPack bounds[2] = {lower_bounds(Pack{lower.x(), lower.y(), lower.z(), 0.0}),
                              lower_bounds(-Pack{upper.x(), upper.y(), upper.z(), 0.0})};
  PackedBox box;
  std::memcpy(box.numbers, bounds, sizeof(bounds));
  return box;
}

float centre(const PackedBox& box, int axis) { return 0.5f * (box.numbers[axis] - box.numbers[4 + axis]); }

bool contains(const std::vector<IndexPair>& sorted, int i, int j) {
  return std::binary_search(sorted.begin(), sorted.end(), IndexPair{std::min(i, j), std::max(i, j)});
}

// Lowest value of normal . x on a box.
double lowest_along(const PackedBox& box, const Vec3& normal) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += normal[k] * (normal[k] >= 0.0 ? box.numbers[k] : -box.numbers[4 + k]);
  return sum;
}

}  // namespace

bool PairFilter::is_excluded(int i, int j) const {
  const auto owner = [&](int item) { return items[static_cast<std::size_t>(item)].owner; };
  return contains(excluded_owners, owner(i), owner(j)) || contains(excluded_items, i, j) ||
         (!named_groups.empty() &&
          (named_groups[static_cast<std::size_t>(i)] & ignored_groups[static_cast<std::size_t>(j)]) != 0);
}

// ---- Items and their boxes ----

BroadPhase::BroadPhase(PairFilter filter, std::vector<Extent> extents)
    : filter_(std::move(filter)), extents_(std::move(extents)) {
  STICTION_ASSERT(filter_.items.size() == extents_.size());
  const int n = static_cast<int>(extents_.size());
  boxes_.assign(extents_.size(), kNoBox);
  fat_boxes_ = previous_ = boxes_;
  left_.assign(extents_.size(), 0);
  plane_of_.assign(extents_.size(), -1);
  bucket_ends_.assign(extents_.size() + 1, 0);
  for (int k = 0; k < 6; ++k) searched_[k].assign(padded_size(n), k < 3 ? kInfinity : -kInfinity);
  for (int i = 0; i < n; ++i) {
    switch (extents_[i]) {
      case Extent::still:
        sorted_still_.items.push_back(i);
        break;
      case Extent::moving:
        moving_.push_back(i);
        break;
      case Extent::half_space:
        plane_of_[i] = static_cast<int>(planes_.size());
        planes_.push_back({i, Vec3::UnitZ(), -std::numeric_limits<double>::infinity()});
        break;
    }
  }
  sorted_moving_.items = moving_;
  // Reserve for dense scenes, so that calls seldom allocate.
  constexpr std::size_t kPairsOfAnItem = 8;
  for (std::vector<IndexPair>* list : {&candidates_, &found_, &extra_, &pairs_})
    list->reserve(kPairsOfAnItem * extents_.size());
  leavers_.reserve(moving_.size());
  for (SortedBoxes* sorted : {&sorted_moving_, &sorted_still_}) sorted->keys.reserve(sorted->items.size());
}

void BroadPhase::set_filter(PairFilter filter) {
  STICTION_ASSERT(filter.items.size() == extents_.size());
  filter_ = std::move(filter);
  is_changed_ = is_structure_old_ = true;
}

void BroadPhase::set_box(int item, const Vec3& lower, const Vec3& upper) {
  STICTION_ASSERT(extents_[item] != Extent::half_space);
  const PackedBox box = packed(lower, upper);
  PackedBox& old = boxes_[item];
  if (equal(box, old)) return;
  previous_[item] = old;
  old = box;
  is_changed_ = true;
  if (extents_[item] == Extent::still) {
    fat_boxes_[item] = box;
    set_searched(item);
    is_structure_old_ = are_still_old_ = true;
  }
}

void BroadPhase::set_half_space(int item, const Vec3& normal, double offset) {
  STICTION_ASSERT(extents_[item] == Extent::half_space);
  Plane& plane = planes_[plane_of_[item]];
  if (plane.normal == normal && plane.offset == offset) return;
  plane.normal = normal;
  plane.offset = offset;
  is_changed_ = true;
}

void BroadPhase::fatten(int item) {
  const FloatPack box = load_floats(boxes_[item].numbers), before = load_floats(previous_[item].numbers);
  float smallest = kInfinity, largest = 0.0f, move = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float edge = -box[k] - box[4 + k];
    smallest = std::min(smallest, edge);
    largest = std::max(largest, edge);
    move = std::max({move, std::abs(box[k] - before[k]), std::abs(box[4 + k] - before[4 + k])});
  }
  if (!(move < kInfinity)) move = 0.0f;  // the first position of a box is no displacement
  const float space =
      std::min(std::max(kMovesAhead * move, kShareOfSmallestEdge * smallest), kShareOfLargestEdge * largest);
  for (int k = 0; k < 3; ++k) {
    fat_boxes_[item].numbers[k] = box[k] - space;
    fat_boxes_[item].numbers[4 + k] = box[4 + k] - space;
  }
  set_searched(item);
  left_[item] = 0;
}

void BroadPhase::set_searched(int item) {
  for (int k = 0; k < 3; ++k) {
    searched_[k][item] = fat_boxes_[item].numbers[k];
    searched_[3 + k][item] = -fat_boxes_[item].numbers[4 + k];
  }
}

// ---- The answer ----

std::span<const IndexPair> BroadPhase::find_pairs() {
  ++counts_.calls;
  if (!is_changed_) {
    ++counts_.unchanged;
    return pairs_;
  }
  collect_leavers();
  const std::int64_t n = static_cast<std::int64_t>(extents_.size()), left = std::ssize(leavers_);
  const std::int64_t search_blocks = left * (n / kFloatLanes + 1) + (left > 0 ? n / kFloatLanes : 0);
  if (is_structure_old_ || search_blocks > sweep_blocks_ + kSortBlocks * std::ssize(moving_)) {
    sweep();
  } else if (left > 0) {
    search_leavers();
  }
  find_extra_pairs();
  merge_pairs();
  is_changed_ = is_structure_old_ = false;
  return pairs_;
}

void BroadPhase::collect_leavers() {
  leavers_.clear();
  for (const int item : moving_) {
    if (holds(fat_boxes_[item], boxes_[item])) continue;
    left_[item] = 1;
    leavers_.push_back(item);
  }
}

void BroadPhase::add_found(int i, int j) {
  if (filter_.allows(i, j)) found_.push_back({std::min(i, j), std::max(i, j)});
}

// Compares each box that left its fat box with all others.
void BroadPhase::search_leavers() {
  counts_.single_searches += std::ssize(leavers_);
  found_.clear();
  for (const IndexPair& pair : candidates_)
    if (!left_[pair.first] && !left_[pair.second]) found_.push_back(pair);
  for (const int item : leavers_) fatten(item);
  for (const int item : leavers_) left_[item] = 1;

  const int n = static_cast<int>(extents_.size());
  for (const int item : leavers_) {
    FloatPack lower[3], upper[3];
    for (int k = 0; k < 3; ++k) {
      lower[k] = simd::broadcast_float(searched_[k][item]);
      upper[k] = simd::broadcast_float(searched_[3 + k][item]);
    }
    for (int j = 0; j < n; j += kFloatLanes) {
      simd::MaskPack meets =
          (load_floats(&searched_[0][j]) <= upper[0]) & (load_floats(&searched_[3][j]) >= lower[0]);
      meets &= (load_floats(&searched_[1][j]) <= upper[1]) & (load_floats(&searched_[4][j]) >= lower[1]);
      meets &= (load_floats(&searched_[2][j]) <= upper[2]) & (load_floats(&searched_[5][j]) >= lower[2]);
      for (unsigned bits = simd::bits_of(meets); bits != 0; bits &= bits - 1) {
        const int other = j + std::countr_zero(bits);
        // Two boxes that both left would be found twice.
        if (other != item && !(left_[other] && other < item)) add_found(item, other);
      }
    }
  }
  for (const int item : leavers_) left_[item] = 0;
  sort_candidates();
}

// ---- The sweep ----

int BroadPhase::widest_axis() const {
  double spread[3] = {};
  for (int k = 0; k < 3; ++k) {
    double sum = 0.0, squares = 0.0;
    for (const int item : moving_) {
      const double x = centre(boxes_[item], k);
      if (!std::isfinite(x)) continue;
      sum += x;
      squares += x * x;
    }
    spread[k] = squares - sum * sum / std::max<double>(1.0, static_cast<double>(moving_.size()));
  }
  return static_cast<int>(std::max_element(spread, spread + 3) - spread);
}

void BroadPhase::SortedBoxes::fill(const AlignedVector<PackedBox>& boxes, int axis) {
  keys.clear();
  for (const int item : items) keys.emplace_back(boxes[item].numbers[axis], item);
  // The last order is nearly right: insertion sort; where it is not, a full sort is cheaper.
  std::int64_t budget = 4 * std::ssize(keys);
  for (std::size_t i = 1; i < keys.size() && budget >= 0; ++i) {
    const std::pair<float, int> key = keys[i];
    std::size_t j = i;
    for (; j > 0 && key.first < keys[j - 1].first; --j, --budget) keys[j] = keys[j - 1];
    keys[j] = key;
  }
  if (budget < 0) std::sort(keys.begin(), keys.end());

  const std::size_t padded = padded_size(static_cast<int>(keys.size()));
  for (AlignedVector<float>* array : {&lower, &lower1, &lower2}) array->assign(padded, kInfinity);
  for (AlignedVector<float>* array : {&upper, &upper1, &upper2, &reach}) array->assign(padded, -kInfinity);
  const int axis1 = (axis + 1) % 3, axis2 = (axis + 2) % 3;
  float farthest = -kInfinity;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    items[i] = keys[i].second;
    const float* box = boxes[items[i]].numbers;
    lower[i] = box[axis];
    upper[i] = -box[4 + axis];
    lower1[i] = box[axis1];
    upper1[i] = -box[4 + axis1];
    lower2[i] = box[axis2];
    upper2[i] = -box[4 + axis2];
    reach[i] = farthest = std::max(farthest, upper[i]);
  }
}

void BroadPhase::sweep() {
  ++counts_.sweeps;
  for (const int item : moving_) fatten(item);
  const int axis = widest_axis();
  if (axis != axis_ || are_still_old_) sorted_still_.fill(fat_boxes_, axis);
  axis_ = axis;
  are_still_old_ = false;
  sorted_moving_.fill(fat_boxes_, axis);
  found_.clear();
  sweep_blocks_ = 0;
  sweep_moving();
  sweep_still();
  sort_candidates();
}

// Compares every moving box with those whose lower end lies between its own two ends.
void BroadPhase::sweep_moving() {
  const SortedBoxes& s = sorted_moving_;
  const int n = static_cast<int>(s.items.size());
  for (int i = 0; i < n; ++i) {
    const FloatPack upper = simd::broadcast_float(s.upper[i]);
    const FloatPack lower1 = simd::broadcast_float(s.lower1[i]), upper1 = simd::broadcast_float(s.upper1[i]);
    const FloatPack lower2 = simd::broadcast_float(s.lower2[i]), upper2 = simd::broadcast_float(s.upper2[i]);
    for (int j = i + 1; j < n && s.lower[j] <= s.upper[i]; j += kFloatLanes) {
      ++sweep_blocks_;
      simd::MaskPack meets = load_floats(&s.lower[j]) <= upper;
      meets &= (load_floats(&s.lower1[j]) <= upper1) & (load_floats(&s.upper1[j]) >= lower1);
      meets &= (load_floats(&s.lower2[j]) <= upper2) & (load_floats(&s.upper2[j]) >= lower2);
      for (unsigned bits = simd::bits_of(meets); bits != 0; bits &= bits - 1)
        add_found(s.items[i], s.items[j + std::countr_zero(bits)]);
    }
  }
}

// Compares every moving box with the still ones: from the first that reaches it up to its upper end.
void BroadPhase::sweep_still() {
  const SortedBoxes &m = sorted_moving_, &s = sorted_still_;
  const int n = static_cast<int>(s.items.size());
  for (std::size_t i = 0; i < m.items.size(); ++i) {
    const FloatPack lower = simd::broadcast_float(m.lower[i]), upper = simd::broadcast_float(m.upper[i]);
    const FloatPack lower1 = simd::broadcast_float(m.lower1[i]), upper1 = simd::broadcast_float(m.upper1[i]);
    const FloatPack lower2 = simd::broadcast_float(m.lower2[i]), upper2 = simd::broadcast_float(m.upper2[i]);
    const float* reach = s.reach.data();
    int j = static_cast<int>(std::lower_bound(reach, reach + n, m.lower[i]) - reach);
    for (; j < n && s.lower[j] <= m.upper[i]; j += kFloatLanes) {
      ++sweep_blocks_;
      simd::MaskPack meets = (load_floats(&s.lower[j]) <= upper) & (load_floats(&s.upper[j]) >= lower);
      meets &= (load_floats(&s.lower1[j]) <= upper1) & (load_floats(&s.upper1[j]) >= lower1);
      meets &= (load_floats(&s.lower2[j]) <= upper2) & (load_floats(&s.upper2[j]) >= lower2);
      for (unsigned bits = simd::bits_of(meets); bits != 0; bits &= bits - 1)
        add_found(m.items[i], s.items[j + std::countr_zero(bits)]);
    }
  }
}

// ---- Order ----

// Sorts `found_` by first index into buckets, most of them small enough for insertion sort.
void BroadPhase::sort_candidates() {
  std::fill(bucket_ends_.begin(), bucket_ends_.end(), 0);
  for (const IndexPair& pair : found_) ++bucket_ends_[pair.first + 1];
  for (std::size_t i = 1; i < bucket_ends_.size(); ++i) bucket_ends_[i] += bucket_ends_[i - 1];
  candidates_.resize(found_.size());
  for (const IndexPair& pair : found_) candidates_[bucket_ends_[pair.first]++] = pair;

  constexpr int kFewPairs = 32;
  int begin = 0;
  for (std::size_t i = 0; i + 1 < bucket_ends_.size(); ++i) {
    const int end = bucket_ends_[i];
    if (end - begin > kFewPairs) {
      std::sort(candidates_.begin() + begin, candidates_.begin() + end);
    } else {
      for (int k = begin + 1; k < end; ++k) {
        const IndexPair pair = candidates_[k];
        int to = k;
        for (; to > begin && pair.second < candidates_[to - 1].second; --to)
          candidates_[to] = candidates_[to - 1];
        candidates_[to] = pair;
      }
    }
    begin = end;
  }
}

// Half-spaces, and forced pairs.
void BroadPhase::find_extra_pairs() {
  // Products and sums of single-precision numbers in double precision are off by less than this of their
  // size.
  constexpr double kRoundOff = 1e-15;
  extra_.clear();
  const int n = static_cast<int>(extents_.size());
  for (const Plane& plane : planes_) {
    for (int item = 0; item < n; ++item) {
      if (extents_[item] == Extent::half_space) continue;
      const double lowest = lowest_along(boxes_[item], plane.normal);
      if (!(lowest - kRoundOff * std::abs(lowest) <= plane.offset)) continue;
      if (filter_.allows(item, plane.item))
        extra_.push_back({std::min(item, plane.item), std::max(item, plane.item)});
    }
  }
  for (const IndexPair& pair : filter_.forced) {
    if (!filter_.items[pair.first].is_enabled || !filter_.items[pair.second].is_enabled) continue;
    if (contains(filter_.excluded_items, pair.first, pair.second)) continue;
    const int plane = plane_of_[pair.first] >= 0 ? plane_of_[pair.first] : plane_of_[pair.second];
    const int item = plane_of_[pair.first] >= 0 ? pair.second : pair.first;
    if (plane >= 0 ? lowest_along(boxes_[item], planes_[plane].normal) <= planes_[plane].offset
                   : overlap(boxes_[pair.first], boxes_[pair.second]))
      extra_.push_back(pair);
  }
  if (!std::is_sorted(extra_.begin(), extra_.end())) std::sort(extra_.begin(), extra_.end());
  extra_.erase(std::unique(extra_.begin(), extra_.end()), extra_.end());
}

void BroadPhase::merge_pairs() {
  pairs_.clear();
  auto extra = extra_.begin();
  for (const IndexPair& pair : candidates_) {
    if (!overlap(boxes_[pair.first], boxes_[pair.second])) continue;
    while (extra != extra_.end() && *extra < pair) pairs_.push_back(*extra++);
    if (extra != extra_.end() && *extra == pair) ++extra;
    pairs_.push_back(pair);
  }
  pairs_.insert(pairs_.end(), extra, extra_.end());
}

}  // namespace stiction
