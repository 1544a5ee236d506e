#pragma once
// One line about how far a run is, rewritten a few times a second, on a terminal only.

#include <string>

#include "stiction/base/timer.h"

namespace stiction::cli {

class Progress {
 public:
  // `title` begins the line. Nothing is shown unless it is wanted and standard error is a terminal.
  Progress(bool wanted, std::string title);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Simulated time so far and in all (s).
  void show(double done, double total);

 private:
  bool wanted_ = false, printed_ = false;
  std::string title_;
  double next_ = 0.5;  // s, when to show again; short runs show nothing
  Stopwatch clock_;
};

}  // namespace stiction::cli
