// The class Batch.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/batch.h"
#include "python/bindings/simulation/overrides.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using Indices = std::optional<std::vector<int>>;

std::vector<int> all_or(const Batch& batch, const Indices& given) {
  if (given) return *given;
  std::vector<int> all(static_cast<std::size_t>(batch.size()));
  for (int i = 0; i < batch.size(); ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}

// One row for each world.
template <class Function>
MatX rows(Batch& batch, int width, const Function& function) {
  batch.check_ready();
  MatX out(batch.size(), width);
  for (int i = 0; i < batch.size(); ++i) out.row(i) = function(batch.world(i)).transpose();
  return out;
}

void reset(Batch& self, const Indices& worlds, const std::optional<State>& state) {
  for (const int i : all_or(self, worlds)) {
    self.reset(i);
    if (state) self.set_state(i, *state);
  }
}

void set_positions(Batch& self, const MatX& q, const std::optional<MatX>& v, const Indices& worlds) {
  const std::vector<int> which = all_or(self, worlds);
  const auto n = static_cast<Eigen::Index>(which.size());
  STICTION_USER_CHECK(q.rows() == n && q.cols() == self.model()->num_q(),
                      "positions of {} worlds are ({}, {}), not ({}, {})", n, n, self.model()->num_q(),
                      q.rows(), q.cols());
  STICTION_USER_CHECK(!v || (v->rows() == n && v->cols() == self.model()->num_v()),
                      "velocities of {} worlds are ({}, {})", n, n, self.model()->num_v());
  for (Eigen::Index k = 0; k < n; ++k) {
    State state = self.world(which[static_cast<std::size_t>(k)]).state();
    state.q = q.row(k).transpose();
    if (v) state.v = v->row(k).transpose();
    self.set_state(which[static_cast<std::size_t>(k)], state);
  }
}

// Assigns all rows, or one row to all worlds.
void set_input(nb::object array, nb::handle numbers, const char* what) {
  const auto rows = nb::cast<std::size_t>(array.attr("shape")[0]);
  const auto width = nb::cast<std::size_t>(array.attr("shape")[1]);
  NumberBuffer given;
  const bool is_read = given.read(numbers.ptr());
  const bool is_row = is_read && given.ndim() == 1 && static_cast<std::size_t>(given.size(0)) == width;
  const bool is_table = is_read && given.ndim() == 2 && static_cast<std::size_t>(given.size(0)) == rows &&
                        static_cast<std::size_t>(given.size(1)) == width;
  if (!is_row && !is_table)
    throw nb::type_error(
        format("{} takes an array of shape ({}, {}), or a row of {} numbers for all worlds, not {}", what,
               rows, width, width, describe_numbers(numbers))
            .c_str());
  array[nb::slice(nb::none(), nb::none(), nb::none())] = numbers;
}

void override_numbers(Batch& self, const std::string& kind, const OverrideNames& name,
                      const OverrideNumbers& values) {
  const OverrideTable table = override_table(kind, name, values, *self.model(), self.size());
  std::vector<Override> changes;
  for (int i = 0; i < self.size(); ++i) changes.push_back(table.of_world(i));
  self.override_numbers(changes);
}

// The words with what they are about: "pair_friction(shape, shape): Coulomb's mu".
std::vector<std::string> words() {
  std::vector<std::string> out;
  for (const OverrideKind& kind : override_kinds()) out.emplace_back(kind.word);
  return out;
}

std::string describe(const std::string& word) {
  const OverrideKind& kind = find_override_kind(word);
  std::string names;
  for (const char* one : kind.of) names += (names.empty() ? "" : ", ") + std::string(one);
  return format("{}({}): {}", kind.word, names, kind.values);
}

constexpr const char* kArraySignature[] = {"def q(self) -> numpy.typing.NDArray[numpy.float64]",
                                           "def v(self) -> numpy.typing.NDArray[numpy.float64]",
                                           "def time(self) -> numpy.typing.NDArray[numpy.float64]",
                                           "def controls(self) -> numpy.typing.NDArray[numpy.float64]",
                                           "def joint_forces(self) -> numpy.typing.NDArray[numpy.float64]",
                                           "def failed(self) -> numpy.typing.NDArray[numpy.float64]"};

void bind_arrays(nb::class_<Batch>& c) {
  c.def_prop_ro(
       "q", [](const Batch& self) { return self.array(Batch::Field::q); }, nb::sig(kArraySignature[0]),
       "(worlds, num_q), rad or m; a live view that cannot be written.")
      .def_prop_ro(
          "v", [](const Batch& self) { return self.array(Batch::Field::v); }, nb::sig(kArraySignature[1]),
          "(worlds, num_v), rad/s or m/s; a live view that cannot be written.")
      .def_prop_ro(
          "time", [](const Batch& self) { return self.array(Batch::Field::time); },
          nb::sig(kArraySignature[2]), "(worlds,), s; a live view that cannot be written.")
      .def_prop_rw(
          "controls", [](const Batch& self) { return self.array(Batch::Field::controls); },
          [](Batch& self, nb::handle numbers) {
            set_input(self.array(Batch::Field::controls), numbers, "controls");
          },
          nb::for_getter(nb::sig(kArraySignature[3])),
          nb::for_setter(nb::sig("def controls(self, value: numpy.typing.ArrayLike) -> None")),
          "(worlds, num_controls); write here, it acts until it changes.")
      .def_prop_rw(
          "joint_forces", [](const Batch& self) { return self.array(Batch::Field::joint_forces); },
          [](Batch& self, nb::handle numbers) {
            set_input(self.array(Batch::Field::joint_forces), numbers, "joint_forces");
          },
          nb::for_getter(nb::sig(kArraySignature[4])),
          nb::for_setter(nb::sig("def joint_forces(self, value: numpy.typing.ArrayLike) -> None")),
          "(worlds, num_v), N m or N; write here, it acts until it changes.")
      .def_prop_ro(
          "failed", [](const Batch& self) { return self.array(Batch::Field::failed); },
          nb::sig(kArraySignature[5]),
          "(worlds,), 1 where a step failed: such a world waits for its reset. A live view.");
}

void bind_queries(nb::class_<Batch>& c) {
  c.def(
       "body_positions",
       [](Batch& self, const NameOrIndex& which) {
         const std::string body = name_in(*self.model(), "body", which);
         return rows(self, 3, [&](const World& world) { return Vec3(world.body_pose(body).p); });
       },
       "body"_a, "(worlds, 3), origin of a body in W, m.")
      .def(
          "body_quaternions",
          [](Batch& self, const NameOrIndex& which) {
            const std::string body = name_in(*self.model(), "body", which);
            return rows(self, 4, [&](const World& world) {
              return quaternion_from_rotation(world.body_pose(body).R);
            });
          },
          "body"_a, "(worlds, 4), (w, x, y, z) of a body in W.")
      .def(
          "body_velocities",
          [](Batch& self, const NameOrIndex& which) {
            const std::string body = name_in(*self.model(), "body", which);
            return rows(self, 6, [&](const World& world) { return world.body_velocity(body); });
          },
          "body"_a, "(worlds, 6), (angular rad/s, that of the origin m/s) of a body in W.")
      .def(
          "frame_positions",
          [](Batch& self, const NameOrIndex& which) {
            const Model& model = *self.model();
            const int index = model.frame(name_in(model, "frame", which));
            const Frame& frame = model.frames[static_cast<std::size_t>(index)];
            const std::string& body = model.forest.bodies[static_cast<std::size_t>(frame.body)].name;
            return rows(self, 3,
                        [&](const World& world) { return Vec3(world.body_pose(body) * frame.X_BF.p); });
          },
          "frame"_a, "(worlds, 3), origin of a frame in W, m.")
      .def(
          "contact_forces",
          [](Batch& self, const NameOrIndex& which) {
            const std::string body = name_in(*self.model(), "body", which);
            return rows(self, 3, [&](const World& world) { return world.contact_force(body); });
          },
          "body"_a, "(worlds, 3), of all contacts on a body in the last step, in W, N.")
      .def(
          "sensors",
          [](Batch& self) {
            const int width = self.world(0).sensor_model().num_values;
            return rows(self, width, [](const World& world) {
              const std::span<const double> all = world.sensors();
              return VecX(Eigen::Map<const VecX>(all.data(), static_cast<Eigen::Index>(all.size())));
            });
          },
          "(worlds, numbers of all sensors); units in docs/sensors.md.");
}

}  // namespace

void bind_batch(nb::module_& m) {
  nb::class_<Batch> c(
      m, "Batch",
      "Many worlds of one model that step together on all threads (set_thread_count), with live "
      "arrays: one row for each world.");
  c.def(
       "__init__",
       [](Batch* self, const PyModel& model, int worlds, const std::optional<double>& h,
          const std::optional<FormulationChoice>& formulation, const std::optional<std::string>& scheme,
          const std::optional<std::uint64_t>& sensor_noise) {
         new (self) Batch(model, worlds, options_from(model, h, formulation, scheme, sensor_noise));
       },
       "model"_a, "worlds"_a, "h"_a = nb::none(), "formulation"_a = nb::none(), "scheme"_a = nb::none(),
       "sensor_noise"_a = nb::none(), "Options as of World.")
      .def("__len__", &Batch::size)
      .def("__repr__",
           [](const Batch& self) {
             return format("Batch('{}', {} worlds, h={})", self.model()->name, self.size(), self.h());
           })
      .def_prop_ro("model", &Batch::model, "That all worlds started from.")
      .def_prop_ro("h", &Batch::h, "Step, s.")
      .def("step", &Batch::step, "steps"_a = 1,
           "Steps of every world. A world whose step fails is marked in `failed` and waits; Ctrl-C stops the "
           "call.")
      .def("reset", &reset, "worlds"_a = nb::none(), "state"_a = nb::none(),
           "Takes some worlds (None: all) to the state in which the model was built, or to another; inputs "
           "to zero.")
      .def("set_positions", &set_positions, "q"_a, "v"_a = nb::none(), "worlds"_a = nb::none(),
           "Positions (rad or m) and velocities (rad/s or m/s) of some worlds (None: all), a row each.")
      .def(
          "state", [](Batch& self, int world) { return State(self.world(world).state()); }, "world"_a,
          "A copy of the state of one world.")
      .def("set_state", &Batch::set_state, "world"_a, "state"_a, "Restores the state of one world.")
      .def("error", &Batch::error, "world"_a, "Why a world failed; empty: it has not.")
      .def("override", &override_numbers, "kind"_a, "name"_a, "values"_a,
           "A number of the model in every world: kind is a word of override_kinds(); name the body, shape, "
           "joint or actuator, the two shapes of a pair, or () for gravity; values one number, or one for "
           "each "
           "world; where a parameter has several numbers, a row of them, or a row for each world. Units are "
           "those of World.set_<kind>.");
  bind_arrays(c);
  bind_queries(c);
  m.def("override_kinds", &words, "Words for numbers that can differ from world to world.");
  m.def("describe_override", &describe, "kind"_a,
        "What a word of override_kinds() takes: names, and numbers with their units.");
  m.def(
      "_override_worlds",
      [](const PyModel& model, const std::string& kind, const std::vector<NameOrIndex>& names,
         const OverrideNumbers& values) {
        return override_table(kind, names, values, *model, 0).values.rows();
      },
      "model"_a, "kind"_a, "names"_a, "values"_a, "For how many worlds there are numbers; 1: for any.");
}

}  // namespace stiction::python
