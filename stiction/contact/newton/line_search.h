#pragma once
// The step along a search direction of an island: l(alpha) = l(v + alpha dv), a convex function of one
// number.
//
//   exact    l'(alpha) = 0 by Newton's method safeguarded by bisection, from the minimum of the cubic through
//            costs and slopes at both ends (S IV-B). alpha may exceed 1 where the slope at 1 is still a large
//            part of that at 0: far from the minimum of a cubic cost (impacts damped by Hunt and Crossley's
//            law) a Newton step covers only half of the distance.
//   armijo   the first of a decreasing sequence that lowers the cost enough.
//
// Under a barrier no alpha goes beyond IslandSystem::longest_step().

#include <cstdint>

namespace stiction {

class IslandSystem;

enum class LineSearch : std::uint8_t { exact, armijo };

// After system.set_direction(). Adds to the number of evaluations.
double line_search(const IslandSystem& system, LineSearch kind, int* evaluations);

}  // namespace stiction
