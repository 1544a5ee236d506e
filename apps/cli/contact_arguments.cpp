#include "apps/cli/contact_arguments.h"

#include <CLI/CLI.hpp>

#include "stiction/base/check.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {

void add_contact_options(CLI::App* command, ContactArguments* arguments) {
  command->add_option("--formulation", arguments->formulation,
                      "How contact is modelled and solved (stiction list formulations)");
  command->add_option("--elasticity", arguments->elasticity, "linear or hertz");
  command->add_option("--dissipation", arguments->dissipation, "none, kelvin_voigt or hunt_crossley");
}

void apply(const ContactArguments& arguments, ContactOptions* options) {
  if (!arguments.formulation.empty()) set_formulation(arguments.formulation, options);
  if (!arguments.elasticity.empty()) set_elasticity(arguments.elasticity, options);
  if (!arguments.dissipation.empty()) set_dissipation(arguments.dissipation, options);
  if (options->law == LawKind::sap) {
    const bool is_other_elasticity = !arguments.elasticity.empty() && arguments.elasticity != "linear";
    const bool is_other_dissipation =
        !arguments.dissipation.empty() && arguments.dissipation != "kelvin_voigt";
    STICTION_USER_CHECK(!is_other_elasticity && !is_other_dissipation,
                        "sap has linear elasticity and kelvin_voigt dissipation, not {}",
                        is_other_elasticity ? arguments.elasticity : arguments.dissipation);
    return;
  }
  STICTION_USER_CHECK(
      options->elasticity != Elasticity::hertz || options->dissipation != Dissipation::kelvin_voigt,
      "hertz elasticity goes with dissipation none or hunt_crossley, not kelvin_voigt");
}

}  // namespace stiction::cli
