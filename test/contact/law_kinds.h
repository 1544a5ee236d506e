#pragma once
// Laws for tests that go through all of a kind, from the lists of the library.

#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/law/compliant_laws.h"

namespace stiction {

inline std::vector<LawKind> compliant_laws() {
  std::vector<LawKind> laws;
  for (const LawRow& row : kLawRows)
    if (row.family == LawFamily::compliant) laws.push_back(row.kind);
  return laws;
}

// Those with a cost, which Newton's method minimises.
inline std::vector<LawKind> convex_laws() {
  std::vector<LawKind> laws;
  for (const LawKind law : compliant_laws())
    if (has_cost(law)) laws.push_back(law);
  return laws;
}

// A compliant law with one of the elasticities that it takes; laws with forces of their own have linear here.
struct LawCase {
  std::string name;
  LawKind law;
  Elasticity elasticity;
};
inline LawCase law_case(LawKind law, Elasticity elasticity = Elasticity::linear) {
  return {std::string(name_of(law)) + ", " + name_of(elasticity), law, elasticity};
}
// Every compliant law with springs that act from contact on (the barriers act from a distance).
inline std::vector<LawCase> law_cases() {
  std::vector<LawCase> cases;
  for (const LawKind law : compliant_laws()) {
    cases.push_back(law_case(law));
    if (takes_elasticity(law)) cases.push_back(law_case(law, Elasticity::hertz));
  }
  return cases;
}

inline bool is_projected(LawKind law) { return law_row(law).point == PointParameters::projected; }
// Whether slip opens the contact: the normal impulse is that of vn - mu |vt|_s (law/compliant_laws.h).
inline bool slip_opens(LawKind law) {
  return with_compliant_law(law, Elasticity::linear,
                            [](auto chosen) { return decltype(chosen)::kSlipOpens; });
}

// The rigid laws that a solver of impulses takes.
inline std::vector<LawKind> rigid_laws_of(std::string_view solver) {
  std::vector<LawKind> laws;
  for (const LawRow& row : kLawRows)
    if (row.family == LawFamily::rigid && make_dual_solver(row.kind, solver)) laws.push_back(row.kind);
  return laws;
}

}  // namespace stiction
