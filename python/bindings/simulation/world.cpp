// World: steps, states, inputs.

#include <cmath>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/py_world.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/input_schedule.h"
#include "stiction/simulation/settle.h"

namespace stiction::python {

WorldOptions options_from(const PyModel& model, const std::optional<double>& h,
                          const std::optional<FormulationChoice>& formulation,
                          const std::optional<std::string>& scheme,
                          const std::optional<std::uint64_t>& sensor_noise) {
  WorldOptions options;
  options.h = h ? *h : model->elements.options.timestep;
  if (formulation) {
    if (const std::string* name = std::get_if<std::string>(&*formulation))
      set_formulation(*name, &options.formulation.contact);
    else
      options.formulation = std::get<Formulation>(*formulation);
  }
  if (scheme) options.formulation.scheme = &find_scheme(*scheme);
  options.sensor_noise = sensor_noise;
  return options;
}

namespace {

using namespace nb::literals;

void check_fits(const InputSchedule& schedule, const Model& model) {
  for (const ControlInput& control : schedule.controls)
    STICTION_USER_CHECK(control.actuator < static_cast<int>(model.elements.actuators.size()),
                        "the schedule is for another model: '{}' has no actuator {}", model.name,
                        control.actuator);
  for (const WrenchInput& wrench : schedule.wrenches)
    STICTION_USER_CHECK(wrench.body < static_cast<int>(model.forest.bodies.size()),
                        "the schedule is for another model: '{}' has no body {}", model.name, wrench.body);
}

// A row of `size` numbers that `what` is set to. Other dimensions are a TypeError, another length a UserError.
VecX row_from(nb::handle source, const char* what, std::size_t size) {
  NumberBuffer numbers;
  const bool is_read = numbers.read(source.ptr());
  if (!is_read || numbers.ndim() != 1) {
    throw nb::type_error(
        format("{} takes a row of {} numbers, not {}", what, size, describe_numbers(source)).c_str());
  }
  STICTION_USER_CHECK(static_cast<std::size_t>(numbers.size(0)) == size, "{} takes {} numbers, not {}", what,
                      size, numbers.size(0));
  return Eigen::Map<const VecX>(numbers.data(), numbers.size(0));
}

void set_numbers(PyWorld& self, nb::handle numbers, const char* what, VecX State::*member) {
  State state = self.ready().state();
  state.*member = row_from(numbers, what, length(state.*member));
  self.ready().set_state(state);
  self.pull_state();
}

void set_input(nb::handle numbers, const char* what, std::size_t size, double* out) {
  const VecX row = row_from(numbers, what, size);
  std::copy(row.begin(), row.end(), out);
}

void bind_steps(nb::class_<PyWorld>& c) {
  c.def(
       "step",
       [](PyWorld& self, const nb::args& positional, std::optional<double> h, int steps) {
         if (positional.size() > 0)
           throw nb::type_error(
               "step() takes its numbers by name: step(steps=5) for five steps, step(h=0.005) for one of 5 "
               "ms");
         return self.step(h, steps);
       },
       "args"_a, "h"_a = nb::none(), "steps"_a = 1,
       nb::sig("def step(self, *, h: float | None = None, steps: int = 1) -> StepReport"),
       "Steps of options.h, or of h (s); the report of the last. Raises SimulationError if one fails; the "
       "GIL is "
       "released, and Ctrl-C stops it.")
      .def("simulate", &PyWorld::simulate, "duration"_a,
           "Steps until a time (s) has passed; the last step is shortened to end there.")
      .def(
          "settle",
          [](PyWorld& self) {
            const SettleReport report = settle(&self.ready());
            self.pull_state();
            return report;
          },
          "Parts shapes that overlap, returns joints to their limits and closes loops, without a speed; time "
          "and "
          "velocities stay (docs/contact.md).")
      .def_prop_ro(
          "time", [](const PyWorld& self) { return self.ready().time(); }, "s.")
      .def_prop_rw(
          "state", [](const PyWorld& self) { return State(self.ready().state()); },
          [](PyWorld& self, const State& state) {
            self.ready().set_state(state);
            self.pull_state();
          },
          nb::for_setter("value"_a), "The whole state: reading gives a copy, writing restores it.")
      .def(
          "reset",
          [](PyWorld& self, const std::optional<NameOrIndex>& keyframe) {
            if (keyframe)
              self.ready().reset_to_keyframe(text_of(*keyframe));
            else
              self.ready().reset();
            self.pull_state();
            self.pull_inputs();
          },
          "keyframe"_a = nb::none(),
          "The state in which the model was built, or a keyframe by name or number; controls go with it.")
      .def(
          "apply",
          [](PyWorld& self, const InputSchedule& schedule) {
            check_fits(schedule, self.model());
            self.push_inputs();
            apply(schedule, &self.ready());
            self.pull_inputs();
          },
          "schedule"_a, "Sets the controls and wrenches of a schedule to those of the world's time.")
      .def_prop_rw(
          "options", [](PyWorld& self) -> WorldOptions& { return self.options(); },
          [](PyWorld& self, const WorldOptions& options) { self.options() = options; },
          nb::rv_policy::reference_internal, nb::for_setter("value"_a),
          "Step (s), formulation and noise; what is written acts from the next step on.");
}

void bind_arrays(nb::class_<PyWorld>& c) {
  c.def_prop_rw(
       "q", [](PyWorld& self) { return self.q(); },
       [](PyWorld& self, nb::handle q) { set_numbers(self, q, "q", &State::q); },
       nb::for_getter(nb::sig("def q(self) -> numpy.typing.NDArray[numpy.float64]")),
       nb::for_setter(nb::sig("def q(self, value: numpy.typing.ArrayLike) -> None")),
       "Positions, rad or m: a live view that cannot be written; assign all of them to set them.")
      .def_prop_rw(
          "v", [](PyWorld& self) { return self.v(); },
          [](PyWorld& self, nb::handle v) { set_numbers(self, v, "v", &State::v); },
          nb::for_getter(nb::sig("def v(self) -> numpy.typing.NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def v(self, value: numpy.typing.ArrayLike) -> None")),
          "Velocities, rad/s or m/s: a live view that cannot be written; assign all of them to set them.")
      .def_prop_ro(
          "activations", [](PyWorld& self) { return self.activations(); },
          nb::sig("def activations(self) -> numpy.typing.NDArray[numpy.float64]"),
          "Of the actuators that have one: a live view that cannot be written.")
      .def_prop_rw(
          "controls", [](PyWorld& self) { return self.controls(); },
          [](PyWorld& self, nb::handle u) {
            set_input(u, "controls", self.model().elements.actuators.size(), self.control_numbers());
          },
          nb::for_getter(nb::sig("def controls(self) -> numpy.typing.NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def controls(self, value: numpy.typing.ArrayLike) -> None")),
          "One per actuator; a view that can be written. They act until they change.")
      .def_prop_rw(
          "joint_forces", [](PyWorld& self) { return self.joint_forces(); },
          [](PyWorld& self, nb::handle tau) {
            set_input(tau, "joint_forces", static_cast<std::size_t>(self.model().num_v()),
                      self.joint_force_numbers());
          },
          nb::for_getter(nb::sig("def joint_forces(self) -> numpy.typing.NDArray[numpy.float64]")),
          nb::for_setter(nb::sig("def joint_forces(self, value: numpy.typing.ArrayLike) -> None")),
          "By velocity, N m or N; a view that can be written. They act until they change.")
      .def(
          "add_wrench",
          [](PyWorld& self, const NameOrIndex& body, const Vec6& wrench, const std::optional<Vec3>& p_W) {
            World& world = self.ready();
            const int b = find_body(self.model(), body);
            const std::string& name = self.model().forest.bodies[static_cast<std::size_t>(b)].name;
            world.input().wrenches.push_back({b, p_W ? *p_W : world.body_pose(name).p, wrench});
          },
          "body"_a, "wrench"_a, "p_W"_a = nb::none(),
          "(moment N m, force N) in W on a body at a point (m, in W; None: its origin), until "
          "clear_wrenches().")
      .def(
          "clear_wrenches", [](PyWorld& self) { self.ready().input().wrenches.clear(); },
          "No wrench of add_wrench() acts any more.");
}

}  // namespace

void bind_world(nb::module_& m) {
  nb::class_<PyWorld> c(
      m, "World",
      "A model, its state and the record of the last step. One thread at a time may use a world; "
      "different worlds step in parallel.");
  c.def(
       "__init__",
       [](PyWorld* self, const PyModel& model, const std::optional<double>& h,
          const std::optional<FormulationChoice>& formulation, const std::optional<std::string>& scheme,
          const std::optional<std::uint64_t>& sensor_noise) {
         new (self) PyWorld(model, options_from(model, h, formulation, scheme, sensor_noise));
       },
       "model"_a, "h"_a = nb::none(), "formulation"_a = nb::none(), "scheme"_a = nb::none(),
       "sensor_noise"_a = nb::none(),
       "h: step (s), None: Model.timestep. formulation: a name of formulations(), a law, or a Formulation. "
       "scheme: a "
       "name of schemes(). sensor_noise: a seed, None: no noise.")
      .def(
          "__init__",
          [](PyWorld* self, const PyModel& model, const WorldOptions& options) {
            new (self) PyWorld(model, options);
          },
          "model"_a, "options"_a, "With all options.")
      .def_prop_ro("model", &PyWorld::py_model,
                   "The model; where numbers were set for this world alone, a copy with them.")
      .def("__repr__", [](const PyWorld& self) {
        return format("World('{}', time={} s, {})", self.model().name, self.ready().time(),
                      formulation_name(self.ready().options().formulation.contact));
      });
  bind_steps(c);
  bind_arrays(c);
  bind_world_forces(c);
  bind_world_overrides(c);
}

}  // namespace stiction::python
