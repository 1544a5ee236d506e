#include "apps/viewer/child_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stiction/base/check.h"

extern char** environ;

namespace stiction::viewer {
namespace {

// Two ends of a connection, neither of them a descriptor that the child expects something at. A socket, so
// that writing to a program that has ended is an error and not a signal.
std::array<int, 2> connection() {
  std::array<int, 2> ends = {-1, -1};
  STICTION_USER_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0,
                      "no pipe can be made");
  constexpr int kFirstFree = 10;
  for (int& end : ends) {
    const int moved = fcntl(end, F_DUPFD_CLOEXEC, kFirstFree);
    close(end);
    end = moved;
  }
  return ends;
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  if (path == nullptr) return {};
  for (const std::string& name : names) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      const std::filesystem::path file = std::filesystem::path(folder) / name;
      if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file;
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    }
  }
  return {};
}

ChildProcess::ChildProcess(const std::vector<std::string>& command, int input, int output) {
  std::array<int, 2> in = connection(), out = {-1, -1};
  if (output >= 0) out = connection();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, in[1], input);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, out[1], output);
  // A group of its own: Ctrl-C is for this program, which then ends the other one.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int error = posix_spawnp(&pid_, words[0], &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(in[1]);
  if (output >= 0) close(out[1]);
  to_ = in[0];
  from_ = out[0];
  if (error == 0) return;
  pid_ = -1;
  close(to_);
  if (from_ >= 0) close(from_);
  throw_user_error(format("'{}' cannot be started", command.front()));
}

ChildProcess::~ChildProcess() {
  if (to_ >= 0) close(to_);
  if (from_ >= 0) close(from_);
  if (pid_ < 0) return;
  // Some time to end by itself, then all of its group.
  for (int tries = 0; tries < 40; ++tries) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
    if (tries == 20) kill(-pid_, SIGTERM);
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  kill(-pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

bool ChildProcess::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(to_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool ChildProcess::read(double timeout, std::string* bytes) {
  pollfd waiting{from_, POLLIN, 0};
  const int ready = poll(&waiting, 1, static_cast<int>(1e3 * timeout));
  if (ready < 0 && errno == EINTR) return true;
  if (ready <= 0) return false;
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(from_, buffer.data(), buffer.size());
  if (count <= 0) return false;
  bytes->append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

int ChildProcess::finish() {
  if (to_ >= 0) close(to_);
  to_ = -1;
  int status = 0;
  pid_t ended = -1;
  do ended = waitpid(pid_, &status, 0);
  while (ended < 0 && errno == EINTR);
  pid_ = -1;
  return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace stiction::viewer
