#pragma once
// The messages of a recording, by topic. docs/recording.md and stiction.proto describe them; a test compares
// the fields here with those of stiction.proto.
//
//   /state      State       positions and velocities, every recorded step
//   /snapshot   Snapshot    all that a step starts from, bit for bit, from time to time
//   /input      Input       what acts, whenever it changes
//   /contacts   Contacts    where bodies touch, with forces
//   /patches    Patches     the polygons of shapes that touch by their pressure fields
//   /residual   Residual    how the contact solver ended, and the certificate where there is one
//   /energies   Energies
//   /timings    Timings     seconds of the stages of a step
//
// Step n is the state after n steps; the recording begins with step 0.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stiction/io/recording/proto_wire.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/energy.h"
#include "stiction/simulation/state.h"

namespace stiction::recorded {

struct State {
  static constexpr const char *kPackage = "stiction", *kName = "State";
  double time = 0.0;  // s
  std::int64_t step = 0;
  VecX q, v, activations;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "q", m.q);
    f(4, "v", m.v);
    f(5, "activations", m.activations);
  }
};

struct RememberedPoint {
  static constexpr const char *kPackage = "stiction", *kName = "RememberedPoint";
  int shape_a = 0, shape_b = 0;
  std::uint64_t feature = 0;
  std::vector<double> place, force, moment;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "shape_a", m.shape_a);
    f(2, "shape_b", m.shape_b);
    f(3, "feature", m.feature);
    f(4, "place", m.place);
    f(5, "force", m.force);
    f(6, "moment", m.moment);
  }
};

struct RememberedRow {
  static constexpr const char *kPackage = "stiction", *kName = "RememberedRow";
  int kind = 0, index = 0, component = 0;
  double force = 0.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "kind", m.kind);
    f(2, "index", m.index);
    f(3, "component", m.component);
    f(4, "force", m.force);
  }
};

struct RememberedDeflection {
  static constexpr const char *kPackage = "stiction", *kName = "RememberedDeflection";
  int shape_a = 0, shape_b = 0;
  double normal_a = 0.0, normal_b = 0.0;
  std::vector<double> shear_a, shear_b;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "shape_a", m.shape_a);
    f(2, "shape_b", m.shape_b);
    f(3, "normal_a", m.normal_a);
    f(4, "normal_b", m.normal_b);
    f(5, "shear_a", m.shear_a);
    f(6, "shear_b", m.shear_b);
  }
};

struct RememberedPenalty {
  static constexpr const char *kPackage = "stiction", *kName = "RememberedPenalty";
  int tree = 0;
  double rho = 0.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "tree", m.tree);
    f(2, "rho", m.rho);
  }
};

struct Snapshot {
  static constexpr const char *kPackage = "stiction", *kName = "Snapshot";
  double time = 0.0;  // s
  std::int64_t step = 0;
  VecX q, v, activations, acceleration, last_acceleration;
  std::vector<RememberedPoint> points;
  std::vector<RememberedRow> rows;
  std::vector<RememberedDeflection> deflections;
  std::vector<RememberedPenalty> penalties;
  std::uint64_t hash = 0;  // stiction::hash of all of it
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "q", m.q);
    f(4, "v", m.v);
    f(5, "activations", m.activations);
    f(6, "acceleration", m.acceleration);
    f(7, "last_acceleration", m.last_acceleration);
    f(8, "points", m.points);
    f(9, "rows", m.rows);
    f(10, "deflections", m.deflections);
    f(11, "hash", m.hash);
    f(12, "penalties", m.penalties);
  }
};

struct Wrench {
  static constexpr const char *kPackage = "stiction", *kName = "Wrench";
  int body = 0;
  std::vector<double> point, wrench;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "body", m.body);
    f(2, "point", m.point);
    f(3, "wrench", m.wrench);
  }
};

struct Prescribed {
  static constexpr const char *kPackage = "stiction", *kName = "Prescribed";
  std::vector<double> rotation, position, velocity, acceleration;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "rotation", m.rotation);
    f(2, "position", m.position);
    f(3, "velocity", m.velocity);
    f(4, "acceleration", m.acceleration);
  }
};

struct GroupSwitch {
  static constexpr const char *kPackage = "stiction", *kName = "GroupSwitch";
  int group = 0, other = 0;
  bool collides = false;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "group", m.group);
    f(2, "other", m.other);
    f(3, "collides", m.collides);
  }
};

struct JointLock {
  static constexpr const char *kPackage = "stiction", *kName = "JointLock";
  int joint = 0;
  std::vector<double> q;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "joint", m.joint);
    f(2, "q", m.q);
  }
};

struct SurfaceVelocity {
  static constexpr const char *kPackage = "stiction", *kName = "SurfaceVelocity";
  int shape = 0;
  std::vector<double> velocity;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "shape", m.shape);
    f(2, "velocity", m.velocity);
  }
};

// Acts from this step on, until the next one.
struct Input {
  static constexpr const char *kPackage = "stiction", *kName = "Input";
  double time = 0.0;
  std::int64_t step = 0;
  double h = 0.0;
  VecX controls, joint_forces;
  std::vector<Wrench> wrenches;
  std::vector<Prescribed> prescribed;
  std::vector<int> disabled_shapes, disabled_bodies, disabled_pairs;  // pairs: two numbers each
  std::vector<GroupSwitch> groups;
  Bytes active_constraints;
  std::vector<JointLock> locks;
  std::vector<int> unlimited_joints;
  std::vector<SurfaceVelocity> surface_velocities;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "h", m.h);
    f(4, "controls", m.controls);
    f(5, "joint_forces", m.joint_forces);
    f(6, "wrenches", m.wrenches);
    f(7, "prescribed", m.prescribed);
    f(8, "disabled_shapes", m.disabled_shapes);
    f(9, "disabled_bodies", m.disabled_bodies);
    f(10, "disabled_pairs", m.disabled_pairs);
    f(11, "groups", m.groups);
    f(12, "active_constraints", m.active_constraints);
    f(13, "locks", m.locks);
    f(14, "unlimited_joints", m.unlimited_joints);
    f(15, "surface_velocities", m.surface_velocities);
  }
};

struct Vector3 {
  static constexpr const char *kPackage = "stiction", *kName = "Vector3";
  float x = 0.0f, y = 0.0f, z = 0.0f;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "x", m.x);
    f(2, "y", m.y);
    f(3, "z", m.z);
  }
};

// One point, or one pressure patch; n points from A into B, the force acts on B.
struct Contact {
  static constexpr const char *kPackage = "stiction", *kName = "Contact";
  int body_a = 0, body_b = 0, shape_a = 0, shape_b = 0;
  Vector3 point, normal;
  float distance = 0.0f;  // m, negative: overlap
  Vector3 force;
  std::optional<Vector3> moment;
  bool sliding = false;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "body_a", m.body_a);
    f(2, "body_b", m.body_b);
    f(3, "shape_a", m.shape_a);
    f(4, "shape_b", m.shape_b);
    f(5, "point", m.point);
    f(6, "normal", m.normal);
    f(7, "distance", m.distance);
    f(8, "force", m.force);
    f(9, "moment", m.moment);
    f(10, "sliding", m.sliding);
  }
};

struct Contacts {
  static constexpr const char *kPackage = "stiction", *kName = "Contacts";
  double time = 0.0;
  std::int64_t step = 0;
  std::vector<Contact> contacts;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "contacts", m.contacts);
  }
};

// The polygons of a pressure patch.
struct Patch {
  static constexpr const char *kPackage = "stiction", *kName = "Patch";
  int body_a = 0, body_b = 0, shape_a = 0, shape_b = 0;
  float area = 0.0f;               // m^2
  std::vector<int> corner_counts;  // of each polygon
  std::vector<float> corners;      // m, in W, three numbers each, counter-clockwise seen from b
  std::vector<float> pressures;    // Pa, of every corner
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "body_a", m.body_a);
    f(2, "body_b", m.body_b);
    f(3, "shape_a", m.shape_a);
    f(4, "shape_b", m.shape_b);
    f(5, "area", m.area);
    f(6, "corner_counts", m.corner_counts);
    f(7, "corners", m.corners);
    f(8, "pressures", m.pressures);
  }
};

struct Patches {
  static constexpr const char *kPackage = "stiction", *kName = "Patches";
  double time = 0.0;
  std::int64_t step = 0;
  std::vector<Patch> patches;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "patches", m.patches);
  }
};

struct Error {
  static constexpr const char *kPackage = "stiction", *kName = "Error";
  double absolute = 0.0, relative = 0.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "absolute", m.absolute);
    f(2, "relative", m.relative);
  }
};

// stiction/contact/dual/residual.h
struct ImpulseErrors {
  static constexpr const char *kPackage = "stiction", *kName = "ImpulseErrors";
  Error primal, dual, complementarity, ccp_dual, ccp_complementarity, signorini, dissipation,
      natural_velocity, natural_map, row_primal, row_natural, momentum, internal, law;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "primal", m.primal);
    f(2, "dual", m.dual);
    f(3, "complementarity", m.complementarity);
    f(4, "ccp_dual", m.ccp_dual);
    f(5, "ccp_complementarity", m.ccp_complementarity);
    f(6, "signorini", m.signorini);
    f(7, "dissipation", m.dissipation);
    f(8, "natural_velocity", m.natural_velocity);
    f(9, "natural_map", m.natural_map);
    f(10, "row_primal", m.row_primal);
    f(11, "row_natural", m.row_natural);
    f(12, "momentum", m.momentum);
    f(13, "internal", m.internal);
    f(14, "law", m.law);
  }
};

// stiction/contact/residual.h
struct Certificate {
  static constexpr const char *kPackage = "stiction", *kName = "Certificate";
  Error momentum, law, primal, dual, complementarity, signorini, dissipation;
  std::optional<Error> rows, slackness;
  std::optional<ImpulseErrors> impulses;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "momentum", m.momentum);
    f(2, "law", m.law);
    f(3, "primal", m.primal);
    f(4, "dual", m.dual);
    f(5, "complementarity", m.complementarity);
    f(6, "signorini", m.signorini);
    f(7, "dissipation", m.dissipation);
    f(8, "rows", m.rows);
    f(9, "slackness", m.slackness);
    f(10, "impulses", m.impulses);
  }
};

struct Residual {
  static constexpr const char *kPackage = "stiction", *kName = "Residual";
  double time = 0.0;
  std::int64_t step = 0;
  std::string status;
  int islands = 0, iterations = 0;
  double residual = 0.0;
  std::optional<Certificate> certificate;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "status", m.status);
    f(4, "islands", m.islands);
    f(5, "iterations", m.iterations);
    f(6, "residual", m.residual);
    f(7, "certificate", m.certificate);
  }
};

struct Energies {
  static constexpr const char *kPackage = "stiction", *kName = "Energies";
  double time = 0.0;
  std::int64_t step = 0;
  double kinetic = 0.0, gravity = 0.0, springs = 0.0;
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "kinetic", m.kinetic);
    f(4, "gravity", m.gravity);
    f(5, "springs", m.springs);
  }
};

struct Timings {
  static constexpr const char *kPackage = "stiction", *kName = "Timings";
  double time = 0.0;
  std::int64_t step = 0;
  std::vector<double> seconds;  // by stage, since the message before
  template <class Visit, class Self>
  static void fields(const Visit& f, Self& m) {
    f(1, "time", m.time);
    f(2, "step", m.step);
    f(3, "seconds", m.seconds);
  }
};

// From the simulation's own structs, and back with the same bits.
void set_snapshot(const stiction::State& state, std::int64_t step, Snapshot* message);
void set_state(const Snapshot& message, stiction::State* state);
void set_input(const stiction::Input& input, Input* message);  // leaves time, step and h
void set_input(const Input& message, stiction::Input* input);
void set_certificate(const stiction::Certificate& certificate, Certificate* message);

}  // namespace stiction::recorded
