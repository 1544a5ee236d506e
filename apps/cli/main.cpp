#include <csignal>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/cli/commands.h"
#include "stiction/base/check.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

namespace {
volatile std::sig_atomic_t g_interrupted = 0;
std::vector<std::string> g_command_line;
}  // namespace

bool interrupted() { return g_interrupted != 0; }
const std::vector<std::string>& command_line() { return g_command_line; }

}  // namespace stiction::cli

int main(int argc, char** argv) {
  using namespace stiction;
  // The first Ctrl-C ends a run after the step it is in; the second one ends the program.
  std::signal(SIGINT, [](int) {
    cli::g_interrupted = 1;
    std::signal(SIGINT, SIG_DFL);
  });
  cli::g_command_line.assign(argv, argv + argc);
  // A file that may not grow is an error of the call that writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  CLI::App app("Stiction simulates robots in contact.\nExample: stiction run arm --time 5");
  const cli::Parser parser(&app);
  parser.require_command();
  int exit_code = cli::kDone;
  cli::add_bench(parser, &exit_code);
  cli::add_check(parser, &exit_code);
  cli::add_claims(parser, &exit_code);
  cli::add_compare(parser, &exit_code);
  cli::add_completion(parser, &exit_code);
  cli::add_convert(parser, &exit_code);
  cli::add_export(parser, &exit_code);
  cli::add_list(parser, &exit_code);
  cli::add_plot(parser, &exit_code);
  cli::add_replay(parser, &exit_code);
  cli::add_run(parser, &exit_code);
  cli::add_solve(parser, &exit_code);
  cli::add_view(parser, &exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? cli::kDone : cli::kBadInput;
  } catch (const UserError& error) {
    std::fprintf(stderr, "stiction: %s\n", error.what());
    return cli::kBadInput;
  } catch (const SimulationError& error) {
    std::fprintf(stderr, "stiction: %s\n", error.what());
    return cli::kSimulationFailed;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stiction: %s\n", error.what());
    return cli::kBadInput;
  }
  return exit_code;
}
