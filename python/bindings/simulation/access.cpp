// Parts of a world by name: world.body("hand").pose, world.joint("elbow").q = 0.3.
//
// Each holds its world, so that it stays valid as long as someone has it.

#include <algorithm>
#include <cmath>
#include <variant>

#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "python/bindings/simulation/world_parts.h"
#include "stiction/base/check.h"
#include "stiction/simulation/output/contact_forces.h"

namespace stiction::python {
namespace {

using namespace nb::literals;

// A named part of a world.
struct Part {
  nb::object owner;
  std::string name;
  int index = 0;

  PyWorld& holder() const { return nb::cast<PyWorld&>(owner); }
  World& world() const { return holder().ready(); }
  const Model& model() const { return holder().model(); }
};
struct BodyPart : Part {};
struct JointPart : Part {
  const JointIndices& place() const { return model().forest.joints[static_cast<std::size_t>(index)]; }
};
struct ShapePart : Part {};
struct ActuatorPart : Part {};
struct FramePart : Part {
  const Frame& frame() const { return model().frames[static_cast<std::size_t>(index)]; }
  Pose body_pose() const {
    return world().body_pose(model().forest.bodies[static_cast<std::size_t>(frame().body)].name);
  }
};

template <class P>
P part(nb::handle world, const char* kind, const NameOrIndex& which,
       int (Model::*find)(std::string_view) const) {
  const PyWorld& holder = nb::cast<PyWorld&>(world);
  const std::string name = name_in(holder.ready().model(), kind, which);
  P made;
  made.index = (holder.ready().model().*find)(name);
  made.owner = nb::borrow(world);
  made.name = name;
  return made;
}

// One number where there is one, otherwise an array.
nb::object numbers(const double* x, int count) {
  if (count == 1) return nb::float_(x[0]);
  return nb::cast(VecX(Eigen::Map<const VecX>(x, count)));
}

// A number, or a row of as many as the joint has.
VecX checked(nb::handle given, int count, const JointPart& joint, const char* what) {
  VecX x;
  NumberBuffer numbers;
  double one = 0.0;
  if (numbers.read(given.ptr()) && numbers.ndim() == 1) {
    x = Eigen::Map<const VecX>(numbers.data(), numbers.size(0));
  } else if (nb::try_cast(given, one)) {
    x = VecX::Constant(1, one);
  } else {
    throw nb::type_error(format("{} of joint '{}' are {}, not {}", what, joint.name,
                                count == 1 ? "one number" : format("a row of {} numbers", count),
                                describe_numbers(given))
                             .c_str());
  }
  STICTION_USER_CHECK(x.size() == count, "joint '{}' has {} {}, not {}", joint.name, count, what, x.size());
  STICTION_USER_CHECK(x.allFinite(), "{} of joint '{}' must be finite", what, joint.name);
  return x;
}

void set_joint_state(const JointPart& joint, nb::handle given, VecX State::*member, int begin, int count,
                     const char* what) {
  const VecX x = checked(given, count, joint, what);
  State state = joint.world().state();
  (state.*member).segment(begin, count) = x;
  joint.world().set_state(state);
  joint.holder().pull_state();
}

void bind_bodies(nb::module_& m) {
  nb::class_<BodyPart>(m, "BodyAccess", "A body of a world, now and in its last step.")
      .def_ro("name", &BodyPart::name, "Of the body.")
      .def_prop_rw(
          "pose", [](const BodyPart& self) { return self.world().body_pose(self.name); },
          [](const BodyPart& self, const Pose& X_WB) {
            self.world().set_body_pose(self.name, X_WB);
            self.holder().pull_state();
          },
          nb::for_setter("value"_a), "In the world, m; can be set where the body has a free joint.")
      .def_prop_rw(
          "velocity", [](const BodyPart& self) { return self.world().body_velocity(self.name); },
          [](const BodyPart& self, const Vec6& V_WB) {
            STICTION_USER_CHECK(V_WB.allFinite(), "the velocity of body '{}' must be finite", self.name);
            self.world().set_body_velocity(self.name, V_WB);
            self.holder().pull_state();
          },
          nb::for_setter("value"_a),
          "(angular rad/s, that of the body's origin m/s) in W; can be set where the body has a free joint.")
      .def_prop_rw(
          "mass",
          [](const BodyPart& self) {
            return self.world().model().forest.bodies[static_cast<std::size_t>(self.index)].inertia.mass;
          },
          [](const BodyPart& self, double mass) {
            self.world().set_mass(self.name, mass);
            self.holder().pull_state();
          },
          nb::for_setter("value"_a), "In this world alone, kg.")
      .def_prop_ro(
          "contact_force", [](const BodyPart& self) { return self.world().contact_force(self.name); },
          "Of all contacts on it in the last step, in W, N.")
      .def_prop_ro(
          "reaction", [](const BodyPart& self) { return self.world().reaction(self.name); },
          "(moment about its origin N m, force N) in W that it got from its parent in the last step.");
}

void bind_joints_of(nb::module_& m) {
  nb::class_<JointPart>(m, "JointAccess", "A joint of a world.")
      .def_ro("name", &JointPart::name, "Of the joint.")
      .def_prop_rw(
          "q",
          [](const JointPart& self) {
            return numbers(self.world().state().q.data() + self.place().q_begin, self.place().num_q);
          },
          [](const JointPart& self, nb::handle q) {
            set_joint_state(self, q, &State::q, self.place().q_begin, self.place().num_q, "positions");
          },
          nb::for_getter(nb::sig("def q(self) -> typing.Any")),
          nb::for_setter(nb::sig("def q(self, value: float | numpy.typing.ArrayLike) -> None")),
          "Position, rad or m: one number, or an array where the joint has several.")
      .def_prop_rw(
          "v",
          [](const JointPart& self) {
            return numbers(self.world().state().v.data() + self.place().v_begin, self.place().num_v);
          },
          [](const JointPart& self, nb::handle v) {
            set_joint_state(self, v, &State::v, self.place().v_begin, self.place().num_v, "velocities");
          },
          nb::for_getter(nb::sig("def v(self) -> typing.Any")),
          nb::for_setter(nb::sig("def v(self, value: float | numpy.typing.ArrayLike) -> None")),
          "Velocity, rad/s or m/s: one number, or an array where the joint has several.")
      .def_prop_rw(
          "force",
          [](const JointPart& self) {
            return numbers(self.holder().joint_force_numbers() + self.place().v_begin, self.place().num_v);
          },
          [](const JointPart& self, nb::handle tau) {
            self.world();
            const VecX x = checked(tau, self.place().num_v, self, "forces");
            std::copy(x.begin(), x.end(), self.holder().joint_force_numbers() + self.place().v_begin);
          },
          nb::for_getter(nb::sig("def force(self) -> typing.Any")),
          nb::for_setter(nb::sig("def force(self, value: float | numpy.typing.ArrayLike) -> None")),
          "Force from outside, N m or N, until it is changed.");
}

void bind_others(nb::module_& m) {
  nb::class_<ShapePart>(m, "ShapeAccess", "A shape of a world.")
      .def_ro("name", &ShapePart::name, "Of the shape.")
      .def_prop_ro(
          "pose",
          [](const ShapePart& self) {
            const PlacedShape& shape = self.model().shapes[static_cast<std::size_t>(self.index)];
            return self.world().body_pose(
                       self.model().forest.bodies[static_cast<std::size_t>(shape.body)].name) *
                   shape.X_BS;
          },
          "In the world, m.")
      .def(
          "set_friction", [](const ShapePart& self, double mu) { self.world().set_friction(self.name, mu); },
          "mu"_a, "Coulomb's mu in this world alone.");
  nb::class_<FramePart>(m, "FrameAccess", "A frame of a world.")
      .def_ro("name", &FramePart::name, "Of the frame.")
      .def_prop_ro(
          "pose", [](const FramePart& self) { return self.body_pose() * self.frame().X_BF; },
          "In the world, m.");
  nb::class_<ActuatorPart>(m, "ActuatorAccess", "An actuator of a world.")
      .def_ro("name", &ActuatorPart::name, "Of the actuator.")
      .def_prop_rw(
          "control", [](const ActuatorPart& self) { return self.holder().control_numbers()[self.index]; },
          [](const ActuatorPart& self, double control) {
            self.world();
            STICTION_USER_CHECK(std::isfinite(control), "the control of actuator '{}' must be finite",
                                self.name);
            self.holder().control_numbers()[self.index] = control;
          },
          nb::for_setter("value"_a), "In the actuator's own unit, until it is changed.")
      .def_prop_ro(
          "activation", [](const ActuatorPart& self) { return self.world().activation(self.name); },
          "Raises UserError where the actuator has none.")
      .def_prop_ro(
          "force",
          [](const ActuatorPart& self) {
            return self.world().record().actuation.actuators[static_cast<std::size_t>(self.index)].force;
          },
          "That acted in the last step, before a solver took it implicitly; N m or N.");
}

}  // namespace

void bind_access(nb::module_& m) {
  bind_bodies(m);
  bind_joints_of(m);
  bind_others(m);
  auto c = nb::borrow<nb::class_<PyWorld>>(m.attr("World"));
  c.def(
       "body",
       [](nb::handle self, const NameOrIndex& name) {
         return part<BodyPart>(self, "body", name, &Model::body);
       },
       "name"_a, nb::sig("def body(self, name: str | int) -> BodyAccess"),
       "A body by name or number; raises UserError with the closest name.")
      .def(
          "joint",
          [](nb::handle self, const NameOrIndex& name) {
            return part<JointPart>(self, "joint", name, &Model::joint);
          },
          "name"_a, nb::sig("def joint(self, name: str | int) -> JointAccess"),
          "A joint by name or number; raises UserError with the closest name.")
      .def(
          "shape",
          [](nb::handle self, const NameOrIndex& name) {
            return part<ShapePart>(self, "shape", name, &Model::shape);
          },
          "name"_a, nb::sig("def shape(self, name: str | int) -> ShapeAccess"),
          "A shape by name or number; raises UserError with the closest name.")
      .def(
          "frame",
          [](nb::handle self, const NameOrIndex& name) {
            return part<FramePart>(self, "frame", name, &Model::frame);
          },
          "name"_a, nb::sig("def frame(self, name: str | int) -> FrameAccess"),
          "A frame by name or number; raises UserError with the closest name.")
      .def(
          "actuator",
          [](nb::handle self, const NameOrIndex& name) {
            return part<ActuatorPart>(self, "actuator", name, &Model::actuator);
          },
          "name"_a, nb::sig("def actuator(self, name: str | int) -> ActuatorAccess"),
          "An actuator by name or number; raises UserError with the closest name.");
}

}  // namespace stiction::python
