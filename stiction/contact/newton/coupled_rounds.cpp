// The rounds of coupled_newton.h from 3 on: where the first few steps fail.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/contact/law/icf.h"
#include "stiction/contact/newton/coupled_newton.h"

namespace stiction {

// As much friction as stops every point many times over; of the velocities of the last evaluate().
void CoupledNewton::set_sticking_factors() {
  constexpr double kMany = 100.0;
  PointArrays& points = system_->points;
  const ContactProblem& problem = system_->problem();
  for (std::size_t k = 0; k < points.factor.size(); ++k) {
    const int i = system_->island().point_begin + static_cast<int>(k);
    const double mu = problem.law_parameters[kFriction][i];
    const double w = problem.inverse_masses.empty() ? 0.0 : problem.inverse_masses[i];
    const double speed = std::hypot(points.vn[k], points.tx[k], points.ty[k]) + std::abs(points.tz[k]);
    const double alone = w > 0.0 ? speed / w : 0.0;
    const bool touches = points.gn[k] > 0.0 || n0_[k] > 0.0;
    points.factor[k] = touches && mu > 0.0 ? kMany * (points.gn[k] + n0_[k] + alone) / mu : 0.0;
  }
}

bool CoupledNewton::try_predicted_bounds() {
  constexpr int kRounds = 8;
  constexpr double kLoose = 1e-4, kAccepted = 0.3;
  IslandSystem& system = *system_;
  double last = std::numeric_limits<double>::infinity(), share = 1.0;
  bool has_solved = true;
  for (int i = 0; i < kRounds;) {
    const Gauge measured = gauge(&system, false);
    const double now = measured.gradient,
                 bound = measured.bound(options_->absolute_tolerance, options_->relative_tolerance);
    if (!std::isfinite(now)) return false;
    report_.residual = measured.residual();
    if (now <= bound) return true;
    if (has_solved) share = now < last ? 1.0 : std::max(0.5 * share, 0.1);
    last = now;
    base_ = system.v;
    if (!find_direction(false, 1e-3)) return false;
    if (system.dv.cwiseQuotient(system.scale).norm() <= resolved_velocity(system)) return true;
    move_bounds(share, 1.0);
    double alpha = 1.0;
    if (system.has_barrier()) {
      system.set_direction();
      alpha = std::min(alpha, system.longest_step());
    }
    system.v = base_ + alpha * system.dv;
    system.evaluate();
    ++report_.iterations;
    has_solved = !(gauge(&system, false).gradient < kAccepted * now);
    if (!has_solved) continue;
    ++i;
    system.v = base_;
    solve_lagged(kLoose);
    system.evaluate();
  }
  return false;
}

bool CoupledNewton::try_heavier_bodies() {
  constexpr double kFirst = 1e4, kLighter = 0.1, kLoose = 1e-3;
  system_->v = start_;
  for (double factor = kFirst; factor > 1.5; factor *= kLighter) {
    system_->inertia_factor = factor;
    system_->forget_reversals();
    system_->evaluate();
    march(kLoose, kPatience, false);
  }
  system_->inertia_factor = 1.0;
  system_->forget_reversals();
  system_->evaluate();
  return march(options_->relative_tolerance, kPatience, false);
}

bool CoupledNewton::try_friction_path() {
  constexpr double kLoose = 1e-3, kFirst = 0.25, kLeast = 0.02;
  PointArrays& points = system_->points;
  points.friction = FrictionMode::scaled;
  system_->v = lagged_;
  double theta = 0.0, step = kFirst;
  for (;;) {
    std::fill(points.factor.begin(), points.factor.end(), theta);
    system_->forget_reversals();
    system_->evaluate();
    centre_ = system_->v;
    const bool is_end = theta >= 1.0;
    const bool is_found = march(is_end ? options_->relative_tolerance : kLoose, kPatience, false);
    if (is_found && is_end) break;
    if (!is_found) {
      // Back to the last answer, and a shorter way.
      step *= 0.5;
      system_->v = centre_;
      if (theta == 0.0 || step < kLeast) {
        points.friction = FrictionMode::own;
        return false;
      }
      theta -= step;
      continue;
    }
    theta = std::min(1.0, theta + step);
  }
  points.friction = FrictionMode::own;
  system_->evaluate();
  return true;
}

bool CoupledNewton::try_proximal_steps() {
  constexpr double kFirst = 1.0, kMost = 1e4, kLeast = 1e-3, kLoose = 1e-3;
  constexpr int kSteps = 24;
  IslandSystem& system = *system_;
  // (1 + tau) A (v - (v_free + tau c)/(1 + tau)) = A (v - v_free) + tau A (v - c).
  Vector& v_free = system.v_free;
  AlignedVector<double>& kept = n0_;  // not needed any more
  kept.assign(v_free.data(), v_free.data() + v_free.size());
  const Eigen::Map<const VecX> free(kept.data(), v_free.size());
  double tau = kFirst;
  centre_ = lagged_;
  bool is_found = false;
  for (int i = 0; i < kSteps && !is_found; ++i) {
    system.inertia_factor = 1.0 + tau;
    v_free = (free + tau * centre_) / (1.0 + tau);
    system.v = centre_;
    system.forget_reversals();
    system.evaluate();
    const bool is_inner = march(kLoose, kPatience, false);
    system.inertia_factor = 1.0;
    v_free = free;
    if (!is_inner) {
      tau *= 5.0;
      if (tau > kMost) break;
      continue;
    }
    centre_ = system.v;
    tau = std::max(tau / 3.0, kLeast);
    system.forget_reversals();
    system.evaluate();
    is_found = march(options_->relative_tolerance, kQuick, false);
  }
  return is_found;
}

bool CoupledNewton::try_repeated_lagged() {
  constexpr int kRounds = 20;
  constexpr double kLoose = 1e-4;
  PointArrays& points = system_->points;
  system_->v = lagged_;
  system_->forget_reversals();
  system_->evaluate();
  for (int i = 0; i < kRounds; ++i) {
    for (std::size_t k = 0; k < points.factor.size(); ++k)
      points.factor[k] = 0.5 * (points.factor[k] + points.gn[k]);
    const bool is_last_chance = convex_->avoids_factors();
    solve_lagged(is_last_chance ? options_->relative_tolerance : kLoose);
    system_->evaluate();
    const Gauge measured = gauge(system_, false);
    if (measured.gradient <= measured.bound(options_->absolute_tolerance, options_->relative_tolerance))
      return true;
    if (is_last_chance) continue;
    base_ = system_->v;
    centre_ = base_;
    if (march(options_->relative_tolerance, kQuick, false)) return true;
    restore(centre_);
  }
  return false;
}

bool CoupledNewton::try_rounds() {
  const double tolerance = options_->relative_tolerance;
  const bool has_factors = !convex_->avoids_factors();
  if (has_factors) {
    system_->evaluate();
    if (try_predicted_bounds()) return true;
    if (try_heavier_bodies()) return true;
    if (try_friction_path()) return true;
    restore(lagged_);
    set_sticking_factors();
    solve_lagged(tolerance);
    system_->evaluate();
    if (march(tolerance, kPatience, false)) return true;
    restore(lagged_);
    if (march(tolerance, kPatience, false)) return true;
  }
  system_->points.factor.assign(n0_.begin(), n0_.end());
  if (has_factors && try_proximal_steps()) return true;
  return try_repeated_lagged();
}

}  // namespace stiction
