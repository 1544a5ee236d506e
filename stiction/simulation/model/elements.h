#pragma once
// What a model file contains besides bodies, joints, frames and shapes: contact properties and colours of
// shapes, sites, equality constraints, tendons, actuators, sensors, keyframes, options. Names and numbers are
// those of MJCF (https://mujoco.readthedocs.io/en/stable/XMLreference.html), in SI units and radians; readers
// of other formats fill in what their format has.
//
// Elements refer to bodies, joints, shapes, frames and to each other by name, so that attaching a model to
// another one only needs new names.

#include <array>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "stiction/math/spatial.h"

namespace stiction {

using Rgba = std::array<double, 4>;
using SolverReference = std::array<double, 2>;  // solref: (time constant, damping ratio) or (-k, -d)
using SolverImpedance = std::array<double, 5>;  // solimp: d0, dmax, width, midpoint, power

inline constexpr Rgba kDefaultRgba = {0.5, 0.5, 0.5, 1.0};
inline constexpr SolverReference kDefaultSolref = {0.02, 1.0};
inline constexpr SolverImpedance kDefaultSolimp = {0.9, 0.95, 0.001, 0.5, 2.0};

// Bounds of a quantity, where it is bounded.
struct Range {
  bool limited = false;
  double lower = 0.0, upper = 0.0;
};

// Contact properties and appearance of one shape.
struct ShapeProperties {
  // Two shapes may touch if a bit of one's contype is in the other's conaffinity.
  int contype = 1, conaffinity = 1;
  int condim = 3;    // 1: no friction, 3: sliding, 4: + torsion, 6: + rolling
  int priority = 0;  // of two shapes the one with the higher priority sets the parameters
  std::array<double, 3> friction = {1, 5e-3, 1e-4};  // sliding (1), torsional (m), rolling (m)
  double solmix = 1.0;
  SolverReference solref = kDefaultSolref;
  SolverImpedance solimp = kDefaultSolimp;
  double margin = 0.0, gap = 0.0;  // m
  int group = 0;
  bool collides = true;  // false: for display only, no bit of contype and conaffinity is set
  Rgba rgba = kDefaultRgba;
  std::string material;
  std::string fluid_shape = "none";
  // Of the "ellipsoid" fluid model: blunt, slender and angular drag, Kutta and Magnus lift.
  std::array<double, 5> fluid_coefficients = {0.5, 0.25, 1.5, 1.0, 1.0};
};

// A site is a frame of the model with a shape for display.
struct Site {
  std::string frame;
  std::string type = "sphere";
  Vec3 size = Vec3::Constant(5e-3);  // m
  int group = 0;
  Rgba rgba = kDefaultRgba;
  std::string material;
};

struct ContactExclude {
  std::string name, body1, body2;
};

// A named set of shapes for collision filters: all shapes of these bodies, and these single shapes.
struct CollisionGroup {
  std::string name = {};
  std::vector<std::string> bodies = {}, shapes = {};
  std::vector<std::string> ignores = {};  // groups whose shapes these do not touch; its own name: each other
  bool collides = true;                   // false: its shapes touch nothing
};

struct ContactPair {
  std::string name, shape1, shape2;
  int condim = 3;
  std::array<double, 5> friction = {1, 1, 5e-3, 1e-4, 1e-4};  // two sliding, torsional, two rolling
  SolverReference solref = kDefaultSolref, solref_friction = {0, 0};
  SolverImpedance solimp = kDefaultSolimp;
  double margin = 0.0, gap = 0.0;  // m
};

enum class EqualityKind { connect, weld, joint, tendon };

struct Equality {
  std::string name;
  EqualityKind kind = EqualityKind::connect;
  bool active = true;
  // Names of bodies, joints or tendons, by the kind; of sites (frames) if `between_sites`. An empty second
  // name means the world, or for joints and tendons the reference position.
  std::string object1, object2;
  bool between_sites = false;
  Vec3 anchor = Vec3::Zero();               // m; connect: in body 1, weld: in body 2
  Vec4 relative_quaternion = Vec4::Zero();  // weld: body 2 in body 1; zero: as in the initial position
  Vec3 relative_position = Vec3::Zero();    // m, weld
  double torque_scale = 1.0;                // m, weld
  std::array<double, 5> polynomial = {0, 1, 0, 0, 0};  // joint, tendon: q1 = sum c_i q2^i from the reference
  SolverReference solref = kDefaultSolref;
  SolverImpedance solimp = kDefaultSolimp;
};

// Keeps the distance between the origins of two frames between lower and upper: a rod if they are equal, a
// rope if lower is 0. Stiffness 0: as rigid as the step size allows; otherwise a spring at either end of the
// range.
struct DistanceConstraint {
  std::string name, frame1, frame2;  // an empty frame name is the world's frame
  double lower = 0.0, upper = 0.0;   // m
  double stiffness = 0.0;            // N/m
  double damping = 0.0;              // N s/m
  bool active = true;
};

// A pin in a straight slot: the origin of frame 1 stays on the x axis of frame 2, and slides along it between
// lower and upper. Stiffness 0: as rigid as the step size allows.
struct SlotConstraint {
  std::string name, frame1, frame2;                         // an empty frame name is the world's frame
  double lower = -std::numeric_limits<double>::infinity();  // m, along the x axis; infinite: no end
  double upper = std::numeric_limits<double>::infinity();   // m
  double stiffness = 0.0;                                   // N/m
  double damping = 0.0;                                     // N s/m
  bool active = true;
};

// Springs and dampers between two frames, along and about the axes of the first: forces act on the position
// of frame 2 in frame 1, moments on its orientation, as a rotation vector. An axis with zero stiffness and
// damping is free.
struct Bushing {
  std::string name, frame1, frame2;
  Vec3 stiffness = Vec3::Zero(), damping = Vec3::Zero();            // N/m, N s/m
  Vec3 turn_stiffness = Vec3::Zero(), turn_damping = Vec3::Zero();  // N m/rad, N m s/rad
  bool active = true;
};

// A body that lies on a plane with a given load, for models whose joints keep it there: dry friction in the
// plane and about its normal in one ellipsoid (stiction/constraint/support.h).
struct SupportFriction {
  std::string name;
  std::string frame1;     // on the body: its origin is the centre of pressure
  std::string frame2;     // the plane of its x and y axes; empty: the world's frame
  double load = 0.0;      // N, on the plane: the body's weight
  double friction = 0.0;  // coefficient
  double radius = 0.0;    // m, of a disc under uniform pressure, which has the friction length 2 radius/3
  double friction_length = 0.0;  // m, largest moment over largest force; 0: that of the radius
  bool active = true;
};

enum class WrapKind { joint, site, shape, pulley };

// One element of a tendon's path: a joint with a coefficient, a site, a sphere or cylinder to wrap around, a
// pulley.
struct TendonWrap {
  WrapKind kind = WrapKind::site;
  std::string name;
  std::string side_site;     // shape: a site on the side on which the tendon passes
  double coefficient = 1.0;  // joint: m/rad or 1; pulley: divisor
};

struct Tendon {
  std::string name;
  bool is_spatial = false;
  std::vector<TendonWrap> wraps;
  Range range, force_range;
  double stiffness = 0.0, damping = 0.0, friction_loss = 0.0, armature = 0.0, margin = 0.0;
  std::array<double, 2> spring_length = {-1, -1};  // m; -1: the length where the springs of joints rest
  SolverReference solref_limit = kDefaultSolref, solref_friction = kDefaultSolref;
  SolverImpedance solimp_limit = kDefaultSolimp, solimp_friction = kDefaultSolimp;
  double width = 3e-3;  // m, for display
  Rgba rgba = kDefaultRgba;
  std::string material;
  int group = 0;
};

enum class TransmissionKind { joint, joint_in_parent, site, tendon, body, slider_crank };

// force = gain(length, velocity) (control or activation) + bias(length, velocity). The kinds have MJCF's
// names:
//
//   gain       fixed, affine, muscle, dcmotor, pid, so3, user
//   bias       none, affine, muscle, dcmotor, so3, user
//   dynamics   none, integrator, filter, filterexact, pid, dcmotor, muscle, user
struct Actuator {
  std::string name;
  TransmissionKind transmission = TransmissionKind::joint;
  std::string target, reference_site, slider_site;
  std::array<double, 6> gear = {1, 0, 0, 0, 0, 0};
  double crank_length = 0.0;  // m
  std::string gain = "fixed", bias = "none", dynamics = "none";
  std::array<double, 10> gain_parameters = {1}, bias_parameters = {}, dynamics_parameters = {1};
  double damping_ratio = 0.0;  // of a servo whose damping, -bias_parameters[2], has not been computed yet
  Range control, force, activation;
  std::array<double, 2> length_range = {0, 0};
  double armature = 0.0, damping = 0.0;  // of the rotor; already added to the joint, times gear^2
  double delay = 0.0;                    // s
  bool early_activation = false;
  int group = 0;
  bool active = true;  // false: it makes no force, and its activation stands still
};

// Whether an actuator has an entry in State::activations.
bool has_activation(const Actuator& actuator);

// What the model says about all actuators of a joint together.
struct JointActuation {
  std::string joint;
  Range force;                       // N m or N, of their total force; for joints with one velocity
  bool compensates_gravity = false;  // gravity compensation at this joint counts as an actuator force
};

// The kind is MJCF's element: "gyro", "framepos", ...; objects have MJCF's types: "site", "body", ...
struct Sensor {
  std::string name, kind;
  std::string object_type, object, reference_type, reference;
  double cutoff = 0.0, noise = 0.0;
  std::vector<std::string> data;  // contact, rangefinder: the fields, by MJCF's names; empty: the first
  int count = 1;                  // contact: the number of contacts reported
  std::string reduce = "none";    // contact: which ones
};

// MJCF's inertial frame of a body, at the centre of mass; only of bodies for which a sensor needs it.
struct InertialAxes {
  std::string body;
  Mat3 R_BI = Mat3::Identity();
};

// Positions and velocities in the model's order of q and v.
struct Keyframe {
  std::string name;
  double time = 0.0;  // s
  VecX q, v;
  std::vector<double> activations;  // of the actuators that have one; empty: zeros
  std::vector<double> controls;     // one per actuator; empty: zeros
  std::vector<double> mocap_positions, mocap_quaternions;
};

struct Material {
  std::string name, texture;
  Rgba rgba = {1, 1, 1, 1};
  double emission = 0.0, specular = 0.5, shininess = 0.5, reflectance = 0.0, metallic = -1.0,
         roughness = -1.0;
};

struct Texture {
  std::string name, type, builtin, file;
  std::array<double, 3> rgb1 = {0.8, 0.8, 0.8}, rgb2 = {0.5, 0.5, 0.5};
  int width = 0, height = 0;
};

struct Camera {
  std::string name, body;
  Pose X_BC;  // the camera looks along -z, y is up
  std::string mode = "fixed", target;
  double field_of_view = 0.7853981633974483;  // rad, vertical
};

struct Light {
  std::string name, body;
  Vec3 position = Vec3::Zero(), direction = Vec3(0, 0, -1);  // in the body
  std::string mode = "fixed", target;
  bool directional = false, active = true, casts_shadow = true;
  std::array<double, 3> diffuse = {0.7, 0.7, 0.7}, ambient = {0, 0, 0}, specular = {0.3, 0.3, 0.3};
};

struct CustomNumbers {
  std::string name;
  std::vector<double> data;
};

struct CustomText {
  std::string name, text;
};

struct GravityCompensation {
  std::string body;
  double fraction = 0.0;  // of the body's weight
};

// MJCF's option element; gravity is the forest's.
struct SimulationOptions {
  double timestep = 2e-3;  // s
  std::string integrator = "Euler", cone = "pyramidal", solver = "Newton";
  int iterations = 100;
  double tolerance = 1e-8, impratio = 1.0;
  double density = 0.0;                        // kg/m^3, of the fluid
  double viscosity = 0.0;                      // Pa s
  Vec3 wind = Vec3::Zero();                    // m/s
  Vec3 magnetic = Vec3(0, -0.5, 0);            // T
  std::vector<std::string> disabled, enabled;  // flags that differ from their default
  std::vector<int> disabled_actuator_groups;
};

struct Elements {
  std::vector<ShapeProperties> shapes;  // one for each of Model::shapes, or empty: all have the defaults
  std::vector<Site> sites;
  // Shapes combine by MuJoCo's rules (stiction/simulation/contact/contact_model.h).
  bool mujoco_contact = false;
  std::vector<ContactExclude> excludes;
  std::vector<CollisionGroup> collision_groups;
  std::vector<ContactPair> pairs;
  std::vector<Equality> equalities;
  std::vector<DistanceConstraint> distances;
  std::vector<SlotConstraint> slots;
  std::vector<Bushing> bushings;
  std::vector<SupportFriction> supports;
  std::vector<Tendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<JointActuation> joint_actuation;
  std::vector<Sensor> sensors;
  std::vector<InertialAxes> inertial_axes;
  std::vector<Keyframe> keyframes;
  std::vector<Material> materials;
  std::vector<Texture> textures;
  std::vector<Camera> cameras;
  std::vector<Light> lights;
  std::vector<CustomNumbers> numbers;
  std::vector<CustomText> texts;
  std::vector<GravityCompensation> gravity_compensation;
  std::vector<std::string> mocap_bodies;  // kinematic bodies that are mocap bodies in the file
  SimulationOptions options;
};

// The one list of constraints between two named frames. All have a name, frame1, frame2 and active.
template <class Item>
struct FrameConstraintRow {
  std::vector<Item> Elements::*items;
  const char* word;             // in messages
  const char* why_not_in_mjcf;  // MJCF cannot have them
};
inline constexpr std::tuple kFrameConstraints = {
    FrameConstraintRow<DistanceConstraint>{&Elements::distances, "distance",
                                           "MJCF has no rods and ropes between frames"},
    FrameConstraintRow<SlotConstraint>{&Elements::slots, "slot", "MJCF has no slots"},
    FrameConstraintRow<Bushing>{&Elements::bushings, "bushing", "MJCF has no bushings"},
    FrameConstraintRow<SupportFriction>{&Elements::supports, "support",
                                        "MJCF has no friction of supports with a given load"},
};
// Calls function(row) for each.
template <class Function>
void for_each_frame_constraint(const Function& function) {
  std::apply([&](const auto&... row) { (function(row), ...); }, kFrameConstraints);
}

// Whether a rod, rope, slot, bushing, support or loop closure between sites refers to the world's frame,
// which has no name.
bool names_the_world_frame(const Elements& elements);

// Where the elements of another model are attached.
struct ElementsPlace {
  std::string prefix;          // in front of every name
  std::string world;           // the body that replaces the other model's world
  Pose X_world;                // the pose of the other model's world in that body
  std::size_t num_shapes = 0;  // of this model, before the other's were added
  std::size_t num_other_shapes = 0;
};

// Appends everything but options and keyframes (their positions are of the other model alone). If the other
// model refers to its world's frame (names_the_world_frame), that becomes the frame `prefix` + "world".
void append(const Elements& other, const ElementsPlace& place, Elements* elements);

}  // namespace stiction
