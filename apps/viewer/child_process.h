#pragma once
// A child process that this program talks to through pipes.

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
  // The child reads what is written here from its file descriptor `input`; what it writes to `output` is read
  // here (-1: nothing is read). Its other output is discarded. Throws UserError if it cannot be started.
  ChildProcess(const std::vector<std::string>& command, int input, int output);
  // Ends it, by force if it does not end by itself.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // False: the child does not accept input any more.
  bool write(std::string_view bytes);
  // Appends the available output; false: the child has ended, or was silent for `timeout` (s).
  bool read(double timeout, std::string* bytes);
  // Closes its input and returns its exit code; -1: it was ended by a signal.
  int finish();

 private:
  pid_t pid_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace stiction::viewer
