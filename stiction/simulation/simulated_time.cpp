#include "stiction/simulation/simulated_time.h"

#include <cmath>
#include <limits>

namespace stiction {

double time_after(double time, double h) {
  constexpr double kUlps = 2.0;             // of one addition, and of the time that it starts from
  constexpr double kLargestCount = 0x1p52;  // beyond it counts are not exact
  constexpr double kPerSecond = 1e9;        // decimal times are taken to nanoseconds
  const double sum = time + h;
  const double rounding = kUlps * std::numeric_limits<double>::epsilon() * std::abs(sum);
  const double steps = std::nearbyint(sum / h);
  if (std::abs(steps) < kLargestCount && std::abs(steps * h - sum) <= rounding) return steps * h;
  // Nanoseconds must be coarse beside the rounding: any number would be one of them.
  const double parts = std::nearbyint(sum * kPerSecond), decimal = parts / kPerSecond;
  const bool is_coarse = 100.0 * rounding * kPerSecond < 1.0;
  return is_coarse && std::abs(decimal - sum) <= rounding ? decimal : sum;
}

}  // namespace stiction
