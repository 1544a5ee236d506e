#include "stiction/simulation/state.h"

#include <cmath>
#include <cstring>

#include "stiction/base/check.h"

namespace stiction {

State::State(const Model& model)
    : q(model.q0),
      v(model.v0.size() > 0 ? model.v0 : VecX(VecX::Zero(model.num_v()))),
      activations(VecX::Zero(model.num_activations())),
      acceleration(VecX::Zero(model.num_v())),
      last_acceleration(VecX::Zero(model.num_v())) {}

std::uint64_t hash(const State& state) {
  // FNV-1a over the bits of every number.
  std::uint64_t h = 0xcbf29ce484222325u;
  const auto add = [&h](double x) {
    unsigned char bytes[sizeof x];
    std::memcpy(bytes, &x, sizeof x);
    for (unsigned char byte : bytes) h = (h ^ byte) * 0x100000001b3u;
  };
  add(state.time);
  for (double x : state.q) add(x);
  for (double x : state.v) add(x);
  for (double x : state.activations) add(x);
  for (double x : state.acceleration) add(x);
  for (double x : state.last_acceleration) add(x);
  for (const RememberedPoint& point : state.memory.points) {
    add(point.shape_A);
    add(point.shape_B);
    add(static_cast<double>(point.feature >> 32));
    add(static_cast<double>(point.feature & 0xffffffffu));
    for (const Vec3& x : {point.place, point.force, point.moment})
      for (double y : x) add(y);
  }
  for (const RememberedRow& row : state.memory.rows) {
    for (int x : {row.kind, row.index, row.component}) add(x);
    add(row.force);
  }
  for (const RememberedDeflection& layer : state.memory.deflections) {
    for (int x : {layer.shape_A, layer.shape_B}) add(x);
    for (double x : {layer.normal_A, layer.normal_B}) add(x);
    for (const Vec3& x : {layer.shear_A, layer.shear_B})
      for (double y : x) add(y);
  }
  for (const RememberedPenalty& penalty : state.memory.penalties) {
    add(penalty.tree);
    add(penalty.rho);
  }
  return h;
}

void set_prescribed(const Forest& forest, const std::vector<PrescribedMotion>& prescribed,
                    Kinematics* kinematics) {
  if (!prescribed.empty()) {
    kinematics->prescribed = prescribed;
    return;
  }
  for (std::size_t b = 0; b < forest.kinematic_bodies.size(); ++b) {
    kinematics->prescribed[b] = {};
    kinematics->prescribed[b].X_WB = forest.bodies[forest.kinematic_bodies[b]].X_PB;
  }
}

namespace {

void check_joint(const Model& model, int joint, const char* what) {
  STICTION_USER_CHECK(joint >= 0 && joint < static_cast<int>(model.forest.joints.size()),
                      "model '{}': joint {}, {}, does not exist", model.name, joint, what);
}

void check_switches(const Model& model, const ConstraintSwitches& switches) {
  if (!switches.active.empty()) {
    const Elements& e = model.elements;
    std::size_t constraints = e.equalities.size();
    for_each_frame_constraint([&](const auto& row) { constraints += (e.*row.items).size(); });
    for (std::size_t j = 0; j < model.forest.joints.size(); ++j)
      constraints += model.forest.joint(static_cast<int>(j)).mimic ? 1 : 0;
    STICTION_USER_CHECK(switches.active.size() == constraints,
                        "model '{}' has {} constraints, but {} switches were given", model.name, constraints,
                        switches.active.size());
  }
  for (const int joint : switches.unlimited_joints) check_joint(model, joint, "whose limits are off");
  constexpr double kNotAUnit = 1e-6;  // rounded input passes
  for (std::size_t i = 0; i < switches.locks.size(); ++i) {
    const JointLock& lock = switches.locks[i];
    check_joint(model, lock.joint, "which is locked");
    const Joint& joint = model.forest.joint(lock.joint);
    for (std::size_t k = 0; k < i; ++k)
      STICTION_USER_CHECK(switches.locks[k].joint != lock.joint, "model '{}': joint '{}' is locked twice",
                          model.name, joint.name);
    const Eigen::Map<const VecX> q(lock.q.data(), model.forest.joints[lock.joint].num_q);
    STICTION_USER_CHECK(q.allFinite(), "model '{}': joint '{}' is locked where it is not finite", model.name,
                        joint.name);
    STICTION_USER_CHECK(!has_quaternion(joint.type) || std::abs(q.head<4>().norm() - 1.0) < kNotAUnit,
                        "model '{}': joint '{}' is locked at a quaternion of length {}, not 1", model.name,
                        joint.name, q.head<4>().norm());
  }
}

}  // namespace

void check_input(const Model& model, const Input& input) {
  const auto num_controls = input.controls.size();
  const std::vector<Actuator>& actuators = model.elements.actuators;
  STICTION_USER_CHECK(num_controls == 0 || num_controls == static_cast<Eigen::Index>(actuators.size()),
                      "model '{}' has {} actuators, but {} controls were given", model.name, actuators.size(),
                      num_controls);
  for (Eigen::Index i = 0; i < num_controls; ++i)
    STICTION_USER_CHECK(std::isfinite(input.controls[i]),
                        "model '{}': the control of actuator {} '{}' is not finite", model.name, i,
                        actuators[static_cast<std::size_t>(i)].name);
  const auto n = input.joint_forces.size();
  STICTION_USER_CHECK(n == 0 || n == model.num_v(),
                      "model '{}' has {} velocities, but {} joint forces were given", model.name,
                      model.num_v(), n);
  for (Eigen::Index i = 0; i < n; ++i)
    STICTION_USER_CHECK(std::isfinite(input.joint_forces[i]), "model '{}': joint force {} is not finite",
                        model.name, i);
  const size_t num_kinematic = model.forest.kinematic_bodies.size();
  STICTION_USER_CHECK(input.prescribed.empty() || input.prescribed.size() == num_kinematic,
                      "model '{}' has {} kinematic bodies, but {} prescribed motions were given", model.name,
                      num_kinematic, input.prescribed.size());
  for (const BodyWrench& w : input.wrenches) {
    STICTION_USER_CHECK(w.body >= 0 && w.body < static_cast<int>(model.forest.bodies.size()),
                        "model '{}': a wrench acts on body {}, which does not exist", model.name, w.body);
    STICTION_USER_CHECK(w.wrench.allFinite() && w.p_W.allFinite(),
                        "model '{}': the wrench on body '{}' is not finite", model.name,
                        model.forest.bodies[w.body].name);
  }
  for (std::size_t k = 0; k < input.prescribed.size(); ++k) {
    const PrescribedMotion& motion = input.prescribed[k];
    STICTION_USER_CHECK(motion.X_WB.R.allFinite() && motion.X_WB.p.allFinite() && motion.V.allFinite(),
                        "model '{}': the prescribed motion of body '{}' is not finite", model.name,
                        model.forest.bodies[model.forest.kinematic_bodies[k]].name);
  }
  for (const SurfaceVelocity& surface : input.surface_velocities) {
    STICTION_USER_CHECK(surface.shape >= 0 && surface.shape < static_cast<int>(model.shapes.size()),
                        "model '{}': shape {}, whose surface is to move, does not exist", model.name,
                        surface.shape);
    STICTION_USER_CHECK(surface.v_B.allFinite(),
                        "model '{}': the surface velocity of shape '{}' is not finite", model.name,
                        model.shapes[surface.shape].name);
  }
  check_disabled(model, input.disabled_contacts);
  check_switches(model, input.constraints);
}

}  // namespace stiction
