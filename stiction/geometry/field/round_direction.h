#pragma once
// The direction from a round shape to another one, around which facets are laid.
//
// It starts from a core in the middle of the round shape, so that it changes continuously until the other shape reaches
// into the core. A plane with this normal through the nearest point has all of the other shape beyond it.

#include "stiction/geometry/field/pressure_query.h"

namespace stiction {

// All in Q. To a box or a hull.
RoundDirection direction_to(const PressureSide& round, const PressureSide& flat);
// To a triangle with corners in Q.
RoundDirection direction_to(const PressureSide& round, const Vec3 (&corners)[3]);

}  // namespace stiction
