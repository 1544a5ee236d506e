#include "stiction/math/swept_system.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/simd.h"

namespace stiction {

using simd::Pack;

namespace {

using Block = SweptSystem::Block;

bool is_zero(const Block& block) {
  const double* numbers = block.column[0];
  return std::all_of(numbers, numbers + 12, [](double x) { return x == 0.0; });
}

// M x.
Pack multiply(const Block& M, const double* x) { return simd::multiply(M.column[0], x); }

// D = C C', and the inverse of C; false if there is none.
bool split(const Block& D, Block* C, Block* inverse) {
  const auto d = [&](int r, int c) { return D.column[c][r]; };
  const double c00 = std::sqrt(d(0, 0)), c10 = d(1, 0) / c00, c20 = d(2, 0) / c00;
  const double c11 = std::sqrt(d(1, 1) - c10 * c10), c21 = (d(2, 1) - c20 * c10) / c11;
  const double c22 = std::sqrt(d(2, 2) - c20 * c20 - c21 * c21);
  if (!(c00 > 0.0 && c11 > 0.0 && c22 > 0.0) || !std::isfinite(c00 * c11 * c22)) return false;
  *C = {{{c00, c10, c20, 0.0}, {0.0, c11, c21, 0.0}, {0.0, 0.0, c22, 0.0}}};
  const double i00 = 1.0 / c00, i11 = 1.0 / c11, i22 = 1.0 / c22;
  const double i10 = -c10 * i00 * i11, i21 = -c21 * i11 * i22, i20 = -(c20 * i00 + c21 * i10) * i22;
  *inverse = {{{i00, i10, i20, 0.0}, {0.0, i11, i21, 0.0}, {0.0, 0.0, i22, 0.0}}};
  return true;
}

Block transpose(const Block& M) {
  Block out;
  for (int c = 0; c < 3; ++c)
    simd::store(out.column[c], Pack{M.column[0][c], M.column[1][c], M.column[2][c], 0.0});
  return out;
}

// Ci^-1 L Cj^-T.
Block scale(const Block& L, const Block& Ci_inverse, const Block& Cj_inverse) {
  const Pack l0 = simd::load(L.column[0]), l1 = simd::load(L.column[1]), l2 = simd::load(L.column[2]);
  const auto entry = [&](int r, int c) { return Cj_inverse.column[c][r]; };
  const Pack right[3] = {l0 * entry(0, 0), l0 * entry(1, 0) + l1 * entry(1, 1),
                         l0 * entry(2, 0) + l1 * entry(2, 1) + l2 * entry(2, 2)};
  Block out;
  for (int c = 0; c < 3; ++c) {
    const Pack x = right[c];
    simd::store(out.column[c], simd::load(Ci_inverse.column[0]) * simd::spread<0>(x) +
                                   simd::load(Ci_inverse.column[1]) * simd::spread<1>(x) +
                                   simd::load(Ci_inverse.column[2]) * simd::spread<2>(x));
  }
  return out;
}

double dot(const AlignedVector<double>& a, const AlignedVector<double>& b) {
  Pack even = simd::zero(), odd = simd::zero();
  const std::size_t n = a.size();
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    even += simd::load(&a[i]) * simd::load(&b[i]);
    odd += simd::load(&a[i + 4]) * simd::load(&b[i + 4]);
  }
  if (i < n) even += simd::load(&a[i]) * simd::load(&b[i]);
  return simd::sum(even + odd);
}

}  // namespace

void SweptSystem::set_pattern(std::span<const int> sizes, std::span<const BlockPair> pairs) {
  const std::size_t n = sizes.size();
  sizes_.assign(sizes.begin(), sizes.end());
  first_.assign(1, 0);
  for (const int size : sizes) first_.push_back(first_.back() + size);

  // Pairs by their later block row, each of its columns once.
  row_begin_.assign(n + 1, 0);
  for (const auto& [i, j] : pairs) ++row_begin_[std::max(i, j) + 1];
  for (std::size_t i = 0; i < n; ++i) row_begin_[i + 1] += row_begin_[i];
  order_.resize(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k)
    order_[row_begin_[std::max(pairs[k].row, pairs[k].col)]++] = static_cast<int>(k);
  pair_entry_.resize(pairs.size());
  pair_is_transposed_.resize(pairs.size());
  last_in_row_.assign(n, -1);  // the entry of a column in the row that is being made, or in one before
  column_.clear();
  int at = 0;
  for (std::size_t row = 0; row < n; ++row) {
    const int begin = static_cast<int>(column_.size()), end = row_begin_[row];
    for (; at < end; ++at) {
      const BlockPair& pair = pairs[order_[at]];
      const int column = std::min(pair.row, pair.col);
      if (last_in_row_[column] < begin) {
        last_in_row_[column] = static_cast<int>(column_.size());
        column_.push_back(column);
      }
      pair_entry_[order_[at]] = last_in_row_[column];
      pair_is_transposed_[order_[at]] = pair.row < pair.col ? 1 : 0;
    }
    row_begin_[row] = begin;
  }
  row_begin_[n] = static_cast<int>(column_.size());
  diagonal_.resize(n);
  lower_.resize(column_.size());
}

void SweptSystem::set_zero() {
  std::fill(lower_.begin(), lower_.end(), Block{});
  for (std::size_t i = 0; i < diagonal_.size(); ++i) {
    diagonal_[i] = {};
    for (int r = sizes_[i]; r < kMostRows; ++r) diagonal_[i].column[r][r] = 1.0;  // rows that are not there
  }
}

bool SweptSystem::prepare() {
  const int n = static_cast<int>(sizes_.size());
  C_.resize(diagonal_.size());
  C_inverse_.resize(diagonal_.size());
  for (int i = 0; i < n; ++i) {
    if (!split(diagonal_[i], &C_[i], &C_inverse_[i])) return false;
  }
  scaled_.clear();
  scaled_transposed_.clear();
  scaled_column_.clear();
  scaled_begin_.clear();
  for (int i = 0; i < n; ++i) {
    scaled_begin_.push_back(static_cast<int>(scaled_.size()));
    for (int k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
      if (is_zero(lower_[k])) continue;
      scaled_.push_back(scale(lower_[k], C_inverse_[i], C_inverse_[column_[k]]));
      scaled_transposed_.push_back(transpose(scaled_.back()));
      scaled_column_.push_back(column_[k]);
    }
  }
  scaled_begin_.push_back(static_cast<int>(scaled_.size()));
  return true;
}

void SweptSystem::pack(ConstVecRef from, Numbers* to) const {
  to->resize(4 * sizes_.size());
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    for (int r = 0; r < 4; ++r) (*to)[4 * i + r] = r < sizes_[i] ? from[first_[i] + r] : 0.0;
  }
}

void SweptSystem::sweep_forth(double* x) const {
  const int n = static_cast<int>(sizes_.size());
  for (int i = 0; i < n; ++i) {
    Pack sum = simd::load(x + 4 * i);
    for (int k = scaled_begin_[i]; k < scaled_begin_[i + 1]; ++k)
      sum -= multiply(scaled_[k], x + 4 * scaled_column_[k]);
    simd::store(x + 4 * i, sum);
  }
}

void SweptSystem::sweep_back(double* x) const {
  for (int i = static_cast<int>(sizes_.size()) - 1; i >= 0; --i) {
    const double* mine = x + 4 * i;
    for (int k = scaled_begin_[i]; k < scaled_begin_[i + 1]; ++k) {
      double* other = x + 4 * scaled_column_[k];
      simd::store(other, simd::load(other) - multiply(scaled_transposed_[k], mine));
    }
  }
}

// |scale (b - H x)| of r = (1 + Lh)^-1 C^-1 (b - H x).
double SweptSystem::true_residual(const Numbers& r) {
  Pack sum = simd::zero();
  for (std::size_t i = 0; i < sizes_.size(); ++i) {
    alignas(32) double row[4];
    Pack x = simd::load(&r[4 * i]);
    for (int k = scaled_begin_[i]; k < scaled_begin_[i + 1]; ++k)
      x += multiply(scaled_[k], &r[4 * static_cast<std::size_t>(scaled_column_[k])]);
    simd::store(row, x);
    const Pack scaled = simd::load(&scale_[4 * i]) * multiply(C_[i], row);
    sum += scaled * scaled;
  }
  return std::sqrt(simd::sum(sum));
}

int SweptSystem::solve(ConstVecRef b, ConstVecRef scale, double tolerance, int most, VecRef x) {
  const std::size_t n = sizes_.size();
  pack(b, &r_);
  pack(scale, &scale_);
  double bound = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const Pack scaled = simd::load(&scale_[4 * i]) * simd::load(&r_[4 * i]);
    bound += simd::dot(scaled, scaled);
    simd::store(&r_[4 * i], multiply(C_inverse_[i], &r_[4 * i]));
  }
  bound = tolerance * std::sqrt(bound);
  sweep_forth(r_.data());
  x_.assign(4 * n, 0.0);
  p_ = r_;
  t_.resize(4 * n);
  q_.resize(4 * n);
  double rr = dot(r_, r_);
  // The true residual is computed once the preconditioned one has fallen that far, and every few iterations
  // then.
  constexpr int kEvery = 3;
  const double likely = tolerance * tolerance * rr;
  int count = 0;
  for (int next_look = 0; count < most && rr > 0.0;) {
    t_ = p_;
    sweep_back(t_.data());
    for (std::size_t i = 0; i < 4 * n; i += 4) simd::store(&q_[i], simd::load(&p_[i]) - simd::load(&t_[i]));
    sweep_forth(q_.data());
    for (std::size_t i = 0; i < 4 * n; i += 4) simd::store(&q_[i], simd::load(&q_[i]) + simd::load(&t_[i]));
    const double curvature = dot(p_, q_);
    if (!(curvature > 0.0)) break;  // round-off, or not a number
    const double alpha = rr / curvature;
    for (std::size_t i = 0; i < 4 * n; i += 4) {
      simd::store(&x_[i], simd::load(&x_[i]) + alpha * simd::load(&p_[i]));
      simd::store(&r_[i], simd::load(&r_[i]) - alpha * simd::load(&q_[i]));
    }
    ++count;
    const double next = dot(r_, r_);
    if (next <= likely && count >= next_look) {
      if (true_residual(r_) <= bound) break;
      next_look = count + kEvery;
    }
    const double beta = next / rr;
    rr = next;
    for (std::size_t i = 0; i < 4 * n; i += 4)
      simd::store(&p_[i], simd::load(&r_[i]) + beta * simd::load(&p_[i]));
  }
  sweep_back(x_.data());
  for (std::size_t i = 0; i < n; ++i) {
    // C^-T x.
    const double* y = &x_[4 * i];
    for (int r = 0; r < sizes_[i]; ++r)
      x[first_[i] + r] = simd::dot(simd::load(C_inverse_[i].column[r]), simd::load(y));
  }
  return count;
}

}  // namespace stiction
