// Models built in code.

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/py_model.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/simulation/model/model_builder.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using B = ModelBuilder;
using Constraint = std::variant<Equality, DistanceConstraint, SlotConstraint, Bushing, SupportFriction>;
constexpr auto kSelf = nb::rv_policy::reference_internal;  // calls can be chained

void bind_bodies(nb::class_<B>& c) {
  c.def("add_body", &B::add_body, "name"_a, "parent"_a = "world", "X_PB"_a = Pose(), "inertia"_a = Inertia(),
        kSelf, "A body on its parent at X_PB; without joints it is fixed to it.")
      .def("add_kinematic_body", &B::add_kinematic_body, "name"_a, "X_WB"_a = Pose(), "inertia"_a = Inertia(),
           kSelf, "A body whose pose and velocity are prescribed from outside.")
      .def("add_free_body", &B::add_free_body, "name"_a, "X_WB"_a = Pose(), "inertia"_a = Inertia(), kSelf,
           "A body on the world with a free joint of the same name.")
      .def("add_joint", &B::add_joint, "body"_a, "joint"_a, kSelf,
           "Joints of a body act in the order in which they are added.")
      .def("add_frame", &B::add_frame, "name"_a, "body"_a, "X_BF"_a = Pose(), kSelf,
           "A named frame on a body.")
      .def("set_gravity", &B::set_gravity, "gravity"_a, kSelf, "m/s^2.")
      .def("set_initial", &B::set_initial, "joint"_a, "q"_a, kSelf,
           "Positions of a joint at the start, as many as it has; rad or m.")
      .def("set_initial_velocity", &B::set_initial_velocity, "joint"_a, "v"_a, kSelf,
           "Velocities of a joint at the start, as many as it has; rad/s or m/s.");
}

void bind_shapes_of(nb::class_<B>& c) {
  c.def("add_shape", &B::add_shape, "name"_a, "body"_a, "X_BS"_a, "shape"_a, "rounding"_a = 0.0, kSelf,
        "A shape on a body; `rounding` (m) is added all around it: the Minkowski sum with a ball.")
      .def("add_solid", &B::add_solid, "name"_a, "body"_a, "X_BS"_a, "shape"_a, "density"_a, kSelf,
           "A shape, and the mass of its volume at a density (kg/m^3).")
      .def("set_properties", &B::set_properties, "shape"_a, "properties"_a, kSelf,
           "How a shape touches and looks.")
      .def("set_material", &B::set_material, "shape"_a, "material"_a, kSelf,
           "What the surface of a shape is made of.")
      .def("set_surface_velocity", &B::set_surface_velocity, "shape"_a, "v_B"_a, kSelf,
           "The surface moves at v_B (m/s, in its body's axes) while the body stands: a conveyor belt.")
      .def("exclude_contacts", &B::exclude_contacts, "body1"_a, "body2"_a, kSelf,
           "Shapes of the two bodies do not touch.")
      .def("add_collision_group", &B::add_collision_group, "group"_a, kSelf,
           "A named group of shapes that ignores other groups or itself, or touches nothing.")
      .def("add_contact_pair", &B::add_contact_pair, "shape1"_a, "shape2"_a, "margin"_a = 0.0, kSelf,
           "The two shapes touch whatever the rules say; margin in m.");
}

void bind_elements_of(nb::class_<B>& c) {
  c.def(
       "add_constraint",
       [](B& self, const Constraint& constraint) -> B& {
         return std::visit([&self](const auto& one) -> B& { return self.add_constraint(one); }, constraint);
       },
       "constraint"_a, kSelf,
       "A loop closure, coupling, rod, rope, slot, bushing or support between what is there already.")
      .def("add_tendon", &B::add_tendon, "tendon"_a, kSelf, "A tendon between what is there already.")
      .def("add_actuator", &B::add_actuator, "actuator"_a, kSelf, "An actuator of what is there already.")
      .def("add_sensor", &B::add_sensor, "sensor"_a, kSelf,
           "Its names are looked up when sensors are first read.")
      .def("add_keyframe", &B::add_keyframe, "keyframe"_a, kSelf, "A state with a name.")
      .def(
          "attach",
          [](B& self, const PyModel& other, const std::string& parent, const Pose& X_PA,
             const std::string& prefix) -> B& { return self.attach(*other, parent, X_PA, prefix); },
          "other"_a, "parent"_a = "world", "X_PA"_a = Pose(), "prefix"_a = "", kSelf,
          "Copies everything of another model under a body or frame; every name gets the prefix in front.")
      .def(
          "build", [](const B& self) { return share(self.build()); },
          "The model; raises UserError for what cannot be.");
}

}  // namespace

void bind_builder(nb::module_& m) {
  nb::class_<B> c(
      m, "ModelBuilder",
      "Builds a Model by names. Calls can be chained; every mistake raises UserError and names the body, "
      "joint, frame or shape it is about.");
  c.def(nb::init<std::string>(), "name"_a = "model", "Name of the model.");
  bind_bodies(c);
  bind_shapes_of(c);
  bind_elements_of(c);
}

}  // namespace stiction::python
