#include "stiction/contact/dual/pyramid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

// Rows depend on each other where a diagonal pivot, which is 1 for a row alone, is smaller than this.
constexpr double kDependent = 1e-10;

bool is_two_sided(const DualBlock& block) {
  return !block.is_contact() && block.rho > 0.0 && has_lower(block) == has_upper(block) &&
         block.lower < block.upper;
}

}  // namespace

void pyramid_vertex(const Pyramid& pyramid, int k, double* d) {
  const double step = 2.0 * std::numbers::pi / pyramid.facets;
  const double radius = pyramid.apothem() / std::cos(0.5 * step);
  d[0] = radius * std::cos((k + 0.5) * step);
  d[1] = radius * std::sin((k + 0.5) * step);
}

int PyramidLcp::add_unknown(int row, int rows, double c0, double c1, double constant) {
  directions_.push_back({row, rows, {c0, c1}});
  constants_.push_back(constant);
  return static_cast<int>(directions_.size()) - 1;
}

// Exchanges lambda and s of the rows without bounds or with two, the largest pivot first.
void PyramidLcp::solve_for_two_sided_rows(const DualProblem& problem) {
  is_solved_.assign(problem.num_rows(), 0);
  while (true) {
    int best_row = -1;
    double best = kDependent;
    for (const DualBlock& block : problem.blocks) {
      const int row = block.begin;
      if (!is_two_sided(block) || is_solved_[row] || !(mixed_.T(row, row) > best)) continue;
      best = mixed_.T(row, row);
      best_row = row;
    }
    if (best_row < 0) return;
    mixed_.exchange(best_row, best_row);
    is_solved_[best_row] = 1;
  }
}

void PyramidLcp::add_contact(const DualBlock& block, const Pyramid& pyramid) {
  const int normal = add_unknown(block.begin + block.tangents, 1, 1.0, 0.0, 0.0);
  if (!(block.friction > 0.0)) return;
  const auto bound_by_normal = [&](int first_beta) {
    const int sigma = add_unknown(0, 0, 0.0, 0.0, 0.0);
    couple(sigma, normal, block.friction);
    for (int beta = first_beta; beta < sigma; ++beta) {
      couple(beta, sigma, 1.0);
      couple(sigma, beta, -1.0);
    }
  };
  if (block.tangents >= 2) {
    for (int k = 0; k < pyramid.facets; ++k) {
      double d[2];
      pyramid_vertex(pyramid, k, d);
      add_unknown(block.begin, 2, d[0], d[1], 0.0);
    }
    bound_by_normal(normal + 1);
  }
  for (int i = 2; i < block.tangents; ++i) {
    const int first = add_unknown(block.begin + i, 1, 1.0, 0.0, 0.0);
    add_unknown(block.begin + i, 1, -1.0, 0.0, 0.0);
    bound_by_normal(first);
  }
}

void PyramidLcp::add_scalar(const DualBlock& block) {
  const int row = block.begin;
  const double lower = block.lower / dense_.S[row], upper = block.upper / dense_.S[row];
  if (!(block.lower < block.upper)) {
    start_[row] = lower;
  } else if (is_solved_[row]) {
    if (!has_lower(block)) return;
    add_unknown(row, 1, 1.0, 0.0, -lower);
    add_unknown(row, 1, -1.0, 0.0, upper);
  } else if (has_lower(block)) {
    start_[row] = lower;
    const int z = add_unknown(row, 1, 1.0, 0.0, 0.0);
    if (!has_upper(block)) return;
    const int y = add_unknown(0, 0, 0.0, 0.0, upper - lower);
    couple(z, y, 1.0);
    couple(y, z, -1.0);
  } else if (has_upper(block)) {
    start_[row] = upper;
    add_unknown(row, 1, -1.0, 0.0, 0.0);
  }
}

void PyramidLcp::begin(const DualProblem& problem, const Pyramid& pyramid) {
  dense_.begin(problem);
  mixed_.T = dense_.G;
  mixed_.t = dense_.g;
  mixed_.begin();
  solve_for_two_sided_rows(problem);

  // Unknowns, block by block. An immovable block has none.
  directions_.clear();
  constants_.clear();
  couplings_.clear();
  start_.setZero(problem.num_rows());
  for (const DualBlock& block : problem.blocks) {
    if (!(block.rho > 0.0)) continue;
    if (block.is_contact())
      add_contact(block, pyramid);
    else
      add_scalar(block);
  }

  outputs_.noalias() = mixed_.T * start_;
  outputs_ += mixed_.t;
  reduce(mixed_.T, directions_, &M_);
  q_.resize(static_cast<int>(directions_.size()));
  for (int k = 0; k < size(); ++k) q_[k] = along(directions_[k], outputs_) + constants_[k];
  for (const Coupling& c : couplings_) M_(c.row, c.column) += c.value;
}

void PyramidLcp::impulses(const DualProblem& problem, const VecX& z, VecX* lambda) const {
  inputs_ = start_;
  add_directions(directions_, z, &inputs_);
  outputs_.noalias() = mixed_.T * inputs_;
  outputs_ += mixed_.t;
  for (const DualBlock& block : problem.blocks) {
    if (!(block.rho > 0.0)) continue;
    for (int i = block.begin; i < block.begin + block.size(); ++i)
      (*lambda)[i] = dense_.S[i] * (is_solved_[i] ? outputs_[i] : inputs_[i]);
    if (!block.is_contact())
      (*lambda)[block.begin] = std::clamp((*lambda)[block.begin], block.lower, block.upper);
  }
}

}  // namespace stiction
