// pyramid_lcp by Dantzig's principal pivoting, as Baraff and ODE do it: rows are added one at a time while
// the conditions of the earlier ones are kept (complementarity/box_pivoting.h), with constant bounds on
// friction. A round is such a solution, with the bounds
//
//   four facets   |lambda_t| <= mu lambda_n   a box
//   more          sum beta   <= mu lambda_n   by vertices, pyramid.h
//
// at the lambda_n of the round before; in the first round of the warm start (zeros: no friction). Rounds are
// repeated (ODE makes one) until the law's natural map error meets the tolerance. Later rounds start from the
// basis of the one before and need few pivots. Where the error does not fall for kRoundsToDamp rounds, the
// bounds move only half as far as before towards mu lambda_n each time; after kPatience rounds without
// progress the best one is returned as stalled.
//
// Every round has a solution unless rows contradict each other, since M is positive semidefinite; a drive
// that nothing stops is reported as infeasible.
//
// Limits: the fixed point between normal impulses and friction bounds need not be a contraction. Where
// friction drives bodies into each other (wedges, large mu, long arms) rounds oscillate or diverge, damped or
// not, although pyramid_lcp has a solution, which Lemke's method finds. Friction is biased towards the
// vertices of the polygon. The solution of a hyperstatic problem depends on the order of the rows; where W is
// also singular and slightly unsymmetric (files), a drive may find no pivot, and the round before is returned
// as stalled. Dense.

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "stiction/contact/complementarity/box_pivoting.h"
#include "stiction/contact/dual/pyramid.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {
namespace {

constexpr int kPivotsPerUnknown = 100;
// Rounds in which the error has not fallen below that share of the smallest so far.
constexpr int kRoundsToDamp = 8, kPatience = 60;
constexpr double kLeastFall = 0.97;

class DantzigSolver : public DualSolver {
 public:
  IslandReport solve(const DualProblem& problem, const DualOptions& options, VecX* lambda) override {
    IslandReport report;
    report.residual = error_of(problem, options, *lambda);
    if (report.residual <= options.goal()) return report;
    dense_.begin(problem);
    if (!dense_.is_finite() || !lambda->allFinite()) {
      report.status = SolveStatus::not_finite;
      return report;
    }
    set_unknowns(problem, options.pyramid);
    pivoting_.begin(M_, q_, start_);
    set_bounds(*lambda, 1.0);

    best_ = *lambda;
    double fallen_to = HUGE_VAL, share = 1.0;
    report.status = SolveStatus::max_iterations;
    const int max_pivots = kPivotsPerUnknown * std::max(1, static_cast<int>(q_.size()));
    trial_ = *lambda;
    for (int round = 0, since_fall = 0; round < options.max_iterations; ++round) {
      const LcpReport pivots = pivoting_.solve(order_, max_pivots - report.iterations);
      report.iterations += pivots.pivots;
      report.factorisations += pivots.rebuilds;
      if (pivots.status != LcpStatus::solved) {
        report.status = status_of(pivots.status);
        break;
      }
      take_impulses(problem, &trial_);
      const double error = error_of(problem, options, trial_);
      if (options.history) options.history->push_back(error);
      if (error < report.residual) {
        report.residual = error;
        best_ = trial_;
      }
      if (error <= options.goal()) {
        report.status = SolveStatus::converged;
        break;
      }
      since_fall = error < kLeastFall * fallen_to ? 0 : since_fall + 1;
      fallen_to = std::min(fallen_to, error);
      if (!std::isfinite(error) || since_fall >= kPatience) {
        report.status = std::isfinite(error) ? SolveStatus::stalled : SolveStatus::not_finite;
        break;
      }
      if (since_fall > 0 && since_fall % kRoundsToDamp == 0) share *= 0.5;
      set_bounds(trial_, share);
    }
    *lambda = best_;
    if (report.status == SolveStatus::stalled &&
        dense_.is_at_round_off(problem, options.measure(LawKind::pyramid_lcp), best_, report.residual))
      report.status = SolveStatus::round_off;
    return report;
  }

 private:
  // Friction unknowns of a contact that share a bound.
  struct FrictionBound {
    int first = 0, end = 0;  // unknowns
    int normal = 0;          // row of the problem
    double factor = 0.0;     // of lambda_n
    int sigma = -1;          // unknown whose w is limit - sum beta; -1: the unknowns are within +-limit
    double limit = 0.0;      // at present
  };

  static SolveStatus status_of(LcpStatus status) {
    if (status == LcpStatus::ray) return SolveStatus::infeasible;
    if (status == LcpStatus::max_pivots) return SolveStatus::max_iterations;
    return status == LcpStatus::singular ? SolveStatus::stalled : SolveStatus::not_finite;
  }

  double error_of(const DualProblem& problem, const DualOptions& options, const VecX& lambda) {
    problem.velocities(lambda, &s_);
    return problem.error(options.measure(LawKind::pyramid_lcp), lambda, s_);
  }

  int add_unknown(int row, int rows, double c0, double c1, double lower, double upper) {
    directions_.push_back({row, rows, {c0, c1}});
    lower_.push_back(lower);
    upper_.push_back(upper);
    return static_cast<int>(directions_.size()) - 1;
  }

  void add_friction(const DualBlock& block, const Pyramid& pyramid) {
    const int normal = block.begin + block.tangents;
    const auto bound_alone = [&](int row, double factor) {
      const int first = add_unknown(row, 1, 1.0, 0.0, 0.0, 0.0);
      bounds_.push_back({first, first + 1, normal, factor, -1, 0.0});
    };
    if (pyramid.facets == 4) {
      for (int i = 0; i < 2; ++i) bound_alone(block.begin + i, block.friction * pyramid.apothem());
    } else {
      const int first = static_cast<int>(directions_.size());
      for (int k = 0; k < pyramid.facets; ++k) {
        double d[2];
        pyramid_vertex(pyramid, k, d);
        add_unknown(block.begin, 2, d[0], d[1], 0.0, HUGE_VAL);
      }
      const int sigma = add_unknown(0, 0, 0.0, 0.0, 0.0, HUGE_VAL);
      bounds_.push_back({first, sigma, normal, block.friction, sigma, 0.0});
    }
    for (int i = 2; i < block.tangents; ++i) bound_alone(block.begin + i, block.friction);
  }

  // Unknowns, M and q, and the order of the pairs: rows without bounds first, then normals and other rows,
  // then friction.
  void set_unknowns(const DualProblem& problem, const Pyramid& pyramid) {
    directions_.clear();
    lower_.clear();
    upper_.clear();
    bounds_.clear();
    order_.clear();
    for (const DualBlock& block : problem.blocks) {
      if (block.is_contact() || !(block.rho > 0.0)) continue;
      const double S = dense_.S[block.begin];
      add_unknown(block.begin, 1, 1.0, 0.0, has_lower(block) ? block.lower / S : -HUGE_VAL,
                  has_upper(block) ? block.upper / S : HUGE_VAL);
    }
    for (const bool is_bounded : {false, true})
      for (int k = 0; k < static_cast<int>(directions_.size()); ++k)
        if ((std::isfinite(lower_[k]) || std::isfinite(upper_[k])) == is_bounded) order_.push_back(k);
    for (const DualBlock& block : problem.blocks)
      if (block.is_contact() && block.rho > 0.0)
        order_.push_back(add_unknown(block.begin + block.tangents, 1, 1.0, 0.0, 0.0, HUGE_VAL));
    for (const DualBlock& block : problem.blocks)
      if (block.tangents >= 2 && block.friction > 0.0 && block.rho > 0.0) add_friction(block, pyramid);
    for (int k = static_cast<int>(order_.size()); k < static_cast<int>(directions_.size()); ++k)
      order_.push_back(k);

    const int n = static_cast<int>(directions_.size());
    reduce(dense_.G, directions_, &M_);
    q_.resize(n);
    for (int k = 0; k < n; ++k) q_[k] = along(directions_[k], dense_.g);
    for (const FrictionBound& bound : bounds_) {
      for (int k = bound.first; bound.sigma >= 0 && k < bound.end; ++k) {
        M_(k, bound.sigma) += 1.0;
        M_(bound.sigma, k) -= 1.0;
      }
    }
    pivoting_.lower = Eigen::Map<const VecX>(lower_.data(), n);
    pivoting_.upper = Eigen::Map<const VecX>(upper_.data(), n);
    // Start at the bound nearest to zero.
    start_.setZero(n);
  }

  // Moves the friction bounds by a share of the way towards mu lambda_n.
  void set_bounds(const VecX& lambda, double share) {
    for (FrictionBound& bound : bounds_) {
      const double target = bound.factor * std::max(0.0, lambda[bound.normal]) / dense_.S[bound.normal];
      const double limit = bound.limit += share * (target - bound.limit);
      if (bound.sigma >= 0) {
        pivoting_.set_q(bound.sigma, limit);
      } else {
        pivoting_.lower[bound.first] = -limit;
        pivoting_.upper[bound.first] = limit;
      }
    }
  }

  void take_impulses(const DualProblem& problem, VecX* lambda) {
    pivoting_.solution(&z_);
    x_.setZero(problem.num_rows());
    add_directions(directions_, z_, &x_);
    for (const DualBlock& block : problem.blocks) {
      if (!(block.rho > 0.0)) continue;
      for (int i = block.begin; i < block.begin + block.size(); ++i) (*lambda)[i] = dense_.S[i] * x_[i];
      if (!block.is_contact())
        (*lambda)[block.begin] = std::clamp((*lambda)[block.begin], block.lower, block.upper);
    }
  }

  DenseDual dense_;
  BoxPivoting pivoting_;
  std::vector<PivotDirection> directions_;
  std::vector<double> lower_, upper_;
  std::vector<FrictionBound> bounds_;
  std::vector<int> order_;
  MatX M_;
  VecX q_, start_, z_, x_, s_, trial_, best_;
};

}  // namespace

std::unique_ptr<DualSolver> make_dantzig() { return std::make_unique<DantzigSolver>(); }

}  // namespace stiction
