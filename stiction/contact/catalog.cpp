#include "stiction/contact/catalog.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "stiction/base/check.h"
#include "stiction/contact/dual/solver.h"

namespace stiction {
namespace {

// Makes a solver of impulses for the laws that it supports.
template <auto make, LawKind... laws>
std::unique_ptr<DualSolver> made_for(LawKind law) {
  law = dual_law(law);
  if (!((law == laws) || ...)) return nullptr;
  if constexpr (std::is_invocable_v<decltype(make), LawKind>)
    return make(law);
  else
    return make();
}

constexpr LawKind kCone = LawKind::convex_cone, kCoulomb = LawKind::coulomb_ncp,
                  kPyramid = LawKind::pyramid_lcp;

}  // namespace

const std::vector<SolverRow>& solver_list() {
  using R = Regularisation;
  static const std::vector<SolverRow> solvers = {
      {"newton",
       "Newton's method on the convex cost, island by island, with exact line search.",
       {true, R::near_rigid}},
      {"newton_mujoco",
       "The same with the regularisation of MuJoCo in place of that of SAP.",
       {true, R::mujoco}},
      {"pgs",
       "Projected Gauss-Seidel, contact by contact, on velocities; no matrix.",
       {},
       made_for<make_pgs, kCone, kCoulomb, kPyramid>},
      {"pgs_plain",
       "The same with one projected step a contact in place of its solution: the paper's own, for "
       "comparison.",
       {},
       made_for<make_pgs_plain, kCone, kCoulomb, kPyramid>,
       true},
      {"admm",
       "Alternating directions on the whole island, with one factor for many iterations.",
       {},
       made_for<make_admm, kCone, kCoulomb>},
      {"admm_spectral",
       "The same with one penalty for all rows, changed by the spectral rule: the paper's own, for "
       "comparison.",
       {},
       made_for<make_admm_spectral, kCone, kCoulomb>,
       true},
      {"interior_point",
       "Primal-dual interior point method on the cones of a whole island: few iterations, each with a "
       "factor.",
       {},
       made_for<make_interior_point, kCone>},
      {"staggered",
       "Normal forces and friction in turns, each as a convex problem.",
       {},
       made_for<make_staggered, kCoulomb, kPyramid>},
      {"semismooth_newton",
       "Newton's method on the conditions of contact, made global: the reference.",
       {},
       made_for<make_semismooth_newton, kCone, kCoulomb>},
      {"lemke", "Lemke's pivoting method.", {}, made_for<make_lemke, kPyramid>},
      {"dantzig",
       "Dantzig's principal pivoting, one row after the other.",
       {},
       made_for<make_dantzig, kPyramid>},
      {"bisection",
       "Contact by contact, by bisection on the friction cone.",
       {},
       made_for<make_bisection, LawKind::raisim>},
      {"mixed_newton", "Semismooth Newton on a mixed complementarity problem.", {}},
  };
  return solvers;
}

const std::vector<LawEntry>& law_list() {
  static const std::vector<LawEntry> laws = [] {
    std::vector<LawEntry> list;
    for (const LawRow& row : kLawRows) list.push_back({row.kind, row.name, row.description});
    return list;
  }();
  return laws;
}

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = [] {
    std::vector<CatalogEntry> list;
    for (const LawRow& row : kLawRows)
      for (const char* const* solver = row.solvers; *solver != nullptr; ++solver)
        list.push_back({row.kind, *solver});
    return list;
  }();
  return entries;
}

const SolverRow& find_solver(std::string_view name) {
  const auto found = std::find_if(solver_list().begin(), solver_list().end(),
                                  [name](const SolverRow& row) { return row.name == name; });
  STICTION_ASSERT(found != solver_list().end());
  return *found;
}

std::unique_ptr<DualSolver> make_dual_solver(LawKind law, std::string_view solver) {
  for (const SolverRow& row : solver_list())
    if (row.name == solver && row.make != nullptr) return row.make(law);
  return nullptr;
}

namespace {

constexpr std::size_t kMostSolvers = std::size(LawRow().solvers);

// Which of the law's solvers is meant. Every step asks a few times: names of the list itself, which are
// mostly used, are found by their address.
std::size_t solver_index(const ContactOptions& options) {
  const LawRow& law = law_row(options.law);
  for (std::size_t k = 0; law.solvers[k] != nullptr; ++k)
    if (law.solvers[k] == options.solver) return k;
  for (std::size_t k = 0; law.solvers[k] != nullptr; ++k)
    if (std::string_view(law.solvers[k]) == options.solver) return k;
  return 0;
}

const SolverRow& solver_row(const ContactOptions& options) {
  static const auto rows = [] {
    std::array<std::array<const SolverRow*, kMostSolvers>, kNumLaws> all = {};
    for (std::size_t law = 0; law < kNumLaws; ++law)
      for (std::size_t k = 0; kLawRows[law].solvers[k] != nullptr; ++k)
        all[law][k] = &find_solver(kLawRows[law].solvers[k]);
    return all;
  }();
  return *rows[static_cast<std::size_t>(options.law)][solver_index(options)];
}

}  // namespace

const char* solver_of(const ContactOptions& options) {
  return law_row(options.law).solvers[solver_index(options)];
}

SolverForm solver_form(const ContactOptions& options) { return solver_row(options).form; }

bool solves_primal(const ContactOptions& options) { return solver_row(options).make == nullptr; }

std::string CatalogEntry::name() const { return std::string(name_of(law)) + "+" + solver; }

const CatalogEntry* find_in_catalog(std::string_view name) {
  for (const CatalogEntry& entry : catalog())
    if (entry.name() == name || name_of(entry.law) == name) return &entry;
  return nullptr;
}

const char* name_of(LawKind law) { return law_row(law).name; }

const char* name_of(Elasticity elasticity) {
  return elasticity_names()[static_cast<std::size_t>(elasticity)].c_str();
}

const char* name_of(Dissipation dissipation) {
  return dissipation_names()[static_cast<std::size_t>(dissipation)].c_str();
}

std::vector<std::string> catalog_names() {
  std::vector<std::string> names;
  for (const LawEntry& law : law_list()) names.push_back(law.name);
  for (const CatalogEntry& entry : catalog()) names.push_back(entry.name());
  return names;
}

const std::vector<std::string>& elasticity_names() {
  static const std::vector<std::string> names = {"linear", "hertz", "log_barrier", "ipc_barrier", "table"};
  return names;
}

const std::vector<std::string>& dissipation_names() {
  static const std::vector<std::string> names = {"none", "kelvin_voigt", "hunt_crossley"};
  return names;
}

}  // namespace stiction
