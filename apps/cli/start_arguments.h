#pragma once
// The options of a run that set its initial state and the controls of its actuators.

#include <string>
#include <vector>

#include "apps/cli/parser.h"

namespace stiction {
class World;
struct InputSchedule;
}  // namespace stiction

namespace stiction::cli {

// Items NAME=VALUE, several of them in one text with commas between them.
struct StartArguments {
  std::vector<std::string> controls, positions;
};

void add_start_options(const Parser& command, StartArguments* arguments);

// The schedule does not change controls given here. Throws UserError, with the item, for unknown names and
// for values that are not numbers.
void apply(const StartArguments& arguments, World* world, InputSchedule* schedule);

}  // namespace stiction::cli
