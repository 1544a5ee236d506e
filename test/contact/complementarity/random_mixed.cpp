#include "test/contact/complementarity/random_mixed.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "stiction/base/random.h"

namespace stiction {
namespace {

constexpr int kReach = 12;  // of neighbours, in rows: fill stays local, as in chains and piles of bodies

}  // namespace

RandomMixedProblem::RandomMixedProblem(int n, int neighbours, double product, unsigned seed) {
  Random random(seed);
  lower.setConstant(n, -kNoBound);
  upper.setConstant(n, kNoBound);
  solution.resize(n);
  VecX r = VecX::Zero(n);
  A_.row_begin.push_back(0);
  for (int i = 0; i < n; ++i) {
    solution[i] = random.uniform(-1.0, 1.0);
    const bool has_lower = i % 4 == 1 || i % 4 == 3, has_upper = i % 4 >= 2;
    if (has_lower) lower[i] = solution[i] - random.uniform(0.1, 1.0);
    if (has_upper) upper[i] = solution[i] + random.uniform(0.1, 1.0);
    const double where = random.uniform();
    if (has_lower && where < 0.4) {
      lower[i] = solution[i];
      r[i] = random.uniform(0.01, 1.0);
    } else if (has_upper && where < 0.6) {
      upper[i] = solution[i];
      r[i] = -random.uniform(0.01, 1.0);
    }

    std::map<int, double> row = {{i, 0.0}};
    double sum = 0.0;
    for (int k = 0; k < neighbours; ++k) {
      const double value = random.uniform(-1.0, 1.0);
      row[random.uniform_int(std::max(0, i - kReach), std::min(n - 1, i + kReach))] += value;
      sum += std::abs(value);
    }
    row[i] = 0.5 + sum;
    auto last = row.begin();
    std::advance(last, random.uniform_int(0, static_cast<int>(row.size()) - 1));
    products_.push_back({product * random.uniform(-1.0, 1.0), i, last->first});
    for (const auto& [column, value] : row) {
      A_.columns.push_back(column);
      A_.values.push_back(value);
    }
    A_.row_begin.push_back(static_cast<int>(A_.columns.size()));
  }
  offset_.resize(n);
  for (int i = 0; i < n; ++i) offset_[i] = r[i] - g(i, solution);
}

double RandomMixedProblem::g(int i, const VecX& z) const {
  double sum = z[i] * z[i] * z[i] / 3.0 + products_[i].p * z[products_[i].j] * z[products_[i].k];
  for (int e = A_.row_begin[i]; e < A_.row_begin[i + 1]; ++e) sum += A_.values[e] * z[A_.columns[e]];
  return sum;
}

bool RandomMixedProblem::evaluate(const VecX& z, VecX* F) {
  F->resize(size());
  for (int i = 0; i < size(); ++i) (*F)[i] = g(i, z) + offset_[i];
  return true;
}

bool RandomMixedProblem::linearise(const VecX& z, VecX* F, SparseRows* jacobian) {
  *jacobian = A_;
  for (int i = 0; i < size(); ++i) {
    for (int e = A_.row_begin[i]; e < A_.row_begin[i + 1]; ++e) {
      const int column = A_.columns[e];
      if (column == i) jacobian->values[e] += z[i] * z[i];
      if (column == products_[i].j) jacobian->values[e] += products_[i].p * z[products_[i].k];
      if (column == products_[i].k) jacobian->values[e] += products_[i].p * z[products_[i].j];
    }
  }
  return evaluate(z, F);
}

}  // namespace stiction
