#pragma once
// The default scheme: joint springs and dampers at the new state, all other forces at the old one (I eq. 1,
// whose k_1 they are; the paper calls it symplectic Euler, but that name belongs to S's scheme with theta =
// 0).
//
//   A = M + h D + h^2 K,      A (v_free - v0) = h (applied - bias(q0, v0) - K (q0 + h v0 - q_n) - D v0)
//
// A free body's spin is carried through its gyroscopic moment by the midpoint rule on Euler's equations in
// body axes,
//
//   I (w1 - w0) + h wm x I wm = 0,   wm = (w0 + w1)/2,
//
// which keeps its energy and the size of its angular momentum exactly at any step; the other forces are added
// after it. The new spin has the same components in the body's axes before and after the turn exp(h w1),
// because it is the axis of that turn, so that nothing is lost from step to step.

#include "stiction/simulation/scheme/scheme.h"

namespace stiction {

class SemiImplicitEuler final : public Scheme {
 public:
  const char* name() const override { return "semi_implicit_euler"; }
  const char* description() const override {
    return "springs and dampers at the new state, all else at the old (I eq. 1)";
  }
  StepTheta theta() const override { return {1.0, 1.0}; }
  int order() const override { return 1; }
  void free_motion(const Model& model, const State& now, StepRecord* r, SchemeWorkspace* w) const override;
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override;
};

// The spin after a step h of torque-free motion with inertia I (same axes), by the midpoint rule above.
Vec3 midpoint_spin(const Mat3& I, const Vec3& w0, double h);

}  // namespace stiction
