// Points on a coarse grid, which makes many of them equal, in line or in a plane: a closed hull that holds
// them all, or UserError.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace stiction;
  constexpr double kInside = 1e-9;  // for grids of 16 steps: far above round-off
  std::vector<Vec3> points;
  for (std::size_t i = 0; i + 3 <= std::min<std::size_t>(size, 600); i += 3)
    points.emplace_back(data[i] % 16, data[i + 1] % 16, data[i + 2] % 16);
  try {
    const ConvexHull hull = convex_hull(points);
    STICTION_ASSERT(hull.triangles.size() == 2 * hull.vertices.size() - 4);
    STICTION_ASSERT(hull.corners.size() == 2 * hull.edges.size());
    for (const HullFace& face : hull.faces)
      for (const Vec3& p : points) STICTION_ASSERT(face.normal.dot(p) <= face.offset + kInside);
  } catch (const UserError&) {
  }
  return 0;
}
