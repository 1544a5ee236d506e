// Forces in a world's last step, and sensor readings.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/casters.h"
#include "python/bindings/old_names.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"
#include "stiction/simulation/inverse_dynamics.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/saved_problem.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using Name = const std::string&;

VecX copy_of(std::span<const double> numbers) {
  return Eigen::Map<const VecX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

void bind_contacts(nb::class_<PyWorld>& c) {
  c.def(
       "contact_forces", [](const PyWorld& self) { return contact_forces(self.ready().record()); },
       "Every point of contact of the last step, those that push nothing included.")
      .def(
          "contact_force",
          [](const PyWorld& self, const NameOrIndex& on_body, const std::optional<NameOrIndex>& of_body) {
            const World& world = self.ready();
            const std::string on = name_in(world.model(), "body", on_body);
            if (!of_body) return world.contact_force(on);
            const std::string of = name_in(world.model(), "body", *of_body);
            return world.contact_force(on, {of});
          },
          "on_body"_a, "of_body"_a = nb::none(),
          "What a body is pushed with in the last step by all it touches, or by one other body; N, in W.")
      .def(
          "contact_wrench",
          [](const PyWorld& self, const NameOrIndex& on_body, const Vec3& p_W) {
            return contact_wrench(self.ready().record(), find_body(self.model(), on_body), p_W);
          },
          "on_body"_a, "p_W"_a, "(moment about p_W in N m, force in N) of all contacts on a body, in W.")
      .def_prop_ro(
          "static_contact_force",
          [](const PyWorld& self) {
            return static_contact_force(self.ready().model(), self.ready().record());
          },
          "What static bodies put on all others in the last step; N, in W.")
      .def_prop_ro(
          "deepest_overlap", [](const PyWorld& self) { return deepest_overlap(self.ready().record()); },
          "At the start of the last step, m; 0 where nothing overlaps.")
      .def(
          "saved_problem",
          [](const PyWorld& self) {
            const World& world = self.ready();
            STICTION_USER_CHECK(world.record().h > 0.0, "there is no contact problem before the first step");
            return saved_problem(world.model(), world.record(), world.options().formulation.contact);
          },
          "The contact problem of the last step, which can be saved and solved alone.");
}

void bind_inverse_dynamics(nb::class_<PyWorld>& c) {
  c.def(
      "inverse_dynamics",
      [](PyWorld& self, const VecX& v_next, std::optional<double> h) {
        World& world = self.ready();
        const WorldOptions& options = world.options();
        return inverse_dynamics_with_contact(world.model(), world.state(), v_next, h.value_or(options.h),
                                             options.formulation, world.input());
      },
      "v_next"_a, "h"_a = nb::none(),
      "The joint forces, beyond those that act, and the contact impulses that take the world from its state "
      "to "
      "the velocities v_next in one step of h; the world does not change.");
}

void bind_constraint_forces(nb::class_<PyWorld>& c) {
  c.def(
       "constraint_force",
       [](const PyWorld& self, Name closure) { return self.ready().constraint_force(closure); },
       "constraint"_a,
       "(moment N m, force N) in W on the first of what a loop closure, rod, rope or bushing holds.")
      .def(
          "constraint_force",
          [](const PyWorld& self, Name closure) {
            warn_of_old_name(*find_renamed("World.constraint_force", "tie"));
            return self.ready().constraint_force(closure);
          },
          nb::kw_only(), "tie"_a, "Deprecated: the old name of constraint.")
      .def(
          "coupling_force", [](const PyWorld& self, Name name) { return self.ready().coupling_force(name); },
          "coupling"_a, "Along the first of two coupled joints or tendons, N m or N.")
      .def(
          "limit_force",
          [](const PyWorld& self, const NameOrIndex& joint) {
            return self.ready().limit_force(name_in(self.model(), "joint", joint));
          },
          "joint"_a, "Of the limits of a joint, by name or number, by its velocities, N m or N; six numbers.")
      .def(
          "friction_force",
          [](const PyWorld& self, const NameOrIndex& joint) {
            return self.ready().friction_force(name_in(self.model(), "joint", joint));
          },
          "joint"_a, "Of dry friction in a joint, by its velocities, N m or N; six numbers.")
      .def(
          "lock_force",
          [](const PyWorld& self, const NameOrIndex& joint) {
            return self.ready().lock_force(name_in(self.model(), "joint", joint));
          },
          "joint"_a, "Of a joint's lock, by its velocities, N m or N; six numbers.")
      .def(
          "reaction",
          [](const PyWorld& self, const NameOrIndex& body) {
            return self.ready().reaction(name_in(self.model(), "body", body));
          },
          "body"_a,
          "(moment about the body's origin N m, force N) in W that a body got from its parent in the last "
          "step.");
}

void bind_measures(nb::class_<PyWorld>& c) {
  c.def(
       "sensor",
       [](const PyWorld& self, const NameOrIndex& name) {
         return copy_of(self.ready().sensor(text_of(name)));
       },
       "name"_a,
       "Values of one sensor by name or number: places and velocities now, accelerations and forces in the "
       "last "
       "step; units in docs/sensors.md.")
      .def(
          "sensors", [](const PyWorld& self) { return copy_of(self.ready().sensors()); },
          "Values of all sensors in the model's order.")
      .def(
          "sensor_slice",
          [](const PyWorld& self, const NameOrIndex& name) {
            const SensorModel& sensors = self.ready().sensor_model();
            const ResolvedSensor& s =
                sensors.sensors[static_cast<std::size_t>(sensors.find(self.model(), text_of(name)))];
            return nb::slice(s.begin, s.begin + s.size, 1);
          },
          "name"_a, nb::sig("def sensor_slice(self, name: str | int) -> slice"),
          "Where a sensor's values are in those of all.")
      .def_prop_ro(
          "num_sensor_values", [](const PyWorld& self) { return self.ready().sensor_model().num_values; },
          "Numbers that all sensors give together.")
      .def(
          "energies", [](const PyWorld& self) { return self.ready().energies(); },
          "Kinetic energy, that of gravity, of springs, tendons, bushings and contact points, now; J.")
      .def(
          "energy_books", [](const PyWorld& self) { return self.ready().energy_books(); },
          "Every energy, work and loss of the last step by name; zeros before the first.")
      .def(
          "stage_seconds",
          [](const PyWorld& self) {
            const StageTimers& timers = self.ready().workspace().timers;
            nb::dict out;
            for (int i = 0; i < timers.stage_count(); ++i) out[timers.name(i)] = timers.seconds(i);
            return out;
          },
          nb::sig("def stage_seconds(self) -> dict[str, float]"),
          "Seconds of each stage so far, of the steps with Formulation.times_stages.");
}

}  // namespace

void bind_world_forces(nb::class_<PyWorld>& c) {
  bind_contacts(c);
  bind_inverse_dynamics(c);
  bind_constraint_forces(c);
  bind_measures(c);
}

}  // namespace stiction::python
