// Parameters of the model in one world alone, and switches.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/casters.h"
#include "python/bindings/simulation/overrides.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"

namespace stiction::python {
namespace {

using namespace nb::literals;
using Name = const std::string&;

// A function that changes one number, by the word that override_list.h has for it.
auto number(const char* kind) {
  return [kind](PyWorld& self, const NameOrIndex& name, double value) {
    const std::string of = name_in(self.model(), find_override_kind(kind).of[0], name);
    self.override_number({kind, {of}, {value}});
  };
}
auto pair_number(const char* kind) {
  return [kind](PyWorld& self, const NameOrIndex& shape1, const NameOrIndex& shape2, double value) {
    self.override_number(
        {kind, {name_in(self.model(), "shape", shape1), name_in(self.model(), "shape", shape2)}, {value}});
  };
}

template <void (World::*set)(std::string_view, bool)>
auto flag(const char* kind) {
  return [kind](PyWorld& self, const NameOrIndex& name, bool on) {
    (self.ready().*set)(name_in(self.model(), kind, name), on);
  };
}
template <void (World::*set)(std::string_view, bool)>
auto named_flag() {
  return [](PyWorld& self, Name name, bool on) { (self.ready().*set)(name, on); };
}

void bind_numbers(nb::class_<PyWorld>& c) {
  c.def("set_mass", number("mass"), "body"_a, "mass"_a, "kg; moments of inertia are scaled with it.")
      .def(
          "set_inertia",
          [](PyWorld& self, const NameOrIndex& body, const Inertia& inertia) {
            self.ready().set_inertia(name_in(self.model(), "body", body), inertia);
            self.pull_state();
          },
          "body"_a, "inertia"_a, "In the body's frame.")
      .def(
          "set_centre_of_mass",
          [](PyWorld& self, const NameOrIndex& body, const Vec3& com) {
            self.override_number(
                {"centre_of_mass", {name_in(self.model(), "body", body)}, {com[0], com[1], com[2]}});
          },
          "body"_a, "com"_a, "m, in the body's frame; mass and moments about the centre stay.")
      .def("set_joint_damping", number("joint_damping"), "joint"_a, "damping"_a, "N m s/rad or N s/m.")
      .def("set_joint_armature", number("joint_armature"), "joint"_a, "armature"_a, "kg m^2 or kg.")
      .def("set_joint_stiffness", number("joint_stiffness"), "joint"_a, "stiffness"_a, "N m/rad or N/m.")
      .def("set_joint_friction", number("joint_friction"), "joint"_a, "force"_a, "Dry friction, N m or N.")
      .def("set_friction", number("friction"), "shape"_a, "mu"_a,
           "Coulomb's mu of a surface, at rest and in motion.")
      .def("set_stiffness", number("stiffness"), "shape"_a, "stiffness"_a, "Of a surface, N/m.")
      .def(
          "set_material",
          [](PyWorld& self, const NameOrIndex& shape, const ContactMaterial& material) {
            self.ready().set_material(name_in(self.model(), "shape", shape), material);
          },
          "shape"_a, "material"_a, "Everything about a surface.")
      .def("set_dissipation", number("dissipation"), "shape"_a, "dissipation"_a,
           "Hunt and Crossley's d of a surface, s/m.")
      .def("set_relaxation_time", number("relaxation_time"), "shape"_a, "time"_a,
           "Of Kelvin and Voigt's damper of a surface, s.")
      .def("set_restitution", number("restitution"), "shape"_a, "restitution"_a,
           "Speed after an impact over that before it, for the rigid laws; a pair has the larger of two.")
      .def(
          "set_size",
          [](PyWorld& self, const NameOrIndex& shape, const std::variant<double, VecX>& size) {
            std::vector<double> numbers;
            if (const double* one = std::get_if<double>(&size))
              numbers = {*one};
            else
              numbers.assign(std::get<VecX>(size).begin(), std::get<VecX>(size).end());
            self.override_number({"size", {name_in(self.model(), "shape", shape)}, numbers});
          },
          "shape"_a, "size"_a,
          "m: radius of a sphere; half extents of a box; radius and length of a cylinder or capsule; radii "
          "of "
          "an ellipsoid. The mass stays.")
      .def("set_pair_friction", pair_number("pair_friction"), "shape1"_a, "shape2"_a, "mu"_a,
           "Coulomb's mu of two shapes, whatever their surfaces say.")
      .def("set_pair_stiffness", pair_number("pair_stiffness"), "shape1"_a, "shape2"_a, "stiffness"_a,
           "Of two shapes, whatever their surfaces say, N/m.")
      .def("set_pair_dissipation", pair_number("pair_dissipation"), "shape1"_a, "shape2"_a, "dissipation"_a,
           "Of two shapes, whatever their surfaces say, s/m.")
      .def("set_pair_relaxation_time", pair_number("pair_relaxation_time"), "shape1"_a, "shape2"_a, "time"_a,
           "Of two shapes, whatever their surfaces say, s.")
      .def("set_pair_restitution", pair_number("pair_restitution"), "shape1"_a, "shape2"_a, "restitution"_a,
           "Of two shapes, whatever their surfaces say.")
      .def(
          "set_gain",
          [](PyWorld& self, const NameOrIndex& actuator, double gain, const std::optional<double>& kv) {
            const std::string name = name_in(self.model(), "actuator", actuator);
            if (kv)
              self.ready().set_gain(name, gain, *kv);
            else
              self.ready().set_gain(name, gain);
          },
          "actuator"_a, "gain"_a, "kv"_a = nb::none(),
          "What multiplies the control; of a position servo kp (N m/rad or N/m), and kv (N m s/rad or N s/m) "
          "where "
          "it is given.")
      .def(
          "set_force_range",
          [](PyWorld& self, const NameOrIndex& actuator, double lower, double upper) {
            self.ready().set_force_range(name_in(self.model(), "actuator", actuator), lower, upper);
          },
          "actuator"_a, "lower"_a, "upper"_a, "N or N m; infinite: no bound on that side.")
      .def(
          "set_actuator_active",
          [](PyWorld& self, const NameOrIndex& actuator, bool active) {
            self.ready().set_actuator_active(text_of(actuator), active);
          },
          "actuator"_a, "active"_a,
          "Switches an actuator, by name or number, off or on: off it makes no force, and its activation "
          "stands still.")
      .def(
          "is_actuator_active",
          [](const PyWorld& self, const NameOrIndex& actuator) {
            return self.ready().is_actuator_active(text_of(actuator));
          },
          "actuator"_a, "Whether an actuator, by name or number, is on.")
      .def(
          "set_gravity", [](PyWorld& self, const Vec3& gravity) { self.ready().set_gravity(gravity); },
          "gravity"_a, "m/s^2.")
      .def(
          "override",
          [](PyWorld& self, const std::string& kind, const OverrideNames& name,
             const OverrideNumbers& values) {
            self.override_number(override_table(kind, name, values, self.ready().model(), 1).of_world(0));
          },
          "kind"_a, "name"_a, "values"_a,
          "A number of the model by a word of override_kinds(), as in rollout() and Batch.override(): name "
          "is "
          "that (or the number) of the body, shape, joint or actuator, the two names of a pair, or () for "
          "gravity.");
}

void bind_switches(nb::class_<PyWorld>& c) {
  c.def("set_shape_collides", flag<&World::set_shape_collides>("shape"), "shape"_a, "collides"_a,
        "Switches the contacts of a shape off or on.")
      .def("set_body_collides", flag<&World::set_body_collides>("body"), "body"_a, "collides"_a,
           "Switches the contacts of all shapes of a body off or on.")
      .def(
          "set_pair_collides",
          [](PyWorld& self, const NameOrIndex& shape1, const NameOrIndex& shape2, bool collides) {
            self.ready().set_pair_collides(name_in(self.model(), "shape", shape1),
                                           name_in(self.model(), "shape", shape2), collides);
          },
          "shape1"_a, "shape2"_a, "collides"_a, "Switches the contacts of two shapes off or on.")
      .def("set_group_collides", named_flag<&World::set_group_collides>(), "group"_a, "collides"_a,
           "Switches a collision group as a whole.")
      .def(
          "set_groups_collide",
          [](PyWorld& self, Name group1, Name group2, bool collides) {
            self.ready().set_groups_collide(group1, group2, collides);
          },
          "group1"_a, "group2"_a, "collides"_a, "Switches the contacts of two groups with each other.")
      .def("set_constraint_active", named_flag<&World::set_constraint_active>(), "constraint"_a, "active"_a,
           "Switches a loop closure, coupling, rod, rope, bushing or mimic joint.")
      .def(
          "is_constraint_active",
          [](const PyWorld& self, Name constraint) { return self.ready().is_constraint_active(constraint); },
          "constraint"_a, "Whether it acts.")
      .def("set_limits_active", flag<&World::set_limits_active>("joint"), "joint"_a, "active"_a,
           "Switches the limits of a joint.")
      .def(
          "lock_joint",
          [](PyWorld& self, const NameOrIndex& joint, const std::optional<VecX>& q) {
            const std::string name = name_in(self.model(), "joint", joint);
            if (q)
              self.ready().lock_joint(name, std::span<const double>(q->data(), length(*q)));
            else
              self.ready().lock_joint(name);
          },
          "joint"_a, "q"_a = nb::none(),
          "Holds a joint where it is now, or at q (rad or m), until it is unlocked.")
      .def(
          "unlock_joint",
          [](PyWorld& self, const NameOrIndex& joint) {
            self.ready().unlock_joint(name_in(self.model(), "joint", joint));
          },
          "joint"_a, "The joint moves again.")
      .def(
          "set_kinematic_motion",
          [](PyWorld& self, const NameOrIndex& body, const Pose& X_WB, const Vec6& V_WB) {
            const std::string name = name_in(self.model(), "body", body);
            STICTION_USER_CHECK(V_WB.allFinite(), "the velocity of body '{}' is not finite", name);
            self.ready().set_kinematic_motion(name, X_WB, V_WB);
          },
          "body"_a, "X_WB"_a, "V_WB"_a = zeros(6),
          "Pose (m) and velocity (rad/s, m/s) of a kinematic body until they are set again.")
      .def(
          "set_surface_velocity",
          [](PyWorld& self, const NameOrIndex& shape, const Vec3& v_B) {
            self.ready().set_surface_velocity(name_in(self.model(), "shape", shape), v_B);
          },
          "shape"_a, "v_B"_a, "The surface of a shape moves at v_B (m/s, in its body's axes).");
}

}  // namespace

void bind_world_overrides(nb::class_<PyWorld>& c) {
  bind_numbers(c);
  bind_switches(c);
}

}  // namespace stiction::python
