#include "stiction/simulation/formulation.h"

#include <algorithm>

#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"

namespace stiction {
namespace {

int find_word(std::string_view kind, std::string_view name, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == name) return static_cast<int>(i);
  throw_user_error(unknown_word_message(kind, name, words));
}

}  // namespace

void set_formulation(std::string_view name, ContactOptions* options) {
  const CatalogEntry* entry = find_in_catalog(name);
  if (entry == nullptr) {
    std::string known;
    for (const CatalogEntry& one : catalog()) known += (known.empty() ? "" : ", ") + one.name();
    throw_user_error(
        format("{} (there are {})", unknown_name_message("formulation", name, catalog_names()), known));
  }
  options->law = entry->law;
  options->solver = entry->solver;
}

void set_tolerance(double tolerance, Formulation* formulation) {
  formulation->dual.tolerance = formulation->newton.relative_tolerance = tolerance;
  formulation->geometric.tolerance = std::max(tolerance, kLeastGeometricTolerance);
}

void set_max_iterations(int most, Formulation* formulation) {
  formulation->dual.max_iterations = formulation->newton.max_iterations = most;
  formulation->geometric.max_iterations = most;
}

double tolerance_of(const Formulation& formulation) {
  if (is_geometric(formulation.contact.law)) return formulation.geometric.tolerance;
  return solves_primal(formulation.contact) ? formulation.newton.relative_tolerance
                                            : formulation.dual.tolerance;
}

int max_iterations_of(const Formulation& formulation) {
  if (is_geometric(formulation.contact.law)) return formulation.geometric.max_iterations;
  return solves_primal(formulation.contact) ? formulation.newton.max_iterations
                                            : formulation.dual.max_iterations;
}

void set_elasticity(std::string_view name, ContactOptions* options) {
  options->elasticity = static_cast<Elasticity>(find_word("elasticity", name, elasticity_names()));
}

void set_dissipation(std::string_view name, ContactOptions* options) {
  options->dissipation = static_cast<Dissipation>(find_word("dissipation", name, dissipation_names()));
}

void set_forces(std::string_view elasticity, std::string_view dissipation, ContactOptions* options) {
  if (!elasticity.empty()) set_elasticity(elasticity, options);
  if (!dissipation.empty()) set_dissipation(dissipation, options);
  if (is_rigid(options->law)) {
    STICTION_USER_CHECK(elasticity.empty() && dissipation.empty(), "{} is rigid and has no {}",
                        name_of(options->law), elasticity.empty() ? "dissipation" : "elasticity");
    return;
  }
  if (options->law == LawKind::sap) {
    const bool is_other_elasticity = !elasticity.empty() && elasticity != "linear";
    const bool is_other_dissipation = !dissipation.empty() && dissipation != "kelvin_voigt";
    STICTION_USER_CHECK(!is_other_elasticity && !is_other_dissipation,
                        "sap has linear elasticity and kelvin_voigt dissipation, not {}",
                        is_other_elasticity ? elasticity : dissipation);
    return;
  }
  STICTION_USER_CHECK(
      options->elasticity == Elasticity::linear || options->dissipation != Dissipation::kelvin_voigt,
      "{} elasticity goes with dissipation none or hunt_crossley, not kelvin_voigt",
      name_of(options->elasticity));
}

std::string formulation_name(const ContactOptions& options) {
  return std::string(name_of(options.law)) + "+" + solver_of(options);
}

std::string force_name(const ContactOptions& options) {
  if (const char* own = law_row(options.law).own_forces) return own;
  return format("{}, {}", name_of(options.elasticity), name_of(options.dissipation));
}

}  // namespace stiction
