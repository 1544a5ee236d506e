#pragma once
// Ctrl-C in long calls: the thread that called from Python regularly checks for signals.

#include <chrono>

#include <nanobind/nanobind.h>

namespace stiction::python {

// All functions are for callers without the GIL.
class InterruptWatch {
 public:
  // Whether Python wants the call to end; the Python error is then set in the calling thread.
  bool is_due() {
    if (!is_time()) return false;
    const nanobind::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
  }
  // Throws where is_due() would be true.
  void look() {
    if (!is_time()) return;
    const nanobind::gil_scoped_acquire acquire;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }

 private:
  bool is_time() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < kInterval) return false;
    last_ = now;
    return true;
  }

  static constexpr std::chrono::milliseconds kInterval{20};
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace stiction::python
