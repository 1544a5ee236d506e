#pragma once
// Witness points along a direction of separation: the proof that the direction is the right one.
//
// Along n the cores are g(n) apart. If a point x of A has x + g n in B, then g is the signed distance of the
// cores for g >= 0, and the first-order optimality condition holds for g < 0. If n has a unique support
// point, that is x; on edges and flat parts a common point of both features is searched for.

#include "stiction/geometry/convex/direction_climb.h"

namespace stiction {

struct WitnessPoints {
  Vec3 on_a = Vec3::Zero();  // m, x, in A
  double off = 1e300;        // m, outside_both() of on_a
};

// How far x lies outside A's core and x + g n outside B's (all in A), m: the larger of the two.
double outside_both(const DirectionSearch& cores, const Vec3& x, double g, const Vec3& n);

// Tries candidates until one has `off` below `good_enough` (m).
WitnessPoints witness_points(const DirectionSearch& cores, const DirectionValue& v, double good_enough);

}  // namespace stiction
