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
// "q0 +" is the exponential map. theta = 0 needs one solve with M(q0). For theta > 0 we solve by Newton with
// the analytic derivatives of inverse dynamics, ID(q, v, vdot) = M vdot + bias:
//
//   m' / h = M / h + theta (dID/dv + D) + theta theta_vq h (dID/dq + K)
//
// The derivative of the exponential map is approximated by 1, so for ball joints and free bodies Newton
// converges only linearly, by a factor h |w| / 2 in each iteration.

#include "stiction/simulation/scheme/scheme.h"

namespace stiction {

class ExplicitScheme final : public Scheme {
 public:
  ExplicitScheme(const char* name, const char* description, double theta_vq)
      : name_(name), description_(description), theta_vq_(theta_vq) {}
  const char* name() const override { return name_; }
  const char* description() const override { return description_; }
  StepTheta theta() const override { return {0.0, theta_vq_}; }
  int order() const override { return 1; }
  void free_motion(const Model& model, const State& now, StepRecord* r, SchemeWorkspace* w) const override;
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override;

 private:
  const char* name_;
  const char* description_;
  double theta_vq_;
};

// theta = theta_vq.
class ImplicitScheme final : public Scheme {
 public:
  ImplicitScheme(const char* name, const char* description, double theta, int order)
      : name_(name), description_(description), theta_(theta), order_(order) {}
  const char* name() const override { return name_; }
  const char* description() const override { return description_; }
  StepTheta theta() const override { return {theta_, theta_}; }
  int order() const override { return order_; }
  void free_motion(const Model& model, const State& now, StepRecord* r, SchemeWorkspace* w) const override;
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override;

 private:
  void compute_residual(const Model& model, const State& now, StepRecord* r, SchemeWorkspace* w) const;
  bool newton_step(const Model& model, StepRecord* r, SchemeWorkspace* w) const;

  const char* name_;
  const char* description_;
  double theta_;
  int order_;
};

}  // namespace stiction
