#include "stiction/contact/newton/line_search.h"

#include <algorithm>
#include <cmath>

#include "stiction/contact/newton/island_system.h"
#include "stiction/math/root_finding.h"

namespace stiction {

double line_search(const IslandSystem& system, LineSearch kind, int* evaluations) {
  // l(alpha) = kinetic quadratic + contact; its slope is -|grad . dv| at 0 and vanishes at the minimum.
  const double kinetic_slope = system.momentum.dot(system.dv);
  const double kinetic_curvature = system.dv.dot(system.A_dv);
  const double slope_0 = system.gradient.dot(system.dv);
  const auto line = [&](double alpha) {
    ++*evaluations;
    LineValue value = system.line(alpha);
    value.cost += alpha * (kinetic_slope + 0.5 * alpha * kinetic_curvature);
    value.slope += kinetic_slope + alpha * kinetic_curvature;
    value.curvature += kinetic_curvature;
    return value;
  };

  const double longest = system.longest_step();
  if (kind == LineSearch::armijo) {
    constexpr double kLargest = 1.25, kShrink = 0.8, kShare = 1e-4;  // S IV-B
    constexpr int kMaxTries = 100;
    const double start = system.line(0.0).cost;
    double alpha = std::min(kLargest, longest);
    for (int i = 0; i < kMaxTries; ++i, alpha *= kShrink) {
      if (line(alpha).cost < start + kShare * alpha * slope_0) break;
    }
    return alpha;
  }

  constexpr double kSlopeLeft = 1e-8;  // of the slope at 0: counts as zero
  const double end = std::min(1.0, longest);
  const LineValue full = line(end);
  RootTolerance tolerance;
  tolerance.value = kSlopeLeft * -slope_0;
  tolerance.relative = 1e-8;
  const auto search_between = [&](double low, double low_slope, double high, double high_slope,
                                  double guess) {
    RootSearch root(low, low_slope, high, high_slope, guess, tolerance);
    while (!root.done()) {
      const LineValue value = line(root.x());
      root.tell({value.slope, value.curvature});
    }
    return root.result().x;
  };
  if (!(full.slope > tolerance.value)) {
    constexpr double kFar = 0.1, kLongest = 8.0;
    if (!(full.slope < kFar * slope_0) || end < 1.0) return end;
    double low = 1.0, low_slope = full.slope;
    for (double high = 2.0; high <= std::min(kLongest, longest); high *= 2.0) {
      const LineValue value = line(high);
      if (!std::isfinite(value.slope)) return low;
      if (value.slope > 0.0) {
        const double guess = low + (high - low) * low_slope / (low_slope - value.slope);
        return search_between(low, low_slope, high, value.slope, guess);
      }
      low = high;
      low_slope = value.slope;
    }
    return low;
  }
  // The minimum lies before the end. Start from that of the cubic through costs and slopes at both ends.
  const double start = system.line(0.0).cost;
  const double rise = full.cost - start, fall_0 = end * slope_0, fall_1 = end * full.slope;
  const double c3 = fall_0 + fall_1 - 2.0 * rise, c2 = 3.0 * rise - 2.0 * fall_0 - fall_1;
  const double discriminant = std::max(c2 * c2 - 3.0 * c3 * fall_0, 0.0);
  const double guess = std::clamp(-fall_0 / (c2 + std::sqrt(discriminant)), 1e-3, 1.0);
  return search_between(0.0, slope_0, end, full.slope, end * (std::isfinite(guess) ? guess : 0.5));
}

}  // namespace stiction
