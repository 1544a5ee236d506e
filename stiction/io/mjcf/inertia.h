#pragma once
// Mass of MJCF's geoms and bodies, as MuJoCo computes it.
//
// A geom weighs density times volume, or, with shellinertia, density times area; `mass` replaces that product
// and keeps the ratio of inertia to mass. Shells of ellipsoids are the difference of two solids whose
// radii differ by a length e -> 0,
//
//   I_x / m = ((ab + bc + ca)(b^2 + c^2) + 2abc(b + c)) / 5(ab + bc + ca),
//
// and their area is K. Thomsen's approximation with the exponent 1.6075, off by at most 1.1 %.

#include "stiction/geometry/shape/shape.h"
#include "stiction/io/mjcf/context.h"

namespace stiction {

// Of a surface with unit density (kg/m^2) and the form of a sphere, box, cylinder, capsule or ellipsoid.
Inertia unit_shell_inertia(const Shape& shape);

// The inertial element of a body.
Inertia read_inertial(const MjcfElement& element);

// Applies compiler/balanceinertia, boundmass and boundinertia; throws if the result is not that of a physical
// body.
Inertia bounded_inertia(const Inertia& inertia, const MjcfCompiler& compiler, const MjcfElement& body);

}  // namespace stiction
