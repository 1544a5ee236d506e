#pragma once
// The options of several commands that choose how contact is modelled and solved.

#include <optional>
#include <string>

#include "apps/cli/parser.h"
#include "stiction/simulation/step.h"

namespace stiction::cli {

struct ContactArguments {
  std::string formulation, elasticity, dissipation;
  // Of the rigid laws.
  std::optional<int> facets;
  bool inscribed = false;
  std::optional<double> tolerance;
  std::optional<int> max_iterations;
};

void add_contact_options(const Parser& command, ContactArguments* arguments);
// Those of the solver alone.
void add_solver_options(const Parser& command, ContactArguments* arguments);

// Throws UserError for unknown names and for what a law cannot do.
void apply(const ContactArguments& arguments, ContactOptions* options);
// The same, and what its solver is told.
void apply(const ContactArguments& arguments, Formulation* formulation);

}  // namespace stiction::cli
