#pragma once
// Contact laws (law/law_list.h) and the solvers that support them. The command line, tests, benchmarks and
// docs iterate over these lists. A formulation is written `law+solver`; a law alone means its first solver.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stiction/contact/options.h"

namespace stiction {

class DualSolver;

struct LawEntry {
  LawKind kind;
  const char* name;
  const char* description;
};

// The one list of solvers, one row each.
struct SolverRow {
  const char* name;
  const char* description;
  SolverForm form;
  // For solvers of impulses; null for the others. Returns null for a law that the solver does not support.
  std::unique_ptr<DualSolver> (*make)(LawKind law) = nullptr;
  // As a paper has it, step for step, for comparison with our own; there are problems on which it does not
  // converge.
  bool is_literal = false;
};

// A supported pair of law and solver.
struct CatalogEntry {
  LawKind law;
  const char* solver;
  std::string name() const;  // "sap+newton"
};

// The default first.
const std::vector<LawEntry>& law_list();
const std::vector<SolverRow>& solver_list();
const std::vector<CatalogEntry>& catalog();

// `law+solver` or `law`; none if there is no such pair.
const CatalogEntry* find_in_catalog(std::string_view name);
// The solver must be in the list.
const SolverRow& find_solver(std::string_view name);

// The solver that the options ask for, or the first of the law if the law does not have it.
const char* solver_of(const ContactOptions& options);
// Whether no solver of impulses is used: for all compliant laws, for convex_cone under Newton's method on
// velocities, and for the geometric laws, which solve a problem of their own.
bool solves_primal(const ContactOptions& options);

const char* name_of(LawKind law);
const char* name_of(Elasticity elasticity);
const char* name_of(Dissipation dissipation);

// Every name that find_in_catalog knows, and the names of elasticity and dissipation.
std::vector<std::string> catalog_names();
const std::vector<std::string>& elasticity_names();
const std::vector<std::string>& dissipation_names();

}  // namespace stiction
