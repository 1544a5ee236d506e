#pragma once
// A program that runs beside this one and is talked to through pipes.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace stiction::viewer {

// The first of these programs that is on the PATH.
std::optional<std::filesystem::path> find_program(const std::vector<std::string>& names);

class ChildProcess {
 public:
  // It reads what is written here from its file descriptor `input`, and what it writes to `output` is read
  // here; -1: nothing is read. Everything else that it says goes nowhere. Throws UserError if it cannot be
  // started.
  ChildProcess(const std::vector<std::string>& command, int input, int output);
  // Ends it, by force where it does not listen.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // False: it does not take it.
  bool write(std::string_view bytes);
  // Appends what there is; false: it has ended, or said nothing for so long (s).
  bool read(double timeout, std::string* bytes);
  // Its exit code after no more is written; -1: it was ended by a signal.
  int finish();

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace stiction::viewer
