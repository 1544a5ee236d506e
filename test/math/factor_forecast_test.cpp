#include "stiction/math/factor_forecast.h"

#include <gtest/gtest.h>

namespace stiction {
namespace {

TEST(FactorForecast, CountsTheFactorOfAChainExactly) {
  // Eliminated from its ends a chain fills nothing in: a column of n - 1 blocks has one block below it.
  const std::vector<int> sizes(10, 6);
  std::vector<BlockPair> pairs;
  for (int i = 0; i + 1 < 10; ++i) pairs.push_back({i + 1, i});
  FactorForecast forecast;
  forecast.compute(sizes, pairs);
  EXPECT_EQ(forecast.numbers(), 9 * 6 * 12 + 36);
  EXPECT_EQ(forecast.operations(), 9 * 6 * 144 + 216);
}

TEST(FactorForecast, CountsAFullMatrixAsFull) {
  const std::vector<int> sizes = {6, 3, 1};
  const std::vector<BlockPair> pairs = {{0, 1}, {0, 2}, {1, 2}, {2, 1}};
  FactorForecast forecast;
  forecast.compute(sizes, pairs);
  // Whatever the order: the columns of a triangle of 10 rows, each block column with its square diagonal.
  EXPECT_GE(forecast.numbers(), 55);
  EXPECT_LE(forecast.numbers(), 100);
}

TEST(FactorForecast, SeesTheFillOfARing) {
  // A ring of n blocks: every elimination joins two neighbours, so that all columns but the last two have two
  // blocks below.
  const int n = 12;
  const std::vector<int> sizes(n, 6);
  std::vector<BlockPair> pairs;
  for (int i = 0; i < n; ++i) pairs.push_back({i, (i + 1) % n});
  FactorForecast forecast;
  forecast.compute(sizes, pairs);
  EXPECT_EQ(forecast.numbers(), (n - 2) * 6 * 18 + 6 * 12 + 36);
}

TEST(FactorForecast, OfBlocksThatDoNotTouchIsTheirDiagonal) {
  const std::vector<int> sizes = {6, 2, 5};
  FactorForecast forecast;
  forecast.compute(sizes, {});
  EXPECT_EQ(forecast.numbers(), 36 + 4 + 25);
}

}  // namespace
}  // namespace stiction
