#include "stiction/contact/dual/dense_rows.h"

#include <algorithm>

#include "stiction/math/simd.h"

namespace stiction {

using namespace simd;

namespace {

double product(const double* x, const double* y, int n) {
  Pack sum = zero();
  int c = 0;
  for (; c + kLanes <= n; c += kLanes) sum += load_unaligned(x + c) * load_unaligned(y + c);
  double rest = 0.0;
  for (; c < n; ++c) rest += x[c] * y[c];
  return simd::sum(sum) + rest;
}

// The sums of four packs, side by side.
Pack sums(Pack a, Pack b, Pack c, Pack d) {
  const Pack ab = __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack cd = __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

}  // namespace

void DenseRows::begin(const DualProblem& problem) {
  problem_ = &problem;
  size_ = problem.num_rows();
  stride_ = padded(size_);
  numbers_.assign(static_cast<std::size_t>(stride_ + 1) * stride_, 0.0);
  if (problem.is_explicit())
    add_blocks(problem);
  else
    add_trees(problem);
  for (int i = 0; i < size_; ++i) numbers_[i * stride_ + i] += problem.R[i];
}

void DenseRows::add_trees(const DualProblem& problem) {
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    for (int o = 0; o <= b; ++o) {
      const DualBlock& other = problem.blocks[o];
      for (int k = block.part_begin; k < block.part_end; ++k) {
        for (int l = other.part_begin; l < other.part_end; ++l) {
          const DualPart &left = problem.parts[k], &right = problem.parts[l];
          if (left.tree != right.tree) continue;
          for (int i = 0; i < block.size(); ++i)
            for (int j = 0; j < other.size() && other.begin + j <= block.begin + i; ++j)
              numbers_[(block.begin + i) * stride_ + other.begin + j] +=
                  product(problem.J.data() + left.begin + i * left.columns,
                          problem.Y.data() + right.begin + j * right.columns, left.columns);
        }
      }
    }
  }
  for (int i = 0; i < size_; ++i)
    for (int j = 0; j < i; ++j) numbers_[j * stride_ + i] = numbers_[i * stride_ + j];
}

void DenseRows::add_blocks(const DualProblem& problem) {
  const DualMatrix& W = problem.W;
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    for (int k = W.row_begin[b]; k < W.row_begin[b + 1]; ++k) {
      const DualBlock& other = problem.blocks[W.columns[k]];
      const double* from = W.values.data() + W.begin[k];
      for (int i = 0; i < block.size(); ++i)
        for (int j = 0; j < other.size(); ++j)
          numbers_[(block.begin + i) * stride_ + other.begin + j] += from[i * other.size() + j];
    }
  }
}

void DenseRows::multiply(const VecX& x, VecX* y) const {
  double* x_padded = numbers_.data() + stride_ * stride_;
  std::copy_n(x.data(), size_, x_padded);
  y->resize(size_);
  // Four rows at a time; the rows after the last one are zero.
  for (int i = 0; i < size_; i += kLanes) {
    const double* from = row(i);
    Pack a = zero(), b = zero(), c = zero(), d = zero();
    for (int j = 0; j < stride_; j += kLanes) {
      const Pack v = load(x_padded + j);
      a += load(from + j) * v;
      b += load(from + stride_ + j) * v;
      c += load(from + 2 * stride_ + j) * v;
      d += load(from + 3 * stride_ + j) * v;
    }
    const Pack four = sums(a, b, c, d);
    if (i + kLanes <= size_) {
      store_unaligned(y->data() + i, four);
    } else {
      for (int k = i; k < size_; ++k) (*y)[k] = four[k - i];
    }
  }
}

void DenseRows::velocities(const VecX& lambda, VecX* s) const {
  multiply(lambda, s);
  *s += problem_->r;
}

void DenseRows::block_velocity(const DualBlock& block, const double* lambda, double* s) const {
  const double *from = row(block.begin), *r = problem_->r.data() + block.begin;
  if (block.size() == 3) {
    Pack a = zero(), b = zero(), c = zero();
    for (int j = 0; j < stride_; j += kLanes) {
      const Pack v = load(lambda + j);
      a += load(from + j) * v;
      b += load(from + stride_ + j) * v;
      c += load(from + 2 * stride_ + j) * v;
    }
    const Pack three = sums(a, b, c, zero());
    for (int i = 0; i < 3; ++i) s[i] = r[i] + three[i];
    return;
  }
  for (int i = 0; i < block.size(); ++i) {
    Pack sum = zero();
    for (int j = 0; j < stride_; j += kLanes) sum += load(from + i * stride_ + j) * load(lambda + j);
    s[i] = r[i] + simd::sum(sum);
  }
}

}  // namespace stiction
