// Named models, inputs over time, and threads.

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/fields.h"
#include "python/bindings/simulation/py_model.h"
#include "scenes/catalog.h"
#include "stiction/base/parallel.h"
#include "stiction/base/shared_files.h"
#include "stiction/simulation/input_schedule.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// More than any machine of today has, and few enough to be made.
constexpr int kMostThreads = 1024;

void bind_schedule(nb::module_& m) {
  nb::class_<Signal>(m, "Signal",
                     "A number at every time; constant_signal, sine_signal and table_signal make one.")
      .def_rw("begin", &Signal::begin, "It is 0 before, s.")
      .def_rw("end", &Signal::end, "It is 0 from then on, s.")
      .def(
          "value_at", [](const Signal& self, double time) { return value_at(self, time); }, "time"_a,
          "At a time (s).");
  m.def("constant_signal", &constant_signal, "value"_a, "The same number at all times.");
  m.def(
      "sine_signal",
      [](double amplitude, double period, double phase, double offset, bool half) {
        STICTION_USER_CHECK(std::isfinite(period) && period > 0.0, "a period must be positive, not {} s",
                            period);
        return sine_signal({amplitude, period, phase, offset, half});
      },
      "amplitude"_a = 1.0, "period"_a = 1.0, "phase"_a = 0.0, "offset"_a = 0.0, "half"_a = false,
      "a sin(2 pi t/period + phase) + offset, period in s, phase in rad; half: without the negative half.");
  m.def("table_signal", &table_signal, "times"_a, "values"_a, "holds"_a = false,
        "Straight lines between values at ascending times (s), or steps where it holds.");
  nb::class_<InputSchedule>(m, "InputSchedule",
                            "Controls and wrenches as functions of time, for World.apply().")
      .def(nb::init<>(), "Nothing acts.")
      .def(
          "add_control",
          [](InputSchedule& self, const PyModel& model, const std::string& actuator, const Signal& signal) {
            self.controls.push_back({model->actuator(actuator), signal});
          },
          "model"_a, "actuator"_a, "signal"_a, "The control of an actuator; those of one actuator add up.")
      .def(
          "add_wrench",
          [](InputSchedule& self, const PyModel& model, const std::string& body, const Vec6& wrench,
             const Signal& factor, const Vec3& p_B) {
            STICTION_USER_CHECK(wrench.allFinite() && p_B.allFinite(), "a wrench is not finite");
            self.wrenches.push_back({model->body(body), p_B, wrench, factor});
          },
          "model"_a, "body"_a, "wrench"_a, "factor"_a, "p_B"_a = zeros(3),
          "(moment N m, force N) in W on a body at p_B (m, in the body), times a factor.")
      .def_prop_ro(
          "num_controls", [](const InputSchedule& self) { return self.controls.size(); },
          "How many controls it sets.")
      .def_prop_ro(
          "num_wrenches", [](const InputSchedule& self) { return self.wrenches.size(); },
          "How many wrenches it sets.");
}

}  // namespace

void bind_scenes(nb::module_& m) {
  bind_schedule(m);
  m.def(
      "scenes",
      [] {
        nb::list rows;
        for (const SceneEntry& entry : scene_catalog())
          rows.append(nb::make_tuple(entry.name, entry.description));
        return rows;
      },
      nb::sig("def scenes() -> list[tuple[str, str]]"), "Named models with a description each.");
  m.def(
      "make_scene", [](const std::string& name) { return share(make_scene(name)); }, "name"_a,
      "A named model; raises UserError with the closest name.");
  m.def(
      "scene_schedule",
      [](const std::string& name, const PyModel& model) {
        const SceneEntry* entry = find_scene(name);
        if (entry == nullptr) make_scene(name);  // throws with the closest name
        return entry->schedule == nullptr ? InputSchedule() : entry->schedule(*model);
      },
      "name"_a, "model"_a,
      "What the actuators of a named model are told over time; empty where they are not.");
  m.def(
      "shared_file",
      [](const std::string& relative) {
        const auto file = shared_file(relative);
        STICTION_USER_CHECK(file.has_value(), "{}", missing_shared_file(relative));
        return file->string();
      },
      "relative"_a,
      "Path of a file of the shared folder (environment variable STICTION_SHARED); raises UserError without "
      "it.");
  m.def(
      "set_thread_count",
      [](int threads) {
        STICTION_USER_CHECK(threads >= 0 && threads <= kMostThreads, "threads must be from 0 to {}, not {}",
                            kMostThreads, threads);
        const nb::gil_scoped_release release;
        set_thread_count(threads);
      },
      "threads"_a, "Threads of everything that runs in parallel; 0: one per core. No result depends on it.");
  m.def("thread_count", &thread_count, "Threads of everything that runs in parallel.");
}

}  // namespace stiction::python
