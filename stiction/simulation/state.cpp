#include "stiction/simulation/state.h"

#include <cstring>

#include "stiction/base/check.h"

namespace stiction {

State::State(const Model& model)
    : q(model.q0), v(model.v0.size() > 0 ? model.v0 : VecX(VecX::Zero(model.num_v()))) {}

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

void check_input(const Model& model, const Input& input) {
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
}

}  // namespace stiction
