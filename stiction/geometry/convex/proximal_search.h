#pragma once
// The signed distance of two cores by distances of separated ones: slow, but reliable where Newton's method
// fails: curvatures in a ratio of 1 : 1e12, nearly sharp edges, nearly flat sides.
//
// From the direction n, B is moved along n until there is a gap of delta between it and A. The distance
// between the separated bodies is a convex problem, which GJK (gjk.h) solves with nothing but support points;
// its normal is
//   n' = argmax over m of g(m) + t m . n,       t = delta - g(n) the translation,
// a step of the proximal point method on g (B. Martinet, "Regularisation d'inequations variationnelles par
// approximations successives", 1970): g(n') >= g(n) + t (1 - n . n'), and n' = n where n is stationary. With
// H the radii of curvature of both, errors shrink by t/(H + delta) in every step. The nearest points come
// from a simplex of support points: their distance from the surfaces is of second order in its width.

#include "stiction/geometry/convex/direction_climb.h"

namespace stiction {

struct ProximalResult {
  double distance = -1e300;     // m, g(n) of the cores
  Vec3 normal = Vec3::UnitZ();  // unit, from A into B, in A
  Vec3 on_a = Vec3::Zero();     // m, in A
  double off = 1e300;           // m: outside_both() of witness_points.h
};

ProximalResult proximal_search(const DirectionSearch& cores, const Vec3& start);

}  // namespace stiction
