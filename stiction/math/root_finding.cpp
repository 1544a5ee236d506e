#include "stiction/math/root_finding.h"

#include <algorithm>
#include <cmath>

namespace stiction {

const char* name_of(RootStatus status) {
  switch (status) {
    case RootStatus::converged:
      return "converged";
    case RootStatus::iteration_limit:
      return "iteration limit";
    case RootStatus::not_bracketed:
      return "not bracketed";
    case RootStatus::not_finite:
      return "not finite";
  }
  return "unknown";
}

RootSearch::RootSearch(double lower, double f_lower, double upper, double f_upper, double guess,
                       const RootTolerance& tolerance)
    : tolerance_(tolerance), negative_(lower), positive_(upper) {
  if (f_lower > 0.0 || f_upper < 0.0) std::swap(negative_, positive_);
  step_ = step_before_ = std::abs(upper - lower);

  // An end may be the answer already, or no answer at all.
  const bool lower_is_better = std::abs(f_lower) <= std::abs(f_upper);
  result_.x = x_ = lower_is_better ? lower : upper;
  result_.value = lower_is_better ? f_lower : f_upper;
  if (!std::isfinite(lower) || !std::isfinite(upper) || std::isnan(f_lower) || std::isnan(f_upper)) {
    finish(RootStatus::not_finite);
  } else if (std::abs(result_.value) <= tolerance_.value) {
    finish(RootStatus::converged);
  } else if (std::signbit(f_lower) == std::signbit(f_upper)) {
    finish(RootStatus::not_bracketed);
  } else if (tolerance_.max_evaluations <= 0) {
    finish(RootStatus::iteration_limit);
  } else {
    const bool inside = guess > std::min(lower, upper) && guess < std::max(lower, upper);
    x_ = inside ? guess : lower + 0.5 * (upper - lower);
  }
}

void RootSearch::tell(const ValueAndSlope& f) {
  ++result_.evaluations;
  result_.x = x_;
  result_.value = f.value;
  if (std::isnan(f.value)) return finish(RootStatus::not_finite);
  (f.value < 0.0 ? negative_ : positive_) = x_;
  if (std::abs(f.value) <= tolerance_.value) return finish(RootStatus::converged);
  if (result_.evaluations >= tolerance_.max_evaluations) return finish(RootStatus::iteration_limit);

  // Newton's step estimates the distance to the root; it counts only if it points into the bracket.
  const double newton = x_ - f.value / f.slope;
  const bool plausible = std::isfinite(f.slope) && f.slope * (positive_ - negative_) > 0.0;
  const auto within_tolerance = [&](double step) {
    return step <= tolerance_.absolute + tolerance_.relative * std::abs(x_);
  };
  if (plausible && within_tolerance(std::abs(newton - x_))) return finish(RootStatus::converged);

  // Newton if it stays inside and shrinks, bisection otherwise.
  const bool inside = newton > std::min(negative_, positive_) && newton < std::max(negative_, positive_);
  const bool shrinks = std::abs(newton - x_) <= 0.5 * step_before_;
  const double next = inside && shrinks ? newton : negative_ + 0.5 * (positive_ - negative_);
  step_before_ = step_;
  step_ = std::abs(next - x_);
  // No number lies between the ends any more, or none that matters.
  if (next == negative_ || next == positive_ || within_tolerance(std::abs(positive_ - negative_)))
    return finish(RootStatus::converged);
  x_ = next;
}

void RootSearch::finish(RootStatus status) {
  result_.width = std::abs(positive_ - negative_);
  result_.status = status;
  done_ = true;
}

}  // namespace stiction
