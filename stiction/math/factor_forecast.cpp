#include "stiction/math/factor_forecast.h"

#include <algorithm>

#include "stiction/math/cholesky_structure.h"

namespace stiction {

void FactorForecast::compute(std::span<const int> sizes, std::span<const BlockPair> pairs) {
  if (std::ranges::equal(sizes, sizes_) && std::ranges::equal(pairs, pairs_)) return;
  sizes_.assign(sizes.begin(), sizes.end());
  pairs_.assign(pairs.begin(), pairs.end());
  const int n = static_cast<int>(sizes_.size());
  graph_.build(n, pairs_);
  weights_.resize(sizes_.size());
  for (int i = 0; i < n; ++i) weights_[i] = (sizes_[i] + kTileSize - 1) / kTileSize;
  minimum_degree_.compute(graph_, weights_, &order_);
  tree_.build(graph_, &order_);

  rows_.assign(sizes_.size(), 0);  // by position in elimination order
  seen_by_.assign(sizes_.size(), -1);
  for (int k = 0; k < n; ++k) {
    seen_by_[k] = k;
    for (const int neighbour : graph_.of(order_[k])) {
      int j = tree_.position()[neighbour];
      if (j > k) continue;
      for (; seen_by_[j] != k; j = tree_.parent()[j]) {
        rows_[j] += sizes_[order_[k]];
        seen_by_[j] = k;
      }
    }
  }
  numbers_ = operations_ = 0.0;
  for (int k = 0; k < n; ++k) {
    const double columns = sizes_[order_[k]], all = columns + rows_[k];
    numbers_ += columns * all;
    operations_ += columns * all * all;
  }
}

}  // namespace stiction
