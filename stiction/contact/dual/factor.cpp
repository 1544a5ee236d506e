#include "stiction/contact/dual/factor.h"

#include <cmath>

#include "stiction/base/check.h"
#include "stiction/math/supernodal_lu.h"

namespace stiction {

struct DualFactor::ExplicitMatrix {
  Eigen::SparseMatrix<double> matrix;
  SupernodalLu lu;
  std::vector<Eigen::Triplet<double>> entries;
  VecX solution;
};

DualFactor::DualFactor() = default;
DualFactor::~DualFactor() = default;

void DualFactor::begin(const DualProblem& problem) {
  problem_ = &problem;
  weights_.setZero(problem.num_rows());
  if (problem.is_explicit()) {
    if (!explicit_) explicit_ = std::make_unique<ExplicitMatrix>();
    return;
  }
  pairs_.clear();
  for (const DualBlock& block : problem.blocks)
    for (int k = block.part_begin; k < block.part_end; ++k)
      for (int l = block.part_begin; l < k; ++l)
        pairs_.push_back({problem.parts[k].tree, problem.parts[l].tree});
  H_.set_pattern(problem.tree_sizes, pairs_);
  velocity_.resize(problem.num_velocities());
}

bool DualFactor::factorise(const VecX& D) {
  STICTION_ASSERT(problem_ && D.size() == problem_->num_rows());
  inverses_ = nullptr;
  for (int i = 0; i < D.size(); ++i) weights_[i] = D[i] < kLeftOut ? 1.0 / (problem_->R[i] + D[i]) : 0.0;
  return problem_->is_explicit() ? factorise_explicit(&D, nullptr) : factorise_trees();
}

bool DualFactor::factorise(const std::vector<double>& E, const std::vector<double>& inverses) {
  STICTION_ASSERT(problem_ && E.size() == inverses.size());
  inverses_ = &inverses;
  std::size_t at = 0;
  for (const DualBlock& block : problem_->blocks) {
    const int n = block.size();
    for (int i = 0; i < n; ++i) weights_[block.begin + i] = inverses[at + i * (n + 1)];
    at += static_cast<std::size_t>(n * n);
  }
  STICTION_ASSERT(at == inverses.size());
  return problem_->is_explicit() ? factorise_explicit(nullptr, &E) : factorise_trees();
}

// H(tree of k, tree of l) += J_k' E^-1 J_l.
void DualFactor::add_product(const DualBlock& block, int part_k, int part_l, const BlockView& to) {
  const DualPart &k = problem_->parts[part_k], &l = problem_->parts[part_l];
  to.set_places(&places_);
  for (int i = 0; i < block.size(); ++i) {
    const double weight = weights_[block.begin + i];
    if (weight == 0.0) continue;
    // The stored block has the rows of the tree that is eliminated later.
    const double* rows = problem_->J.data() + k.begin + i * k.columns;
    const double* columns = problem_->J.data() + l.begin + i * l.columns;
    if (to.transposed) std::swap(rows, columns);
    for (int c = 0; c < to.cols; ++c) {
      const double x = weight * columns[c];
      if (x == 0.0) continue;
      for (int r = part_k == part_l ? c : 0; r < to.rows; ++r) to.entry(places_[r], c) += rows[r] * x;
    }
  }
}

// The same with a matrix in place of the weights; it is symmetric, so that H may be stored either way round.
void DualFactor::add_product_of_matrix(const DualBlock& block, const double* inverse, int part_k, int part_l,
                                       const BlockView& to) {
  const DualPart &k = problem_->parts[part_k], &l = problem_->parts[part_l];
  to.set_places(&places_);
  const double* rows = problem_->J.data() + k.begin;
  const double* columns = problem_->J.data() + l.begin;
  int row_stride = k.columns, column_stride = l.columns;
  if (to.transposed) {
    std::swap(rows, columns);
    std::swap(row_stride, column_stride);
  }
  const int n = block.size();
  for (int c = 0; c < to.cols; ++c) {
    for (int i = 0; i < n; ++i) {
      double x = 0.0;
      for (int j = 0; j < n; ++j) x += inverse[i * n + j] * columns[j * column_stride + c];
      if (x == 0.0) continue;
      for (int r = part_k == part_l ? c : 0; r < to.rows; ++r)
        to.entry(places_[r], c) += rows[i * row_stride + r] * x;
    }
  }
}

bool DualFactor::factorise_trees() {
  const DualProblem& problem = *problem_;
  H_.set_zero();
  for (std::size_t t = 0; t < problem.tree_sizes.size(); ++t) {
    const int n = problem.tree_sizes[t];
    const BlockView block = H_.diagonal_block(static_cast<int>(t));
    block.set_places(&places_);
    for (int c = 0; c < n; ++c)
      for (int r = c; r < n; ++r) block.entry(places_[r], c) = problem.A[problem.A_begin[t] + c * n + r];
  }
  int pair = 0;
  const double* inverse = inverses_ != nullptr ? inverses_->data() : nullptr;
  const auto add = [&](const DualBlock& block, int k, int l, const BlockView& to) {
    if (inverse != nullptr)
      add_product_of_matrix(block, inverse, k, l, to);
    else
      add_product(block, k, l, to);
  };
  for (const DualBlock& block : problem.blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      for (int l = block.part_begin; l < k; ++l) add(block, k, l, H_.pair_block(pair++));
      add(block, k, k, H_.diagonal_block(problem.parts[k].tree));
    }
    if (inverse != nullptr) inverse += block.size() * block.size();
  }
  return cholesky_.factorise(&H_).is_positive_definite();
}

// One of D and E is null.
bool DualFactor::factorise_explicit(const VecX* D, const std::vector<double>* E) {
  const DualProblem& problem = *problem_;
  ExplicitMatrix& e = *explicit_;
  // Rows and columns that are left out are those of the identity.
  e.entries.clear();
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    for (int k = problem.W.row_begin[b]; k < problem.W.row_begin[b + 1]; ++k) {
      const DualBlock& other = problem.blocks[problem.W.columns[k]];
      const double* values = problem.W.values.data() + problem.W.begin[k];
      for (int i = 0; i < block.size(); ++i) {
        for (int j = 0; j < other.size(); ++j) {
          const int row = block.begin + i, column = other.begin + j;
          if (weights_[row] == 0.0 || weights_[column] == 0.0) continue;
          const double value = values[i * other.size() + j];
          if (!std::isfinite(value)) return false;
          e.entries.emplace_back(row, column, value);
        }
      }
    }
  }
  const double* matrix = E != nullptr ? E->data() : nullptr;
  for (const DualBlock& block : problem.blocks) {
    const int n = block.size();
    for (int i = 0; i < n; ++i) {
      const int row = block.begin + i;
      const double diagonal = weights_[row] == 0.0 ? 1.0
                              : D                  ? problem.R[row] + (*D)[row]
                                                   : matrix[i * (n + 1)];
      if (!std::isfinite(diagonal)) return false;
      e.entries.emplace_back(row, row, diagonal);
      for (int j = 0; matrix != nullptr && j < n; ++j)
        if (j != i && weights_[row] != 0.0 && weights_[block.begin + j] != 0.0)
          e.entries.emplace_back(row, block.begin + j, matrix[i * n + j]);
    }
    if (matrix != nullptr) matrix += n * n;
  }
  e.matrix.resize(problem.num_rows(), problem.num_rows());
  e.matrix.setFromTriplets(e.entries.begin(), e.entries.end());
  return e.lu.factorise(e.matrix);
}

// x := E^-1 x.
void DualFactor::apply_weights(VecX* x) const {
  if (inverses_ == nullptr) {
    *x = x->cwiseProduct(weights_);
    return;
  }
  const double* inverse = inverses_->data();
  double old[kMostRows];
  for (const DualBlock& block : problem_->blocks) {
    const int n = block.size();
    for (int i = 0; i < n; ++i) old[i] = (*x)[block.begin + i];
    for (int i = 0; i < n; ++i) {
      (*x)[block.begin + i] = 0.0;
      for (int j = 0; j < n; ++j) (*x)[block.begin + i] += inverse[i * n + j] * old[j];
    }
    inverse += n * n;
  }
}

// velocity := (A + J' E^-1 J)^-1 J' x
void DualFactor::solve_velocity(const VecX& x) {
  const DualProblem& problem = *problem_;
  velocity_.setZero();
  for (const DualBlock& block : problem.blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = problem.parts[k];
      double* v = velocity_.data() + part.offset;
      for (int i = 0; i < block.size(); ++i) {
        const double impulse = x[block.begin + i];
        const double* row = problem.J.data() + part.begin + i * part.columns;
        for (int c = 0; c < part.columns; ++c) v[c] += row[c] * impulse;
      }
    }
  }
  H_.pack(velocity_, &packed_);
  cholesky_.solve(H_, &packed_);
  H_.unpack(packed_, velocity_);
}

void DualFactor::push_velocities(const VecX& x, VecX* y) {
  solve_velocity(x);
  for (int b = 0; b < problem_->num_blocks(); ++b)
    problem_->row_velocity(b, velocity_.data(), y->data() + problem_->blocks[b].begin);
}

void DualFactor::solve(VecX* x) {
  const DualProblem& problem = *problem_;
  if (problem.is_explicit()) {
    for (int i = 0; i < x->size(); ++i)
      if (weights_[i] == 0.0) (*x)[i] = 0.0;
    explicit_->solution = explicit_->lu.solve(*x);
    *x = explicit_->solution;
    return;
  }
  apply_weights(x);
  solve_velocity(*x);
  double moved[kMostRows];
  const double* inverse = inverses_ != nullptr ? inverses_->data() : nullptr;
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    problem.row_velocity(b, velocity_.data(), moved);
    if (inverse == nullptr) {
      for (int i = 0; i < block.size(); ++i) (*x)[block.begin + i] -= weights_[block.begin + i] * moved[i];
      continue;
    }
    const int n = block.size();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) (*x)[block.begin + i] -= inverse[i * n + j] * moved[j];
    inverse += n * n;
  }
}

}  // namespace stiction
