// The path from an easy problem to the one at hand (mixed_newton.h):
//
//   Phi_mu(z; G(z, t)) = 0,   G = t D F(z) + (1 - t)(z - a),   mu = mu_0 (1 - t).
//
// On it all z lie strictly between their bounds, so that F is only evaluated there. Predictor steps along the
// tangent and Newton corrector steps perpendicular to it use the matrix
//
//   ( dPhi/dz  dPhi/dt )
//   (     tangent'     )
//
// which stays regular where the path turns back in t. Along the path the min map is tried from time to time,
// and Fischer's function at the end.

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/contact/complementarity/mixed_newton.h"

namespace stiction {
namespace {

constexpr double kMostSmoothing = 1.0, kLeastSmoothing = 1e-4;  // mu_0, in units of z
constexpr double kFirstLength = 0.1, kLeastLength = 1e-9;       // of a predictor, in units of z and t
constexpr int kMostSteps = 400;
constexpr int kMostCorrections = 8, kFewCorrections = 3;
constexpr double kPathTolerance = 0.05;               // of Phi beside mu
constexpr double kPredicted = 0.5, kCorrected = 0.9;  // of the way to a bound that a step may go
constexpr double kWidth = 0.25;                       // of the room between two bounds: mu_0 at most
constexpr int kBisections = 60;                       // of the start
constexpr double kEnd = 0.9;                          // of the way to t = 1
constexpr double kContraction = 0.9;                  // of Phi by a correction that goes the whole way
constexpr double kFar = 1e8;                          // beside 1 + |start|: the path runs away
constexpr double kLastGap = 1e-7;                     // 1 - t: the end
constexpr double kTryGap = 0.1;                       // 1 - t where the min map is tried, and powers of it

}  // namespace

// Phi at here_ and t_, its derivatives by z into A_ and by t into by_t_. Returns the largest |Phi| beside mu.
double MixedSolver::compute_homotopy(const VecX& anchor) {
  phi_.resize(n_);
  by_z_.resize(n_);
  by_F_.resize(n_);
  by_t_.resize(n_);
  for (int i = 0; i < n_; ++i) {
    if (!(problem_->lower[i] < problem_->upper[i])) {
      // A fixed unknown.
      phi_[i] = by_F_[i] = by_t_[i] = 0.0;
      by_z_[i] = 1.0;
      continue;
    }
    const FischerShape shape = {.mu = smoothing_[i] * (1.0 - t_)};
    const double F = row_scale_[i] * here_.F[i], easy = here_.z[i] - anchor[i];
    const FischerValue value =
        fischer(here_.z[i], t_ * F + (1.0 - t_) * easy, problem_->lower[i], problem_->upper[i], shape);
    phi_[i] = value.value;
    by_z_[i] = value.by_z + value.by_F * (1.0 - t_);
    by_F_[i] = value.by_F * t_ * row_scale_[i];
    by_t_[i] = value.by_F * (F - easy) - value.by_mu * smoothing_[i];
  }
  assemble_weighted(by_z_, by_F_);
  return phi_.cwiseQuotient(smoothing_).cwiseAbs().maxCoeff() / (1.0 - t_);
}

void MixedSolver::assemble_bordered() {
  bordered_.row_begin.clear();
  bordered_.columns.clear();
  bordered_.values.clear();
  bordered_.row_begin.push_back(0);
  for (int i = 0; i < n_; ++i) {
    for (int e = A_.row_begin[i]; e < A_.row_begin[i + 1]; ++e) {
      bordered_.columns.push_back(A_.columns[e]);
      bordered_.values.push_back(A_.values[e]);
    }
    bordered_.columns.push_back(n_);
    bordered_.values.push_back(by_t_[i]);
    bordered_.row_begin.push_back(static_cast<int>(bordered_.columns.size()));
  }
  for (int j = 0; j <= n_; ++j) {
    bordered_.columns.push_back(j);
    bordered_.values.push_back(tangent_[j]);
  }
  bordered_.row_begin.push_back(static_cast<int>(bordered_.columns.size()));
  ++report_.iterations;
  bordered_system_.set_pattern(bordered_);
  bordered_system_.factorise(bordered_);
}

// How much of path_step_ keeps all unknowns off their bounds and t below 1.
double MixedSolver::inner_share(double limit) const {
  double share = 1.0;
  for (int i = 0; i < n_; ++i) {
    if (!(problem_->lower[i] < problem_->upper[i])) continue;
    const double step = path_step_[i];
    const double room = step < 0.0 ? here_.z[i] - problem_->lower[i] : problem_->upper[i] - here_.z[i];
    if (share * std::abs(step) > limit * room) share = limit * room / std::abs(step);
  }
  if (share * path_step_[n_] > kEnd * (1.0 - t_)) share = kEnd * (1.0 - t_) / path_step_[n_];
  return share;
}

// Moves along path_step_, as far as the bounds allow. False where F is not defined.
bool MixedSolver::move_along_path(double share) {
  there_.z = here_.z + share * path_step_.head(n_);
  if (!linearise(&there_)) return false;
  std::swap(here_, there_);
  t_ += share * path_step_[n_];
  return true;
}

// Newton corrections back to the path, perpendicular to its tangent. Returns their number, or -1.
int MixedSolver::correct_path(const VecX& anchor) {
  double error = compute_homotopy(anchor);
  for (int k = 0; k < kMostCorrections; ++k) {
    if (k > 0 && error <= kPathTolerance) return k;
    if (is_out_of_iterations()) return -1;
    assemble_bordered();
    path_right_.setZero(n_ + 1);
    path_right_.head(n_) = -phi_;
    bordered_system_.solve(path_right_, &path_step_);
    if (!path_step_.allFinite()) return -1;
    const double share = inner_share(kCorrected);
    if (!move_along_path(share)) return -1;
    const double last = error;
    error = compute_homotopy(anchor);
    if (error > kPathTolerance && !(error < (1.0 - (1.0 - kContraction) * share) * last)) return -1;
  }
  return error <= kPathTolerance ? kMostCorrections : -1;
}

// The tangent at here_, oriented like the last one.
bool MixedSolver::turn_tangent(const VecX& anchor) {
  compute_homotopy(anchor);
  assemble_bordered();
  path_right_.setZero(n_ + 1);
  path_right_[n_] = 1.0;
  bordered_system_.solve(path_right_, &path_step_);
  const double norm = path_step_.norm();
  if (!(norm > 0.0) || !std::isfinite(norm)) return false;
  tangent_ = path_step_ / norm;
  return true;
}

// The start of the path at t = 0, where each equation has one unknown and Phi_i grows with z_i between its
// bounds. False where F is not defined.
bool MixedSolver::begin_path(const VecX& anchor) {
  const double most = std::clamp(std::sqrt(min_map_merit(here_) / n_), kLeastSmoothing, kMostSmoothing);
  smoothing_.resize(n_);
  path_z_ = here_.z;
  for (int i = 0; i < n_; ++i) {
    const double lower = problem_->lower[i], upper = problem_->upper[i];
    smoothing_[i] = lower < upper ? std::min(most, kWidth * (upper - lower)) : most;
    if (!(lower < upper)) continue;
    // The solution at t = 0 is within 2 mu of the anchor.
    double low = std::max(lower, anchor[i] - 2.0 * smoothing_[i]);
    double high = std::min(upper, anchor[i] + 2.0 * smoothing_[i]);
    const FischerShape shape = {.mu = smoothing_[i]};
    for (int k = 0; k < kBisections; ++k) {
      const double z = 0.5 * (low + high);
      (fischer(z, z - anchor[i], lower, upper, shape).value < 0.0 ? low : high) = z;
    }
    path_z_[i] = 0.5 * (low + high);
  }
  t_ = 0.0;
  tangent_.setZero(n_ + 1);
  tangent_[n_] = 1.0;
  return move_to(path_z_);
}

MixedSolver::Outcome MixedSolver::follow_homotopy(const VecX& anchor) {
  const double far = kFar * (1.0 + anchor.cwiseAbs().maxCoeff());
  const auto stop = [&] { return is_out_of_iterations() ? Outcome::max_iterations : Outcome::stalled; };
  if (!begin_path(anchor)) return Outcome::stalled;

  double length = kFirstLength, next_try = kTryGap;
  for (int step = 0; step < kMostSteps; ++step) {
    if (!turn_tangent(anchor)) return stop();
    path_z_ = here_.z;
    const double path_t = t_;
    int corrections = -1;
    while (true) {
      path_step_ = length * tangent_;
      const double share = inner_share(kPredicted);
      length *= share;
      if (move_along_path(share)) corrections = correct_path(anchor);
      if (corrections >= 0) break;
      length *= 0.3;
      if (is_out_of_iterations() || length < kLeastLength || !move_to(path_z_)) return stop();
      t_ = path_t;
    }
    if (corrections <= kFewCorrections) length *= 2.0;
    if (t_ < -1.0 || here_.z.cwiseAbs().maxCoeff() > far) return Outcome::stalled;

    // Near the end the faster methods may find the solution.
    if (1.0 - t_ > next_try) continue;
    while (1.0 - t_ <= next_try) next_try *= kTryGap;
    const bool is_end = 1.0 - t_ <= kLastGap;
    path_z_ = here_.z;
    Outcome outcome = follow_min_map(1);
    if (outcome == Outcome::stalled && is_end) outcome = descend({});
    if (outcome == Outcome::converged) report_.method = MixedMethod::homotopy;
    if (outcome != Outcome::stalled || is_end || !move_to(path_z_)) return outcome;
  }
  return Outcome::stalled;
}

}  // namespace stiction
