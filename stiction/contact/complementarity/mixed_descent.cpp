// Fischer's function and the linearised problem as directions of descent (mixed_newton.h).

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "stiction/contact/complementarity/mixed_newton.h"

namespace stiction {
namespace {

constexpr double kArmijo = 1e-4;   // decrease that a step must reach, of that predicted by the slope
constexpr double kLargeWin = 0.1;  // of the merit: a step that falls below is taken whatever the slope
constexpr int kMemory = 5;         // a step may raise the merit up to the largest of so many
constexpr int kNewtonHalvings = 6;
constexpr int kPivotHalvings = 8;
constexpr int kMostDampings = 14;                              // of one step
constexpr double kFirstDamping = 1e-6, kLeastDamping = 1e-12;  // over the square of the largest number of H
constexpr double kDampingGrowth = 10.0;
constexpr int kWindow = 15;           // steps in which the merit must fall
constexpr double kWindowShare = 0.9;  // to this share, or the method has stalled
constexpr double kNear = 1e-2;        // of the merit at the last try of the min map: where it is tried again
constexpr int kTryPatience = 1;

// The largest of the last few merits.
class Memory {
 public:
  void add(double merit) { merits_[count_++ % kMemory] = merit; }
  double largest() const {
    return *std::max_element(merits_.begin(), merits_.begin() + std::min(count_, kMemory));
  }

 private:
  std::array<double, kMemory> merits_ = {};
  int count_ = 0;
};

}  // namespace

// A = diag(of_unit) + diag(of_J) J, with the whole diagonal in its pattern.
void MixedSolver::assemble_weighted(const VecX& of_unit, const VecX& of_J) {
  const SparseRows& J = here_.J;
  A_.row_begin.clear();
  A_.columns.clear();
  A_.values.clear();
  A_.row_begin.push_back(0);
  for (int i = 0; i < n_; ++i) {
    bool has_diagonal = false;
    for (int e = J.row_begin[i]; e < J.row_begin[i + 1]; ++e) {
      const int j = J.columns[e];
      if (!has_diagonal && j > i) {
        A_.columns.push_back(i);
        A_.values.push_back(of_unit[i]);
        has_diagonal = true;
      }
      A_.columns.push_back(j);
      A_.values.push_back(of_J[i] * J.values[e] + (j == i ? of_unit[i] : 0.0));
      has_diagonal = has_diagonal || j == i;
    }
    if (!has_diagonal) {
      A_.columns.push_back(i);
      A_.values.push_back(of_unit[i]);
    }
    A_.row_begin.push_back(static_cast<int>(A_.columns.size()));
  }
}

// ( I   H  ) ( r )   ( -Phi )
// ( H' -nu ) ( d ) = (  0   ),   which is (H'H + nu) d = -H'Phi without the square of the condition.
void MixedSolver::assemble_damped(double nu) {
  const int entries = static_cast<int>(A_.columns.size());
  damped_.row_begin.resize(2 * n_ + 1);
  damped_.columns.resize(2 * entries + 2 * n_);
  damped_.values.resize(2 * entries + 2 * n_);
  int e_out = 0;
  damped_.row_begin[0] = 0;
  const auto put = [&](int column, double value) {
    damped_.columns[e_out] = column;
    damped_.values[e_out++] = value;
  };
  for (int i = 0; i < n_; ++i) {
    put(i, 1.0);
    for (int e = A_.row_begin[i]; e < A_.row_begin[i + 1]; ++e) put(n_ + A_.columns[e], A_.values[e]);
    damped_.row_begin[i + 1] = e_out;
  }
  // Rows of H' by counting.
  cursor_.assign(n_ + 1, 0);
  for (const int j : A_.columns) ++cursor_[j + 1];
  for (int j = 0; j < n_; ++j) cursor_[j + 1] += cursor_[j] + 1;
  for (int j = 0; j < n_; ++j) {
    damped_.row_begin[n_ + j + 1] = e_out + cursor_[j + 1];
    const int last = e_out + cursor_[j + 1] - 1;
    damped_.columns[last] = n_ + j;
    damped_.values[last] = -nu;
  }
  for (int i = 0; i < n_; ++i) {
    for (int e = A_.row_begin[i]; e < A_.row_begin[i + 1]; ++e) {
      const int to = e_out + cursor_[A_.columns[e]]++;
      damped_.columns[to] = i;
      damped_.values[to] = A_.values[e];
    }
  }
}

double MixedSolver::fischer_merit(const FischerShape& shape, const VecX& z, const VecX& F) const {
  double sum = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double value =
        fischer(z[i], row_scale_[i] * F[i], problem_->lower[i], problem_->upper[i], shape).value;
    sum += value * value;
  }
  return 0.5 * sum;
}

// Phi, its derivatives into A and the gradient of the merit, which it returns.
double MixedSolver::compute_fischer(const FischerShape& shape, const Point& point) {
  phi_.resize(n_);
  by_z_.resize(n_);
  by_F_.resize(n_);
  for (int i = 0; i < n_; ++i) {
    const FischerValue value =
        fischer(point.z[i], row_scale_[i] * point.F[i], problem_->lower[i], problem_->upper[i], shape);
    phi_[i] = value.value;
    by_z_[i] = value.by_z;
    by_F_[i] = value.by_F * row_scale_[i];
  }
  assemble_weighted(by_z_, by_F_);
  compute_gradient();
  return 0.5 * phi_.squaredNorm();
}

void MixedSolver::compute_gradient() {
  gradient_.setZero(n_);
  for (int i = 0; i < n_; ++i)
    for (int e = A_.row_begin[i]; e < A_.row_begin[i + 1]; ++e)
      gradient_[A_.columns[e]] += A_.values[e] * phi_[i];
}

// Along the projected direction; moves here if a step wins enough.
bool MixedSolver::search(const FischerShape& shape, double reference, int halvings) {
  double share = 1.0;
  for (int halving = 0; halving <= halvings; ++halving, share *= 0.5) {
    there_.z = here_.z + share * direction_;
    project(&there_.z);
    const double slope = gradient_.dot(there_.z - here_.z);
    if (!evaluate(there_.z, &there_.F)) continue;
    // Enough for the slope, or so much that the slope does not matter.
    const double merit = fischer_merit(shape, there_.z, there_.F);
    const bool is_enough = slope < 0.0 && merit <= reference + kArmijo * slope;
    if (!is_enough && !(merit <= kLargeWin * reference)) continue;
    if (!linearise(&there_)) continue;
    std::swap(here_, there_);
    return true;
  }
  return false;
}

bool MixedSolver::search_damped(const FischerShape& shape, double reference) {
  // Twice the unknowns and no groups: too slow where there are many.
  if (!system_.is_dense(n_) && n_ > RowSystem::kMostDense && system_.has_groups()) return false;
  double largest = 0.0;
  for (const double value : A_.values) largest = std::max(largest, std::abs(value));
  const double unit = largest > 0.0 ? largest * largest : 1.0;
  damped_right_.setZero(2 * n_);
  damped_right_.head(n_) = -phi_;
  for (int k = 0; k < kMostDampings && !is_out_of_iterations(); ++k, nu_ *= kDampingGrowth) {
    assemble_damped(nu_ * unit);
    damped_system_.set_pattern(damped_);
    damped_system_.factorise(damped_);
    damped_system_.solve(damped_right_, &damped_answer_);
    direction_ = damped_answer_.tail(n_);
    ++report_.iterations;
    if (direction_.allFinite() && search(shape, reference, 0)) {
      nu_ = std::max(kLeastDamping, nu_ / (kDampingGrowth * kDampingGrowth));
      return true;
    }
  }
  return false;
}

MixedSolver::Outcome MixedSolver::descend(const FischerShape& shape) {
  Memory memory;
  nu_ = kFirstDamping;
  double tried_at = kNoBound, window_merit = kNoBound;
  for (int k = 0; true; ++k) {
    if (has_converged()) {
      report_.method = shape.share < 1.0 ? MixedMethod::penalised : MixedMethod::fischer_burmeister;
      return Outcome::converged;
    }
    if (is_out_of_iterations()) return Outcome::max_iterations;
    double merit = compute_fischer(shape, here_);
    if (tried_at == kNoBound) tried_at = merit;
    if (merit < kNear * tried_at) {
      // Close enough, perhaps, for full steps with the bounds known.
      tried_at = merit;
      if (follow_min_map(kTryPatience) == Outcome::converged) return Outcome::converged;
      merit = compute_fischer(shape, here_);
    }
    memory.add(merit);
    if (k % kWindow == 0) {
      if (!(merit < kWindowShare * window_merit)) return Outcome::stalled;
      window_merit = merit;
    }

    ++report_.iterations;
    system_.set_pattern(A_);
    const bool is_regular = system_.factorise(A_);
    right_side_ = -phi_;
    system_.solve(right_side_, &direction_);
    const bool is_usable = is_regular && direction_.allFinite();
    if (is_usable && search(shape, memory.largest(), kNewtonHalvings)) continue;
    if (search_damped(shape, memory.largest())) continue;
    return is_out_of_iterations() ? Outcome::max_iterations : Outcome::stalled;
  }
}

MixedSolver::Outcome MixedSolver::descend_by_pivoting() {
  const FischerShape shape;
  Memory memory;
  double window_merit = kNoBound;
  for (int k = 0; true; ++k) {
    if (has_converged()) {
      report_.method = MixedMethod::pivoting;
      return Outcome::converged;
    }
    if (is_out_of_iterations()) return Outcome::max_iterations;
    const double merit = compute_fischer(shape, here_);
    memory.add(merit);
    if (k % kWindow == 0) {
      if (!(merit < kWindowShare * window_merit)) return Outcome::stalled;
      window_merit = merit;
    }
    // F + J (z' - z) between the bounds.
    M_.setZero(n_, n_);
    q_ = here_.F;
    for (int i = 0; i < n_; ++i) {
      for (int e = here_.J.row_begin[i]; e < here_.J.row_begin[i + 1]; ++e) {
        const int j = here_.J.columns[e];
        M_(i, j) = here_.J.values[e];
        q_[i] -= here_.J.values[e] * here_.z[j];
      }
    }
    ++report_.iterations;
    const LcpReport lemke =
        lemke_.solve(M_, q_, problem_->lower, problem_->upper, 20 * n_ + 100, &direction_);
    if (lemke.status != LcpStatus::solved) return Outcome::stalled;
    direction_ -= here_.z;
    if (!direction_.allFinite() || !search(shape, memory.largest(), kPivotHalvings)) return Outcome::stalled;
  }
}

}  // namespace stiction
