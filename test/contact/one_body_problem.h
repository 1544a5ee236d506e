#pragma once
// The smallest contact problem: one free body that the world touches at one point.

#include "stiction/contact/problem.h"

namespace stiction {

struct OneBody {
  double mass = 1.0;                  // kg
  double inertia = 1.0;               // kg m^2, about every axis
  Vec3 v_free = Vec3::Zero();         // m/s, without rotation
  Vec3 arm = Vec3::Zero();            // m, from the centre of mass to the point
  Vec3 normal = Vec3::UnitZ();        // from the world into the body
  double h = 2e-3;                    // s
  LawKind law = LawKind::icf_lagged;  // whose parameters of the point are left to the caller
};

// The point is point 0. Bodies: 0 is the world, 1 the body.
ContactProblem one_body_problem(const OneBody& body);

}  // namespace stiction
