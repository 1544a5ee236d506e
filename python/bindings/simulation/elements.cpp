// What a model has beyond bodies, joints, frames and shapes: properties of shapes, constraints, tendons,
// actuators, sensors, keyframes.

#include "stiction/simulation/model/elements.h"

#include "python/bindings/bindings.h"
#include "python/bindings/fields.h"
#include "stiction/simulation/model/servos.h"

STICTION_WORDS(stiction::EqualityKind, "'connect', 'weld', 'joint', 'tendon'", "connect", "weld", "joint",
               "tendon")
STICTION_WORDS(stiction::WrapKind, "'joint', 'site', 'shape', 'pulley'", "joint", "site", "shape", "pulley")
STICTION_WORDS(stiction::TransmissionKind,
               "'joint', 'joint_in_parent', 'site', 'tendon', 'body', 'slider_crank'", "joint",
               "joint_in_parent", "site", "tendon", "body", "slider_crank")

namespace stiction::python {
namespace {

using namespace nb::literals;

void bind_contact_elements(nb::module_& m) {
  Fields<Range>(m, "Range", "An interval that something is kept in, where it is limited.")
      .field("limited", &Range::limited, "Whether the bounds act.")
      .field("lower", &Range::lower, "In the unit of what is bounded.")
      .field("upper", &Range::upper, "In the unit of what is bounded.")
      .done();
  using S = ShapeProperties;
  Fields<S>(m, "ShapeProperties", "How a shape touches and looks, in the words of MJCF.")
      .field("contype", &S::contype,
             "Bits; two shapes may touch if one of them is in the other's conaffinity.")
      .field("conaffinity", &S::conaffinity, "Bits, see contype.")
      .field("condim", &S::condim, "1: no friction, 3: sliding, 4: and torsion, 6: and rolling.")
      .field("priority", &S::priority, "The higher one's numbers count.")
      .field("friction", &S::friction, "Sliding (1), torsional (m), rolling (m).")
      .field("solmix", &S::solmix, "Weight in the mix of two solrefs.")
      .field("solref", &S::solref, "(time constant in s, damping ratio), or (-N/m, -N s/m).")
      .field("solimp", &S::solimp, "d0, dmax, width (m), midpoint, power.")
      .field("margin", &S::margin, "m.")
      .field("gap", &S::gap, "m.")
      .field("group", &S::group, "Of display.")
      .field("collides", &S::collides, "False: for display only.")
      .field("rgba", &S::rgba, "Colour, each from 0 to 1.")
      .field("material", &S::material, "Name of a material for display.")
      .field("fluid_shape", &S::fluid_shape, "'none' or 'ellipsoid': what a fluid acts on.")
      .field("fluid_coefficients", &S::fluid_coefficients,
             "Blunt, slender, angular drag, Kutta and Magnus lift.")
      .done();
  using G = CollisionGroup;
  Fields<G>(m, "CollisionGroup", "Shapes that a filter speaks of together.")
      .field("name", &G::name, "Of the group.")
      .field("bodies", &G::bodies, "All of whose shapes are in it.")
      .field("shapes", &G::shapes, "That are in it.")
      .field("ignores", &G::ignores, "Groups that these do not touch; its own name: each other.")
      .field("collides", &G::collides, "False: its shapes touch nothing.")
      .done();
}

void bind_constraints(nb::module_& m) {
  using E = Equality;
  Fields<E>(
      m, "Equality",
      "A loop closure between bodies or frames, or a coupling of joints or tendons (docs/constraints.md).")
      .field("name", &E::name, "Of the constraint.")
      .field("kind", &E::kind, "connect, weld, joint or tendon.")
      .field("active", &E::active, "Whether it acts at the start.")
      .field("object1", &E::object1, "Body, joint or tendon; frame if between_sites.")
      .field("object2", &E::object2, "Likewise; empty: the world, or the reference position.")
      .field("between_sites", &E::between_sites, "The objects are frames.")
      .field("anchor", &E::anchor, "m; connect: in body 1, weld: in body 2.")
      .field("relative_quaternion", &E::relative_quaternion,
             "weld: of body 2 in body 1; zero: as at the start.")
      .field("relative_position", &E::relative_position, "weld, m.")
      .field("torque_scale", &E::torque_scale, "weld, m.")
      .field("polynomial", &E::polynomial, "joint, tendon: q1 = sum of c_i q2^i from the reference.")
      .field("solref", &E::solref, "(time constant in s, damping ratio), or (-N/m, -N s/m).")
      .field("solimp", &E::solimp, "d0, dmax, width (m), midpoint, power.")
      .done();
  using D = DistanceConstraint;
  Fields<D>(m, "DistanceConstraint", "A rod where lower and upper are equal, a rope where lower is 0.")
      .field("name", &D::name, "Of the constraint.")
      .field("frame1", &D::frame1, "Empty: the world's frame.")
      .field("frame2", &D::frame2, "Empty: the world's frame.")
      .field("lower", &D::lower, "m.")
      .field("upper", &D::upper, "m.")
      .field("stiffness", &D::stiffness, "N/m; 0: as rigid as a step allows.")
      .field("damping", &D::damping, "N s/m.")
      .field("active", &D::active, "Whether it acts at the start.")
      .done();
  using S = SlotConstraint;
  Fields<S>(m, "SlotConstraint", "A pin in a straight slot: frame1's origin stays on the x axis of frame2.")
      .field("name", &S::name, "Of the constraint.")
      .field("frame1", &S::frame1, "The pin; empty: the world's frame.")
      .field("frame2", &S::frame2, "The slot, along its x axis; empty: the world's frame.")
      .field("lower", &S::lower, "m along the slot; -inf: no end.")
      .field("upper", &S::upper, "m along the slot; inf: no end.")
      .field("stiffness", &S::stiffness, "N/m; 0: as rigid as a step allows.")
      .field("damping", &S::damping, "N s/m.")
      .field("active", &S::active, "Whether it acts at the start.")
      .done();
  using B = Bushing;
  Fields<B>(m, "Bushing", "Springs and dampers between two frames, along and about the axes of the first.")
      .field("name", &B::name, "Of the bushing.")
      .field("frame1", &B::frame1, "Empty: the world's frame.")
      .field("frame2", &B::frame2, "Empty: the world's frame.")
      .field("stiffness", &B::stiffness, "N/m along x, y, z.")
      .field("damping", &B::damping, "N s/m along x, y, z.")
      .field("turn_stiffness", &B::turn_stiffness, "N m/rad about x, y, z.")
      .field("turn_damping", &B::turn_damping, "N m s/rad about x, y, z.")
      .field("active", &B::active, "Whether it acts at the start.")
      .done();
  using F = SupportFriction;
  Fields<F>(m, "SupportFriction",
            "Dry friction of a body on a plane with a given load: force and moment in one ellipsoid.")
      .field("name", &F::name, "Of the support.")
      .field("frame1", &F::frame1, "On the body, at the centre of pressure; empty: the world's frame.")
      .field("frame2", &F::frame2, "The plane of its x and y axes; empty: the world's frame.")
      .field("load", &F::load, "N, on the plane.")
      .field("friction", &F::friction, "Coefficient.")
      .field("radius", &F::radius, "m, of a disc under uniform pressure: a friction length of 2 radius/3.")
      .field("friction_length", &F::friction_length,
             "m, largest moment over largest force; 0: that of the radius.")
      .field("active", &F::active, "Whether it acts at the start.")
      .done();
}

void bind_tendons(nb::module_& m) {
  Fields<TendonWrap>(m, "TendonWrap",
                     "What a tendon passes: a joint, a site, a shape to wrap around, a pulley.")
      .field("kind", &TendonWrap::kind, "joint, site, shape or pulley.")
      .field("name", &TendonWrap::name, "Of what it passes.")
      .field("side_site", &TendonWrap::side_site, "shape: the side to pass on.")
      .field("coefficient", &TendonWrap::coefficient, "joint: m/rad or 1; pulley: divisor.")
      .done();
  using T = Tendon;
  Fields<T>(m, "Tendon", "A string along sites (spatial), or a sum of joint positions (fixed).")
      .field("name", &T::name, "Of the tendon.")
      .field("is_spatial", &T::is_spatial, "Along sites, instead of a sum of joint positions.")
      .field("wraps", &T::wraps, "What it passes, in order.")
      .field("range", &T::range, "Of its length, m.")
      .field("force_range", &T::force_range, "Of all actuators on it together, N.")
      .field("stiffness", &T::stiffness, "N/m.")
      .field("damping", &T::damping, "N s/m.")
      .field("friction_loss", &T::friction_loss, "Dry friction, N.")
      .field("armature", &T::armature, "kg.")
      .field("margin", &T::margin, "m.")
      .field("spring_length", &T::spring_length,
             "Between them the spring is slack, m; -1: where joints rest.")
      .field("solref_limit", &T::solref_limit, "(time constant in s, damping ratio), or (-N/m, -N s/m).")
      .field("solref_friction", &T::solref_friction,
             "(time constant in s, damping ratio), or (-N/m, -N s/m).")
      .field("solimp_limit", &T::solimp_limit, "d0, dmax, width (m), midpoint, power.")
      .field("solimp_friction", &T::solimp_friction, "d0, dmax, width (m), midpoint, power.")
      .field("width", &T::width, "For display, m.")
      .field("rgba", &T::rgba, "Colour, each from 0 to 1.")
      .field("material", &T::material, "Name of a material for display.")
      .field("group", &T::group, "Of display.")
      .done();
}

void bind_actuators(nb::module_& m) {
  using A = Actuator;
  Fields<A>(m, "Actuator",
            "force = gain x (control or activation) + bias, in the words of MJCF (docs/actuators.md).")
      .field("name", &A::name, "Of the actuator.")
      .field("transmission", &A::transmission, "What kind of thing it acts on.")
      .field("target", &A::target, "Name of what it acts on.")
      .field("reference_site", &A::reference_site, "site: the one against which it moves.")
      .field("slider_site", &A::slider_site, "slider_crank: where the slider is.")
      .field("gear", &A::gear, "Six numbers; the first multiplies the length.")
      .field("crank_length", &A::crank_length, "m.")
      .field("gain", &A::gain, "fixed, affine or muscle.")
      .field("bias", &A::bias, "none, affine or muscle.")
      .field("dynamics", &A::dynamics, "none, integrator, filter, filterexact or muscle.")
      .field("gain_parameters", &A::gain_parameters, "Ten numbers.")
      .field("bias_parameters", &A::bias_parameters, "Ten numbers.")
      .field("dynamics_parameters", &A::dynamics_parameters, "Ten numbers; the first is a time constant, s.")
      .field("damping_ratio", &A::damping_ratio, "Of a servo whose damping is still to be worked out.")
      .field("control", &A::control, "Range of the control.")
      .field("force", &A::force, "Range of the force, N or N m.")
      .field("activation", &A::activation, "Range of the activation.")
      .field("length_range", &A::length_range, "Of a muscle, m.")
      .field("armature", &A::armature, "Of the rotor, kg m^2.")
      .field("damping", &A::damping, "Of the rotor, N m s/rad.")
      .field("delay", &A::delay, "s.")
      .field("early_activation", &A::early_activation, "The activation after the step acts.")
      .field("group", &A::group, "Of actuators.")
      .field("active", &A::active, "False: it makes no force, and its activation stands still.")
      .done();
  m.def("motor", &motor, "name"_a, "joint"_a, "effort"_a = 0.0,
        "An actuator with the force of its control, N or N m; effort bounds it, 0: no bound.");
  m.def("position_servo", &position_servo, "name"_a, "joint"_a, "kp"_a, "kv"_a, "effort"_a = 0.0,
        "f = kp (control - q) - kv v within the effort; N m/rad, N m s/rad, N m (or N/m, N s/m, N).");
  m.def("velocity_servo", &velocity_servo, "name"_a, "joint"_a, "kv"_a, "effort"_a = 0.0,
        "f = kv (control - v) within the effort; N m s/rad, N m (or N s/m, N).");
}

void bind_sensors(nb::module_& m) {
  using S = Sensor;
  Fields<S>(m, "Sensor", "A sensor in the words of MJCF (docs/sensors.md).")
      .field("name", &S::name, "Of the sensor.")
      .field("kind", &S::kind, "MJCF's element: 'gyro', 'framepos', ...")
      .field("object_type", &S::object_type, "'site', 'body', 'joint', ...")
      .field("object", &S::object, "Name of what it measures.")
      .field("reference_type", &S::reference_type, "'site', 'body', ...; empty: the world.")
      .field("reference", &S::reference, "Name of what it measures against.")
      .field("cutoff", &S::cutoff, "Values stay within it, in their unit; 0: none.")
      .field("noise", &S::noise, "Standard deviation, in the unit of the values.")
      .field("data", &S::data, "Fields of contact and rangefinder sensors, in MJCF's words.")
      .field("count", &S::count, "Contacts that a contact sensor tells.")
      .field("reduce", &S::reduce, "Which contacts: 'none', 'mindist', 'maxforce', 'netforce'.")
      .done();
  using K = Keyframe;
  Fields<K>(m, "Keyframe", "A state with a name; positions and velocities in the model's order.")
      .field("name", &K::name, "Of the keyframe.")
      .field("time", &K::time, "s.")
      .field("q", &K::q, "Positions; empty: those of the initial state.")
      .field("v", &K::v, "Velocities; empty: those of the initial state.")
      .field("activations", &K::activations, "Of the actuators that have one; empty: zeros.")
      .field("controls", &K::controls, "One per actuator; empty: zeros.")
      .field("mocap_positions", &K::mocap_positions, "Of kinematic bodies, three each, m.")
      .field("mocap_quaternions", &K::mocap_quaternions, "Of kinematic bodies, four each.")
      .done();
}

}  // namespace

void bind_elements(nb::module_& m) {
  bind_contact_elements(m);
  bind_constraints(m);
  bind_tendons(m);
  bind_actuators(m);
  bind_sensors(m);
}

}  // namespace stiction::python
