#include "stiction/contact/dual/dense_dual.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

// G += rows of one block times J A^-1 J' of another, on the trees that they share.
void add_block(const DualProblem& problem, const DualBlock& a, const DualBlock& b, MatX* G) {
  for (int k = a.part_begin; k < a.part_end; ++k) {
    for (int l = b.part_begin; l < b.part_end; ++l) {
      const DualPart &at = problem.parts[k], &bt = problem.parts[l];
      if (at.tree != bt.tree) continue;
      for (int i = 0; i < a.size(); ++i) {
        for (int j = 0; j < b.size(); ++j) {
          const double* x = problem.J.data() + at.begin + i * at.columns;
          const double* y = problem.Y.data() + bt.begin + j * bt.columns;
          double sum = 0.0;
          for (int c = 0; c < at.columns; ++c) sum += x[c] * y[c];
          (*G)(a.begin + i, b.begin + j) += sum;
        }
      }
    }
  }
}

}  // namespace

void DenseDual::begin(const DualProblem& problem) {
  const int n = problem.num_rows();
  G.setZero(n, n);
  S.resize(n);
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    S.segment(block.begin, block.size()).setConstant(std::sqrt(block.rho));
    if (!problem.is_explicit()) {
      for (const DualBlock& other : problem.blocks) add_block(problem, block, other, &G);
      continue;
    }
    for (int k = problem.W.row_begin[b]; k < problem.W.row_begin[b + 1]; ++k) {
      const DualBlock& other = problem.blocks[problem.W.columns[k]];
      const double* values = problem.W.values.data() + problem.W.begin[k];
      for (int i = 0; i < block.size(); ++i)
        for (int j = 0; j < other.size(); ++j)
          G(block.begin + i, other.begin + j) = values[i * other.size() + j];
    }
  }
  G.diagonal() += problem.R;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) G(i, j) *= S[i] * S[j];
  g = S.cwiseProduct(problem.r);
}

double DenseDual::round_off(const DualProblem& problem, const ErrorMeasure& measure,
                            const VecX& lambda) const {
  // Round-off of sums of n products; the factor 8 is for that of the numbers of G.
  constexpr double kUnits = 8.0 * std::numeric_limits<double>::epsilon();
  double largest = 0.0;
  for (const DualBlock& block : problem.blocks) {
    if (!(block.rho > 0.0)) continue;
    double velocity = 0.0;
    for (int i = block.begin; i < block.begin + block.size(); ++i) {
      double sum = std::abs(g[i]);
      for (int j = 0; j < g.size(); ++j)
        if (S[j] > 0.0) sum += std::abs(G(i, j) * lambda[j] / S[j]);
      velocity = std::max(velocity, kUnits * sum / S[i]);
    }
    const double size = norm_of(lambda.data() + block.begin, block.size());
    largest = std::max(largest, problem.error_of_velocity(measure, block, velocity, size));
  }
  return largest;
}

bool DenseDual::is_at_round_off(const DualProblem& problem, const ErrorMeasure& measure, const VecX& lambda,
                                double error) const {
  return error <= round_off(problem, measure, lambda) &&
         round_off(problem, {measure.law, measure.pyramid}, lambda) <= DualProblem::kMostRoundOff;
}

void reduce(const MatX& T, const std::vector<PivotDirection>& E, MatX* M) {
  const int n = static_cast<int>(E.size());
  M->resize(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      double sum = 0.0;
      for (int b = 0; b < E[j].rows; ++b)
        for (int a = 0; a < E[i].rows; ++a)
          sum += E[i].coefficients[a] * T(E[i].row + a, E[j].row + b) * E[j].coefficients[b];
      (*M)(i, j) = sum;
    }
  }
}

void add_directions(const std::vector<PivotDirection>& E, const VecX& z, VecX* x) {
  for (std::size_t k = 0; k < E.size(); ++k)
    for (int a = 0; a < E[k].rows; ++a) (*x)[E[k].row + a] += E[k].coefficients[a] * z[static_cast<int>(k)];
}

double along(const PivotDirection& direction, const VecX& y) {
  double sum = 0.0;
  for (int a = 0; a < direction.rows; ++a) sum += direction.coefficients[a] * y[direction.row + a];
  return sum;
}

}  // namespace stiction
