#pragma once
// The one list of contact laws. The command line, Python, tests, benchmarks and docs iterate over it.
//
// To add a law: a LawKind, a row here and, if it is compliant, its type in compliant_laws.h. A law without a
// row, or a compliant law without its functions, does not compile.

#include <array>
#include <cstddef>
#include <iterator>

#include "stiction/contact/law/contact_law.h"

namespace stiction {

enum class LawFamily : std::uint8_t {
  compliant,  // an impulse of the velocity, mostly by a convex cost: compliant_laws.h
  rigid,      // conditions on impulse and velocity: rigid_laws.h
  geometric,  // contact points are unknowns too: simulation/scheme/geometric/
};
inline constexpr std::array kLawFamilyNames = {"compliant", "rigid", "geometric"};

// Under laws that couple friction to the normal velocity, a body that slides at u floats on a gap of mu u
// times this.
enum class SlidingGapTime : std::uint8_t {
  none,                 // no gap
  step,                 // h
  step_and_relaxation,  // h + tau
};

// The parameters of a point under the law (constraint/contact_rows.h).
enum class PointParameters : std::uint8_t {
  lagged,               // IcfParameters with mu n0; eps = v_s
  lagged_regularised,   // the same; eps grows with the impact (I eq. 26)
  with_mu,              // IcfParameters with mu; eps = v_s
  with_mu_regularised,  // the same; eps grows with the impact
  projected,            // SapParameters
  rigid,                // of RigidOptions
};
constexpr bool has_icf_parameters(PointParameters p) { return p < PointParameters::projected; }
constexpr bool takes_mu(PointParameters p) {
  return p == PointParameters::with_mu || p == PointParameters::with_mu_regularised;
}
constexpr bool is_regularised(PointParameters p) {
  return p == PointParameters::lagged_regularised || p == PointParameters::with_mu_regularised;
}

// What pairs with a force table have under the law.
enum class TableUse : std::uint8_t {
  exact,      // the force of the table
  stiffness,  // the stiffness that the table has under the load (simulation/contact/contact_model.h)
};

struct LawRow {
  LawKind kind;
  const char* name;
  LawFamily family;
  SlidingGapTime sliding_gap;
  // Before the pointers, which do not convert to them: a row without them does not compile.
  PointParameters point;
  TableUse tables;
  // Null: the law uses the chosen elasticity and dissipation (Elasticity, Dissipation). Otherwise the forces
  // it has itself.
  const char* own_forces;
  // In order of recommendation, as measured over all scenes (docs/compare.md); null: end of the list.
  const char* solvers[10];
  const char* description;
  // Its solutions do not meet the natural map error of rigid_laws.h, and its solver stops by an error of its
  // own: only that solver can say how good an answer is.
  bool has_own_criterion = false;

  constexpr bool takes_elasticity() const { return own_forces == nullptr; }
};

// In the order of LawKind; the default first.
inline constexpr LawRow kLawRows[] = {
    {LawKind::icf_lagged,
     "icf_lagged",
     LawFamily::compliant,
     SlidingGapTime::none,
     PointParameters::lagged_regularised,
     TableUse::exact,
     nullptr,
     {"newton"},
     "Irrotational contact field with lagged normal force in friction, softened in impacts. The default."},
    {LawKind::icf_coupled,
     "icf_coupled",
     LawFamily::compliant,
     SlidingGapTime::none,
     PointParameters::with_mu,
     TableUse::stiffness,
     nullptr,
     {"newton"},
     "Coulomb friction with the normal force of the same step and no gap; not convex."},
    {LawKind::icf_lagged_plain,
     "icf_lagged_plain",
     LawFamily::compliant,
     SlidingGapTime::none,
     PointParameters::lagged,
     TableUse::exact,
     nullptr,
     {"newton"},
     "The same with the stiction tolerance alone, however hard the impact."},
    {LawKind::icf_similar,
     "icf_similar",
     LawFamily::compliant,
     SlidingGapTime::step,
     PointParameters::with_mu,
     TableUse::exact,
     nullptr,
     {"newton"},
     "Irrotational contact field with strong coupling of normal force and friction."},
    {LawKind::icf_similar_regularised,
     "icf_similar_regularised",
     LawFamily::compliant,
     SlidingGapTime::step,
     PointParameters::with_mu_regularised,
     TableUse::exact,
     nullptr,
     {"newton"},
     "The same, softened in impacts as icf_lagged is."},
    {LawKind::sap,
     "sap",
     LawFamily::compliant,
     SlidingGapTime::step_and_relaxation,
     PointParameters::projected,
     TableUse::stiffness,
     "linear, kelvin_voigt",
     {"newton", "admm", "pgs", "interior_point", "admm_spectral", "pgs_plain"},
     "Linear elasticity with Kelvin-Voigt dissipation, projected on the friction cone; near-rigid."},
    {LawKind::convex_cone,
     "convex_cone",
     LawFamily::rigid,
     SlidingGapTime::step,
     PointParameters::rigid,
     TableUse::stiffness,
     "rigid",
     {"newton", "newton_mujoco", "admm", "pgs", "interior_point", "admm_spectral", "pgs_plain"},
     "Rigid, the convex relaxation of Coulomb's law (CCP): what slides lifts off by mu h |slip|."},
    {LawKind::coulomb_ncp,
     "coulomb_ncp",
     LawFamily::rigid,
     SlidingGapTime::none,
     PointParameters::rigid,
     TableUse::stiffness,
     "rigid",
     {"semismooth_newton", "admm", "staggered", "pgs", "admm_spectral", "pgs_plain"},
     "Rigid, with Signorini's condition and Coulomb's friction as they are."},
    {LawKind::pyramid_lcp,
     "pyramid_lcp",
     LawFamily::rigid,
     SlidingGapTime::none,
     PointParameters::rigid,
     TableUse::stiffness,
     "rigid",
     {"lemke", "dantzig", "staggered", "pgs", "pgs_plain"},
     "Rigid, with a friction pyramid: a linear complementarity problem."},
    {LawKind::raisim,
     "raisim",
     LawFamily::rigid,
     SlidingGapTime::none,
     PointParameters::rigid,
     TableUse::stiffness,
     "rigid",
     {"bisection"},
     "Rigid, contact by contact, without the principle of maximum dissipation.",
     true},
    {LawKind::geometric_ncp,
     "geometric_ncp",
     LawFamily::geometric,
     SlidingGapTime::none,
     PointParameters::rigid,
     TableUse::stiffness,
     "rigid",
     {"mixed_newton"},
     "Rigid, with the closest points at the end of the step among the unknowns."},
    {LawKind::geometric_quasi_rigid,
     "geometric_quasi_rigid",
     LawFamily::geometric,
     SlidingGapTime::none,
     PointParameters::rigid,
     TableUse::stiffness,
     "layers of K and C",
     {"mixed_newton"},
     "The same with a compliant layer around rigid cores."},
};

constexpr bool every_law_has_its_row() {
  if (std::size(kLawRows) != kNumLaws) return false;
  for (std::size_t i = 0; i < std::size(kLawRows); ++i) {
    if (kLawRows[i].kind != static_cast<LawKind>(i) || kLawRows[i].solvers[0] == nullptr) return false;
    if (kLawRows[i].solvers[std::size(kLawRows[i].solvers) - 1] != nullptr) return false;
    // Compliant laws have points with a force, which patches of pressure fields need; a table's force is an
    // elastic force of icf.
    if ((kLawRows[i].family == LawFamily::compliant) == (kLawRows[i].point == PointParameters::rigid))
      return false;
    if (kLawRows[i].tables == TableUse::exact &&
        !(kLawRows[i].takes_elasticity() && has_icf_parameters(kLawRows[i].point)))
      return false;
  }
  return true;
}
static_assert(every_law_has_its_row());

constexpr const LawRow& law_row(LawKind law) { return kLawRows[static_cast<std::size_t>(law)]; }
// Whether the law uses the chosen elasticity and dissipation; sap has its own.
constexpr bool takes_elasticity(LawKind law) { return law_row(law).takes_elasticity(); }
constexpr bool uses_barrier(LawKind law, Elasticity elasticity) {
  return takes_elasticity(law) && is_barrier(elasticity);
}
// Whether pairs with a force table have it under the law.
constexpr bool takes_force_table(LawKind law) { return law_row(law).tables == TableUse::exact; }
constexpr bool is_rigid(LawKind law) { return law_row(law).family == LawFamily::rigid; }
// Whether the law has a scheme of its own (scheme/geometric/) instead of a contact problem.
constexpr bool is_geometric(LawKind law) { return law_row(law).family == LawFamily::geometric; }

}  // namespace stiction
