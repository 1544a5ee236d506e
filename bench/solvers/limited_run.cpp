#include "bench/solvers/limited_run.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stiction/base/check.h"
#include "stiction/base/timer.h"

namespace stiction::solvers {
namespace {

// Never returns.
[[noreturn]] void be_child(const std::function<std::string()>& work, int out) {
  try {
    const std::string text = work();
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t count = write(out, text.data() + done, text.size() - done);
      if (count <= 0) _exit(1);
      done += static_cast<std::size_t>(count);
    }
    _exit(0);
  } catch (const std::exception&) {
    _exit(1);
  }
}

// Processor time of the child; that of one that has just ended is not known, and does not matter.
double seconds_of(pid_t child) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0.0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Reads until the child closes its end. False: the time is up, or the user wants to stop.
bool read_all(pid_t child, int in, double limit_s, const std::function<bool()>& stops, std::string* result) {
  constexpr double kPauseMs = 50.0;
  constexpr double kAsleep = 60.0, kPatience = 100.0;  // s, and times: one that waits for ever ends too
  const Stopwatch watch;
  char buffer[4096];
  while (!stops || !stops()) {
    const double left_ms = 1e3 * (limit_s - seconds_of(child));
    if (left_ms <= 0.0 || watch.seconds() > kAsleep + kPatience * limit_s) return false;
    pollfd ready{in, POLLIN, 0};
    const int count = poll(&ready, 1, static_cast<int>(std::clamp(left_ms, 1.0, kPauseMs)));
    if (count < 0 && errno != EINTR) return false;
    if (count <= 0) continue;
    const ssize_t size = read(in, buffer, sizeof(buffer));
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return true;
    result->append(buffer, static_cast<std::size_t>(size));
  }
  return false;
}

}  // namespace

LimitedEnd run_limited(const std::function<std::string()>& work, double limit_s, std::string* result,
                       const std::function<bool()>& stops) {
  int ends[2];
  STICTION_USER_CHECK(pipe(ends) == 0, "cannot make a pipe");
  const pid_t child = fork();
  STICTION_USER_CHECK(child >= 0, "cannot start a process");
  if (child == 0) {
    close(ends[0]);
    be_child(work, ends[1]);
  }
  close(ends[1]);
  result->clear();
  const bool is_done = read_all(child, ends[0], limit_s, stops, result);
  close(ends[0]);
  if (!is_done) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!is_done) return LimitedEnd::out_of_time;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? LimitedEnd::done : LimitedEnd::crashed;
}

}  // namespace stiction::solvers
