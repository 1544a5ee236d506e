#include "apps/cli/contact_arguments.h"

#include <cmath>

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {

void add_contact_options(const Parser& command, ContactArguments* arguments) {
  command
      .add_option("--formulation", &arguments->formulation,
                  "How contact is modelled and solved (stiction list formulations)")
      .type_name("FORMULATION");
  command.add_option(
      "--elasticity", &arguments->elasticity,
      "linear, hertz, log_barrier, ipc_barrier or table (linear where a pair has no force table)");
  command.add_option("--dissipation", &arguments->dissipation, "none, kelvin_voigt or hunt_crossley");
  add_solver_options(command, arguments);
}

void add_solver_options(const Parser& command, ContactArguments* arguments) {
  command.add_option("--facets", &arguments->facets,
                     "Facets of the friction pyramid (pyramid_lcp); even, 4 or more");
  command.add_flag("--inscribed", &arguments->inscribed,
                   "The pyramid lies within the friction cone, not around it");
  command.add_flag(
      "--minimum-norm", &arguments->minimum_norm,
      "Solvers of impulses: no internal forces between points that stick, as far as friction allows");
  command.add_option("--tolerance", &arguments->tolerance,
                     "Relative tolerance of the solver (1e-6; 1e-10 under the geometric laws)");
  command.add_option("--absolute-tolerance", &arguments->absolute_tolerance,
                     "In its place, for solvers of impulses: the largest error of a contact, as force (N), "
                     "acceleration (m/s^2) and their product");
  command.add_option("--max-iterations", &arguments->max_iterations,
                     "Most iterations of an island (1000; 40 under the geometric laws)");
}

void add_stiffness_step_option(const Parser& command, ContactArguments* arguments) {
  command.add_option("--stiffness-step", &arguments->stiffness_step,
                     "Step in seconds that the stiffness which nobody gave is made for; the step of the run "
                     "without it");
}

void apply(const ContactArguments& arguments, Formulation* formulation) {
  apply(arguments, &formulation->contact);
  if (arguments.facets) {
    STICTION_USER_CHECK(*arguments.facets >= 4 && *arguments.facets <= 1000 && *arguments.facets % 2 == 0,
                        "--facets must be even and from 4 to 1000, not {}", *arguments.facets);
    formulation->dual.pyramid.facets = *arguments.facets;
  }
  if (arguments.minimum_norm) formulation->dual.minimum_norm = true;
  if (arguments.inscribed) formulation->dual.pyramid.is_inscribed = true;
  if (arguments.tolerance) {
    STICTION_USER_CHECK(std::isfinite(*arguments.tolerance) && *arguments.tolerance >= 0.0,
                        "--tolerance must be finite and not negative, not {}", *arguments.tolerance);
    set_tolerance(*arguments.tolerance, formulation);
  }
  if (arguments.absolute_tolerance) {
    STICTION_USER_CHECK(std::isfinite(*arguments.absolute_tolerance) && *arguments.absolute_tolerance >= 0.0,
                        "--absolute-tolerance must be finite and not negative, not {}",
                        *arguments.absolute_tolerance);
    formulation->dual.absolute_tolerance = *arguments.absolute_tolerance;
  }
  if (arguments.max_iterations) {
    STICTION_USER_CHECK(*arguments.max_iterations >= 0, "--max-iterations must not be negative, not {}",
                        *arguments.max_iterations);
    set_max_iterations(*arguments.max_iterations, formulation);
  }
  if (arguments.stiffness_step) {
    STICTION_USER_CHECK(std::isfinite(*arguments.stiffness_step) && *arguments.stiffness_step > 0.0,
                        "--stiffness-step must be finite and positive, not {}", *arguments.stiffness_step);
    formulation->stiffness_step = *arguments.stiffness_step;
  }
}

void apply(const ContactArguments& arguments, ContactOptions* options) {
  if (!arguments.formulation.empty()) set_formulation(arguments.formulation, options);
  set_forces(arguments.elasticity, arguments.dissipation, options);
}

}  // namespace stiction::cli
