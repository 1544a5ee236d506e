#pragma once
// Every compliant law, as a type: what Newton's method on velocities (newton/) needs of it.
//
//   value               cost, impulse and Hessian at a velocity, from the parameters of the point
//   kHasCost            the impulse is minus the gradient of a convex cost; without one `cost` is that of the
//                       normal impulse alone, and the slope has the term f (contact_law.h)
//   kGrowsWithSquare    its normal impulse grows with the square of the approach velocity (Hunt & Crossley's
//                       damping), whatever the slip, so that points with an impact can be linearised where
//                       they would come to rest (newton/newton.h)
//   kSlipOpens          slip opens the contact: the normal impulse is that of z = vn - mu |vt|_s (icf.h)
//
// Loops over many points select the type once, outside the loop (with_compliant_law).

#include <tuple>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/contact/law/icf.h"
#include "stiction/contact/law/icf_coupled.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/contact/law/sap.h"

namespace stiction {

struct LaggedFormula {
  static constexpr bool kHasCost = true, kGrowsWithSquare = true, kSlipOpens = false;
  template <Elasticity elasticity, class T>
  [[gnu::always_inline]] static LawValue<T> value(const LawParameters<T>& p, const T& vn, const T& vt2,
                                                  double h) {
    if constexpr (is_barrier(elasticity))
      return icf_lagged_barrier<elasticity>(IcfParameters<T>::from(p), vn, vt2, h);
    else if constexpr (elasticity == Elasticity::hertz)
      return icf_lagged_hertz(IcfParameters<T>::from(p), vn, vt2, h);
    else
      return icf_lagged(IcfParameters<T>::from(p), vn, vt2);
  }
};

struct CoupledFormula {
  static constexpr bool kHasCost = false, kGrowsWithSquare = true, kSlipOpens = false;
  template <Elasticity elasticity, class T>
  [[gnu::always_inline]] static LawValue<T> value(const LawParameters<T>& p, const T& vn, const T& vt2,
                                                  double h) {
    return icf_coupled<elasticity>(IcfParameters<T>::from(p), vn, vt2, h);
  }
};

struct SimilarFormula {
  static constexpr bool kHasCost = true, kGrowsWithSquare = false, kSlipOpens = true;
  template <Elasticity elasticity, class T>
  [[gnu::always_inline]] static LawValue<T> value(const LawParameters<T>& p, const T& vn, const T& vt2,
                                                  double h) {
    if constexpr (is_barrier(elasticity))
      return icf_similar_barrier<elasticity>(IcfParameters<T>::from(p), vn, vt2, h);
    else if constexpr (elasticity == Elasticity::hertz)
      return icf_similar_hertz(IcfParameters<T>::from(p), vn, vt2, h);
    else
      return icf_similar(IcfParameters<T>::from(p), vn, vt2);
  }
};

struct SapFormula {
  static constexpr bool kHasCost = true, kGrowsWithSquare = false, kSlipOpens = false;
  template <Elasticity, class T>
  [[gnu::always_inline]] static LawValue<T> value(const LawParameters<T>& p, const T& vn, const T& vt2,
                                                  double) {
    return sap(SapParameters<T>::from(p), vn, vt2);
  }
};

// Laws may share a formula and differ only in the parameters of their points (constraint/contact_rows.h).
template <LawKind law, class ItsFormula>
struct CompliantLaw {
  static constexpr LawKind kind = law;
  using Formula = ItsFormula;
};

using CompliantLaws = std::tuple<CompliantLaw<LawKind::icf_lagged, LaggedFormula>,                //
                                 CompliantLaw<LawKind::icf_coupled, CoupledFormula>,              //
                                 CompliantLaw<LawKind::icf_lagged_plain, LaggedFormula>,          //
                                 CompliantLaw<LawKind::icf_similar, SimilarFormula>,              //
                                 CompliantLaw<LawKind::icf_similar_regularised, SimilarFormula>,  //
                                 CompliantLaw<LawKind::sap, SapFormula>,                          //
                                 CompliantLaw<LawKind::convex_cone, SapFormula>>;  // with a compliance

// The number of types of a kind.
template <class... Law>
constexpr int count_types(LawKind kind, const std::tuple<Law...>*) {
  return (0 + ... + (Law::kind == kind ? 1 : 0));
}

constexpr bool every_compliant_law_has_its_type() {
  for (const LawRow& row : kLawRows)
    if (row.family == LawFamily::compliant &&
        count_types(row.kind, static_cast<CompliantLaws*>(nullptr)) != 1)
      return false;
  return true;
}
static_assert(every_compliant_law_has_its_type());

// A formula with a given elasticity.
template <class Formula, Elasticity elasticity>
struct ChosenLaw {
  static constexpr bool kHasCost = Formula::kHasCost, kGrowsWithSquare = Formula::kGrowsWithSquare,
                        kSlipOpens = Formula::kSlipOpens;
  template <class T>
  [[gnu::always_inline]] static LawValue<T> value(const LawParameters<T>& p, const T& vn, const T& vt2,
                                                  double h) {
    return Formula::template value<elasticity>(p, vn, vt2, h);
  }
};

// Calls function(ChosenLaw()) for a compliant law, and returns its result.
template <class Function>
auto with_compliant_law(LawKind kind, Elasticity elasticity, const Function& function) {
  using Result = decltype(function(ChosenLaw<SapFormula, Elasticity::linear>()));
  Result result{};
  bool is_found = false;
  const auto take = [&]<class Law>(const Law*) {
    if (Law::kind != kind) return;
    is_found = true;
    if constexpr (law_row(Law::kind).takes_elasticity()) {
      using Formula = typename Law::Formula;
      switch (elasticity) {
        case Elasticity::linear:
          break;
        case Elasticity::hertz:
          result = function(ChosenLaw<Formula, Elasticity::hertz>());
          return;
        case Elasticity::log_barrier:
          result = function(ChosenLaw<Formula, Elasticity::log_barrier>());
          return;
        case Elasticity::ipc_barrier:
          result = function(ChosenLaw<Formula, Elasticity::ipc_barrier>());
          return;
      }
    }
    result = function(ChosenLaw<typename Law::Formula, Elasticity::linear>());
  };
  [&]<class... Law>(const std::tuple<Law...>*) {
    (take(static_cast<const Law*>(nullptr)), ...);
  }(static_cast<const CompliantLaws*>(nullptr));
  STICTION_ASSERT(is_found);
  return result;
}

// Whether a law is the gradient of a convex cost; the rigid laws are no compliant laws here.
inline bool has_cost(LawKind law) {
  return law_row(law).family != LawFamily::compliant ||
         with_compliant_law(law, Elasticity::linear, [](auto chosen) { return decltype(chosen)::kHasCost; });
}

// Evaluates the law of a problem at one point.
template <class T>
LawValue<T> law_value(LawKind law, Elasticity elasticity, double h, const LawParameters<T>& parameters,
                      const T& vn, const T& vt2) {
  return with_compliant_law(law, elasticity,
                            [&](auto chosen) { return decltype(chosen)::value(parameters, vn, vt2, h); });
}

}  // namespace stiction
