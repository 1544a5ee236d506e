#include "stiction/simulation/input_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/base/check.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

double table_value(const Signal& signal, double time) {
  const std::vector<double>&times = signal.times, &values = signal.values;
  if (times.empty()) return 0.0;
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return values.front();
  const std::size_t i = static_cast<std::size_t>(after - times.begin()) - 1;
  if (after == times.end() || signal.holds) return values[i];
  const double share = (time - times[i]) / (times[i + 1] - times[i]);
  return values[i] + share * (values[i + 1] - values[i]);
}

double sine_value(const Signal& signal, double time) {
  const Sine& s = signal.sine;
  const double since = std::isfinite(signal.begin) ? time - signal.begin : time;
  double wave = std::sin(2.0 * std::numbers::pi * since / s.period + s.phase);
  if (s.half) wave = std::max(0.0, wave);
  return s.amplitude * wave + s.offset;
}

}  // namespace

Signal constant_signal(double value) {
  Signal signal;
  signal.value = value;
  return signal;
}

Signal sine_signal(const Sine& sine) {
  Signal signal;
  signal.kind = Signal::Kind::sine;
  signal.sine = sine;
  return signal;
}

Signal table_signal(std::vector<double> times, std::vector<double> values, bool holds) {
  STICTION_USER_CHECK(times.size() == values.size() && !times.empty(),
                      "a table has a value for every time, not {} times and {} values", times.size(),
                      values.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    STICTION_USER_CHECK(std::isfinite(times[i]) && std::isfinite(values[i]),
                        "row {} of a table is not finite", i);
    STICTION_USER_CHECK(i == 0 || times[i] > times[i - 1], "times of a table ascend, but {} s follows {} s",
                        times[i], times[i == 0 ? 0 : i - 1]);
  }
  Signal signal;
  signal.kind = Signal::Kind::table;
  signal.times = std::move(times);
  signal.values = std::move(values);
  signal.holds = holds;
  return signal;
}

double value_at(const Signal& signal, double time) {
  if (!(time >= signal.begin && time < signal.end)) return 0.0;
  switch (signal.kind) {
    case Signal::Kind::constant:
      return signal.value;
    case Signal::Kind::table:
      return table_value(signal, time);
    case Signal::Kind::sine:
      return sine_value(signal, time);
  }
  return 0.0;
}

void apply(const InputSchedule& schedule, World* world) {
  if (schedule.empty()) return;
  const double time = world->time();
  Input& input = world->input();
  if (!schedule.controls.empty()) {
    const Eigen::Index actuators = static_cast<Eigen::Index>(world->model().elements.actuators.size());
    if (input.controls.size() == 0) input.controls.setZero(actuators);
    for (const ControlInput& control : schedule.controls) input.controls[control.actuator] = 0.0;
    for (const ControlInput& control : schedule.controls)
      input.controls[control.actuator] += value_at(control.signal, time);
  }
  if (schedule.wrenches.empty()) return;
  input.wrenches.clear();
  for (const WrenchInput& wrench : schedule.wrenches) {
    const double factor = value_at(wrench.factor, time);
    if (factor == 0.0) continue;
    const Pose X_WB = world->body_pose(world->model().forest.bodies[std::size_t(wrench.body)].name);
    input.wrenches.push_back({wrench.body, X_WB * wrench.p_B, factor * wrench.wrench});
  }
}

}  // namespace stiction
