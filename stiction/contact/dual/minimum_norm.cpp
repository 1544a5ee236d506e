#include "stiction/contact/dual/minimum_norm.h"

#include <algorithm>

namespace stiction {
namespace {

// A contact sticks where its velocity is below this share of the scale of velocities (that of a solver's
// usual tolerance, with room) and its impulse is inside the cone.
constexpr double kSticks = 1e-5;
constexpr double kDone = 1e-14;   // of the first gradient: J' delta is zero but for round-off
constexpr double kSmall = 1e-12;  // of |lambda_F|: a smaller internal part is round-off
constexpr int kMostRounds = 4;    // iterations, in numbers of velocities

// The largest t <= 1 with x - t d in the cone; x is in it.
double share_in_cone(double mu, int m, const double* x, const double* d) {
  double low = 0.0, high = 1.0;
  const auto is_inside = [&](double t) {
    double tangent = 0.0;
    for (int i = 0; i < m; ++i) tangent += (x[i] - t * d[i]) * (x[i] - t * d[i]);
    const double n = x[m] - t * d[m];
    return n >= 0.0 && tangent <= mu * mu * n * n;
  };
  if (is_inside(1.0)) return 1.0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (is_inside(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

// gradient_ := J_F' rows.
void MinimumNorm::gather(const DualProblem& problem, const VecX& rows) {
  gradient_.setZero(problem.num_velocities());
  for (int b = 0; b < problem.num_blocks(); ++b) {
    if (!sticks_[b]) continue;
    const DualBlock& block = problem.blocks[b];
    for (int k = block.part_begin; k < block.part_end; ++k) {
      const DualPart& part = problem.parts[k];
      for (int i = 0; i < block.size(); ++i) {
        const double* row = problem.J.data() + part.begin + i * part.columns;
        for (int c = 0; c < part.columns; ++c) gradient_[part.offset + c] += row[c] * rows[block.begin + i];
      }
    }
  }
}

// rows := J_F velocities, zero in the other rows.
void MinimumNorm::spread(const DualProblem& problem, const VecX& velocities, VecX* rows) const {
  rows->setZero(problem.num_rows());
  for (int b = 0; b < problem.num_blocks(); ++b)
    if (sticks_[b]) problem.row_velocity(b, velocities.data(), rows->data() + problem.blocks[b].begin);
}

bool MinimumNorm::apply(const DualProblem& problem, VecX* lambda) {
  if (problem.is_explicit()) return false;
  problem.velocities(*lambda, &s_);
  sticks_.assign(problem.blocks.size(), 0);
  rest_.setZero(problem.num_rows());
  for (int b = 0; b < problem.num_blocks(); ++b) {
    const DualBlock& block = problem.blocks[b];
    if (!block.is_contact() || !(block.rho > 0.0)) continue;
    const double* x = lambda->data() + block.begin;
    const int m = block.tangents;
    if (problem.R.segment(block.begin, m + 1).maxCoeff() > 0.0) continue;
    if (!(x[m] > 0.0 && norm_of(x, m) < block.friction * x[m])) continue;
    if (norm_of(s_.data() + block.begin, m + 1) > kSticks * problem.velocity_scale()) continue;
    sticks_[b] = 1;
    rest_.segment(block.begin, m + 1) = lambda->segment(block.begin, m + 1);
  }
  const double size = rest_.norm();
  if (!(size > 0.0)) return false;
  // CGLS: rest_ = lambda_F - J_F x.
  gather(problem, rest_);
  direction_ = gradient_;
  double square = gradient_.squaredNorm();
  const double first = square;
  const int most = kMostRounds * problem.num_velocities();
  for (int k = 0; k < most && square > kDone * kDone * first; ++k) {
    spread(problem, direction_, &along_);
    const double length = along_.squaredNorm();
    if (!(length > 0.0)) break;
    rest_ -= (square / length) * along_;
    gather(problem, rest_);
    const double next = gradient_.squaredNorm();
    direction_ = gradient_ + (next / square) * direction_;
    square = next;
  }
  if (!(rest_.norm() > kSmall * size)) return false;
  double share = 1.0;
  for (int b = 0; b < problem.num_blocks(); ++b) {
    if (!sticks_[b]) continue;
    const DualBlock& block = problem.blocks[b];
    share = std::min(share, share_in_cone(block.friction, block.tangents, lambda->data() + block.begin,
                                          rest_.data() + block.begin));
  }
  if (!(share > 0.0)) return false;
  *lambda -= share * rest_;
  return true;
}

}  // namespace stiction
