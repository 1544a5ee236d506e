// States: saved, restored, copied, compared and hashed whole.

#include <nanobind/stl/string.h>

#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/py_model.h"
#include "python/bindings/simulation/state_bytes.h"
#include "stiction/base/check.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// The memory of a vector never moves once a state is made, so that views stay what they are.
template <VecX State::*member>
void bind_vector(const char* name, const char* doc, nb::class_<State>* c) {
  c->def_prop_rw(
      name,
      [](nb::handle self) {
        VecX& x = nb::cast<State&>(self).*member;
        return writable(x.data(), {length(x)}, self);
      },
      [name](State& self, const VecX& numbers) {
        VecX& x = self.*member;
        STICTION_USER_CHECK(numbers.size() == x.size(), "{} of this state has {} numbers, not {}", name,
                            x.size(), numbers.size());
        x = numbers;
      },
      nb::for_setter(nb::arg("value")), doc);
}

}  // namespace

void bind_state(nb::module_& m) {
  nb::class_<State> c(
      m, "State",
      "All that a step starts from: time, positions, velocities, activations, and what the solvers "
      "remember. Can be pickled, copied and compared bit for bit.");
  c.def(
      "__init__", [](State* self, const PyModel& model) { new (self) State(*model); }, "model"_a,
      "The state in which the model was built.");
  c.def_rw("time", &State::time, "s.");
  bind_vector<&State::q>("q", "Positions, rad or m; a view that can be written.", &c);
  bind_vector<&State::v>("v", "Velocities, rad/s or m/s; a view that can be written.", &c);
  bind_vector<&State::activations>("activations",
                                   "Of the actuators that have one; a view that can be written.", &c);
  c.def(
       "hash", [](const State& self) { return hash(self); }, "64 bits; equal states have equal ones.")
      .def(
          "copy", [](const State& self) { return State(self); }, "A state of its own with the same numbers.")
      .def("__eq__", &same_bits, nb::is_operator(), "other"_a,
           nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const State& self) { return static_cast<Py_ssize_t>(hash(self) >> 1); })
      .def("__repr__",
           [](const State& self) {
             return format("State(time={}, {} positions, {} velocities)", self.time, self.q.size(),
                           self.v.size());
           })
      .def("__copy__", [](const State& self) { return State(self); })
      .def(
          "__deepcopy__", [](const State& self, nb::handle) { return State(self); }, "memo"_a)
      .def("__getstate__",
           [](const State& self) {
             const std::string bytes = state_to_bytes(self);
             return nb::bytes(bytes.data(), bytes.size());
           })
      .def("__setstate__", [](State& self, const nb::bytes& bytes) {
        new (&self) State(state_from_bytes({bytes.c_str(), bytes.size()}));
      });
}

}  // namespace stiction::python
