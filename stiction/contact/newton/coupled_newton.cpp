#include "stiction/contact/newton/coupled_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>

#include "stiction/contact/law/icf.h"

namespace stiction {

// |D r| at the start, of momentum or impulses, from which on friction is far from what it will be.
static constexpr double kFar = 0.3;

void CoupledNewton::begin(IslandSystem* system, const NewtonOptions& options, ConvexSteps* convex) {
  system_ = system;
  options_ = &options;
  convex_ = convex;
  report_ = {};
  const auto n = system->v.size();
  Vector* const vectors[] = {&start_, &lagged_, &best_,    &base_,    &centre_,
                             &rhs_,   &scaled_, &product_, &solution_};
  numbers_.resize(std::size(vectors) * static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < std::size(vectors); ++i)
    new (vectors[i]) Vector(numbers_.data() + i * static_cast<std::size_t>(n), n);
  start_ = system->v;
  // What only hard steps need is made ready by easy ones.
  n0_.reserve(std::max(system->points.factor.size(), static_cast<std::size_t>(n)));
  gmres_.reserve(n);
  relaxation_.reserve(system->points.factor.size(), static_cast<std::size_t>(system->num_trees()));
}

void CoupledNewton::restore(const Vector& v) {
  system_->v = v;
  system_->forget_reversals();
  system_->evaluate();
}

bool CoupledNewton::find_direction(bool is_reused, double forcing) {
  IslandSystem& system = *system_;
  if (!is_reused && !convex_->factorise(&report_)) return false;
  system.dv = -system.gradient;
  convex_->solve(&system.dv);
  const auto couples = [](double f) { return f != 0.0; };
  if (std::none_of(system.points.f.begin(), system.points.f.end(), couples)) return true;
  // In D^-1 dv, whose norm is that of the kinetic energy.
  const auto apply = [&](const auto& x, auto* y) {
    scaled_ = system.scale.cwiseProduct(x);
    system.multiply_coupling(scaled_, &product_);
    convex_->solve(&product_);
    *y = x + product_.cwiseQuotient(system.scale);
  };
  rhs_ = system.dv.cwiseQuotient(system.scale);
  constexpr int kMostProducts = 120;
  const Gmres::Result result = gmres_.solve(apply, rhs_, forcing, kMostProducts, &solution_);
  report_.products += result.products;
  system.dv = system.scale.cwiseProduct(solution_);
  return system.dv.allFinite();
}

// Relative tolerance of GMRES: loose far from the solution, tighter as |D r| falls.
static double forcing_of(double fall, double now, double bound) {
  constexpr double kLoosest = 1e-2, kTightest = 1e-8, kShareOfGoal = 0.1;
  return std::clamp(std::max(fall * fall, kShareOfGoal * bound / now), kTightest, kLoosest);
}

bool CoupledNewton::take_full_steps(double tolerance, int most, bool is_guess) {
  IslandSystem& system = *system_;
  constexpr int kMostInVain = 6;  // steps in a row that do not lower |D r|
  double last = 0.0, least = std::numeric_limits<double>::infinity();
  bool has_factor = false;
  int in_vain = 0;
  for (int i = 0;; ++i) {
    if (i > 0) {
      system.evaluate();
      ++report_.iterations;
    }
    const bool is_predicted = system.is_predicted();
    const Gauge measured = gauge(&system, report_.iterations == 0 && !is_guess);
    const double now = measured.gradient, bound = measured.bound(options_->absolute_tolerance, tolerance);
    if (!std::isfinite(now)) break;
    if (!is_predicted) report_.residual = measured.residual();
    if (now <= bound && !is_predicted && !(is_guess && i == 0)) return true;
    ++in_vain;
    if (now < least) {
      least = now;
      best_ = system.v;
      in_vain = 0;
    }
    if (in_vain == kMostInVain || i == most) break;
    const bool falls_fast = has_factor && !is_predicted && now < 0.1 * last && now * (now / last) <= bound;
    const double forcing = forcing_of(has_factor ? now / last : 1.0, now, bound);
    if (!find_direction(options_->reuse_factor && falls_fast, forcing)) break;
    has_factor = !is_predicted;
    last = now;
    const bool is_end =
        !is_predicted && system.dv.cwiseQuotient(system.scale).norm() <= resolved_velocity(system);
    double alpha = 1.0;
    if (system.has_barrier()) {
      system.set_direction();
      alpha = std::min(alpha, system.longest_step());
    }
    system.v += alpha * system.dv;
    if (is_end) {
      system.evaluate();
      ++report_.iterations;
      return true;
    }
    system.mark_reversals(alpha);
  }
  if (std::isfinite(least)) system.v = best_;
  return false;
}

bool CoupledNewton::take_searched_steps(double tolerance, int most) {
  IslandSystem& system = *system_;
  constexpr int kMemory = 4, kMostHalvings = 8, kMostInVain = 8;
  double memory[kMemory], last = 0.0, least = std::numeric_limits<double>::infinity();
  bool has_factor = false;
  int in_vain = 0;
  system.forget_reversals();
  system.evaluate();
  for (int i = 0;; ++i) {
    const Gauge measured = gauge(&system, false);
    const double now = measured.gradient, bound = measured.bound(options_->absolute_tolerance, tolerance);
    if (!std::isfinite(now)) break;
    report_.residual = measured.residual();
    if (now <= bound) return true;
    ++in_vain;
    if (now < 0.999 * least) {
      least = now;
      best_ = system.v;
      in_vain = 0;
    }
    if (i == most || in_vain == kMostInVain) break;
    if (i == 0) std::fill_n(memory, kMemory, now);
    memory[i % kMemory] = now;
    if (!find_direction(false, forcing_of(has_factor ? now / last : 1.0, now, bound))) break;
    has_factor = true;
    last = now;
    base_ = system.v;
    const double whole = system.dv.cwiseQuotient(system.scale).norm();
    if (whole <= resolved_velocity(system)) {
      system.v += system.dv;
      system.evaluate();
      ++report_.iterations;
      return true;
    }
    double alpha = 1.0;
    if (system.has_barrier()) {
      system.set_direction();
      alpha = std::min(alpha, system.longest_step());
    }
    // The longest that lowers |D r|, or else the best of them.
    const double reference = *std::max_element(memory, memory + kMemory);
    double best_alpha = alpha, best_now = std::numeric_limits<double>::infinity();
    for (int k = 0;; ++k, alpha *= 0.5) {
      system.v = base_ + alpha * system.dv;
      system.evaluate();
      ++report_.line_evaluations;
      const double there = gauge(&system, false).gradient;
      if (there < best_now) {
        best_now = there;
        best_alpha = alpha;
      }
      constexpr double kShare = 1e-2;
      if (there <= (1.0 - kShare * alpha) * reference || k == kMostHalvings) break;
    }
    if (alpha != best_alpha) {
      system.v = base_ + best_alpha * system.dv;
      system.evaluate();
    }
    ++report_.iterations;
  }
  if (std::isfinite(least)) {
    system.v = best_;
    system.evaluate();
  }
  return false;
}

bool CoupledNewton::march(double tolerance, int most, bool is_guess) {
  most = std::min(most, options_->max_iterations - report_.iterations);
  if (most <= 0) return false;
  const int full = std::min(options_->full_steps, most);
  if (take_full_steps(tolerance, full, is_guess)) return true;
  return most > kQuick && take_searched_steps(tolerance, most - full);
}

bool CoupledNewton::take_start() {
  IslandSystem& system = *system_;
  system.evaluate();
  const Gauge start = gauge(&system, true);
  if (!(start.gradient > start.bound(options_->absolute_tolerance, options_->relative_tolerance)))
    return false;
  constexpr double kShare = 0.5;  // of |D r|, to which a guess must lower it
  for (const VecX& guess : system.problem().v_guesses) {
    system.set_v(guess);
    system.evaluate();
    if (gauge(&system, true).gradient < kShare * start.gradient) return true;
  }
  if (!system.problem().v_guesses.empty()) restore(start_);
  return false;
}

// From system.v, with the factors as they are.
void CoupledNewton::solve_lagged(double tolerance) {
  system_->points.friction = FrictionMode::lagged;
  system_->forget_reversals();
  system_->evaluate();
  convex_->descend(tolerance, options_->max_iterations, &report_);
  system_->points.friction = FrictionMode::own;
}

void CoupledNewton::follow_bounds() {
  constexpr int kMost = 40;
  constexpr double kEnough = 1e-3;  // of the impulses, as |D r| of the lagged problem
  // Of the way to the predicted bounds; all of it overshoots where piles are struck.
  constexpr double kShare = 0.7;
  IslandSystem& system = *system_;
  PointArrays& points = system.points;
  set_lagged_factors(system.problem(), system.island(), &points);
  points.friction = FrictionMode::lagged;
  system.forget_reversals();
  for (int i = 0;; ++i) {
    system.evaluate();
    if (i > 0) ++report_.iterations;
    const Gauge measured = gauge(&system, i == 0);
    const bool is_near = measured.gradient <= kEnough * measured.size && i > 0 && !system.is_predicted();
    if (!std::isfinite(measured.gradient) || is_near || i == std::min(kMost, options_->max_iterations)) break;
    constexpr double kLoosest = 1e-2;  // of sweeps
    if (!convex_->find_direction(kLoosest, &report_)) break;
    double alpha = 1.0;
    if (system.has_barrier()) {
      system.set_direction();
      alpha = std::min(alpha, system.longest_step());
    }
    move_bounds(kShare, alpha);
    system.v += alpha * system.dv;
    system.mark_reversals(alpha);
  }
  points.friction = FrictionMode::own;
  system.forget_reversals();
}

// Whether the contacts of the start velocities would throw a point off by far more than friction's eps; after
// evaluate().
bool CoupledNewton::is_hard() const {
  constexpr double kHard = 300.0;  // eps: some 3 cm/s; what rests is thrown by g h
  const ContactProblem& problem = system_->problem();
  if (problem.inverse_masses.empty()) return false;
  const int first = system_->island().point_begin;
  for (std::size_t k = 0; k < system_->points.gn.size(); ++k) {
    const int i = first + static_cast<int>(k);
    if (problem.inverse_masses[i] * system_->points.gn[k] > kHard * problem.law_parameters[kEpsilon][i])
      return true;
  }
  return false;
}

// Moves bounds to the normal impulses that a step of alpha dv predicts, most of the way where they are far, and
// settles the others. True where all points are settled.
bool CoupledNewton::settle_bounds(double alpha) {
  constexpr double kNear = 0.3, kShare = 0.7;  // of the larger of the two; of the way
  system_->set_normal_direction();
  PointArrays& points = system_->points;
  bool is_settled = true;
  for (std::size_t k = 0; k < points.factor.size(); ++k) {
    const double predicted = std::max(points.gn[k] - alpha * points.c[k] * points.dvn[k], 0.0);
    const double change = predicted - points.factor[k];
    const bool is_near = std::abs(change) <= kNear * std::max(predicted, points.factor[k]);
    const bool stays_open = predicted == 0.0 && points.gn[k] == 0.0;
    points.settled[k] = is_near ? 1.0 : 0.0;
    points.factor[k] += (is_near || stays_open ? 1.0 : kShare) * change;
    is_settled = is_settled && is_near;
  }
  return is_settled;
}

bool CoupledNewton::follow_relaxed(int sweeps) {
  constexpr int kMost = 40;
  constexpr double kSettled = 1e-3;  // change of impulses in a sweep, of their largest change
  constexpr double kEnough = 1e-3;   // as in follow_bounds
  constexpr double kForcing = 3e-2;  // of GMRES
  IslandSystem& system = *system_;
  PointArrays& points = system.points;
  report_.products += relaxation_.sweep(sweeps, kSettled);
  relaxation_.velocities(&system.v);
  system.evaluate();
  relaxation_.predict(&points);
  system.use_marks();
  points.friction = FrictionMode::mixed;
  std::fill(points.settled.begin(), points.settled.end(), 0.0);
  bool is_settled = false;
  for (int i = 0;; ++i) {
    system.evaluate();
    if (i > 0) ++report_.iterations;
    const Gauge measured = gauge(&system, i == 0);
    const bool is_near = measured.gradient <= kEnough * measured.size && is_settled && !system.is_predicted();
    if (!std::isfinite(measured.gradient) || is_near) break;
    if (i == kMost || report_.iterations >= options_->max_iterations) break;
    if (!find_direction(false, kForcing)) break;
    is_settled = settle_bounds(1.0);
    system.v += system.dv;
    system.mark_reversals(1.0);
  }
  points.friction = FrictionMode::own;
  system.forget_reversals();
  return march(options_->relative_tolerance, kQuick, false);
}

// Moves the bounds of friction by a share of the way to the normal impulses that a step of alpha dv predicts.
void CoupledNewton::move_bounds(double share, double alpha) {
  system_->set_normal_direction();
  PointArrays& points = system_->points;
  for (std::size_t k = 0; k < points.factor.size(); ++k) {
    const double predicted = std::max(points.gn[k] - alpha * points.c[k] * points.dvn[k], 0.0);
    points.factor[k] += share * (predicted - points.factor[k]);
  }
}

IslandReport CoupledNewton::solve(IslandSystem* system, const NewtonOptions& options, ConvexSteps* convex) {
  begin(system, options, convex);
  report_.status = SolveStatus::converged;
  const bool is_guess = take_start();
  if (options.max_iterations == 0) {
    report_.status = SolveStatus::max_iterations;
    return report_;
  }
  if (!convex->avoids_factors()) {
    // One robot by itself mostly converges at once; bodies that are struck do not.
    constexpr int kFreeBody = 6;  // velocities
    centre_ = system->v;
    const Gauge start = gauge(system, true);
    const bool is_robot = system->num_trees() == 1 && system->v.size() > kFreeBody;
    const bool is_struck = !is_robot && start.gradient > kFar * start.size;
    if (!is_struck && march(options.relative_tolerance, kQuick, is_guess)) return report_;
    restore(centre_);
    constexpr int kSweeps = 40, kMoreSweeps = 400;
    const bool relaxes =
        is_hard() && relaxation_.begin(system->problem(), system->island(), system->local_tree());
    if (!relaxes) {
      follow_bounds();
      if (march(options.relative_tolerance, kQuick, false)) return report_;
    } else if (follow_relaxed(kSweeps) || follow_relaxed(kMoreSweeps)) {
      return report_;
    }
  }

  // The lagged answer, from which the other rounds begin.
  restore(start_);
  set_lagged_factors(system->problem(), system->island(), &system->points);
  n0_.assign(system->points.factor.begin(), system->points.factor.end());
  solve_lagged(options.relative_tolerance);
  lagged_ = system->v;
  const SolveStatus status = report_.status;
  const double residual = report_.residual;
  report_.status = SolveStatus::converged;
  if (is_solved(status) && try_rounds()) return report_;

  // Nothing better was found: the lagged answer, with its own impulses.
  restore(start_);
  set_lagged_factors(system->problem(), system->island(), &system->points);
  system->points.friction = FrictionMode::lagged;
  restore(lagged_);
  report_.status = status;
  report_.residual = residual;
  report_.lagged_fallbacks = 1;
  return report_;
}

}  // namespace stiction
