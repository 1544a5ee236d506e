#pragma once
// The step along a search direction of an island: l(alpha) = l(v + alpha dv), a convex function of one
// number.
//
// exact: l'(alpha) = 0 by Newton's method with bisection, from the minimum of the cubic through costs and
// slopes at both ends (S IV-B); beyond 1 where the slope there is still a large part of that at 0, as far
// from the minimum of a cost that grows like a cube (impacts that are damped by Hunt and Crossley's law):
// there a Newton step goes half of the way. armijo: the first of a falling series that lowers the cost
// enough.

#include <cstdint>

namespace stiction {

class IslandSystem;

enum class LineSearch : std::uint8_t { exact, armijo };

// After system.set_direction(). Adds to the number of evaluations.
double line_search(const IslandSystem& system, LineSearch kind, int* evaluations);

}  // namespace stiction
