#pragma once
// Laws for tests that go through all of a kind, from the lists of the library.

#include <string_view>
#include <vector>

#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/solver.h"
#include "stiction/contact/law/law_list.h"

namespace stiction {

inline std::vector<LawKind> compliant_laws() {
  std::vector<LawKind> laws;
  for (const LawRow& row : kLawRows)
    if (row.family == LawFamily::compliant) laws.push_back(row.kind);
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
