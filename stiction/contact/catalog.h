#pragma once
// The one list of contact laws and the solvers that take them. The command line, tests, benchmarks and docs
// iterate over it. A formulation is written `law+solver`; a law alone means its first solver here.

#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/law/contact_law.h"

namespace stiction {

struct LawEntry {
  LawKind kind;
  const char* name;
  const char* description;
};

struct SolverEntry {
  const char* name;
  const char* description;
};

// A pair that works.
struct CatalogEntry {
  LawKind law;
  const char* solver;
  std::string name() const;  // "sap+newton"
};

// The default first.
const std::vector<LawEntry>& law_list();
const std::vector<SolverEntry>& solver_list();
const std::vector<CatalogEntry>& catalog();

// `law+solver` or `law`; none if there is no such pair.
const CatalogEntry* find_in_catalog(std::string_view name);

const char* name_of(LawKind law);
const char* name_of(Elasticity elasticity);
const char* name_of(Dissipation dissipation);

// Every name that find_in_catalog takes, and the words for elasticity and dissipation.
std::vector<std::string> catalog_names();
const std::vector<std::string>& elasticity_names();
const std::vector<std::string>& dissipation_names();

}  // namespace stiction
