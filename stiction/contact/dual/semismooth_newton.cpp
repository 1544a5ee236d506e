#include "stiction/contact/dual/semismooth_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/base/random.h"

namespace stiction {
namespace {

// alpha at the start of a round, and beta alpha; see the header.
struct Attempt {
  double alpha, share;
};
constexpr std::array<Attempt, 4> kAttempts = {{{0.1, 0.3}, {0.1, 0.1}, {1.0, 1.0}, {0.01, 0.3}}};
constexpr int kRounds = 100;
// alpha of the run without outer steps: round-off of s, some 1e-16, causes internal forces of at most 1e-8 of
// lambda.
constexpr double kLittle = 1e-8;
constexpr int kPlainSteps = 15;
constexpr double kMostBeta = 100.0;
constexpr double kLeastAlpha = 1e-7, kMostAlpha = 10.0;
// Factors of alpha after an inner solve that failed, succeeded, and succeeded in very few steps.
constexpr double kGrowth = 5.0, kShrink = 3.0, kQuickShrink = 10.0;
constexpr int kEasy = 8, kQuick = 2;
constexpr int kLongestWait = 16;  // inner solves before alpha shrinks again after failures; doubled with each
constexpr int kOuterSteps = 200, kPatience = 30;  // of a round; of these, without halving the error
constexpr int kInnerSteps = 15;
constexpr double kInnerShare = 0.3;  // of |phi| at the start: an inner problem counts as solved
constexpr std::size_t kMemory = 5;
constexpr double kShortest = 0.125;  // t
constexpr double kDecrease = 1e-4;
constexpr int kFirstSweeps = 20, kMoreSweeps = 40, kAdmmIterations = 300;
// Rounds that start with sweeps from zeros, with ADMM and from the best so far; of the others every second
// one follows a friction path, the rest start at random.
constexpr int kColdRound = 1, kAdmmRound = 2, kFirstPath = 3, kBestRound = 4;
// Friction paths: first step of theta, its factors after success and failure, smallest step, ratio of the
// largest to the smallest exponent e_i; number of steps and iterations of each.
constexpr double kPathStep = 0.1, kLonger = 1.5, kShorter = 0.4, kLeastPathStep = 1e-3, kSpread = 8.0;
constexpr int kPathSteps = 60, kPathIterations = 300;
constexpr double kPathTolerance = 1e-6;
constexpr std::array<double, 5> kRandomSizes = {1.0, 0.1, 10.0, 3.0, 0.3};  // of what stops a contact
// Round-off of s_b, relative to |lambda_b| / rho_b + |r_b|, the size of its terms.
constexpr double kRoundOff = 16.0 * std::numeric_limits<double>::epsilon();

}  // namespace

SemismoothNewton::SemismoothNewton(LawKind law)
    : law_(law), sweeps_(make_pgs(law)), admm_(make_admm(law)), follows_paths_(law == LawKind::coulomb_ncp) {}

void SemismoothNewton::begin(const DualProblem& problem, const DualOptions& options) {
  problem_ = &problem;
  options_ = options;
  report_ = {};
  const int n = problem.num_rows(), blocks = problem.num_blocks();
  tau_.setZero(n);
  phi_.setZero(n);
  maps_.pieces.assign(static_cast<std::size_t>(blocks), BlockPiece::open);
  maps_.rho.assign(static_cast<std::size_t>(blocks), 0.0);
  maps_.tau.assign(static_cast<std::size_t>(blocks), 0.0);
  maps_.begin.clear();
  int numbers = 0;
  for (const DualBlock& block : problem.blocks) {
    maps_.begin.push_back(numbers);
    numbers += block.size() * block.size();
  }
  maps_.G.assign(static_cast<std::size_t>(numbers), 0.0);
  system_.begin(problem);
  best_quality_ = best_error_ = std::numeric_limits<double>::infinity();
  is_at_round_off_ = false;
}

// The larger of the two errors that `converged` is defined by, over the tolerance. Sets error_ to the first.
double SemismoothNewton::quality(const VecX& lambda, const VecX& s) {
  error_ = s.allFinite() ? problem_->error(options_.measure(law_), lambda, s)
                         : std::numeric_limits<double>::quiet_NaN();
  if (options_.is_absolute()) return error_ / options_.goal();
  const DualProblem::NaturalMap sum = problem_->natural_map(law_, lambda, s);
  double relative = 0.0;
  if (sum.map > 0.0)
    relative = sum.lambda > 0.0 ? std::sqrt(sum.map / sum.lambda) : std::numeric_limits<double>::infinity();
  return (std::isnan(error_) ? error_ : std::max(error_, relative)) / options_.tolerance;
}

// The part of quality() that round-off explains; nothing of impulses that run away (DualProblem::round_off).
double SemismoothNewton::round_off_quality() const {
  const ErrorMeasure measure = options_.measure(law_), by_scales{law_, measure.pyramid};
  double error = 0.0, relative_error = 0.0, impulse = 0.0, square = 0.0;
  for (const DualBlock& block : problem_->blocks) {
    if (!(block.rho > 0.0)) continue;
    const double size = norm_of(best_.data() + block.begin, block.size());
    const double terms = size + block.rho * norm_of(problem_->r.data() + block.begin, block.size());
    const double velocity = kRoundOff * terms / block.rho;
    error = std::max(error, problem_->error_of_velocity(measure, block, velocity, size));
    relative_error = std::max(relative_error, problem_->error_of_velocity(by_scales, block, velocity, size));
    impulse += terms * terms;
    square += size * size;
  }
  if (relative_error > DualProblem::kMostRoundOff) return 0.0;
  const double relative = square > 0.0 ? std::sqrt(impulse / square) : 0.0;
  if (options_.is_absolute()) return error / options_.goal();
  return std::max(error, kRoundOff * relative) / options_.tolerance;
}

// Keeps lambda if it is the best so far. True: it is within the tolerance.
bool SemismoothNewton::look_at(const VecX& lambda, const VecX& s) {
  const double found = quality(lambda, s);
  if (found < best_quality_) {
    best_quality_ = found;
    best_error_ = error_;
    best_ = lambda;
  }
  return best_quality_ <= 1.0;
}

bool SemismoothNewton::look_at(const VecX& lambda) {
  velocities(lambda, &law_s_);
  return look_at(lambda, law_s_);
}

void SemismoothNewton::velocities(const VecX& lambda, VecX* s) const {
  if (system_.has_few_rows())
    system_.rows().velocities(lambda, s);
  else
    problem_->velocities(lambda, s);
}

void SemismoothNewton::set_proximal(double alpha, double beta) {
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    if (!(block.rho > 0.0)) continue;
    maps_.tau[b] = alpha / block.rho;
    maps_.rho[b] = beta * block.rho / (1.0 + alpha);
    tau_.segment(block.begin, block.size()).setConstant(maps_.tau[b]);
  }
}

// |phi|^2 / rho, summed over the blocks. Unless phi is nullptr, also phi and the derivatives.
double SemismoothNewton::evaluate(const VecX& lambda, const VecX& s, VecX* phi) {
  double sum = 0.0;
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    if (!(block.rho > 0.0)) continue;
    const double* x = lambda.data() + block.begin;
    double z[kMostRows], p[kMostRows], square = 0.0;
    for (int i = 0; i < block.size(); ++i) z[i] = x[i] - maps_.rho[b] * s[block.begin + i];
    double* G = phi ? maps_.G.data() + maps_.begin[b] : nullptr;
    const BlockPiece piece = project_block(law_, block, z, p, G);
    if (phi) maps_.pieces[b] = piece;
    for (int i = 0; i < block.size(); ++i) {
      const double off = x[i] - p[i];
      if (phi) (*phi)[block.begin + i] = off;
      square += off * off;
    }
    sum += square / block.rho;
  }
  return sum;
}

// Line search along x from lambda, whose velocity is s: the first step whose merit is below the reference, or
// else the best one tried; updates law_s_. Shorter steps than those would get stuck at the nonsmooth points
// of P, which a long step that raises the merit passes.
void SemismoothNewton::step_along(const VecX& s, double reference) {
  if (system_.has_few_rows()) {
    system_.rows().multiply(x_, &Wx_);
    Wx_ += tau_.cwiseProduct(x_);
  } else {
    problem_->multiply(x_, &Wx_);
    Wx_ += (problem_->R + tau_).cwiseProduct(x_);
  }
  double best = std::numeric_limits<double>::infinity(), best_t = kShortest;
  for (double t = 1.0; t >= kShortest; t *= 0.5) {
    trial_ = lambda_ + t * x_;
    trial_s_ = s + t * Wx_;
    ++report_.line_evaluations;
    const double merit = evaluate(trial_, trial_s_, nullptr);
    if (merit < best) {
      best = merit;
      best_t = t;
    }
    if (merit <= (1.0 - kDecrease * t) * reference) break;
  }
  lambda_ += best_t * x_;
  // Recomputed, since updates accumulate round-off.
  velocities(lambda_, &law_s_);
}

// The run without outer steps, from lambda with the velocity law_s_. True: within the tolerance.
bool SemismoothNewton::run_plainly() {
  set_proximal(kLittle, 1.0);
  double merits[kMemory];
  const double first = evaluate(lambda_, law_s_, &phi_);
  double merit = first;
  for (int steps = 0; steps < kPlainSteps && merit <= first && has_budget(); ++steps) {
    merits[static_cast<std::size_t>(steps) % kMemory] = merit;
    ++report_.iterations;
    ++report_.factorisations;
    if (!system_.solve(maps_, phi_, &x_)) return false;
    const std::size_t known = std::min(static_cast<std::size_t>(steps) + 1, kMemory);
    step_along(law_s_, *std::max_element(merits, merits + known));
    const bool is_good = look_at(lambda_, law_s_);
    if (options_.history) options_.history->push_back(error_);
    if (is_good) return true;
    merit = evaluate(lambda_, law_s_, &phi_);
  }
  return false;
}

SemismoothNewton::Inner SemismoothNewton::solve_inner() {
  velocities(lambda_, &law_s_);
  s_ = law_s_ + tau_.cwiseProduct(lambda_ - centre_);
  double merits[kMemory];
  const double first = evaluate(lambda_, s_, &phi_);
  double merit = first;
  int steps = 0;
  for (; steps < kInnerSteps; ++steps) {
    if (merit <= kInnerShare * kInnerShare * first) break;
    if (!has_budget()) return Inner::done;
    merits[static_cast<std::size_t>(steps) % kMemory] = merit;
    ++report_.iterations;
    ++report_.factorisations;
    if (!system_.solve(maps_, phi_, &x_)) return Inner::failed;
    const double reference =
        *std::max_element(merits, merits + std::min(static_cast<std::size_t>(steps) + 1, kMemory));
    step_along(s_, reference);
    const bool is_good = look_at(lambda_, law_s_);
    if (options_.history) options_.history->push_back(error_);
    if (is_good) return Inner::done;
    s_ = law_s_ + tau_.cwiseProduct(lambda_ - centre_);
    merit = evaluate(lambda_, s_, &phi_);
  }
  if (steps >= kInnerSteps && !(merit <= kInnerShare * kInnerShare * first)) return Inner::failed;
  inner_steps_ = steps;
  return Inner::solved;
}

// Outer steps from lambda. True: solved, at round-off, or out of iterations.
bool SemismoothNewton::run(double alpha, double share) {
  velocities(lambda_, &law_s_);
  double before = quality(lambda_, law_s_), halved = before;
  int since_halved = 0, wait = 0, next_wait = 1;
  for (int outer = 0; outer < kOuterSteps && since_halved <= kPatience; ++outer) {
    set_proximal(alpha, std::min(share / alpha, kMostBeta));
    centre_ = lambda_;
    const double best_before = best_quality_;
    const Inner result = solve_inner();
    if (result == Inner::done) return true;
    is_at_round_off_ = best_quality_ >= 0.5 * best_before && best_quality_ <= round_off_quality();
    if (is_at_round_off_) return true;
    const double after = quality(lambda_, law_s_);
    ++since_halved;
    if (result == Inner::failed) {
      alpha = std::min(kGrowth * alpha, kMostAlpha);
      wait = next_wait;
      next_wait = std::min(2 * next_wait, kLongestWait);
      if (!(after < before)) {
        lambda_ = centre_;
        continue;
      }
    } else if (inner_steps_ <= kEasy && --wait < 0) {
      alpha = std::max(alpha / (inner_steps_ <= kQuick ? kQuickShrink : kShrink), kLeastAlpha);
    }
    before = after;
    if (before < 0.5 * halved) {
      halved = before;
      since_halved = 0;
    }
  }
  return false;
}

// Some iterations of another solver on lambda. True: within the tolerance.
bool SemismoothNewton::borrow(DualSolver* other, int iterations) {
  DualOptions options = options_;
  options.max_iterations = std::min(iterations, options_.max_iterations - report_.iterations);
  options.history = nullptr;
  const IslandReport report = other->solve(*problem_, options, &lambda_);
  report_.iterations += report.iterations;
  report_.factorisations += report.factorisations;
  return look_at(lambda_);
}

// lambda := random impulses on the cones.
void SemismoothNewton::set_random(int round) {
  Random random(static_cast<std::uint64_t>(round));
  const double size = kRandomSizes[static_cast<std::size_t>(round) % kRandomSizes.size()];
  for (const DualBlock& block : problem_->blocks) {
    if (!(block.rho > 0.0)) continue;
    double* x = lambda_.data() + block.begin;
    if (!block.is_contact()) {
      x[0] = std::clamp(0.0, block.lower, block.upper);
      continue;
    }
    const int m = block.tangents;
    x[m] = size * block.rho * problem_->velocity_scale() * std::abs(random.normal());
    for (int i = 0; i < m; ++i) x[i] = block.friction * x[m] * random.uniform(-1.0, 1.0);
    project_on_ball(block.friction * x[m], m, x);
  }
}

// Follows a friction path (see the header). Where it ends early, lambda is the solution of its last point.
// True: within the tolerance.
bool SemismoothNewton::follow_friction(int round) {
  if (!along_) along_ = std::make_unique<SemismoothNewton>(law_);
  along_->follows_paths_ = false;
  other_friction_ = *problem_;
  Random random(static_cast<std::uint64_t>(round));
  std::vector<double> exponents;
  for (int b = 0; b < problem_->num_blocks(); ++b)
    exponents.push_back(round == kFirstPath ? 1.0 : std::pow(kSpread, random.uniform(-1.0, 1.0)));
  DualOptions options = options_;
  options.history = nullptr;
  options.tolerance = std::max(options_.tolerance, kPathTolerance);
  options.absolute_tolerance = 0.0;
  const auto solve_at = [&](double theta, int iterations) {
    for (int b = 0; b < problem_->num_blocks(); ++b)
      other_friction_.blocks[b].friction = std::pow(theta, exponents[b]) * problem_->blocks[b].friction;
    options.max_iterations = std::min(iterations, options_.max_iterations - report_.iterations);
    path_ = lambda_;
    const IslandReport report = along_->solve(other_friction_, options, &path_);
    report_.iterations += report.iterations;
    report_.factorisations += report.factorisations;
    if (is_solved(report.status)) lambda_ = path_;
    return is_solved(report.status);
  };
  set_zero();
  if (!solve_at(0.0, 3 * kPathIterations)) return false;
  double theta = 0.0, step = kPathStep;
  for (int k = 0; k < kPathSteps && theta < 1.0 && step >= kLeastPathStep && has_budget(); ++k) {
    const double next = std::min(1.0, theta + step);
    const bool is_done = solve_at(next, kPathIterations);
    if (is_done) theta = next;
    step *= is_done ? kLonger : kShorter;
  }
  return look_at(lambda_);
}

// The impulses that a round starts from. True: within the tolerance.
bool SemismoothNewton::start_round(int round) {
  switch (round) {
    case 0:
      return borrow(sweeps_.get(), kFirstSweeps);
    case kColdRound:
      set_zero();
      return borrow(sweeps_.get(), kMoreSweeps);
    case kAdmmRound:
      set_zero();
      return borrow(admm_.get(), kAdmmIterations);
    case kBestRound:
      lambda_ = best_;
      return false;
    default:
      if (follows_paths_ && round % 2 == kFirstPath % 2) return follow_friction(round);
      set_random(round);
      return false;
  }
}

// lambda := 0, except in immovable blocks, which keep theirs.
void SemismoothNewton::set_zero() {
  for (const DualBlock& block : problem_->blocks)
    if (block.rho > 0.0) lambda_.segment(block.begin, block.size()).setZero();
}

IslandReport SemismoothNewton::finish(SolveStatus status, VecX* lambda) {
  report_.status = status;
  report_.residual = best_error_;
  *lambda = best_;
  return report_;
}

IslandReport SemismoothNewton::solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) {
  STICTION_ASSERT(lambda->size() == problem.num_rows());
  begin(problem, options);
  lambda_ = best_ = *lambda;
  if (look_at(lambda_)) return finish(SolveStatus::converged, lambda);
  if (!std::isfinite(error_)) {
    best_error_ = error_;
    return finish(SolveStatus::not_finite, lambda);
  }
  if (system_.has_few_rows()) {
    if (run_plainly()) return finish(SolveStatus::converged, lambda);
    lambda_ = *lambda;
  }
  for (int round = 0; round < kRounds && has_budget(); ++round) {
    if (start_round(round)) return finish(SolveStatus::converged, lambda);
    const Attempt& attempt = kAttempts[static_cast<std::size_t>(round) % kAttempts.size()];
    if (!run(attempt.alpha, attempt.share)) continue;
    if (best_quality_ <= 1.0) return finish(SolveStatus::converged, lambda);
    if (is_at_round_off_) return finish(SolveStatus::round_off, lambda);
  }
  return finish(has_budget() ? SolveStatus::stalled : SolveStatus::max_iterations, lambda);
}

std::unique_ptr<DualSolver> make_semismooth_newton(LawKind law) {
  return std::make_unique<SemismoothNewton>(law);
}

}  // namespace stiction
