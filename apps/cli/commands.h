#pragma once
// The commands of `stiction`; each adds itself to the parser and runs when chosen.

#include <string>
#include <vector>

#include "apps/cli/parser.h"

namespace stiction::cli {

// Exit codes.
inline constexpr int kDone = 0, kBadInput = 1, kSimulationFailed = 2, kDiffers = 3, kInterrupted = 130;

// Adds the command; `exit_code` is set when it has run.
void add_bench(const Parser& app, int* exit_code);
void add_check(const Parser& app, int* exit_code);
void add_claims(const Parser& app, int* exit_code);
void add_compare(const Parser& app, int* exit_code);
void add_completion(const Parser& app, int* exit_code);
void add_convert(const Parser& app, int* exit_code);
void add_export(const Parser& app, int* exit_code);
void add_list(const Parser& app, int* exit_code);
void add_plot(const Parser& app, int* exit_code);
void add_replay(const Parser& app, int* exit_code);
void add_run(const Parser& app, int* exit_code);
void add_solve(const Parser& app, int* exit_code);
void add_view(const Parser& app, int* exit_code);

// The words that `list` takes.
std::vector<std::string> list_names();

// True once the user pressed Ctrl-C.
bool interrupted();

// The words that the program was started with, itself first.
const std::vector<std::string>& command_line();

}  // namespace stiction::cli
