#pragma once
// Inputs as functions of time: set-points of actuators, and wrenches that disturb bodies.
//
//   InputSchedule schedule;
//   schedule.controls.push_back({model.actuator("elbow"), sine_signal({.amplitude = 0.3, .period = 2.0})});
//   while (world.time() < 5.0) {
//     apply(schedule, &world);  // inputs of the step that begins now
//     world.step();
//   }
//
// The input is constant during a step: its value at the time at which the step begins. A replayed recording
// uses the recorded inputs and no schedule.

#include <limits>
#include <string>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

class World;
struct Model;

// a sin(2 pi (t - begin)/period + phase) + offset; with `half` the negative half of the sine is replaced by
// zero.
struct Sine {
  double amplitude = 1.0;
  double period = 1.0;  // s
  double phase = 0.0;   // rad
  double offset = 0.0;
  bool half = false;
};

// A function of time from `begin` to `end`; 0 before `begin` and from `end` on.
struct Signal {
  enum class Kind { constant, table, sine };
  Kind kind = Kind::constant;
  double begin = -std::numeric_limits<double>::infinity(),
         end = std::numeric_limits<double>::infinity();  // s
  double value = 0.0;                                    // constant
  // Table: times in ascending order (s). Between two times interpolated linearly, or with `holds` the value
  // of the earlier time; constant before the first and after the last.
  std::vector<double> times, values;
  bool holds = false;
  Sine sine;  // if `begin` is not finite, 0 is used in the formula
};

Signal constant_signal(double value);
Signal sine_signal(const Sine& sine);
// Throws UserError unless there is one value for every time, all are finite and the times ascend.
Signal table_signal(std::vector<double> times, std::vector<double> values, bool holds = false);

double value_at(const Signal& signal, double time);

struct ControlInput {
  int actuator = 0;
  Signal signal;
};

struct WrenchInput {
  int body = 0;
  Vec3 p_B = Vec3::Zero();     // m, where it acts, in the body
  Vec6 wrench = Vec6::Zero();  // (moment, force) in W, at that point, times the factor
  Signal factor;
};

struct InputSchedule {
  std::vector<ControlInput> controls;  // those of one actuator add up
  std::vector<WrenchInput> wrenches;

  bool empty() const { return controls.empty() && wrenches.empty(); }
};

// Sets the controls that the schedule contains, and the wrenches of the world's input, to their values at the
// world's time. An empty schedule changes nothing.
void apply(const InputSchedule& schedule, World* world);

}  // namespace stiction
