#pragma once
// The options of several commands that choose how contact is modelled and solved.

#include <string>

#include "stiction/constraint/contact_rows.h"

namespace CLI {
class App;
}

namespace stiction::cli {

struct ContactArguments {
  std::string formulation, elasticity, dissipation;
};

void add_contact_options(CLI::App* command, ContactArguments* arguments);

// Throws UserError for unknown names and for what a law cannot do.
void apply(const ContactArguments& arguments, ContactOptions* options);

}  // namespace stiction::cli
