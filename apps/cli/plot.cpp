#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <sys/wait.h>
#include <unistd.h>

#include "apps/cli/commands.h"
#include "stiction/base/check.h"
#include "stiction/io/recording/tables.h"

namespace stiction::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string file, out;
  std::string what = "energy,residual";
};

// The interpreter with matplotlib: the one that the user names, that of the repository, or the first one.
std::string python() {
  if (const char* given = std::getenv("STICTION_PYTHON"); given != nullptr && *given != '\0') return given;
  const std::string own = std::string(STICTION_SOURCE_DIR) + "/.venv/bin/python";
  return fs::exists(own) ? own : "python3";
}

// A folder of its own, deleted at the end.
struct TemporaryFolder {
  fs::path path;
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "stiction_plot_XXXXXX").string();
    STICTION_USER_CHECK(mkdtemp(name.data()) != nullptr, "cannot make a folder in '{}'",
                        fs::temp_directory_path().string());
    path = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

// Its exit code; 127: it could not be started.
int run_program(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

int run(const Arguments& a) {
  const std::string script = std::string(STICTION_SOURCE_DIR) + "/tools/plot_recording.py";
  STICTION_USER_CHECK(fs::exists(script),
                      "'{}', which draws, is not there; stiction export writes the numbers", script);
  RecordedTables tables;
  read_tables(a.file, &tables);
  TemporaryFolder folder;
  save_csv(tables, folder.path);
  const std::string out = a.out.empty() ? fs::path(a.file).stem().string() + ".svg" : a.out;
  const int code = run_program(
      {python(), script, folder.path.string(), "--what", a.what, "--title", tables.title, "--out", out});
  STICTION_USER_CHECK(code != 127, "'{}' cannot be started; STICTION_PYTHON may name another Python",
                      python());
  if (code != 0) return kBadInput;
  std::printf("%s\n", out.c_str());
  return kDone;
}

}  // namespace

void add_plot(const Parser& app, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "plot",
      "Draws a recording over time, with Python and matplotlib.\nExample: stiction run box_stack --time 1 "
      "--record run.mcap && stiction plot run.mcap --what energy,residual,force:box0 -o run.svg");
  command.add_option("file", &arguments->file, "A recording (stiction run --record)").required();
  command
      .add_option("--what", &arguments->what,
                  "One picture for each, with commas between them: energy, residual, certificate, contacts, "
                  "timings, force:BODY, q:JOINT, v:JOINT, control:ACTUATOR")
      .capture_default_str();
  command.add_option("-o,--out", &arguments->out,
                     "Picture to write, .svg, .png or .pdf; the recording's name with .svg without it");
  command.callback([arguments, exit_code] { *exit_code = run(*arguments); });
}

}  // namespace stiction::cli
