#pragma once
// The commands of `stiction`; each adds itself to the parser and runs when chosen.

#include <functional>

namespace CLI {
class App;
}

namespace stiction::cli {

// Exit codes.
inline constexpr int kDone = 0, kBadInput = 1, kSimulationFailed = 2, kInterrupted = 130;

// Adds the command; `exit_code` is set when it has run.
void add_check(CLI::App* app, int* exit_code);
void add_claims(CLI::App* app, int* exit_code);
void add_compare(CLI::App* app, int* exit_code);
void add_convert(CLI::App* app, int* exit_code);
void add_list(CLI::App* app, int* exit_code);
void add_run(CLI::App* app, int* exit_code);
void add_solve(CLI::App* app, int* exit_code);

// True once the user pressed Ctrl-C.
bool interrupted();

}  // namespace stiction::cli
