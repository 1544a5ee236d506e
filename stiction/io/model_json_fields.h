#pragma once
// The keys of a model in JSON, one list for writing and reading: fields(io, thing) calls io(key, member) for
// every member that is written, or io.later() for one that files of the same version may lack: it keeps its
// default (what is shared, like the tetrahedra of a mesh, is only written where it is there). As long as the model has fields: one list.

#include <array>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "stiction/base/renamed_keys.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/tet_volume.h"
#include "stiction/simulation/model/model.h"

namespace stiction::model_json {

// Keys that had another name in version 1.
inline constexpr RenamedKey kRenamedKeys[] = {{"contact", "cross_friction", "anisotropy_ratio"},
                                              {"contact", "grain", "friction_direction"}};

// What a member is made of.
template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <class T>
struct IsShared : std::false_type {};
template <class T>
struct IsShared<std::shared_ptr<const T>> : std::true_type {
  using Type = T;
};

// The words for an enumeration, in the order of its values.
template <class Enum>
struct Words;
template <>
struct Words<JointType> {
  static constexpr auto list = kJointTypeNames;
};
template <>
struct Words<BodyMotion> {
  static constexpr const char* list[] = {"automatic", "kinematic"};
};
template <>
struct Words<EqualityKind> {
  static constexpr const char* list[] = {"connect", "weld", "joint", "tendon"};
};
template <>
struct Words<WrapKind> {
  static constexpr const char* list[] = {"joint", "site", "shape", "pulley"};
};
template <>
struct Words<TransmissionKind> {
  static constexpr const char* list[] = {"joint", "joint_in_parent", "site", "tendon",
                                         "body",  "slider_crank"};
};

template <class Io>
void fields(Io& io, Pose& x) {
  io("R", x.R);
  io("p", x.p);
}

template <class Io>
void fields(Io& io, Inertia& x) {
  io("mass", x.mass);
  io("com", x.com);
  io("I_com", x.I_com);
}

template <class Io>
void fields(Io& io, Mimic& x) {
  io("joint", x.joint);
  io("multiplier", x.multiplier);
  io("offset", x.offset);
}

template <class Io>
void fields(Io& io, Joint& x) {
  io("name", x.name);
  io("type", x.type);
  io("axis", x.axis);
  io("axis2", x.axis2);
  io("p_BJ", x.p_BJ);
  io("pitch", x.pitch);
  io("reference", x.reference);
  io("armature", x.armature);
  io("damping", x.damping);
  io("stiffness", x.stiffness);
  io("friction_loss", x.friction_loss);
  io("neutral", x.neutral);
  io("limited", x.limited);
  io("lower", x.lower);
  io("upper", x.upper);
  io("effort_limit", x.effort_limit);
  io("velocity_limit", x.velocity_limit);
  io("mimic", x.mimic);
}

template <class Io>
void fields(Io& io, Body& x) {
  io("name", x.name);
  io("parent", x.parent);
  io("X_PB", x.X_PB);
  io("inertia", x.inertia);
  io("joints", x.joints);
  io("motion", x.motion);
}

template <class Io>
void fields(Io& io, Frame& x) {
  io("name", x.name);
  io("body", x.body);
  io("X_BF", x.X_BF);
}

template <class Io>
void fields(Io& io, Sphere& x) {
  io("radius", x.radius);
}
template <class Io>
void fields(Io& io, Box& x) {
  io("half_extents", x.half_extents);
}
template <class Io>
void fields(Io& io, Cylinder& x) {
  io("radius", x.radius);
  io("length", x.length);
}
template <class Io>
void fields(Io& io, Capsule& x) {
  io("radius", x.radius);
  io("length", x.length);
}
template <class Io>
void fields(Io& io, Ellipsoid& x) {
  io("radii", x.radii);
}
template <class Io>
void fields(Io& io, Superellipsoid& x) {
  io("radii", x.radii);
  io("e1", x.e1);
  io("e2", x.e2);
}
template <class Io>
void fields(Io&, HalfSpace&) {}

template <class Io>
void fields(Io& io, TetVolume& x) {
  io("vertices", x.vertices);
  io("tets", x.tets);
}

template <class Io>
void fields(Io& io, TriangleMesh& x) {
  io("vertices", x.vertices);
  io("triangles", x.triangles);
  io.later("tets", x.tets);
}

template <class Io>
void fields(Io& io, HullFace& x) {
  io("normal", x.normal);
  io("offset", x.offset);
  io("begin", x.begin);
  io("end", x.end);
}

template <class Io>
void fields(Io& io, HullCorner& x) {
  io("vertex", x.vertex);
  io("edge", x.edge);
  io("across", x.across);
}

template <class Io>
void fields(Io& io, HullEdge& x) {
  io("vertices", x.vertices);
  io("faces", x.faces);
}

template <class Io>
void fields(Io& io, ConvexHull& x) {
  io("vertices", x.vertices);
  io("triangles", x.triangles);
  io("faces", x.faces);
  io("corners", x.corners);
  io("edges", x.edges);
  io("neighbour_begin", x.neighbour_begin);
  io("neighbours", x.neighbours);
  io("centre", x.centre);
}

template <class Io>
void fields(Io& io, HeightFieldSize& x) {
  io("radius_x", x.radius_x);
  io("radius_y", x.radius_y);
  io("elevation", x.elevation);
  io("base", x.base);
}

template <class Io>
void fields(Io& io, HeightField& x) {
  io("size", x.size);
  io("rows", x.rows);
  io("cols", x.cols);
  io("heights", x.heights);
}

template <class Io>
void fields(Io& io, ContactMaterial& x) {
  io("stiffness", x.stiffness);
  io("modulus", x.modulus);
  io("barrier_stiffness", x.barrier_stiffness);
  io("barrier_energy", x.barrier_energy);
  io("barrier_distance", x.barrier_distance);
  io("dissipation", x.dissipation);
  io("relaxation_time", x.relaxation_time);
  io("restitution", x.restitution);
  io("max_deflection", x.max_deflection);
  io("static_friction", x.static_friction);
  io("dynamic_friction", x.dynamic_friction);
  io("anisotropy_ratio", x.anisotropy_ratio);
  io("friction_direction", x.friction_direction);
  io("torsional_friction", x.torsional_friction);
  io("rolling_friction", x.rolling_friction);
  io.later("force_table", x.force_table);
  io.later("pressure_modulus", x.pressure_modulus);
  io.later("pressure_depth", x.pressure_depth);
  io.later("facets", x.facets);
}

template <class Io>
void fields(Io& io, Range& x) {
  io("limited", x.limited);
  io("lower", x.lower);
  io("upper", x.upper);
}

template <class Io>
void fields(Io& io, ShapeProperties& x) {
  io("contype", x.contype);
  io("conaffinity", x.conaffinity);
  io("condim", x.condim);
  io("priority", x.priority);
  io("friction", x.friction);
  io("solmix", x.solmix);
  io("solref", x.solref);
  io("solimp", x.solimp);
  io("margin", x.margin);
  io("gap", x.gap);
  io("group", x.group);
  io("collides", x.collides);
  io("rgba", x.rgba);
  io("material", x.material);
  io("fluid_shape", x.fluid_shape);
  io("fluid_coefficients", x.fluid_coefficients);
}

template <class Io>
void fields(Io& io, Site& x) {
  io("frame", x.frame);
  io("type", x.type);
  io("size", x.size);
  io("group", x.group);
  io("rgba", x.rgba);
  io("material", x.material);
}

template <class Io>
void fields(Io& io, ContactExclude& x) {
  io("name", x.name);
  io("body1", x.body1);
  io("body2", x.body2);
}

template <class Io>
void fields(Io& io, CollisionGroup& x) {
  io("name", x.name);
  io("bodies", x.bodies);
  io("shapes", x.shapes);
  io("ignores", x.ignores);
  io("collides", x.collides);
}

template <class Io>
void fields(Io& io, ContactPair& x) {
  io("name", x.name);
  io("shape1", x.shape1);
  io("shape2", x.shape2);
  io("condim", x.condim);
  io("friction", x.friction);
  io("solref", x.solref);
  io("solref_friction", x.solref_friction);
  io("solimp", x.solimp);
  io("margin", x.margin);
  io("gap", x.gap);
}

template <class Io>
void fields(Io& io, Equality& x) {
  io("name", x.name);
  io("kind", x.kind);
  io("active", x.active);
  io("object1", x.object1);
  io("object2", x.object2);
  io("between_sites", x.between_sites);
  io("anchor", x.anchor);
  io("relative_quaternion", x.relative_quaternion);
  io("relative_position", x.relative_position);
  io("torque_scale", x.torque_scale);
  io("polynomial", x.polynomial);
  io("solref", x.solref);
  io("solimp", x.solimp);
}

// Of a rod, rope or slot.
template <class Io, class Range>
void range_between_frames(Io& io, Range& x) {
  io("name", x.name);
  io("frame1", x.frame1);
  io("frame2", x.frame2);
  io("lower", x.lower);
  io("upper", x.upper);
  io("stiffness", x.stiffness);
  io("damping", x.damping);
  io("active", x.active);
}

template <class Io>
void fields(Io& io, DistanceConstraint& x) {
  range_between_frames(io, x);
}

template <class Io>
void fields(Io& io, SlotConstraint& x) {
  range_between_frames(io, x);
}

template <class Io>
void fields(Io& io, Bushing& x) {
  io("name", x.name);
  io("frame1", x.frame1);
  io("frame2", x.frame2);
  io("stiffness", x.stiffness);
  io("damping", x.damping);
  io("turn_stiffness", x.turn_stiffness);
  io("turn_damping", x.turn_damping);
  io("active", x.active);
}

template <class Io>
void fields(Io& io, SupportFriction& x) {
  io("name", x.name);
  io("frame1", x.frame1);
  io("frame2", x.frame2);
  io("load", x.load);
  io("friction", x.friction);
  io("radius", x.radius);
  io("friction_length", x.friction_length);
  io("active", x.active);
}

template <class Io>
void fields(Io& io, TendonWrap& x) {
  io("kind", x.kind);
  io("name", x.name);
  io("side_site", x.side_site);
  io("coefficient", x.coefficient);
}

template <class Io>
void fields(Io& io, Tendon& x) {
  io("name", x.name);
  io("is_spatial", x.is_spatial);
  io("wraps", x.wraps);
  io("range", x.range);
  io("force_range", x.force_range);
  io("stiffness", x.stiffness);
  io("damping", x.damping);
  io("friction_loss", x.friction_loss);
  io("armature", x.armature);
  io("margin", x.margin);
  io("spring_length", x.spring_length);
  io("solref_limit", x.solref_limit);
  io("solref_friction", x.solref_friction);
  io("solimp_limit", x.solimp_limit);
  io("solimp_friction", x.solimp_friction);
  io("width", x.width);
  io("rgba", x.rgba);
  io("material", x.material);
  io("group", x.group);
}

template <class Io>
void fields(Io& io, PidController& x) {
  io("is_used", x.is_used);
  io("proportional", x.proportional);
  io("integral", x.integral);
  io("derivative", x.derivative);
  io("largest_integral", x.largest_integral);
  io("fastest", x.fastest);
}

template <class Io>
void fields(Io& io, Actuator& x) {
  io("name", x.name);
  io("transmission", x.transmission);
  io("target", x.target);
  io("reference_site", x.reference_site);
  io("slider_site", x.slider_site);
  io("gear", x.gear);
  io("crank_length", x.crank_length);
  io("gain", x.gain);
  io("bias", x.bias);
  io("dynamics", x.dynamics);
  io("gain_parameters", x.gain_parameters);
  io("bias_parameters", x.bias_parameters);
  io("dynamics_parameters", x.dynamics_parameters);
  io("damping_ratio", x.damping_ratio);
  io("control", x.control);
  io("force", x.force);
  io("activation", x.activation);
  io("length_range", x.length_range);
  io("armature", x.armature);
  io("damping", x.damping);
  io("delay", x.delay);
  io("early_activation", x.early_activation);
  io("group", x.group);
  io.later("pid", x.pid);
  io.later("plugin", x.plugin);
  io.later("active", x.active);
}

template <class Io>
void fields(Io& io, JointActuation& x) {
  io("joint", x.joint);
  io("force", x.force);
  io("compensates_gravity", x.compensates_gravity);
}

template <class Io>
void fields(Io& io, Sensor& x) {
  io("name", x.name);
  io("kind", x.kind);
  io("object_type", x.object_type);
  io("object", x.object);
  io("reference_type", x.reference_type);
  io("reference", x.reference);
  io("cutoff", x.cutoff);
  io("noise", x.noise);
  io("data", x.data);
  io("count", x.count);
  io("reduce", x.reduce);
}

template <class Io>
void fields(Io& io, InertialAxes& x) {
  io("body", x.body);
  io("R_BI", x.R_BI);
}

template <class Io>
void fields(Io& io, Keyframe& x) {
  io("name", x.name);
  io("time", x.time);
  io("q", x.q);
  io("v", x.v);
  io("activations", x.activations);
  io("controls", x.controls);
  io("mocap_positions", x.mocap_positions);
  io("mocap_quaternions", x.mocap_quaternions);
}

template <class Io>
void fields(Io& io, Material& x) {
  io("name", x.name);
  io("texture", x.texture);
  io("rgba", x.rgba);
  io("emission", x.emission);
  io("specular", x.specular);
  io("shininess", x.shininess);
  io("reflectance", x.reflectance);
  io("metallic", x.metallic);
  io("roughness", x.roughness);
}

template <class Io>
void fields(Io& io, Texture& x) {
  io("name", x.name);
  io("type", x.type);
  io("builtin", x.builtin);
  io("file", x.file);
  io("rgb1", x.rgb1);
  io("rgb2", x.rgb2);
  io("width", x.width);
  io("height", x.height);
}

template <class Io>
void fields(Io& io, Camera& x) {
  io("name", x.name);
  io("body", x.body);
  io("X_BC", x.X_BC);
  io("mode", x.mode);
  io("target", x.target);
  io("field_of_view", x.field_of_view);
}

template <class Io>
void fields(Io& io, Light& x) {
  io("name", x.name);
  io("body", x.body);
  io("position", x.position);
  io("direction", x.direction);
  io("mode", x.mode);
  io("target", x.target);
  io("directional", x.directional);
  io("active", x.active);
  io("casts_shadow", x.casts_shadow);
  io("diffuse", x.diffuse);
  io("ambient", x.ambient);
  io("specular", x.specular);
}

template <class Io>
void fields(Io& io, CustomNumbers& x) {
  io("name", x.name);
  io("data", x.data);
}

template <class Io>
void fields(Io& io, CustomText& x) {
  io("name", x.name);
  io("text", x.text);
}

template <class Io>
void fields(Io& io, GravityCompensation& x) {
  io("body", x.body);
  io("fraction", x.fraction);
}

template <class Io>
void fields(Io& io, SimulationOptions& x) {
  io("timestep", x.timestep);
  io("integrator", x.integrator);
  io("cone", x.cone);
  io("solver", x.solver);
  io("iterations", x.iterations);
  io("tolerance", x.tolerance);
  io("impratio", x.impratio);
  io("density", x.density);
  io("viscosity", x.viscosity);
  io("wind", x.wind);
  io("magnetic", x.magnetic);
  io("disabled", x.disabled);
  io("enabled", x.enabled);
  io("disabled_actuator_groups", x.disabled_actuator_groups);
}

template <class Io>
void fields(Io& io, Elements& x) {
  io("shapes", x.shapes);
  io("sites", x.sites);
  io("mujoco_contact", x.mujoco_contact);
  io("excludes", x.excludes);
  io("collision_groups", x.collision_groups);
  io("pairs", x.pairs);
  io("equalities", x.equalities);
  io("distances", x.distances);
  io("slots", x.slots);
  io("bushings", x.bushings);
  io("supports", x.supports);
  io("tendons", x.tendons);
  io("actuators", x.actuators);
  io("joint_actuation", x.joint_actuation);
  io("sensors", x.sensors);
  io("inertial_axes", x.inertial_axes);
  io("keyframes", x.keyframes);
  io("materials", x.materials);
  io("textures", x.textures);
  io("cameras", x.cameras);
  io("lights", x.lights);
  io("numbers", x.numbers);
  io("texts", x.texts);
  io("gravity_compensation", x.gravity_compensation);
  io("mocap_bodies", x.mocap_bodies);
  io("options", x.options);
}

}  // namespace stiction::model_json
