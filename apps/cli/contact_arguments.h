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
  bool inscribed = false, minimum_norm = false;
  std::optional<double> tolerance, absolute_tolerance;
  std::optional<int> max_iterations;
  std::optional<double> stiffness_step;
};

void add_contact_options(const Parser& command, ContactArguments* arguments);
// Options of the solver only.
void add_solver_options(const Parser& command, ContactArguments* arguments);
// Of commands that make a World.
void add_stiffness_step_option(const Parser& command, ContactArguments* arguments);

// Throws UserError for unknown names and for options that a law does not support.
void apply(const ContactArguments& arguments, ContactOptions* options);
// The same, and the options of the solver.
void apply(const ContactArguments& arguments, Formulation* formulation);

}  // namespace stiction::cli
