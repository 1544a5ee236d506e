#pragma once
// Cubes stacked on the ground, touching at their corners: contact problems by trees with known answers.

#include <vector>

#include "stiction/contact/dual/problem.h"

namespace stiction {

struct CubeStack {
  std::vector<double> masses;    // kg, from the ground up; edges of 0.2 m, homogeneous
  std::vector<double> friction;  // of the four contacts below each cube
  Vec3 push = Vec3::Zero();      // N, at the centre of the uppermost cube
  Vec3 velocity = Vec3::Zero();  // m/s, of the uppermost cube at the beginning of the step
  double h = 1e-3;               // s
  double R = 0.0;                // 1/kg, of all rows
};

DualProblem make_dual(const CubeStack& stack);

// m/s: v after the impulses, by trees.
VecX velocity_after(const DualProblem& problem, const VecX& lambda);
// N s: the part of lambda that moves nothing, by singular vectors of the dense W.
double internal_impulse(const DualProblem& problem, const VecX& lambda);

}  // namespace stiction
