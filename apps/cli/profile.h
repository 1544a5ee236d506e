#pragma once
// Where the time of a run goes: a table of the stages of a step, and a trace of every step for a viewer.

#include <fstream>
#include <string>
#include <vector>

#include "stiction/base/timer.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

// Time by stage: total, per step, and as a fraction; `wall` is that of all steps together (s).
void print_profile(const StageTimers& timers, long steps, double wall);

// A file in the format of Chrome's tracing (https://ui.perfetto.dev reads it): one event for every step with
// those of its stages inside. Stages follow each other in the order of the step; a stage that ran several
// times in a step is one event.
class ProfileTrace {
 public:
  // Empty: no file. Throws UserError if it cannot be written.
  explicit ProfileTrace(const std::string& name);
  bool is_open() const { return file_.is_open(); }
  // The step that the world has just taken, in `wall` seconds.
  void add(const World& world, const StepReport& report, double wall);
  // Throws UserError if something was not written.
  void close();

 private:
  void write_event(const char* name, double begin, double duration, const std::string& arguments);

  std::string name_;
  std::ofstream file_;
  std::vector<double> before_;  // s, of the stages in all steps before
  double now_ = 0.0;            // s
  bool is_first_ = true;
};

}  // namespace stiction::cli
