#include "stiction/contact/complementarity/fischer.h"

#include <cmath>

namespace stiction {
namespace {

struct Pair {
  double value, by_a, by_b, by_mu;
};

Pair phi(double a, double b, const FischerShape& shape) {
  const double root = std::sqrt(a * a + b * b + 2.0 * shape.mu * shape.mu);
  Pair pair;
  if (root > 0.0) {
    // A form without cancellation where one of the two is small beside the other.
    pair.value = a + b > 0.0 ? 2.0 * (a * b - shape.mu * shape.mu) / (a + b + root) : a + b - root;
    pair.by_a = 1.0 - a / root;
    pair.by_b = 1.0 - b / root;
    pair.by_mu = -2.0 * shape.mu / root;
  } else {
    // At the nonsmooth point a = b = 0: the element of the generalised derivative along a = b.
    const double half = 1.0 - std::sqrt(0.5);
    pair = {0.0, half, half, 0.0};
  }
  if (shape.share < 1.0) {
    pair.value *= shape.share;
    pair.by_a *= shape.share;
    pair.by_b *= shape.share;
    pair.by_mu *= shape.share;
    if (a > 0.0 && b > 0.0) {
      pair.value += (1.0 - shape.share) * a * b;
      pair.by_a += (1.0 - shape.share) * b;
      pair.by_b += (1.0 - shape.share) * a;
    }
  }
  return pair;
}

}  // namespace

FischerValue fischer(double z, double F, double lower, double upper, const FischerShape& shape) {
  const bool has_lower = std::isfinite(lower), has_upper = std::isfinite(upper);
  if (!has_lower && !has_upper) return {F, 0.0, 1.0, 0.0};
  FischerValue from_above = {F, 0.0, 1.0, 0.0};
  if (has_upper) {
    const Pair inner = phi(upper - z, -F, shape);
    from_above = {-inner.value, inner.by_a, inner.by_b, -inner.by_mu};
  }
  if (!has_lower) return from_above;
  const Pair outer = phi(z - lower, from_above.value, shape);
  return {outer.value, outer.by_a + outer.by_b * from_above.by_z, outer.by_b * from_above.by_F,
          outer.by_mu + outer.by_b * from_above.by_mu};
}

}  // namespace stiction
