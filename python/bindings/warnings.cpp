// Warnings of the library as UserWarning of Python, so that they can be filtered, raised and tested for.

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "python/bindings/bindings.h"
#include "stiction/base/log.h"

namespace stiction::python {
namespace {

// The library logs from any thread, with the interpreter's lock or without: messages wait here until Python's
// main thread is between two instructions. Nothing waits for the interpreter's lock while the log is locked.
struct Waiting {
  std::mutex mutex;
  std::vector<std::string> messages;
};

// Never destroyed: threads may log until the very end.
Waiting& waiting() {
  static Waiting* const one = new Waiting;
  return *one;
}

int deliver(void*) {
  std::vector<std::string> messages;
  {
    const std::lock_guard lock(waiting().mutex);
    messages.swap(waiting().messages);
  }
  for (const std::string& message : messages)
    if (PyErr_WarnEx(PyExc_UserWarning, message.c_str(), 1) != 0) return -1;  // a filter makes it an error
  return 0;
}

void take(LogLevel level, std::string_view message) {
  if (level != LogLevel::kWarning) {
    std::fprintf(stderr, "stiction: %s: %.*s\n", to_string(level), static_cast<int>(message.size()),
                 message.data());
    return;
  }
  {
    const std::lock_guard lock(waiting().mutex);
    waiting().messages.emplace_back(message);
  }
  // Where the interpreter has too many calls to make, the next warning takes this one along.
  Py_AddPendingCall(deliver, nullptr);
}

}  // namespace

void bind_warnings() { set_log_sink(take); }

}  // namespace stiction::python
