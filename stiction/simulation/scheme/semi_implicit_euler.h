#pragma once
// The default scheme: joint springs and dampers at the new state, all other forces at the old one (I eq. 1,
// whose k_1 are these springs and dampers; the paper calls the scheme symplectic Euler, but that is the name
// of S's scheme with theta = 0).
//
//   A = M + h D + h^2 K
//   A (v_free - v0) = h (applied - bias(q0, v0) - K (q0 + h v0 - q_n) - D v0)
//
// The gyroscopic moment changes the angular velocity w of a free body by the midpoint rule on Euler's
// equations in body axes,
//
//   I (w1 - w0) + h wm x I wm = 0,   wm = (w0 + w1)/2,
//
// which conserves the rotational energy and the magnitude of the angular momentum exactly for any step size;
// the other forces are added afterwards. w1 has the same components in the body axes before and after the
// rotation exp(h w1), because it is the axis of that rotation, so no error builds up from step to step.

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
  bool has_given_momentum_matrix() const override { return true; }
  void free_motion(const Model& model, const State& now, const Input& input, StepRecord* r,
                   SchemeWorkspace* w) const override;
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override;
};

// Angular velocity after a step h of torque-free motion with inertia I (same axes), by the midpoint rule
// above.
Vec3 midpoint_spin(const Mat3& I, const Vec3& w0, double h);

// Turns the angular velocities in v of all free bodies by their gyroscopic moments alone over a step h.
void turn_free_bodies(const Forest& forest, const Kinematics& kinematics, double h, VecX* v);

}  // namespace stiction
