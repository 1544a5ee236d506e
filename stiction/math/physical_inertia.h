#pragma once
// Moments of inertia that no real body can have, and what to do about them.
//
// The principal moments A <= B <= C of a real body satisfy A + B >= C. Many robot files break this rule, by a
// guess or by a wrong sign in a product of inertia. The equations of motion stay well posed, because the
// kinetic energy is positive as long as A > 0, so such moments are simulated as they are.

#include "stiction/math/spatial.h"

namespace stiction {

// Whether the inertia breaks that rule and no other; to the tolerance of inertia_defect.
bool violates_triangle_inequality(const Inertia& inertia);

// All three moments replaced by their mean: MuJoCo's `balanceinertia`.
Inertia balanced_inertia(const Inertia& inertia);

}  // namespace stiction
