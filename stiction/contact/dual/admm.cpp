// Longer than other files: one iteration with its rules for the penalty, which share its state.
#include "stiction/contact/dual/admm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/base/check.h"

namespace stiction {
namespace {

constexpr double kRelaxation = 1.6;
// The first rho: kRhoOfEstimate times |r| / |lambda|, lambda solved for at rho = kEstimate; or kUsualRho
// where less than kFeasible of that lambda lies in the sets, so that it does not estimate the size of the
// answer.
constexpr double kRhoOfEstimate = 0.1, kEstimate = 1e-9, kFeasible = 0.65, kUsualRho = 0.3;
constexpr double kLeft = 1e-6;  // of the free velocities: remainder below which lambda stops all rows
constexpr double kLeastRho = 1e-8, kMostRho = 1e4;
constexpr double kEqualityShare = 1e-3;  // of a row's scale, for equalities, which have no set to project on
constexpr double kCluster = 16.0;        // ratio between the scales that contacts are rounded to
// Ratio of residuals above which rho changes (C III-E), and its largest change.
constexpr double kUnbalanced = 10.0, kMostChange = 10.0;
// Iterations between changes of rho; longer in staggered projections, which make few iterations a round.
constexpr double kFirstWait = 20.0, kWaitGrowth = 1.5, kLongestWait = 60.0, kLongestWaitOfHalf = 200.0;
constexpr int kDoubt = 25;     // iterations between tests whether the problem is infeasible
constexpr int kPlateau = 100;  // iterations in which the error should halve
constexpr double kPlateauJump = 30.0;
constexpr int kPlateauJumps = 3;
// Stalled after so many plateaus in a row, or that share of max_iterations if it is more.
constexpr int kMostPlateaus = 6;
constexpr double kPlateauShare = 0.25;
// Where the error after kFirstLook iterations has grown by more than this, the first rho was wrong.
constexpr int kFirstLook = 3;
constexpr double kWild = 10.0;
constexpr double kWorseStep = 2.0;  // growth of the step above which a proposal of Anderson's is rejected
constexpr int kRoundOffIterations = 30;  // without a better error, where it is within round-off
constexpr double kStill = 1e-15;         // of y: a smaller step is none
constexpr double kProbe = 1e-3;  // of |lambda|: step along -s~ by which the first multipliers are found
constexpr double kInfinite = 1e300;
// The spectral rule (C III-E): exponent of kappa, power iterations, the smallest eigenvalue that counts, of
// the largest; and the exponent of the first rho (ContactBench).
constexpr double kSpectralPower = 0.05, kLeastEigenvalue = 1e-6, kFirstPower = 0.4;
constexpr int kPowerIterations = 20;
constexpr double kLeastSpectralRho = 1e-12, kMostSpectralRho = 1e12;  // 1/kg (ContactBench)

struct RowRange {
  int begin, end;
};

RowRange moving_rows(const DualBlock& block, AdmmRows rows) {
  const int end = block.begin + block.size();
  if (!(block.rho > 0.0)) return {block.begin, block.begin};
  if (rows == AdmmRows::all) return {block.begin, end};
  if (!block.is_contact()) return {block.begin, rows == AdmmRows::normals ? end : block.begin};
  return rows == AdmmRows::normals ? RowRange{end - 1, end} : RowRange{block.begin, end - 1};
}

}  // namespace

void Admm::begin(const DualProblem& problem, const ErrorMeasure& measure) {
  problem_ = &problem;
  measure_ = measure;
  measure_.is_absolute = measure.is_absolute && rows_ == AdmmRows::all;
  has_started_ = false;
  const int n = problem.num_rows();
  for (VecX* x : {&d_, &D_, &weights_, &y_, &g_}) x->setZero(n);
  for (VecX* x : {&z_, &s_, &plain_, &trial_, &z_plain_, &best_}) x->resize(n);
}

void Admm::set_scales() {
  if (is_spectral_) {
    for (const DualBlock& block : problem_->blocks) {
      const RowRange rows = moving_rows(block, rows_);
      for (int i = rows.begin; i < rows.end; ++i) d_[i] = 1.0;  // 1/kg
    }
    return;
  }
  // Mean diagonal by block, and the geometric mean of the contacts.
  double log_sum = 0.0;
  int contacts = 0;
  for (int b = 0; b < problem_->num_blocks(); ++b) {
    const DualBlock& block = problem_->blocks[b];
    const RowRange rows = moving_rows(block, rows_);
    double trace = 0.0;
    for (int i = rows.begin; i < rows.end; ++i)
      trace += problem_->diagonal_block(b)[(i - block.begin) * (block.size() + 1)] + problem_->R[i];
    const double mean = trace > 0.0 ? trace / (rows.end - rows.begin) : 0.0;
    for (int i = rows.begin; i < rows.end; ++i) d_[i] = mean;
    if (block.is_contact() && mean > 0.0) {
      log_sum += std::log(mean);
      ++contacts;
    }
  }
  const double middle = contacts > 0 ? std::exp(log_sum / contacts) : 1.0;
  for (const DualBlock& block : problem_->blocks) {
    const RowRange rows = moving_rows(block, rows_);
    for (int i = rows.begin; i < rows.end; ++i) {
      if (block.is_contact() && d_[i] > 0.0) {
        const double steps = std::round(std::log(d_[i] / middle) / std::log(kCluster));
        d_[i] = middle * std::pow(kCluster, steps);
      } else if (!block.is_contact() && block.lower <= -kInfinite && block.upper >= kInfinite) {
        d_[i] *= kEqualityShare;
      }
    }
  }
}

bool Admm::set_rho(double rho, IslandReport* report) {
  // Where round-off makes W indefinite, the matrix may be singular at one rho, but not at a larger one.
  const double least = is_spectral_ ? kLeastSpectralRho : kLeastRho,
               most = is_spectral_ ? kMostSpectralRho : kMostRho;
  for (rho_ = std::clamp(rho, least, most); rho_ <= most; rho_ *= 100.0) {
    for (int i = 0; i < d_.size(); ++i) {
      D_[i] = d_[i] > 0.0 ? rho_ * d_[i] : DualFactor::kLeftOut;
      weights_[i] = std::sqrt(rho_ * d_[i]);
    }
    ++report->factorisations;
    if (factor_.factorise(D_)) return true;
  }
  return false;
}

// The rho at which s and rho d lambda have the same size, for the lambda that would stop all rows.
double Admm::estimated_rho(const VecX& lambda, IslandReport* report) {
  z_ = lambda;
  for (int i = 0; i < d_.size(); ++i)
    if (d_[i] > 0.0) z_[i] = 0.0;
  problem_->velocities(z_, &s_);
  double velocity = 0.0;
  for (int i = 0; i < d_.size(); ++i) {
    g_[i] = d_[i] > 0.0 ? -s_[i] : 0.0;
    D_[i] = d_[i] > 0.0 ? kEstimate * d_[i] : DualFactor::kLeftOut;
    if (d_[i] > 0.0) velocity += s_[i] * s_[i] / d_[i];
  }
  ++report->factorisations;
  if (!factor_.factorise(D_)) return kUsualRho;
  factor_.solve(&g_);
  project(g_, &z_);
  double impulse = 0.0, feasible = 0.0;
  for (int i = 0; i < d_.size(); ++i) {
    impulse += d_[i] * g_[i] * g_[i];
    feasible += d_[i] * z_[i] * z_[i];
  }
  bool is_guess = impulse > 0.0 && feasible > kFeasible * kFeasible * impulse;
  if (is_guess) {
    // Where no impulse stops all rows, the size of lambda depends on kEstimate alone and tells nothing.
    plain_ = lambda;
    for (int i = 0; i < d_.size(); ++i)
      if (d_[i] > 0.0) plain_[i] = g_[i];
    problem_->velocities(plain_, &s_);
    double left = 0.0;
    for (int i = 0; i < d_.size(); ++i)
      if (d_[i] > 0.0) left += s_[i] * s_[i] / d_[i];
    is_guess = left <= kLeft * kLeft * velocity;
  }
  return is_guess ? kRhoOfEstimate * std::sqrt(velocity / impulse) : kUsualRho;
}

// rho = sqrt(L m) (L/m)^0.4. Sets the factor of the rule.
double Admm::first_spectral_rho(IslandReport* report) {
  const auto ones = [&](VecX* x) {
    for (int i = 0; i < d_.size(); ++i) (*x)[i] = d_[i] > 0.0 ? 1.0 + 0.1 * std::sin(1.0 + i) : 0.0;
    *x /= x->norm();
  };
  double L = 0.0, m = 0.0;
  ones(&g_);
  for (int k = 0; k < kPowerIterations; ++k) {
    problem_->multiply(g_, &s_);
    s_ += problem_->R.cwiseProduct(g_);
    for (int i = 0; i < d_.size(); ++i) g_[i] = d_[i] > 0.0 ? s_[i] : 0.0;
    L = g_.norm();
    if (!(L > 0.0)) return 1.0;
    g_ /= L;
  }
  for (int i = 0; i < d_.size(); ++i) D_[i] = d_[i] > 0.0 ? kLeastEigenvalue * L : DualFactor::kLeftOut;
  ++report->factorisations;
  if (!factor_.factorise(D_)) return L;
  ones(&g_);
  for (int k = 0; k < kPowerIterations; ++k) {
    factor_.solve(&g_);
    const double inverse = g_.norm();
    m = 1.0 / inverse;
    g_ /= inverse;
  }
  spectral_factor_ = std::pow(L / m, kSpectralPower);
  return std::sqrt(L * m) * std::pow(L / m, kFirstPower);
}

// C's rule, at the residuals of the last iteration.
double Admm::spectral_rho() const {
  double primal = 0.0, dual = 0.0;
  for (int i = 0; i < d_.size(); ++i) {
    if (!(d_[i] > 0.0)) continue;
    primal = std::max(primal, std::abs(z_[i] + g_[i] - z_plain_[i]));
    dual = std::max(dual, rho_ * std::abs(z_plain_[i] - z_[i]));
  }
  double next = rho_;
  if (primal > kUnbalanced * dual) next *= spectral_factor_;
  if (dual > kUnbalanced * primal) next /= spectral_factor_;
  return std::clamp(next, kLeastSpectralRho, kMostSpectralRho);
}

// y = z + gamma / D at the given impulses z, gamma the part of -s~ normal to the sets. Without a warm start
// (all zeros) y = 0.
void Admm::start(const VecX& lambda) {
  y_ = lambda;
  if (lambda.isZero(0.0) || rows_ != AdmmRows::all) return;
  problem_->velocities(lambda, &s_);
  for (const DualBlock& block : problem_->blocks) {
    const RowRange rows = moving_rows(block, rows_);
    if (rows.begin == rows.end || !(d_[rows.begin] > 0.0)) continue;
    const int n = block.size(), m = block.tangents;
    double away[kMostRows], probe[kMostRows];
    for (int i = 0; i < n; ++i) away[i] = -s_[block.begin + i];
    if (block.law_under(law_) == LawKind::coulomb_ncp && m > 0) away[m] -= block.friction * norm_of(away, m);
    for (int i = 0; i < n; ++i) away[i] /= D_[block.begin + i];
    const double size = norm_of(lambda.data() + block.begin, n), length = norm_of(away, n);
    if (!(length > 0.0)) continue;
    const double t = size > 0.0 ? std::min(1.0, kProbe * size / length) : 1.0;
    for (int i = 0; i < n; ++i) probe[i] = lambda[block.begin + i] + t * away[i];
    project_block(block, probe, nullptr);
    for (int i = 0; i < n; ++i) y_[block.begin + i] += away[i] - (probe[i] - lambda[block.begin + i]) / t;
  }
}

// x := P(x), for the rows of a block that are solved for. z: the block's impulses; tangents use the normal
// one.
void Admm::project_block(const DualBlock& block, double* x, const double* z) const {
  const int m = block.tangents;
  if (rows_ == AdmmRows::tangents) {
    project_on_section(law_, measure_.pyramid, block.friction * std::max(0.0, z[m]), m, x);
  } else if (!block.is_contact()) {
    x[0] = std::clamp(x[0], block.lower, block.upper);
  } else if (rows_ == AdmmRows::normals) {
    x[m] = std::max(0.0, x[m]);
  } else {
    project_on_cone(block.friction, m, x);
  }
}

void Admm::project(const VecX& y, VecX* z) const {
  for (const DualBlock& block : problem_->blocks) {
    const RowRange rows = moving_rows(block, rows_);
    if (rows.begin == rows.end || !(d_[rows.begin] > 0.0)) continue;
    double x[kMostRows];
    std::copy_n(y.data() + block.begin, block.size(), x);
    project_block(block, x, z->data() + block.begin);
    for (int i = rows.begin; i < rows.end; ++i) (*z)[i] = x[i - block.begin];
  }
}

// The error at (z, s) of the rows that are solved for.
double Admm::error() const {
  if (rows_ == AdmmRows::all) return problem_->error(measure_, z_, s_);
  double worst = 0.0;
  for (const DualBlock& block : problem_->blocks) {
    const RowRange rows = moving_rows(block, rows_);
    if (rows.begin == rows.end) continue;
    const double *z = z_.data() + block.begin, *s = s_.data() + block.begin;
    double x[kMostRows], gap = 0.0;
    for (int i = 0; i < block.size(); ++i) x[i] = z[i] - block.rho * s[i];
    project_block(block, x, z);
    for (int i = rows.begin - block.begin; i < rows.end - block.begin; ++i)
      gap += (z[i] - x[i]) * (z[i] - x[i]);
    keep_worst(problem_->error_of_velocity(measure_, block, std::sqrt(gap) / block.rho, 0.0), &worst);
  }
  return worst;
}

// z, s and the error at y.
void Admm::evaluate() {
  project(y_, &z_);
  problem_->velocities(z_, &s_);
  error_ = error();
  ++since_best_;
  if (error_ < best_error_) {
    since_best_ = 0;
    best_error_ = error_;
    best_ = z_;
  }
}

// rho that balances the primal and the dual residual, each relative to the size of its terms.
double Admm::balanced_rho() {
  double primal = 0.0, dual = 0.0, impulse = 0.0, velocity = 0.0;
  z_plain_ = z_;
  project(plain_, &z_plain_);
  for (int i = 0; i < d_.size(); ++i) {
    if (!(d_[i] > 0.0)) continue;
    const double x = z_[i] + g_[i] / kRelaxation;
    primal = std::max(primal, d_[i] * std::abs(x - z_plain_[i]));
    impulse = std::max({impulse, d_[i] * std::abs(x), d_[i] * std::abs(z_plain_[i])});
    dual = std::max(dual, D_[i] * std::abs(z_plain_[i] - z_[i]));
    velocity = std::max({velocity, std::abs(s_[i]), D_[i] * std::abs(y_[i] - z_[i])});
  }
  if (!(primal > 0.0) || !(dual > 0.0)) return rho_;
  const double ratio = (primal / impulse) / (dual / velocity);
  if (ratio < kUnbalanced && ratio > 1.0 / kUnbalanced) return rho_;
  const double factor = std::clamp(std::sqrt(ratio), 1.0 / kMostChange, kMostChange);
  return std::clamp(rho_ * factor, kLeastRho, kMostRho);
}

// Whether the best error has not halved for kPlateau iterations.
bool Admm::is_on_plateau() {
  ++since_progress_;
  if (best_error_ <= 0.5 * progress_error_) {
    progress_error_ = best_error_;
    since_progress_ = plateaus_in_a_row_ = 0;
  }
  return since_progress_ >= kPlateau;
}

// The first rho times and divided by kPlateauJump alternately, with powers 1 to kPlateauJumps, then again.
double Admm::rho_after_plateau() {
  since_progress_ = 0;
  progress_error_ = best_error_;
  ++plateaus_;
  ++plateaus_in_a_row_;
  const int steps = 1 + (plateaus_ - 1) / 2 % kPlateauJumps;
  const bool is_up = (plateaus_ % 2 == 1) == (first_rho_ < kUsualRho);
  return std::clamp(first_rho_ * std::pow(kPlateauJump, is_up ? steps : -steps), kLeastRho, kMostRho);
}

// One iteration, from y to the next y. False: y no longer changes, or the matrix is singular.
bool Admm::step(IslandReport* report) {
  for (int i = 0; i < d_.size(); ++i) g_[i] = d_[i] > 0.0 ? s_[i] + D_[i] * (y_[i] - z_[i]) : 0.0;
  if (rows_ == AdmmRows::all) {
    for (const DualBlock& block : problem_->blocks) {
      if (block.law_under(law_) != LawKind::coulomb_ncp) continue;
      if (block.tangents <= 0 || !(d_[block.begin] > 0.0)) continue;
      double sum = 0.0;
      for (int i = block.begin; i < block.begin + block.tangents; ++i)
        sum += (y_[i] - z_[i]) * (y_[i] - z_[i]);
      g_[block.begin + block.tangents] += block.friction * D_[block.begin] * std::sqrt(sum);
    }
  }
  factor_.solve(&g_);
  g_ *= is_spectral_ ? -1.0 : -kRelaxation;
  const double length = g_.cwiseProduct(weights_).norm();
  ++since_rho_;

  if (is_trial_ && !(length <= kWorseStep * trial_step_)) {
    is_trial_ = false;
    anderson_.clear();
    y_ = trial_;
    return true;
  }
  if (length <= kStill * y_.cwiseProduct(weights_).norm()) return false;
  plain_ = y_ + g_;
  double next_rho = rho_;
  if (is_spectral_) {
    z_plain_ = z_;
    project(plain_, &z_plain_);
    next_rho = spectral_rho();
  } else if (is_on_plateau()) {
    next_rho = rho_after_plateau();
  } else if (since_rho_ >= wait_) {
    next_rho = balanced_rho();
  }
  if (next_rho != rho_) {
    // y such that z and gamma are unchanged.
    const double old = rho_;
    z_plain_ = z_;
    project(plain_, &z_plain_);
    if (!set_rho(next_rho, report)) return false;
    y_ = z_plain_ + (old / rho_) * (plain_ - z_plain_);
    anderson_.clear();
    is_trial_ = false;
    since_rho_ = 0;
    wait_ = std::min(kWaitGrowth * wait_, rows_ == AdmmRows::all ? kLongestWait : kLongestWaitOfHalf);
    return true;
  }
  if (is_spectral_) {
    y_.swap(plain_);
    return true;
  }
  trial_ = plain_;
  trial_step_ = length;
  is_trial_ = anderson_.mix(y_, g_, weights_, &plain_);
  y_.swap(plain_);
  return true;
}

IslandReport Admm::iterate(double goal, int max_iterations, std::vector<double>* history, VecX* lambda) {
  STICTION_ASSERT(problem_ && lambda->size() == problem_->num_rows());
  IslandReport report;
  const auto finish = [&](SolveStatus status, double residual) {
    if (rows_ == AdmmRows::all) report.penalty = has_started_ ? rho_ : problem_->penalty;
    report.status = status;
    report.residual = residual;
    return report;
  };
  // Is the start good enough?
  z_ = *lambda;
  problem_->velocities(z_, &s_);
  error_ = error();
  if (!std::isfinite(error_)) return finish(SolveStatus::not_finite, error_);
  if (error_ <= goal) return finish(SolveStatus::converged, error_);
  best_ = z_;
  best_error_ = error_;
  if (max_iterations <= 0) return finish(SolveStatus::max_iterations, error_);

  const double start_error = error_;
  bool is_first = !has_started_ && !is_spectral_;
  if (!has_started_) {
    set_scales();
    factor_.begin(*problem_);
    anderson_.begin(problem_->num_rows());
    const double first = is_spectral_ ? first_spectral_rho(&report) : 0.0;
    const bool is_remembered = rows_ == AdmmRows::all && problem_->penalty > 0.0;
    const double rho = is_remembered  ? problem_->penalty
                       : is_spectral_ ? first
                                      : estimated_rho(*lambda, &report);
    if (!set_rho(rho, &report)) return finish(SolveStatus::not_finite, error_);
    start(*lambda);
    z_ = *lambda;
    since_rho_ = 0;
    wait_ = kFirstWait;
    has_started_ = true;
  }
  plateaus_ = plateaus_in_a_row_ = 0;
  first_rho_ = rho_;
  anderson_.clear();
  is_trial_ = false;
  since_progress_ = since_best_ = 0;
  progress_error_ = best_error_;
  evaluate();

  const int most_plateaus = std::max(
      kMostPlateaus, static_cast<int>(kPlateauShare * static_cast<double>(max_iterations)) / kPlateau);
  SolveStatus status = SolveStatus::max_iterations;
  while (status == SolveStatus::max_iterations && report.iterations < max_iterations) {
    ++report.iterations;
    const bool has_moved = step(&report);
    evaluate();
    if (history) history->push_back(error_);
    if (is_first && report.iterations == kFirstLook) {
      is_first = false;
      if (best_error_ >= start_error && !(error_ <= kWild * start_error) && set_rho(kUsualRho, &report)) {
        start(*lambda);
        z_ = *lambda;
        first_rho_ = rho_;
        anderson_.clear();
        is_trial_ = false;
        since_rho_ = since_progress_ = 0;
        evaluate();
      }
    }
    if (!std::isfinite(error_))
      status = SolveStatus::not_finite;
    else if (best_error_ <= goal)
      status = SolveStatus::converged;
    else if (best_error_ <= problem_->round_off(measure_, best_) &&
             (since_best_ >= kRoundOffIterations || !has_moved))
      status = SolveStatus::round_off;
    else if (!has_moved || plateaus_in_a_row_ > most_plateaus)
      status = SolveStatus::stalled;
    else if (rows_ == AdmmRows::all && report.iterations % kDoubt == 0 && problem_->is_contradicted_by(z_))
      status = SolveStatus::infeasible;
  }
  if (status == SolveStatus::infeasible) best_ = z_;  // which proves it
  *lambda = best_;
  return finish(status, best_error_);
}

namespace {

class AdmmSolver final : public DualSolver {
 public:
  AdmmSolver(LawKind law, AdmmPenalty penalty) : law_(law), admm_(law, AdmmRows::all, penalty) {}

  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override {
    admm_.begin(problem, options.measure(law_));
    return admm_.iterate(options.goal(), options.max_iterations, options.history, lambda);
  }

 private:
  LawKind law_;
  Admm admm_;
};

}  // namespace

std::unique_ptr<DualSolver> make_admm(LawKind law) {
  return std::make_unique<AdmmSolver>(law, AdmmPenalty::by_contact);
}

std::unique_ptr<DualSolver> make_admm_spectral(LawKind law) {
  return std::make_unique<AdmmSolver>(law, AdmmPenalty::spectral);
}

}  // namespace stiction
