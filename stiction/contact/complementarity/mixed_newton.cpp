#include "stiction/contact/complementarity/mixed_newton.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "stiction/base/random.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 16.0 * 2.220446049250313e-16;  // of a sum, relative to that of its magnitudes
constexpr double kMostRoundOff = 1e4;                       // in tolerances
constexpr double kFar = 1e8;  // |z_j| beyond this is divergence: no allowance for round-off
constexpr int kPatience = 3, kNudgedPatience = 10;  // min-map steps that may pass without a new best point
constexpr int kMostSearched = 10;                   // halvings of a step in search of a better point
constexpr double kLeastGain = 1e-4;                 // of the merit, by a whole step
constexpr double kProgress = 0.99;                  // of the best merit: a new best point
// A merit above this multiple of the best one (at least kSmall) ends the method.
constexpr double kRunaway = 1e4, kSmall = 1e-4;
constexpr int kMostHalvings = 30;   // of a step that leaves the domain of F
constexpr int kMostPivoted = 120;   // unknowns: `automatic` uses Lemke's method up to this size
constexpr double kPenalised = 0.9;  // share of Fischer's function
constexpr double kNudge = 0.1, kPerturbation = 1.0;  // of a second try and of a restart, relative to 1 + |z|
constexpr int kNudges = 3;
constexpr double kUnsolved = 1e-3;  // of the largest error: a row that is not solved
constexpr int kAtLower = -1, kAtUpper = -2;

}  // namespace

void MixedSolver::project(VecX* z) const { *z = z->cwiseMax(problem_->lower).cwiseMin(problem_->upper); }

bool MixedSolver::evaluate(const VecX& z, VecX* F) {
  ++report_.evaluations;
  return problem_->evaluate(z, F) && F->allFinite();
}

bool MixedSolver::linearise(Point* point) {
  ++report_.evaluations;
  if (!problem_->linearise(point->z, &point->F, &point->J) || !point->F.allFinite()) return false;
  double sum = 0.0;  // stays zero if all are finite
  for (const double value : point->J.values) sum += value - value;
  return sum == 0.0;
}

// Moves to z. False, without moving, where F is not defined.
bool MixedSolver::move_to(const VecX& z) {
  there_.z = z;
  if (!linearise(&there_)) return false;
  std::swap(here_, there_);
  return true;
}

void MixedSolver::scale_rows() {
  row_scale_.resize(n_);
  for (int i = 0; i < n_; ++i) {
    double largest = 0.0;
    for (int e = here_.J.row_begin[i]; e < here_.J.row_begin[i + 1]; ++e)
      largest = std::max(largest, std::abs(here_.J.values[e]));
    row_scale_[i] = largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0;
  }
}

bool MixedSolver::has_converged() {
  report_.residual = natural_residual(*problem_, here_.z, here_.F);
  if (report_.residual <= options_.tolerance) return true;
  if (!(report_.residual <= (1.0 + kMostRoundOff) * options_.tolerance)) return false;
  if (here_.z.cwiseAbs().maxCoeff() > kFar) return false;
  for (int i = 0; i < n_; ++i) {
    const double error = std::abs(min_map(here_.z[i], here_.F[i], problem_->lower[i], problem_->upper[i]));
    if (error <= options_.tolerance) continue;
    double magnitude = 0.0;
    for (int e = here_.J.row_begin[i]; e < here_.J.row_begin[i + 1]; ++e)
      magnitude += std::abs(here_.J.values[e] * here_.z[here_.J.columns[e]]);
    const double round_off = std::min(kRoundOff * magnitude, kMostRoundOff * options_.tolerance);
    if (!(error <= options_.tolerance + round_off)) return false;
  }
  return true;
}

double MixedSolver::min_map_merit(const Point& point) const {
  double sum = 0.0;
  for (int i = 0; i < n_; ++i) {
    const double error =
        min_map(point.z[i], row_scale_[i] * point.F[i], problem_->lower[i], problem_->upper[i]);
    sum += error * error;
  }
  return sum;
}

void MixedSolver::remember_best() {
  const double merit = min_map_merit(here_);
  if (!(merit < best_merit_)) return;
  best_merit_ = merit;
  best_z_ = here_.z;
}

// Assembles J_II d_I = -F_I - J_IA d_A, I the unknowns that are not at a bound, A the others.
void MixedSolver::assemble_reduced() {
  A_.row_begin.clear();
  A_.columns.clear();
  A_.values.clear();
  A_.row_begin.push_back(0);
  int row = 0;
  for (int i = 0; i < n_; ++i) {
    if (place_[i] < 0) continue;
    double right = -here_.F[i];
    for (int e = here_.J.row_begin[i]; e < here_.J.row_begin[i + 1]; ++e) {
      const int j = here_.J.columns[e];
      if (place_[j] < 0) {
        right -= here_.J.values[e] * direction_[j];
        continue;
      }
      A_.columns.push_back(place_[j]);
      A_.values.push_back(here_.J.values[e]);
    }
    A_.row_begin.push_back(static_cast<int>(A_.columns.size()));
    right_side_[row++] = right;
  }
}

bool MixedSolver::take_min_map_step() {
  // Which unknowns move to which bound?
  place_.resize(n_);
  direction_.setZero(n_);
  right_side_.resize(n_);
  int between = 0;
  for (int i = 0; i < n_; ++i) {
    const double F = row_scale_[i] * here_.F[i];
    if (F >= here_.z[i] - problem_->lower[i]) {
      place_[i] = kAtLower;
      direction_[i] = problem_->lower[i] - here_.z[i];
    } else if (F <= here_.z[i] - problem_->upper[i]) {
      place_[i] = kAtUpper;
      direction_[i] = problem_->upper[i] - here_.z[i];
    } else {
      place_[i] = between++;
    }
  }

  // The others solve their equations. Small systems leave out the unknowns at bounds; large ones keep them,
  // so that the pattern stays the same.
  if (system_.is_dense(n_)) {
    assemble_reduced();
    system_.factorise(A_);
    reduced_.resize(n_);
    system_.solve(right_side_.data(), reduced_.data());
    for (int i = 0; i < n_; ++i)
      if (place_[i] >= 0) direction_[i] = reduced_[place_[i]];
  } else {
    by_z_.resize(n_);
    weight_.resize(n_);
    for (int i = 0; i < n_; ++i) {
      by_z_[i] = place_[i] < 0 ? 1.0 : 0.0;
      weight_[i] = place_[i] < 0 ? 0.0 : 1.0;
      right_side_[i] = place_[i] < 0 ? direction_[i] : -here_.F[i];
    }
    if (system_.has_groups()) {
      system_.set_pattern(here_.J);
      system_.factorise_by_groups(here_.J, by_z_, weight_);
    } else {
      assemble_weighted(by_z_, weight_);
      system_.set_pattern(A_);
      system_.factorise(A_);
    }
    system_.solve(right_side_, &direction_);
  }
  if (!direction_.allFinite()) return false;

  // The whole step, or as much of it as F is defined for.
  double share = 1.0;
  for (int halving = 0; halving < kMostHalvings; ++halving, share *= 0.5) {
    there_.z = here_.z + share * direction_;
    if (share == 1.0) {
      for (int i = 0; i < n_; ++i) {
        if (place_[i] == kAtLower) there_.z[i] = problem_->lower[i];
        if (place_[i] == kAtUpper) there_.z[i] = problem_->upper[i];
      }
    }
    project(&there_.z);
    if (!linearise(&there_)) continue;
    std::swap(here_, there_);
    return true;
  }
  return false;
}

// Goes back to the best point and takes a part of its step that lowers the merit. False: there is none.
bool MixedSolver::take_part_of_step(double best) {
  double share = 0.5;
  for (int halving = 0; halving < kMostSearched; ++halving, share *= 0.5) {
    there_.z = saved_z_ + share * saved_direction_;
    project(&there_.z);
    if (!evaluate(there_.z, &there_.F) || !(min_map_merit(there_) < (1.0 - kLeastGain * share) * best))
      continue;
    if (!linearise(&there_)) return false;
    std::swap(here_, there_);
    return true;
  }
  return false;
}

MixedSolver::Outcome MixedSolver::follow_min_map(int patience) {
  double best = min_map_merit(here_);
  saved_z_ = here_.z;
  int waited = 0;
  while (true) {
    if (has_converged()) {
      report_.method = MixedMethod::min_map;
      return Outcome::converged;
    }
    if (is_out_of_iterations()) break;
    if (waited > patience) {
      if (!take_part_of_step(best)) break;
    } else {
      ++report_.iterations;
      if (!take_min_map_step()) break;
      if (waited == 0) saved_direction_ = direction_;
    }
    const double merit = min_map_merit(here_);
    const bool is_part = waited > patience;
    waited = merit < kRunaway * std::max(best, kSmall) ? waited + 1 : patience + 1;
    if (is_part || merit < kProgress * best) {
      best = merit;
      saved_z_ = here_.z;
      waited = 0;
    }
  }
  if (waited > 0) move_to(saved_z_);
  return is_out_of_iterations() ? Outcome::max_iterations : Outcome::stalled;
}

// Marks the unknowns of rows that are not solved at the present point, those coupled with them by J, and so
// on for `rings` times.
void MixedSolver::mark_unsolved(int rings) {
  is_marked_.assign(n_, 0);  // 1: marked, 2: in the next ring
  double largest = 0.0;
  reduced_.resize(n_);
  for (int i = 0; i < n_; ++i) {
    reduced_[i] =
        std::abs(min_map(here_.z[i], row_scale_[i] * here_.F[i], problem_->lower[i], problem_->upper[i]));
    largest = std::max(largest, reduced_[i]);
  }
  for (int i = 0; i < n_; ++i) is_marked_[i] = reduced_[i] > kUnsolved * largest;
  for (int ring = 0; ring < rings; ++ring) {
    for (int i = 0; i < n_; ++i) {
      const auto row = std::span(here_.J.columns)
                           .subspan(here_.J.row_begin[i], here_.J.row_begin[i + 1] - here_.J.row_begin[i]);
      if (is_marked_[i] == 1) {
        for (const int j : row) is_marked_[j] = std::max<char>(is_marked_[j], 2);
      } else if (std::any_of(row.begin(), row.end(), [&](int j) { return is_marked_[j] == 1; })) {
        is_marked_[i] = 2;
      }
    }
    for (char& mark : is_marked_) mark = mark > 0 ? 1 : 0;
  }
}

// Moves to z, with the marked unknowns perturbed at random inside their bounds. False where F is not defined.
bool MixedSolver::move_near(const VecX& z, double share, std::uint64_t seed) {
  Random random(seed);
  there_.z = here_.z;
  for (int i = 0; i < n_; ++i) {
    const double shift = share * (1.0 + std::abs(z[i])) * random.uniform(-1.0, 1.0);
    if (!is_marked_[i]) continue;
    double& value = there_.z[i];
    value = z[i] + shift;
    // Reflected at a bound, rather than set to it.
    if (value < problem_->lower[i]) value = 2.0 * problem_->lower[i] - value;
    if (value > problem_->upper[i]) value = 2.0 * problem_->upper[i] - value;
  }
  project(&there_.z);
  if (!linearise(&there_)) return false;
  std::swap(here_, there_);
  return true;
}

// The fast methods that the options ask for, one after the other, each from the end of the last one or from
// here.
MixedSolver::Outcome MixedSolver::solve_from_here() {
  const MixedMethod method = options_.method;
  const bool is_automatic = method == MixedMethod::automatic;
  const auto wants = [&](MixedMethod one) { return is_automatic || method == one; };
  Outcome outcome = Outcome::stalled;
  start_ = here_.z;
  if (wants(MixedMethod::min_map)) outcome = follow_min_map(kPatience);
  remember_best();
  // Full steps get stuck at points where unknowns and their F vanish together (a contact that begins), but
  // not slightly beside them.
  settled_z_ = here_.z;
  for (int k = 1; k <= kNudges && is_automatic && outcome == Outcome::stalled; ++k) {
    mark_unsolved(k);
    if (!move_near(start_, kNudge, kNudges * options_.seed + k)) continue;
    outcome = follow_min_map(kNudgedPatience);
    remember_best();
  }
  if (outcome == Outcome::stalled) move_to(settled_z_);
  if (outcome == Outcome::stalled && wants(MixedMethod::fischer_burmeister)) outcome = descend({});
  remember_best();
  if (outcome == Outcome::stalled && wants(MixedMethod::penalised)) {
    move_to(start_);
    outcome = descend({.share = kPenalised});
  }
  remember_best();
  if (outcome == Outcome::stalled && wants(MixedMethod::pivoting) && (!is_automatic || n_ <= kMostPivoted)) {
    move_to(start_);
    outcome = descend_by_pivoting();
  }
  remember_best();
  return outcome;
}

// From the start, then from perturbed starts, until a solution is found.
template <class Method>
MixedSolver::Outcome MixedSolver::solve_from_all_starts(const VecX& start, const Method& method) {
  Outcome outcome = Outcome::stalled;
  for (int r = 0; r <= options_.restarts && outcome == Outcome::stalled; ++r) {
    if (r > 0) ++report_.restarts;
    is_marked_.assign(n_, 1);
    const bool is_defined =
        r == 0 ? here_.z == start || move_to(start)
               : move_near(start, kPerturbation, options_.seed + static_cast<std::uint64_t>(r));
    if (!is_defined) continue;
    scale_rows();
    outcome = method();
    remember_best();
  }
  return outcome;
}

MixedReport MixedSolver::solve(MixedProblem& problem, const MixedOptions& options, VecX* z) {
  problem_ = &problem;
  options_ = options;
  report_ = {};
  n_ = problem.size();
  for (int i = 0; i < n_; ++i) {
    if (problem.lower[i] <= problem.upper[i]) continue;
    report_.status = MixedStatus::infeasible;
    report_.residual = kNoBound;
    return report_;
  }
  if (n_ == 0) {
    report_.status = MixedStatus::converged;
    return report_;
  }

  system_.set_groups(problem.groups);
  here_.z = *z;
  project(&here_.z);
  *z = here_.z;
  if (!z->allFinite() || !linearise(&here_)) {
    report_.status = MixedStatus::not_defined;
    report_.residual = kNoBound;
    return report_;
  }
  best_merit_ = kNoBound;
  best_z_ = here_.z;
  const MixedMethod method = options.method;
  Outcome outcome = Outcome::stalled;
  if (has_converged()) outcome = Outcome::converged;
  if (outcome == Outcome::stalled && method != MixedMethod::homotopy)
    outcome = solve_from_all_starts(*z, [&] { return solve_from_here(); });
  if (outcome == Outcome::stalled && (method == MixedMethod::automatic || method == MixedMethod::homotopy))
    outcome = solve_from_all_starts(*z, [&] {
      start_ = here_.z;
      return follow_homotopy(start_);
    });
  // If nothing converged: the best point, which is tested once more.
  if (outcome != Outcome::converged && move_to(best_z_) && has_converged()) outcome = Outcome::converged;
  *z = here_.z;
  report_.status = outcome == Outcome::converged        ? MixedStatus::converged
                   : outcome == Outcome::max_iterations ? MixedStatus::max_iterations
                                                        : MixedStatus::stalled;
  return report_;
}

}  // namespace stiction
