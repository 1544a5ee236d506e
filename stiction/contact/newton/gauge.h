#pragma once
// The two sides of the stopping rule of Newton's method (newton.h; S eqs. 25, 26), at the last evaluate().

#include <algorithm>

#include "stiction/contact/newton/island_system.h"

namespace stiction {

struct Gauge {
  double gradient = 0.0, size = 0.0;
  double bound(double absolute, double relative) const { return absolute + relative * size; }
  double residual() const { return size > 0.0 ? gradient / size : 0.0; }
};

// At the start the gradient is compared with the change of momentum only: beside the momentum of a fast body
// the impulse of a short step would count as zero, and v would never change.
inline Gauge gauge(IslandSystem* system, bool is_start) {
  const double moves =
      is_start ? system->momentum.cwiseProduct(system->scale).norm() : system->momentum_size();
  return {system->gradient.cwiseProduct(system->scale).norm(),
          std::max(moves, system->contact.cwiseProduct(system->scale).norm())};
}

// A change of velocity below the round-off of v, in the norm of dv / scale.
inline double resolved_velocity(const IslandSystem& system) {
  constexpr double kRoundOff = 1e-14;
  return kRoundOff * system.v.cwiseQuotient(system.scale).norm();
}

}  // namespace stiction
