#pragma once
// The commands of `stiction`; each adds itself to the parser and runs when chosen.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace stiction::cli {

// Exit codes.
inline constexpr int kDone = 0, kBadInput = 1, kSimulationFailed = 2, kDiffers = 3, kInterrupted = 130;

// Adds the command; `exit_code` is set when it has run.
void add_bench(CLI::App* app, int* exit_code);
void add_check(CLI::App* app, int* exit_code);
void add_claims(CLI::App* app, int* exit_code);
void add_compare(CLI::App* app, int* exit_code);
void add_completion(CLI::App* app, int* exit_code);
void add_convert(CLI::App* app, int* exit_code);
void add_export(CLI::App* app, int* exit_code);
void add_list(CLI::App* app, int* exit_code);
void add_plot(CLI::App* app, int* exit_code);
void add_replay(CLI::App* app, int* exit_code);
void add_run(CLI::App* app, int* exit_code);
void add_solve(CLI::App* app, int* exit_code);
void add_view(CLI::App* app, int* exit_code);

// The words that `list` takes.
std::vector<std::string> list_names();

// True once the user pressed Ctrl-C.
bool interrupted();

// The words that the program was started with, itself first.
const std::vector<std::string>& command_line();

}  // namespace stiction::cli
