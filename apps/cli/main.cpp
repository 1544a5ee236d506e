#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/cli/commands.h"
#include "stiction/base/check.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

namespace {
volatile std::sig_atomic_t g_interrupted = 0;
std::vector<std::string> g_command_line;

// What the parser did not take, with the closest name there is: "there is no command 'rum'; did you mean 'run'?"
// Empty: it says best itself what is wrong.
std::string unknown_word(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const CLI::App& command = given.empty() ? app : *given.front();
  const std::vector<std::string> left = app.remaining(true);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word.front() == '-'; };
  const auto option = std::find_if(left.begin(), left.end(), is_option);
  if (option != left.end()) {
    std::vector<std::string> known;
    for (const CLI::Option* one : command.get_options()) {
      for (const std::string& name : one->get_lnames()) known.push_back("--" + name);
      for (const std::string& name : one->get_snames()) known.push_back("-" + name);
    }
    return unknown_name_message("option", option->substr(0, option->find('=')), known);
  }
  if (!given.empty() || left.empty()) return {};
  std::vector<std::string> known;
  for (const CLI::App* one : app.get_subcommands({})) known.push_back(one->get_name());
  return unknown_name_message("command", left.front(), known);
}

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
    if (const std::string unknown = error.get_exit_code() == 0 ? "" : cli::unknown_word(app);
        !unknown.empty()) {
      const std::string command =
          app.get_subcommands().empty() ? "" : " " + app.get_subcommands().front()->get_name();
      std::fprintf(stderr, "stiction%s: %s\nstiction%s --help lists what there is.\n", command.c_str(),
                   unknown.c_str(), command.c_str());
      return cli::kBadInput;
    }
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
