#pragma once
// The one place that speaks with Qhull: points in, triangles out. Qhull neither prints nor ends the program;
// what it has to say comes back as an exception.

#include <vector>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// The hull's triangles, outward, with corners that are indices into `points`. At most `max_vertices` corners
// are used unless it is 0. Points that Qhull cannot order within round-off are moved by some 1e-13 of their
// extent while it works ("joggled"); the triangles still refer to the points as given.
// Throws UserError if the points span no volume or are not finite.
std::vector<Triangle> hull_triangles(const std::vector<Vec3>& points, int max_vertices);

}  // namespace stiction
