#include "stiction/math/block_groups.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "stiction/math/cholesky_structure.h"
#include "test/math/random_block_pattern.h"

namespace stiction {
namespace {

// The groups of a pattern in the order of minimum degree.
struct Grouping {
  BlockGraph graph;
  EliminationTree tree;
  std::vector<int> order;
  BlockGroups groups;

  explicit Grouping(const BlockPattern& pattern) {
    const int n = static_cast<int>(pattern.sizes.size());
    graph.build(n, pattern.pairs);
    MinimumDegree().compute(graph, std::vector<int>(pattern.sizes.size(), 1), &order);
    tree.build(graph, &order);
    groups.build(pattern.sizes, graph, order, &tree);
  }
};

TEST(BlockGroups, FitIntoTilesAndCoverEveryRowOnce) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const BlockPattern pattern =
        random_pattern(&random, random_sizes(&random, random.uniform_int(1, 50), random.uniform_int(1, 9)),
                       random.uniform_int(0, 120));
    const Grouping grouping(pattern);
    const BlockGroups& groups = grouping.groups;
    std::vector<int> seen(pattern.sizes.size(), 0);
    for (int g = 0; g < static_cast<int>(groups.sizes().size()); ++g) {
      int rows = 0;
      for (const int i : groups.members(g)) {
        EXPECT_EQ(groups.group_of(i), g);
        EXPECT_EQ(groups.first_row(i), rows);
        rows += pattern.sizes[i];
        ++seen[i];
        // Its parent or one of its children in the elimination tree is in the group, too.
        bool has_kin = groups.members(g).size() == 1;
        for (const int j : groups.members(g)) {
          const int place_i = grouping.tree.position()[i], place_j = grouping.tree.position()[j];
          has_kin = has_kin || grouping.tree.parent()[place_i] == place_j ||
                    grouping.tree.parent()[place_j] == place_i;
        }
        EXPECT_TRUE(has_kin);
      }
      EXPECT_EQ(groups.sizes()[g], rows);
      if (groups.members(g).size() > 1) {
        EXPECT_LE(rows, kTileSize);
      }
    }
    for (const int count : seen) EXPECT_EQ(count, 1);
  }
}

TEST(BlockGroups, MostParticlesOfAGridShareTilesInPairs) {
  constexpr int kSide = 20;
  BlockPattern grid;
  grid.sizes.assign(kSide * kSide, 3);
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      if (x > 0) grid.pairs.push_back({kSide * x + y, kSide * (x - 1) + y});
      if (y > 0) grid.pairs.push_back({kSide * x + y, kSide * x + y - 1});
    }
  }
  EXPECT_LE(Grouping(grid).groups.sizes().size(), kSide * kSide * 7 / 10);  // 1/2 at best
}

TEST(BlockGroups, ChainOfSingleVelocitiesFillsTiles) {
  BlockPattern chain;
  chain.sizes.assign(24, 1);
  for (int i = 1; i < 24; ++i) chain.pairs.push_back({i, i - 1});
  EXPECT_LE(Grouping(chain).groups.sizes().size(), 12u);  // 4 at best
}

TEST(BlockGroups, BodiesThatFillATileStayAlone) {
  EXPECT_FALSE(Grouping({{6, 6, 30}, {{0, 1}, {1, 2}}}).groups.is_joined());
  EXPECT_FALSE(Grouping({{6, 1, 30}, {{0, 1}, {1, 2}}}).groups.is_joined());
}

}  // namespace
}  // namespace stiction
