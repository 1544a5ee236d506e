#pragma once
// The laws under which pressure fields count, with the default elasticity, for tests that go through all of them.

#include <vector>

#include "stiction/constraint/contact_rows.h"

namespace stiction {

inline std::vector<LawKind> pressure_laws() {
  std::vector<LawKind> laws;
  for (const LawRow& row : kLawRows) {
    ContactOptions options;
    options.law = row.kind;
    if (takes_pressure_fields(options)) laws.push_back(row.kind);
  }
  return laws;
}

}  // namespace stiction
