#pragma once
// Moments of inertia that no matter can have, and what to do about them.
//
// The principal moments A <= B <= C of matter satisfy A + B >= C. Many robots' files break this rule, by
// guess or by a sign in a product of inertia. The equations of motion stay well posed, because the kinetic
// energy is positive as long as A > 0, so that such moments are simulated as they are; only they belong to no
// body.

#include "stiction/math/spatial.h"

namespace stiction {

// Whether that rule is all that is wrong with the inertia; to the tolerance of inertia_defect.
bool violates_triangle_inequality(const Inertia& inertia);

// All three moments replaced by their mean: MuJoCo's `balanceinertia`.
Inertia balanced_inertia(const Inertia& inertia);

}  // namespace stiction
