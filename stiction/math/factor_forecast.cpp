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

  tree_.count_rows_below(graph_, order_, sizes_, &rows_);
  numbers_ = operations_ = 0.0;
  for (int k = 0; k < n; ++k) {
    const double columns = sizes_[order_[k]], all = columns + rows_[k];
    numbers_ += columns * all;
    operations_ += columns * all * all;
  }
}

}  // namespace stiction
