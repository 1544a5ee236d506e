#pragma once
// When two moving shapes first touch, by conservative advancement (B. Mirtich, "Impulse-based dynamic
// simulation of rigid body systems", 1996, 2.3).
//
// Each shape moves with constant velocity v of the centre c of its bounding ball (radius r) and constant
// angular velocity w: c(t) = c + v t, R(t) = exp(w t) R. At distance d with normal n (from A into B) no two
// points approach each other along n faster than
//
//   mu = n.(v_A - v_B) + |n x w_A| r_A + |n x w_B| r_B,
//
// so convex shapes, which a plane with normal n separates, cannot touch before d/mu has passed, and never if
// mu <= 0. Shapes that are not convex have no such plane: there mu = |v_A - v_B| + |w_A| r_A + |w_B| r_B.
// Advancing by d/mu repeatedly converges to the first contact from below. It ends when the distance is
// below kTouchingDistance of the smaller shape's size, or after kMaxAdvances with a time that is too early.

#include "stiction/geometry/narrow_phase.h"

namespace stiction {

struct ShapeMotion {
  Pose X_WS;              // at the start
  Vec3 w = Vec3::Zero();  // rad/s, in W
  Vec3 v = Vec3::Zero();  // m/s, in W, of the centre of the shape's bounding ball
};

enum class ImpactStatus {
  none,           // they do not touch before `duration` is over
  touches,        // at `time`
  overlaps,       // from the start
  not_converged,  // not before `time`; the shapes are then at the point's distance from each other
};

inline constexpr double kTouchingDistance = 1e-10;  // of the smaller shape's bounding ball
inline constexpr int kMaxAdvances = 200;

struct TimeOfImpact {
  ImpactStatus status = ImpactStatus::none;
  double time = 0.0;  // s
  // The two points that will touch, at their initial positions, with the normal at impact: p_A belongs to A,
  // and the distance is that of B's point from it along the normal, which the motion closes in `time`.
  ContactPoint speculative;
  ContactPoint at_impact;  // the same two points at `time`
  int advances = 0;
};

Pose pose_after(const CollisionShape& shape, const ShapeMotion& motion, double time);

// Throws UserError for pairs that have no distance (narrow_phase.h).
TimeOfImpact time_of_impact(const CollisionShape& A, const ShapeMotion& motion_A, const CollisionShape& B,
                            const ShapeMotion& motion_B, double duration);

}  // namespace stiction
