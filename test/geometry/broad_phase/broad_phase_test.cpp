#include "stiction/geometry/broad_phase/broad_phase.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

struct TestBox {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};

// Boxes that drift, jump and rest, some of them still, and the answer by comparing each with each. Their
// numbers are multiples of 1/256 m: two boxes touch or are apart by much more than single precision rounds.
class Crowd {
 public:
  Crowd(int num_moving, int num_still, double spread, std::uint64_t seed)
      : random_(seed), num_moving_(num_moving), spread_(spread) {
    for (int i = 0; i < num_moving + num_still; ++i) {
      const Vec3 centre = random_vector(spread),
                 half = random_vector(0.3).cwiseAbs() + Vec3::Constant(0.0625);
      boxes_.push_back({centre - half, centre + half});
      velocities_.push_back(random_vector(0.02));
      PairFilter::Item item;
      item.group = i < num_moving ? i : -1;
      item.is_dynamic = i < num_moving;
      filter_.items.push_back(item);
      extents_.push_back(i < num_moving ? Extent::moving : Extent::still);
    }
  }

  PairFilter& filter() { return filter_; }
  const std::vector<Extent>& extents() const { return extents_; }

  // A share of the boxes drifts, and now and then one jumps.
  void move(double share) {
    for (int i = 0; i < num_moving_; ++i) {
      if (random_.uniform(0.0, 1.0) > share) continue;
      const bool jumps = random_.uniform(0.0, 1.0) < 0.002;
      const Vec3 by = jumps ? random_vector(spread_) : velocities_[i];
      boxes_[i].lower += by;
      boxes_[i].upper += by;
    }
  }

  void show(BroadPhase* broad_phase) const {
    for (int i = 0; i < int(boxes_.size()); ++i) broad_phase->set_box(i, boxes_[i].lower, boxes_[i].upper);
  }

  std::vector<IndexPair> brute_force() const {
    std::vector<IndexPair> pairs;
    for (int i = 0; i < int(boxes_.size()); ++i) {
      for (int j = i + 1; j < int(boxes_.size()); ++j) {
        const bool overlap = (boxes_[i].lower.array() <= boxes_[j].upper.array()).all() &&
                             (boxes_[j].lower.array() <= boxes_[i].upper.array()).all();
        if (overlap && filter_.allows(i, j)) pairs.push_back({i, j});
      }
    }
    return pairs;
  }

 private:
  Vec3 random_vector(double size) {
    const int steps = static_cast<int>(256.0 * size);
    const auto number = [&] { return random_.uniform_int(-steps, steps) / 256.0; };
    const double x = number(), y = number(), z = number();
    return Vec3(x, y, z);
  }

  Random random_;
  int num_moving_;
  double spread_;
  std::vector<TestBox> boxes_;
  std::vector<Vec3> velocities_;
  PairFilter filter_;
  std::vector<Extent> extents_;
};

std::vector<IndexPair> answer_of(BroadPhase* broad_phase) {
  const auto pairs = broad_phase->find_pairs();
  return {pairs.begin(), pairs.end()};
}

TEST(BroadPhase, FindsThePairsOfBruteForceInEveryStepOfARandomMotion) {
  for (const double share : {1.0, 0.2, 0.01}) {
    SCOPED_TRACE(share);
    Crowd crowd(150, 60, 2.0, 7);
    BroadPhase broad_phase(crowd.filter(), crowd.extents());
    for (int step = 0; step < 150; ++step) {
      crowd.move(share);
      crowd.show(&broad_phase);
      ASSERT_EQ(answer_of(&broad_phase), crowd.brute_force()) << "step " << step;
    }
    EXPECT_GT(broad_phase.counts().sweeps, 0);
  }
}

TEST(BroadPhase, DoesNotDependOnTheHistory) {
  Crowd crowd(200, 50, 2.0, 3);
  BroadPhase old(crowd.filter(), crowd.extents());
  for (int step = 0; step < 100; ++step) {
    crowd.move(0.5);
    crowd.show(&old);
    const std::vector<IndexPair> pairs = answer_of(&old);
    BroadPhase fresh(crowd.filter(), crowd.extents());
    crowd.show(&fresh);
    ASSERT_EQ(pairs, answer_of(&fresh));
  }
}

TEST(BroadPhase, ComputesNothingAtRestAndLittleWhenOneBoxMoves) {
  Crowd crowd(500, 0, 5.0, 11);
  BroadPhase broad_phase(crowd.filter(), crowd.extents());
  crowd.show(&broad_phase);
  broad_phase.find_pairs();
  for (int step = 0; step < 10; ++step) {
    crowd.show(&broad_phase);
    broad_phase.find_pairs();
  }
  EXPECT_EQ(broad_phase.counts().unchanged, 10);
  EXPECT_EQ(broad_phase.counts().sweeps, 1);
  for (int step = 0; step < 10; ++step) {
    broad_phase.set_box(3, Vec3::Constant(0.1 * step), Vec3::Constant(0.1 * step + 0.3));
    broad_phase.find_pairs();
  }
  EXPECT_EQ(broad_phase.counts().sweeps, 1);
}

TEST(BroadPhase, PairsAHalfSpaceWithTheBoxesThatReachIt) {
  PairFilter filter;
  filter.items.resize(4);
  filter.items[1].group = 1;  // the others are one body
  BroadPhase broad_phase(filter, {Extent::moving, Extent::half_space, Extent::moving, Extent::moving});
  const Vec3 normal = Vec3(3.0, 0.0, 4.0) / 5.0;
  broad_phase.set_half_space(1, normal, 2.0);
  const Vec3 half = Vec3::Constant(0.1);
  // The lowest corner of such a box is 0.1 (3 + 4)/5 below its centre.
  const auto put = [&](int item, double height) {
    broad_phase.set_box(item, height * normal - half, height * normal + half);
  };
  put(0, 2.139);
  put(2, 2.141);
  put(3, -50.0);
  EXPECT_EQ(answer_of(&broad_phase), (std::vector<IndexPair>{{0, 1}, {1, 3}}));
}

TEST(BroadPhase, ObeysEveryFilter) {
  PairFilter filter;
  filter.items.resize(6);
  for (int i = 0; i < 6; ++i) filter.items[i].group = filter.items[i].owner = i;
  filter.items[1].group = 0;   // fixed to 0
  filter.items[2].parent = 0;  // child of the body of 0 and 1
  filter.items[3].type = 2;    // in no other's affinity
  filter.items[3].affinity = 2;
  filter.items[4].is_dynamic = filter.items[5].is_dynamic = false;
  const std::vector<Extent> extents(6, Extent::moving);
  BroadPhase broad_phase(filter, extents);
  for (int i = 0; i < 6; ++i) broad_phase.set_box(i, Vec3::Zero(), Vec3::Ones());
  EXPECT_EQ(answer_of(&broad_phase),
            (std::vector<IndexPair>{{0, 4}, {0, 5}, {1, 4}, {1, 5}, {2, 4}, {2, 5}}));

  filter.excluded_owners = {{1, 4}};
  filter.excluded_items = {{2, 5}};
  for (PairFilter::Item& item : filter.items) item.has_exclusions = true;
  filter.forced = {{0, 1}, {2, 3}};
  filter.items[0].is_enabled = false;
  broad_phase.set_filter(filter);
  EXPECT_EQ(answer_of(&broad_phase), (std::vector<IndexPair>{{1, 5}, {2, 3}, {2, 4}}));
}

TEST(BroadPhase, LosesNoPairFarFromTheOrigin) {
  PairFilter filter;
  filter.items.resize(2);
  filter.items[1].group = 1;
  BroadPhase broad_phase(filter, {Extent::moving, Extent::moving});
  // They share one plane, 1e4 m away, where single precision has steps of a millimetre.
  const Vec3 far(1e4 + 1.0 / 3.0, -1e4 - 1.0 / 7.0, 1e4 + 1.0 / 9.0), edge = Vec3::Constant(1e-3);
  broad_phase.set_box(0, far - edge, far);
  broad_phase.set_box(1, far, far + edge);
  EXPECT_EQ(broad_phase.find_pairs().size(), 1u);
}

TEST(BroadPhase, AllocatesNothingAfterTheFirstSteps) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  Crowd crowd(100, 20, 3.0, 5);
  BroadPhase broad_phase(crowd.filter(), crowd.extents());
  const auto run = [&](int steps) {
    for (int step = 0; step < steps; ++step) {
      crowd.move(0.3);
      crowd.show(&broad_phase);
      broad_phase.find_pairs();
    }
  };
  run(200);
  const AllocationCounter counter;
  run(1);
  EXPECT_EQ(counter.count(), 0);
}

}  // namespace
}  // namespace stiction
