#pragma once
// Which of the numbers of a model the chosen law of contact uses: what it leaves out is said to the user.

#include <string>
#include <vector>

#include "stiction/contact/options.h"
#include "stiction/simulation/model/model.h"

namespace stiction {

// One sentence for every number that materials of the model give and that the law ignores.
std::vector<std::string> ignored_numbers(const Model& model, const ContactOptions& options);

// Warns of them, each once in the life of the process for every law, model and first shape.
void say_ignored_numbers(const Model& model, const ContactOptions& options);

// What the law makes of the solref and solimp of an MJCF file, and of force tables; empty: there are none.
std::vector<std::string> soft_contact_notes(const Model& model, const ContactOptions& options);

// Actuators whose force is not simulated, with what they miss; empty: all have theirs.
std::string powerless_actuators(const Model& model);

}  // namespace stiction
