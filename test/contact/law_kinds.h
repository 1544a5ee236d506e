#pragma once
// Laws for tests that go through all of a kind, from the lists of the library.

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

// The rigid laws that a solver of impulses takes.
inline std::vector<LawKind> rigid_laws_of(std::string_view solver) {
  std::vector<LawKind> laws;
  for (const LawRow& row : kLawRows)
    if (row.family == LawFamily::rigid && make_dual_solver(row.kind, solver)) laws.push_back(row.kind);
  return laws;
}

}  // namespace stiction
