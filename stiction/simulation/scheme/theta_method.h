#pragma once
// The theta method of SAP (S eqs. 6-17).
//
//   v^theta = theta v + (1 - theta) v0
//   v^vq    = theta_vq v + (1 - theta_vq) v0
//   q^theta = q0 + theta h v^vq
//   q       = q0 + h v^vq
//
//   m(v) = M(q^theta) (v - v0) - h k(q^theta, v^theta) = 0
//   A    = M + h theta D + h^2 theta theta_vq K      (S eq. 15, which misprints theta_vq as theta_qv)
//
// "q0 +" is the exponential map. theta = 0 needs one solve with M(q0). For theta > 0 all forces of k are
// those at (q^theta, v^theta): gravity, springs and dampers of joints, actuators (muscles and servos alike,
// with their activations at theta), tendons, bushings, fluid; applied wrenches move with their bodies;
// adhesion has its force at theta and its points at q0, as contact forces have (actuation/adhesion.h). We
// solve by Newton with the analytic derivatives of inverse dynamics, ID(q, v, vdot) = M vdot + bias, and of
// force elements f along a row J,
//
//   m' / h = M / h + theta (dID/dv + D) + theta theta_vq h (dID/dq + K)
//            + J' (theta f_v + theta theta_vq h f_l) J
//
// and those of fluid forces by the velocity of their body. Rows that couple two trees couple their equations.
// Left out, so that Newton converges linearly there: the derivatives of moment arms and of the exponential
// map (ball joints and free bodies; a factor h |w| / 2 in each iteration).
//
// Servos, springs of tendons and bushings are part of the free motion, and rows of the contact problem too
// (StepTheta::is_iterated), which have the change of their forces by the contact impulses. With J at q^theta
// and A above, the momentum linearised about v_free then has their stiffness and damping, as S eq. 15 has it
// for joints.
//
// Any pair (theta, theta_vq) in [0, 1] can be had: find_scheme("theta:0.5,0.5").

#include <string>

#include "stiction/simulation/scheme/scheme.h"

namespace stiction {

class ExplicitScheme final : public Scheme {
 public:
  ExplicitScheme(const std::string& name, const char* description, double theta_vq)
      : name_(name), description_(description), theta_vq_(theta_vq) {}
  const char* name() const override { return name_.c_str(); }
  const char* description() const override { return description_; }
  StepTheta theta() const override { return {0.0, theta_vq_}; }
  int order() const override { return 1; }
  bool has_given_momentum_matrix() const override { return true; }
  void free_motion(const Model& model, const State& now, const Input& input, StepRecord* r,
                   SchemeWorkspace* w) const override;
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override;

 private:
  std::string name_;
  const char* description_;
  double theta_vq_;
};

// Poses and velocities of kinematic bodies a time t later.
void move_prescribed(const std::vector<PrescribedMotion>& from, double t, std::vector<PrescribedMotion>* to);

// theta > 0.
class ImplicitScheme final : public Scheme {
 public:
  ImplicitScheme(const std::string& name, const char* description, double theta, double theta_vq)
      : name_(name), description_(description), theta_{theta, theta_vq, true} {}
  const char* name() const override { return name_.c_str(); }
  const char* description() const override { return description_; }
  StepTheta theta() const override { return theta_; }
  int order() const override { return theta_.theta == 0.5 && theta_.theta_vq == 0.5 ? 2 : 1; }
  void free_motion(const Model& model, const State& now, const Input& input, StepRecord* r,
                   SchemeWorkspace* w) const override;
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override;

 private:
  void move_to_theta(const Model& model, const State& now, StepRecord* r, SchemeWorkspace* w) const;
  void add_forces(const Model& model, const State& now, const Input& input, StepRecord* r,
                  SchemeWorkspace* w) const;
  void group_trees(const Model& model, SchemeWorkspace* w) const;
  bool newton_step(const Model& model, StepRecord* r, SchemeWorkspace* w) const;
  bool solve_group(const Model& model, int first, StepRecord* r, SchemeWorkspace* w) const;

  std::string name_;
  const char* description_;
  StepTheta theta_;
};

}  // namespace stiction
