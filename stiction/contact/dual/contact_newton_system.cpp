#include "stiction/contact/dual/contact_newton_system.h"

#include <algorithm>
#include <cmath>

#include "stiction/math/lu.h"
#include "stiction/math/simd.h"
#include "stiction/math/supernodal_lu.h"

namespace stiction {

struct ContactNewtonSystem::Sparse {
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::SparseMatrix<double> matrix;
  SupernodalLu lu;
  VecX solution, rest;
};

namespace {

// An explicit W of more than kSmall rows counts as sparse if it has less than this share of its blocks.
constexpr int kSmall = 100;
constexpr double kSparseShare = 0.3;
// With W written out, the system of closed rows is cheaper than that of the velocities up to this ratio of
// their sizes: most of the time of the latter goes into forming its matrix.
constexpr double kMoreRows = 1.5;

// X := B^-1 X, B of n x n and X of n x columns numbers, row-major; B is destroyed. Partial pivoting.
void solve_small(int n, int columns, double* B, double* X) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(B[i * n + k]) > std::abs(B[best * n + k])) best = i;
    if (best != k) {
      std::swap_ranges(B + k * n, B + k * n + n, B + best * n);
      std::swap_ranges(X + k * columns, X + (k + 1) * columns, X + best * columns);
    }
    for (int i = k + 1; i < n; ++i) {
      const double factor = B[i * n + k] / B[k * n + k];
      if (factor == 0.0) continue;
      for (int j = k + 1; j < n; ++j) B[i * n + j] -= factor * B[k * n + j];
      for (int j = 0; j < columns; ++j) X[i * columns + j] -= factor * X[k * columns + j];
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = 0; j < columns; ++j) {
      double sum = X[k * columns + j];
      for (int i = k + 1; i < n; ++i) sum -= B[k * n + i] * X[i * columns + j];
      X[k * columns + j] = sum / B[k * n + k];
    }
  }
}

// sum := scale times the linear combination of n rows of `width` numbers.
void combine(const double* rows, int width, int n, double scale, const double* coefficients, double* sum) {
  bool is_first = true;
  for (int k = 0; k < n; ++k) {
    if (coefficients[k] == 0.0) continue;
    const simd::Pack factor = simd::broadcast(scale * coefficients[k]);
    const double* row = rows + k * width;
    if (is_first)
      for (int j = 0; j < width; j += simd::kLanes) simd::store(sum + j, factor * simd::load(row + j));
    else
      for (int j = 0; j < width; j += simd::kLanes)
        simd::store(sum + j, simd::load(sum + j) + factor * simd::load(row + j));
    is_first = false;
  }
  if (is_first) std::fill(sum, sum + width, 0.0);
}

}  // namespace

ContactNewtonSystem::ContactNewtonSystem() = default;
ContactNewtonSystem::~ContactNewtonSystem() = default;

void ContactNewtonSystem::begin(const DualProblem& problem) {
  problem_ = &problem;
  has_rows_ = has_few_rows();
  if (has_rows_) rows_.begin(problem);
  place_.resize(problem.blocks.size());
  b_.resize(problem.num_rows());
  const double all = static_cast<double>(problem.num_rows()) * problem.num_rows();
  is_sparse_ = problem.is_explicit() && problem.num_rows() > kSmall &&
               static_cast<double>(problem.W.values.size()) < kSparseShare * all;
}

bool ContactNewtonSystem::solve(const BlockMaps& maps, const VecX& phi, VecX* x) {
  closed_rows_ = 0;
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const bool is_closed = maps.rho[b] > 0.0 && maps.pieces[b] != BlockPiece::open;
    place_[b] = is_closed ? closed_rows_ : -1;
    if (is_closed) closed_rows_ += problem_->blocks[b].size();
  }
  *x = -phi;
  if (closed_rows_ == 0) return x->allFinite();
  const double most = (has_few_rows() ? kMoreRows : 1.0) * problem_->num_velocities();
  const bool by_velocities = !problem_->is_explicit() && (closed_rows_ >= most || closed_rows_ > kDense);
  if (!by_velocities) return solve_rows(maps, phi, x);
  reduce_blocks(maps, phi);
  return solve_velocities(maps, x);
}

// C and b of closed blocks; b = phi of the others.
void ContactNewtonSystem::reduce_blocks(const BlockMaps& maps, const VecX& phi) {
  C_.resize(maps.G.size());
  b_ = phi;
  for (int k = 0; k < problem_->num_blocks(); ++k) {
    if (place_[k] < 0) continue;
    const DualBlock& block = problem_->blocks[k];
    const int n = block.size();
    const double *G = maps.G.data() + maps.begin[k], rho = maps.rho[k];
    double* C = C_.data() + maps.begin[k];
    if (maps.pieces[k] == BlockPiece::sticking) {
      std::fill(C, C + n * n, 0.0);
      for (int i = 0; i < n; ++i) {
        const double compliance = problem_->R[block.begin + i] + maps.tau[k];
        C[i * (n + 1)] = 1.0 / compliance;
        b_[block.begin + i] /= rho * compliance;
      }
      continue;
    }
    double B[kMostRows * kMostRows], X[kMostRows * (kMostRows + 1)];
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double through = rho * G[i * n + j];
        B[i * n + j] =
            (i == j ? 1.0 : 0.0) - G[i * n + j] + through * (problem_->R[block.begin + j] + maps.tau[k]);
        X[i * (n + 1) + j] = through;
      }
      X[i * (n + 1) + n] = phi[block.begin + i];
    }
    solve_small(n, n + 1, B, X);
    for (int i = 0; i < n; ++i) {
      std::copy_n(X + i * (n + 1), n, C + i * n);
      b_[block.begin + i] = X[i * (n + 1) + n];
    }
  }
}

bool ContactNewtonSystem::solve_velocities(const BlockMaps& maps, VecX* x) {
  const DualProblem& problem = *problem_;
  const int n = problem.num_velocities();
  right_.assign(static_cast<std::size_t>(n), 0.0);
  for (const DualBlock& block : problem.blocks) {
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = problem.parts[k];
      for (int i = 0; i < block.size(); ++i) {
        const double* row = problem.J.data() + part.begin + i * part.columns;
        const double impulse = b_[block.begin + i];
        for (int c = 0; c < part.columns; ++c) right_[part.offset + c] -= row[c] * impulse;
      }
    }
  }
  if (n <= kDense) {
    fill_velocity_matrix(maps);
    if (!solve_dense(n)) return false;
  } else {
    fill_velocity_entries(maps);
    if (!solve_sparse(n)) return false;
  }
  // x = -b - C J dv.
  *x = -b_;
  double moved[kMostRows];
  for (int k = 0; k < problem.num_blocks(); ++k) {
    if (place_[k] < 0) continue;
    const DualBlock& block = problem.blocks[k];
    const double* C = C_.data() + maps.begin[k];
    problem.row_velocity(k, right_.data(), moved);
    for (int i = 0; i < block.size(); ++i)
      for (int j = 0; j < block.size(); ++j) (*x)[block.begin + i] -= C[i * block.size() + j] * moved[j];
  }
  return x->allFinite();
}

// A + J' C J.
void ContactNewtonSystem::fill_velocity_matrix(const BlockMaps& maps) {
  const DualProblem& problem = *problem_;
  const int n = problem.num_velocities();
  stride_ = simd::padded(n);
  matrix_.assign(static_cast<std::size_t>(n) * stride_, 0.0);
  for (std::size_t t = 0; t < problem.tree_sizes.size(); ++t) {
    const int size = problem.tree_sizes[t], at = problem.tree_offsets[t];
    for (int c = 0; c < size; ++c)
      for (int r = 0; r < size; ++r)
        matrix_[(at + r) * stride_ + at + c] = problem.A[problem.A_begin[t] + c * size + r];
  }
  for (int b = 0; b < problem.num_blocks(); ++b) {
    if (place_[b] < 0) continue;
    const DualBlock& block = problem.blocks[b];
    const int m = block.size();
    const double* C = C_.data() + maps.begin[b];
    for (int l = block.part_begin; l < block.part_end; ++l) {
      const DualPart& right = problem.parts[l];
      moved_.resize(right.columns);
      for (int i = 0; i < m; ++i) {
        // Row i of C J of this tree, then J' of every tree.
        moved_.setZero();
        for (int j = 0; j < m; ++j) {
          if (C[i * m + j] == 0.0) continue;
          const double* row = problem.J.data() + right.begin + j * right.columns;
          for (int c = 0; c < right.columns; ++c) moved_[c] += C[i * m + j] * row[c];
        }
        for (int k = block.part_begin; k < block.part_end; ++k) {
          const DualPart& left = problem.parts[k];
          const double* column = problem.J.data() + left.begin + i * left.columns;
          for (int r = 0; r < left.columns; ++r) {
            if (column[r] == 0.0) continue;
            double* to = matrix_.data() + (left.offset + r) * stride_ + right.offset;
            for (int c = 0; c < right.columns; ++c) to[c] += column[r] * moved_[c];
          }
        }
      }
    }
  }
}

void ContactNewtonSystem::fill_velocity_entries(const BlockMaps& maps) {
  const DualProblem& problem = *problem_;
  if (!sparse_) sparse_ = std::make_unique<Sparse>();
  auto& entries = sparse_->entries;
  entries.clear();
  for (std::size_t t = 0; t < problem.tree_sizes.size(); ++t) {
    const int size = problem.tree_sizes[t], at = problem.tree_offsets[t];
    for (int c = 0; c < size; ++c)
      for (int r = 0; r < size; ++r)
        entries.emplace_back(at + r, at + c, problem.A[problem.A_begin[t] + c * size + r]);
  }
  for (int b = 0; b < problem.num_blocks(); ++b) {
    if (place_[b] < 0) continue;
    const DualBlock& block = problem.blocks[b];
    const int m = block.size();
    const double* C = C_.data() + maps.begin[b];
    for (int l = block.part_begin; l < block.part_end; ++l) {
      const DualPart& right = problem.parts[l];
      const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> J_l(
          problem.J.data() + right.begin, m, right.columns),
          C_map(C, m, m);
      const MatX CJ = C_map * J_l;
      for (int k = block.part_begin; k < block.part_end; ++k) {
        const DualPart& left = problem.parts[k];
        for (int r = 0; r < left.columns; ++r) {
          for (int c = 0; c < right.columns; ++c) {
            double sum = 0.0;
            for (int i = 0; i < m; ++i) sum += problem.J[left.begin + i * left.columns + r] * CJ(i, c);
            entries.emplace_back(left.offset + r, right.offset + c, sum);
          }
        }
      }
    }
  }
}

bool ContactNewtonSystem::solve_rows(const BlockMaps& maps, const VecX& phi, VecX* x) {
  // Open blocks have x = -phi, which moves to the right-hand side of the closed ones.
  const bool has_open = closed_rows_ < problem_->num_rows();
  for (int b = 0; b < problem_->num_blocks(); ++b)
    if (place_[b] >= 0) x->segment(problem_->blocks[b].begin, problem_->blocks[b].size()).setZero();
  if (!has_open)
    b_.setZero();
  else if (has_rows_)
    rows_.multiply(*x, &b_);
  else
    problem_->multiply(*x, &b_);
  right_.resize(static_cast<std::size_t>(closed_rows_));
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    if (place_[b] < 0) continue;
    const DualBlock& block = problem_->blocks[b];
    const double* G = maps.G.data() + maps.begin[b];
    for (int i = 0; i < block.size(); ++i) {
      double sum = 0.0;
      for (int j = 0; j < block.size(); ++j) sum += G[i * block.size() + j] * b_[block.begin + j];
      right_[place_[b] + i] = -phi[block.begin + i] - maps.rho[b] * sum;
    }
  }
  if (!is_sparse_) {
    fill_row_matrix(maps);
    if (!solve_dense(closed_rows_)) return false;
  } else {
    fill_row_entries(maps);
    if (!solve_sparse(closed_rows_)) return false;
  }
  for (int b = 0; b < problem_->num_blocks(); ++b)
    if (place_[b] >= 0)
      for (int i = 0; i < problem_->blocks[b].size(); ++i)
        (*x)[problem_->blocks[b].begin + i] = right_[place_[b] + i];
  return x->allFinite();
}

// out := the block (b, o) of the matrix: rho G W, on the diagonal rho G (W + R + tau) + 1 - G.
void ContactNewtonSystem::add_row_block(const BlockMaps& maps, int b, int o, const double* W,
                                        double* out) const {
  const DualBlock &block = problem_->blocks[b], &other = problem_->blocks[o];
  const int n = block.size(), m = other.size();
  const double *G = maps.G.data() + maps.begin[b], rho = maps.rho[b];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      double sum = 0.0;
      for (int k = 0; k < n; ++k) sum += G[i * n + k] * W[k * m + j];
      if (b == o) sum += G[i * n + j] * (problem_->R[other.begin + j] + maps.tau[b]);
      out[i * m + j] = rho * sum + (b == o ? (i == j ? 1.0 : 0.0) - G[i * n + j] : 0.0);
    }
  }
}

void ContactNewtonSystem::fill_row_matrix(const BlockMaps& maps) {
  if (!has_rows_) rows_.begin(*problem_);
  has_rows_ = true;
  const int width = rows_.stride();
  const bool is_whole = closed_rows_ == rows_.size();
  stride_ = simd::padded(closed_rows_);
  matrix_.resize(static_cast<std::size_t>(closed_rows_) * stride_);
  if (!is_whole) combined_.resize(static_cast<std::size_t>(width));
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    if (place_[b] < 0) continue;
    const DualBlock& block = problem_->blocks[b];
    const int n = block.size();
    const double *G = maps.G.data() + maps.begin[b], rho = maps.rho[b];
    for (int i = 0; i < n; ++i) {
      // rho G (W + R), of closed columns.
      double *to = matrix_.data() + (place_[b] + i) * stride_, *sum = is_whole ? to : combined_.data();
      combine(rows_.row(block.begin), width, n, rho, G + i * n, sum);
      for (int o = 0; o < problem_->num_blocks() && !is_whole; ++o)
        if (place_[o] >= 0)
          std::copy_n(sum + problem_->blocks[o].begin, problem_->blocks[o].size(), to + place_[o]);
      for (int j = 0; j < n; ++j) to[place_[b] + j] += G[i * n + j] * (rho * maps.tau[b] - 1.0);
      to[place_[b] + i] += 1.0;
    }
  }
}

void ContactNewtonSystem::fill_row_entries(const BlockMaps& maps) {
  const DualProblem& problem = *problem_;
  if (!sparse_) sparse_ = std::make_unique<Sparse>();
  auto& entries = sparse_->entries;
  entries.clear();
  double out[kMostRows * kMostRows];
  for (int b = 0; b < problem.num_blocks(); ++b) {
    if (place_[b] < 0) continue;
    for (int k = problem.W.row_begin[b]; k < problem.W.row_begin[b + 1]; ++k) {
      const int o = problem.W.columns[k];
      if (place_[o] < 0) continue;
      add_row_block(maps, b, o, problem.W.values.data() + problem.W.begin[k], out);
      const int n = problem.blocks[b].size(), m = problem.blocks[o].size();
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) entries.emplace_back(place_[b] + i, place_[o] + j, out[i * m + j]);
    }
  }
}

bool ContactNewtonSystem::solve_dense(int n) {
  pivots_.resize(static_cast<std::size_t>(n));
  if (lu_factorise(n, stride_, matrix_.data(), pivots_.data()) >= 0) return false;
  lu_solve(n, stride_, matrix_.data(), pivots_.data(), right_.data());
  return Eigen::Map<const VecX>(right_.data(), n).allFinite();
}

bool ContactNewtonSystem::solve_sparse(int n) {
  Sparse& s = *sparse_;
  for (const auto& entry : s.entries)
    if (!std::isfinite(entry.value())) return false;
  s.matrix.resize(n, n);
  s.matrix.setFromTriplets(s.entries.begin(), s.entries.end());
  if (!s.lu.factorise(s.matrix)) return false;
  Eigen::Map<VecX> x(right_.data(), n);
  s.rest = x;
  s.solution = s.lu.solve(s.rest);
  // One step of iterative refinement: a small tau makes the matrix nearly singular.
  s.rest = x - s.matrix * s.solution;
  x = s.solution + s.lu.solve(s.rest);
  return x.allFinite();
}

}  // namespace stiction
