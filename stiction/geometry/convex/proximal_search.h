#pragma once
// The signed distance of two cores by distances of separated ones: slow, and right where Newton's method is
// lost among curvatures 1 : 1e12 apart, edges nearly sharp and sides nearly flat.
//
// From the direction n, B is moved along n until a gap of delta is between it and A. The distance of what is
// then separated is a convex problem, which GJK (gjk.h) solves with nothing but support points; its normal is
//   n' = argmax over m of g(m) + t m . n,       t = delta - g(n) the way,
// a step of the proximal point method on g (B. Martinet, "Regularisation d'inequations variationnelles par
// approximations successives", 1970): g(n') >= g(n) + t (1 - n . n'), and n' = n where n is stationary. With
// H the radii of curvature of both, errors shrink by t/(H + delta) in every step. The nearest points come
// from a simplex of support points: they lie on both surfaces to the square of its width.

#include "stiction/geometry/convex/direction_climb.h"

namespace stiction {

struct ProximalResult {
  double distance = -1e300;     // m, g(n) of the cores
  Vec3 normal = Vec3::UnitZ();  // unit, from A into B, in A
  Vec3 on_a = Vec3::Zero();     // m, in A
  double off = 1e300;           // m: outside_both(), convex/witness_points.h
};

ProximalResult proximal_search(const DirectionSearch& cores, const Vec3& start);

}  // namespace stiction
