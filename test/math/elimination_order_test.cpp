#include "stiction/math/elimination_order.h"

#include <algorithm>
#include <numeric>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <gtest/gtest.h>

#include "stiction/base/random.h"

namespace stiction {
namespace {

BlockGraph graph_of(int nodes, const std::vector<BlockPair>& pairs) {
  BlockGraph graph;
  graph.build(nodes, pairs);
  return graph;
}

std::vector<int> minimum_degree(const BlockGraph& graph) {
  std::vector<int> order;
  MinimumDegree().compute(graph, std::vector<int>(graph.size(), 1), &order);
  return order;
}

// Entries below the diagonal of the factor, by elimination on a full table.
int factor_entries(const BlockGraph& graph, const std::vector<int>& order) {
  const int n = graph.size();
  std::vector<std::vector<bool>> joined(n, std::vector<bool>(n, false));
  for (int i = 0; i < n; ++i)
    for (int j : graph.of(i)) joined[i][j] = true;
  std::vector<bool> is_gone(n, false);
  int entries = 0;
  for (int p : order) {
    is_gone[p] = true;
    std::vector<int> neighbours;
    for (int i = 0; i < n; ++i)
      if (joined[p][i] && !is_gone[i]) neighbours.push_back(i);
    entries += static_cast<int>(neighbours.size());
    for (int i : neighbours)
      for (int j : neighbours) joined[i][j] = joined[i][j] || i != j;
  }
  return entries;
}

std::vector<BlockPair> lattice(int side) {
  std::vector<BlockPair> pairs;
  const auto index = [side](int x, int y, int z) { return (z * side + y) * side + x; };
  for (int z = 0; z < side; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        if (x + 1 < side) pairs.push_back({index(x, y, z), index(x + 1, y, z)});
        if (y + 1 < side) pairs.push_back({index(x, y, z), index(x, y + 1, z)});
        if (z + 1 < side) pairs.push_back({index(x, y, z), index(x, y, z + 1)});
      }
    }
  }
  return pairs;
}

// Points in the unit square joined when close: what a pile looks like to the solver.
std::vector<BlockPair> neighbours_in_the_plane(Random* random, int points, double reach) {
  std::vector<double> x(points), y(points);
  for (int i = 0; i < points; ++i) x[i] = random->uniform(), y[i] = random->uniform();
  std::vector<BlockPair> pairs;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < i; ++j)
      if (std::hypot(x[i] - x[j], y[i] - y[j]) < reach) pairs.push_back({i, j});
  return pairs;
}

std::vector<int> eigen_amd(int nodes, const std::vector<BlockPair>& pairs) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < nodes; ++i) triplets.emplace_back(i, i, 1.0);
  for (const auto& [i, j] : pairs) {
    triplets.emplace_back(i, j, 1.0);
    triplets.emplace_back(j, i, 1.0);
  }
  Eigen::SparseMatrix<double> matrix(nodes, nodes);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  Eigen::AMDOrdering<int>::PermutationType permutation;
  Eigen::AMDOrdering<int>()(matrix, permutation);
  return {permutation.indices().begin(), permutation.indices().end()};
}

TEST(BlockGraph, ListsEveryNeighbourOnceInBothDirectionsWithoutTheNodeItself) {
  const BlockGraph graph = graph_of(4, {{0, 1}, {1, 0}, {2, 1}, {2, 2}, {0, 1}});
  const auto sorted = [&](int i) {
    std::vector<int> list(graph.of(i).begin(), graph.of(i).end());
    std::ranges::sort(list);
    return list;
  };
  EXPECT_EQ(sorted(0), (std::vector<int>{1}));
  EXPECT_EQ(sorted(1), (std::vector<int>{0, 2}));
  EXPECT_EQ(sorted(2), (std::vector<int>{1}));
  EXPECT_EQ(sorted(3), (std::vector<int>{}));
}

TEST(MinimumDegree, OrderIsAPermutation) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const int n = random.uniform_int(1, 60);
    const BlockGraph graph = graph_of(n, neighbours_in_the_plane(&random, n, random.uniform(0.0, 0.6)));
    std::vector<int> order = minimum_degree(graph), expected(n);
    std::ranges::sort(order);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(order, expected);
  }
}

TEST(MinimumDegree, FactorOfATreeHasNoFill) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = random.uniform_int(2, 80);
    std::vector<BlockPair> pairs;
    for (int i = 1; i < n; ++i) pairs.push_back({i, random.uniform_int(0, i - 1)});
    const BlockGraph graph = graph_of(n, pairs);
    EXPECT_EQ(factor_entries(graph, minimum_degree(graph)), n - 1);
  }
}

// Every order of a cycle adds a triangulation of the polygon: n edges and n - 3 diagonals.
TEST(MinimumDegree, FactorOfACycleHasTheFillOfATriangulation) {
  for (int n : {3, 4, 5, 10, 37}) {
    std::vector<BlockPair> pairs;
    for (int i = 0; i < n; ++i) pairs.push_back({i, (i + 1) % n});
    const BlockGraph graph = graph_of(n, pairs);
    EXPECT_EQ(factor_entries(graph, minimum_degree(graph)), 2 * n - 3);
  }
}

TEST(MinimumDegree, BodyThatTouchesEverythingIsEliminatedLast) {
  constexpr int n = 2000;  // far above the bound for a dense row, 10 sqrt(n) = 447
  std::vector<BlockPair> pairs;
  for (int i = 1; i < n; ++i) pairs.push_back({0, i});
  for (int i = 2; i < n; ++i) pairs.push_back({i - 1, i});
  EXPECT_EQ(minimum_degree(graph_of(n, pairs)).back(), 0);
}

TEST(MinimumDegree, HeavyNeighboursCountMore) {
  // The ends of the path 0 - 1 - 2 see only the middle, weight 1; the middle sees 10 + 10.
  std::vector<int> order;
  MinimumDegree().compute(graph_of(3, {{0, 1}, {1, 2}}), std::vector<int>{10, 1, 10}, &order);
  EXPECT_NE(order.front(), 1);
  // Node 0 sees 3 + 3 light nodes, node 4 sees one heavy node: the light side goes first although it has more
  // neighbours.
  MinimumDegree().compute(graph_of(5, {{0, 1}, {0, 2}, {3, 4}}), std::vector<int>{9, 3, 3, 20, 30}, &order);
  EXPECT_LT(std::ranges::find(order, 0), std::ranges::find(order, 4));
}

TEST(MinimumDegree, SameGraphGivesTheSameOrder) {
  Random random(3);
  const BlockGraph graph = graph_of(300, neighbours_in_the_plane(&random, 300, 0.1));
  MinimumDegree reused;
  std::vector<int> first, second;
  const std::vector<int> weights(300, 1);
  reused.compute(graph, weights, &first);
  reused.compute(graph, weights, &second);
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, minimum_degree(graph));
}

// The margin of one graph is for ties, which the two break differently; over all
// graphs together one percent is enough.
TEST(MinimumDegree, FillIsWithinFivePercentOfEigensApproximateMinimumDegree) {
  Random random(4);
  double ours = 0.0, eigens = 0.0;
  const auto compare = [&](int n, const std::vector<BlockPair>& pairs) {
    const BlockGraph graph = graph_of(n, pairs);
    const int our_entries = factor_entries(graph, minimum_degree(graph));
    const int eigen_entries = factor_entries(graph, eigen_amd(n, pairs));
    EXPECT_LE(our_entries, 1.05 * eigen_entries) << n << " nodes, " << pairs.size() << " pairs";
    ours += our_entries;
    eigens += eigen_entries;
  };
  compare(7 * 7 * 7, lattice(7));
  for (double reach : {0.06, 0.08, 0.1, 0.12}) compare(400, neighbours_in_the_plane(&random, 400, reach));
  EXPECT_LE(ours, 1.01 * eigens);
}

TEST(EliminationTree, ParentIsTheFirstRowBelowTheDiagonal) {
  // Eliminating 0 of the cycle 0 - 1 - 3 - 2 - 0 joins 1 and 2; then 1 joins 2 and 3.
  const BlockGraph graph = graph_of(4, {{0, 1}, {1, 3}, {3, 2}, {2, 0}});
  std::vector<int> order{0, 1, 2, 3};
  EliminationTree tree;
  tree.build(graph, &order);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(tree.parent(), (std::vector<int>{1, 2, 3, -1}));
}

TEST(EliminationTree, SubtreesAreContiguousAndTheFillIsUnchanged) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const int n = random.uniform_int(2, 60);
    const BlockGraph graph = graph_of(n, neighbours_in_the_plane(&random, n, 0.25));
    const std::vector<int> before = minimum_degree(graph);
    std::vector<int> order = before;
    EliminationTree tree;
    tree.build(graph, &order);
    EXPECT_EQ(factor_entries(graph, order), factor_entries(graph, before));

    // A subtree with k nodes and root j is j - k + 1, ..., j.
    std::vector<int> lowest(n), nodes(n, 1);
    std::iota(lowest.begin(), lowest.end(), 0);
    for (int j = 0; j < n; ++j) {
      EXPECT_EQ(tree.position()[order[j]], j);
      EXPECT_EQ(lowest[j], j - nodes[j] + 1);
      const int parent = tree.parent()[j];
      if (parent < 0) continue;
      ASSERT_GT(parent, j);
      lowest[parent] = std::min(lowest[parent], lowest[j]);
      nodes[parent] += nodes[j];
    }
  }
}

}  // namespace
}  // namespace stiction
