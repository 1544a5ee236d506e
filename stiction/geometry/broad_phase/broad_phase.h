#pragma once
// The broad phase: all pairs of boxes that overlap and may collide, out of many boxes, most of which moved
// only a little since the last call.
//
// Boxes are kept in single precision, rounded outward. Every moving box also has an enlarged ("fat") box
// around it, and the pairs of fat boxes that overlap are the candidates. As long as no box leaves its fat
// box, the answer is found among the candidates, and if no box changed at all it is the last answer. If a few
// boxes left their fat boxes, these are compared with all others, eight at a time; if many did, all are
// sorted and swept along the axis on which their centres are spread most. Boxes that never move are sorted
// once and never compared with each other.
//
// The answer is the set of pairs whose own boxes overlap, sorted by (first, second): it depends on the boxes
// and the filter of this call alone, not on the history. Half-spaces have no box and are compared with all.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

struct IndexPair {
  int first = 0, second = 0;  // first < second
  bool operator==(const IndexPair&) const = default;
  auto operator<=>(const IndexPair&) const = default;
};

// Which items may collide. Two integer comparisons decide for nearly all pairs.
struct PairFilter {
  struct Item {
    std::int32_t group = 0;    // items of one group are fixed to each other and never collide
    std::int32_t parent = -1;  // group of the parent body, with which it does not collide; -1: none
    std::uint32_t type = 1, affinity = 1;  // a bit of one's type must be in the other's affinity
    std::int32_t owner = 0;                // the index used in excluded_owners
    bool is_dynamic = true;                // at least one of a pair must be
    bool is_enabled = true;
    bool has_exclusions = false;  // may be in an excluded list, or ignores a named group
  };
  std::vector<Item> items;
  std::vector<IndexPair> excluded_owners, excluded_items;  // sorted
  // Of every item, one bit per named group: those it is in, and those it ignores. Empty if there are none.
  std::vector<std::uint64_t> named_groups, ignored_groups;
  // Pairs of items that may collide whatever group, parent, bits, excluded_owners and named groups say;
  // sorted.
  std::vector<IndexPair> forced;

  bool allows(int i, int j) const {
    const Item &a = items[static_cast<std::size_t>(i)], &b = items[static_cast<std::size_t>(j)];
    if (a.group == b.group) return false;
    if (((a.type & b.affinity) | (b.type & a.affinity)) == 0) return false;
    return a.parent != b.group && b.parent != a.group && (a.is_dynamic || b.is_dynamic) && a.is_enabled &&
           b.is_enabled && !(a.has_exclusions && b.has_exclusions && is_excluded(i, j));
  }

 private:
  bool is_excluded(int i, int j) const;
};

// A box as (lower, 0, -upper, 0): two overlap if a <= -(b with its halves exchanged) in every number, and one
// contains another if inner >= outer.
struct alignas(32) PackedBox {
  float numbers[8] = {};
};

// How the broad phase treats an item.
enum class Extent : std::uint8_t {
  still,       // a box that is set once, or seldom
  moving,      // a box
  half_space,  // everything on one side of a plane, moving or not
};

class BroadPhase {
 public:
  // One extent for each item of the filter.
  BroadPhase(PairFilter filter, std::vector<Extent> extents);

  const PairFilter& filter() const { return filter_; }
  void set_filter(PairFilter filter);  // for as many items

  // m, in the world. An item whose box was never set overlaps nothing.
  void set_box(int item, const Vec3& lower, const Vec3& upper);
  // All x with normal . x <= offset.
  void set_half_space(int item, const Vec3& normal, double offset);

  // Pairs of items whose boxes overlap, sorted; valid until the next call.
  std::span<const IndexPair> find_pairs();

  // How the last answers were found, for tests and tuning.
  struct Counts {
    std::int64_t calls = 0, unchanged = 0, sweeps = 0, single_searches = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Plane {
    int item = 0;
    Vec3 normal = Vec3::UnitZ();
    double offset = 0.0;  // m
  };
  // Boxes as arrays of numbers, sorted by the lower end along the axis of the sweep.
  struct SortedBoxes {
    std::vector<int> items;
    AlignedVector<float> lower, upper;  // along the axis
    AlignedVector<float> lower1, upper1, lower2, upper2;
    AlignedVector<float> reach;               // running maximum of the upper ends
    std::vector<std::pair<float, int>> keys;  // work space of the sort
    void fill(const AlignedVector<PackedBox>& boxes, int axis);
  };

  void collect_leavers();
  void fatten(int item);
  void set_searched(int item);
  void search_leavers();
  void sweep();
  int widest_axis() const;
  void sweep_moving();
  void sweep_still();
  void add_found(int i, int j);
  void sort_candidates();
  void find_extra_pairs();
  void merge_pairs();

  PairFilter filter_;
  std::vector<Extent> extents_;
  std::vector<Plane> planes_;
  std::vector<int> plane_of_;  // by item, -1: none
  std::vector<int> moving_;    // items

  AlignedVector<PackedBox> boxes_, fat_boxes_;
  AlignedVector<PackedBox> previous_;  // before the last change
  AlignedVector<float> searched_[6];   // the fat boxes again: lower x, y, z, upper x, y, z
  std::vector<std::uint8_t> left_;     // by item: its box has left its fat box
  std::vector<int> leavers_;
  SortedBoxes sorted_moving_, sorted_still_;
  int axis_ = -1;
  std::int64_t sweep_blocks_ = 0;  // of eight boxes, compared in the last sweep
  bool is_changed_ = true, is_structure_old_ = true, are_still_old_ = true;

  std::vector<IndexPair> candidates_, found_, extra_, pairs_;
  std::vector<int> bucket_ends_;
  Counts counts_;
};

}  // namespace stiction
