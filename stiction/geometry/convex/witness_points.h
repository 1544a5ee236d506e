#pragma once
// Where two cores meet along a direction of separation: the proof that it is the right one.
//
// Along n the cores are g(n) apart. If a point x of A has x + g n in B, then g is the signed distance of the
// cores for g >= 0, and the first-order condition of the shortest way out holds for g < 0. A support point
// will do where n has one; on edges and flat parts a common point of both parts is looked for.

#include "stiction/geometry/convex/direction_climb.h"

namespace stiction {

struct WitnessPoints {
  Vec3 on_a = Vec3::Zero();  // m, x, in A
  double off = 1e300;        // m, how far outside x and x + g n lie, the worse of the two
};

// How far x (in A) and x + g n lie outside the two cores, m, the worse of the two.
double outside_both(const DirectionSearch& cores, const Vec3& x, double g, const Vec3& n);

// Looks until something is nearer than `good_enough` (m).
WitnessPoints witness_points(const DirectionSearch& cores, const DirectionValue& v, double good_enough);

}  // namespace stiction
