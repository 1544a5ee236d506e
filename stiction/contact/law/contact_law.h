#pragma once
// A compliant contact law is a convex cost of the relative velocity vc of one contact point, whose gradient
// is minus the impulse (I eqs. 3 and 4),
//
//   gamma = -dl/dvc,    G = d2l/dvc2 = -dgamma/dvc >= 0.
//
// All isotropic laws depend on vc only through its normal part vn = n . vc and the square of its tangential
// part vt = vc - vn n. A law is therefore a few scalars and needs no tangent directions:
//
//   gamma = gn n + gt vt,
//   G     = a (1 - n n') + b vt vt' + c n n' + e (vt n' + n vt').
//
// icf_coupled (icf_coupled.h) is no cost: its impulse is a function of vn and |vt|^2 all the same, but its
// slope G = -dgamma/dvc has one more term, which is not symmetric, f vt n'.
//
// A law is an inline function of fixed-size values, templated on the real type: doubles, dual numbers, or
// four points at once.

#include <cstddef>
#include <cstdint>

namespace stiction {

// The properties of each law are in law_list.h.
enum class LawKind : std::uint8_t {
  icf_lagged,
  icf_coupled,
  icf_lagged_plain,
  icf_similar,
  icf_similar_regularised,
  sap,
  convex_cone,
  coulomb_ncp,
  pyramid_lcp,
  raisim,
  geometric_ncp,
  geometric_quasi_rigid
};
inline constexpr std::size_t kNumLaws = static_cast<std::size_t>(LawKind::geometric_quasi_rigid) + 1;
enum class Elasticity : std::uint8_t { linear, hertz, log_barrier, ipc_barrier };
// Whether the force keeps distances positive, and acts from a distance on (normal_force.h).
constexpr bool is_barrier(Elasticity elasticity) {
  return elasticity == Elasticity::log_barrier || elasticity == Elasticity::ipc_barrier;
}
enum class Dissipation : std::uint8_t { none, kelvin_voigt, hunt_crossley };

template <class T>
struct LawValue {
  T cost;        // J
  T gn, gt;      // N s; N s per m/s, never positive
  T a, b, c, e;  // of G
  T f{};         // of G: friction by normal velocity, of laws without a cost
};

// How the parameters of a contact point are stored: one array of each for all points, in the order of the
// law's own struct (IcfParameters, SapParameters, RigidParameters), which gives them names.
inline constexpr int kLawParameters = 6;
template <class T>
struct LawParameters {
  T x[kLawParameters];
};

}  // namespace stiction
