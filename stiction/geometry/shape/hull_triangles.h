#pragma once
// The only file that calls Qhull: points in, triangles out. Qhull neither prints nor ends the program; its
// errors become exceptions.

#include <vector>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// The hull's triangles, outward, with corners that are indices into `points`. At most `max_vertices` corners
// are used unless it is 0. Where round-off leaves Qhull without a valid hull it moves the points by some
// 1e-13 of their extent ("joggle"); the triangles still refer to the points as given. Throws UserError if the
// points span no volume or are not finite.
std::vector<Triangle> hull_triangles(const std::vector<Vec3>& points, int max_vertices);

}  // namespace stiction
