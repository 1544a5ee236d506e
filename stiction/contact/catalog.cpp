#include "stiction/contact/catalog.h"

#include <algorithm>

namespace stiction {

const std::vector<LawEntry>& law_list() {
  static const std::vector<LawEntry> laws = {
      {LawKind::icf_lagged, "icf_lagged",
       "Irrotational contact field with lagged normal force in friction, softened in impacts. The default."},
      {LawKind::icf_lagged_plain, "icf_lagged_plain",
       "The same with the stiction tolerance alone, however hard the impact."},
      {LawKind::icf_similar, "icf_similar",
       "Irrotational contact field with strong coupling of normal force and friction."},
      {LawKind::sap, "sap",
       "Linear elasticity with Kelvin-Voigt dissipation, projected on the friction cone; near-rigid."},
      {LawKind::convex_cone, "convex_cone",
       "Rigid, the convex relaxation of Coulomb's law (CCP): what slides lifts off by mu h |slip|."},
      {LawKind::coulomb_ncp, "coulomb_ncp",
       "Rigid, with Signorini's condition and Coulomb's friction as they are."},
      {LawKind::pyramid_lcp, "pyramid_lcp",
       "Rigid, with a friction pyramid: a linear complementarity problem."},
      {LawKind::raisim, "raisim", "Rigid, contact by contact, without the principle of maximum dissipation."},
      {LawKind::geometric_ncp, "geometric_ncp",
       "Rigid, with the closest points at the end of the step among the unknowns."},
      {LawKind::geometric_quasi_rigid, "geometric_quasi_rigid",
       "The same with a compliant layer around rigid cores."},
  };
  return laws;
}

const std::vector<SolverEntry>& solver_list() {
  static const std::vector<SolverEntry> solvers = {
      {"newton", "Newton's method on the convex cost, island by island, with exact line search."},
      {"newton_mujoco", "The same with the regularisation of MuJoCo in place of that of SAP."},
      {"pgs", "Projected Gauss-Seidel, contact by contact, on velocities; no matrix."},
      {"admm", "Alternating directions on the whole island, with one factor for many iterations."},
      {"staggered", "Normal forces and friction in turns, each as a convex problem."},
      {"semismooth_newton", "Newton's method on the conditions of contact, made global: the reference."},
      {"lemke", "Lemke's pivoting method."},
      {"dantzig", "Dantzig's principal pivoting, one row after the other."},
      {"bisection", "Contact by contact, by bisection on the friction cone."},
      {"mixed_newton", "Semismooth Newton on a mixed complementarity problem."},
  };
  return solvers;
}

const std::vector<CatalogEntry>& catalog() {
  static const std::vector<CatalogEntry> entries = {
      {LawKind::icf_lagged, "newton"},
      {LawKind::icf_lagged_plain, "newton"},
      {LawKind::icf_similar, "newton"},
      {LawKind::sap, "newton"},
      {LawKind::convex_cone, "newton"},
      {LawKind::convex_cone, "newton_mujoco"},
      {LawKind::convex_cone, "pgs"},
      {LawKind::convex_cone, "admm"},
      {LawKind::coulomb_ncp, "pgs"},
      {LawKind::coulomb_ncp, "admm"},
      {LawKind::coulomb_ncp, "staggered"},
      {LawKind::coulomb_ncp, "semismooth_newton"},
      {LawKind::pyramid_lcp, "pgs"},
      {LawKind::pyramid_lcp, "staggered"},
      {LawKind::pyramid_lcp, "lemke"},
      {LawKind::pyramid_lcp, "dantzig"},
      {LawKind::raisim, "bisection"},
      {LawKind::geometric_ncp, "mixed_newton"},
      {LawKind::geometric_quasi_rigid, "mixed_newton"},
  };
  return entries;
}

std::string CatalogEntry::name() const { return std::string(name_of(law)) + "+" + solver; }

const CatalogEntry* find_in_catalog(std::string_view name) {
  for (const CatalogEntry& entry : catalog())
    if (entry.name() == name || name_of(entry.law) == name) return &entry;
  return nullptr;
}

const char* name_of(LawKind law) {
  const auto found = std::find_if(law_list().begin(), law_list().end(),
                                  [law](const LawEntry& entry) { return entry.kind == law; });
  return found->name;
}

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
  static const std::vector<std::string> names = {"linear", "hertz"};
  return names;
}

const std::vector<std::string>& dissipation_names() {
  static const std::vector<std::string> names = {"none", "kelvin_voigt", "hunt_crossley"};
  return names;
}

}  // namespace stiction
