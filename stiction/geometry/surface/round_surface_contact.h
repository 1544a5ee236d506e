#pragma once
// Common to capsules, the lateral surfaces of cylinders, spheres and other smooth shapes on a surface of
// triangles (surface_contact.h): the parts of a shape above facets, edges and vertices, and their shares.

#include <algorithm>
#include <vector>

#include "stiction/geometry/surface/facet_outline.h"
#include "stiction/geometry/surface/surface_contact.h"

namespace stiction {

// A part of a segment, or the one point of a smooth shape, above one feature: its contact points are
// [begin, end).
struct Part {
  double measure = 0.0, depth = 0.0;
  std::size_t begin = 0, end = 0;
};

// Multiplies the weights by the share of each part: other parts count fully if they are at least as deep, and
// by the ratio of the depths if shallower. `whole`: the shares sum to 1 whatever the measures; otherwise to
// at most 1.
void share_parts(const std::vector<Part>& parts, bool whole, double least, std::vector<SurfacePoint>* points);

inline bool can_touch(SideKind kind) { return kind == SideKind::convex || kind == SideKind::boundary; }

// Calls visit(triangle, i) once for every vertex (corner i) of the region that has a convex or boundary side
// and lies in the bounding box of the shape, margin included.
template <class Visit>
void for_each_vertex(const MeshRegion& region, const ConvexOnSurface& body, std::vector<int>* seen,
                     const Visit& visit) {
  const Vec3 centre = body.centre();
  const Vec3 half = body.X_SA.R.cwiseAbs() * body.shape.box_half + Vec3::Constant(body.margin);
  seen->clear();
  for (const RegionTriangle& t : region.triangles) {
    for (int i = 0; i < 3; ++i) {
      if (!can_touch(t.kinds[i]) && !can_touch(t.kinds[i == 0 ? 2 : i - 1])) continue;
      if (((t.corners[i] - centre).cwiseAbs() - half).maxCoeff() > 0.0) continue;
      if (std::find(seen->begin(), seen->end(), t.vertices[i]) != seen->end()) continue;
      seen->push_back(t.vertices[i]);
      visit(t, i);
    }
  }
}

struct PartScratch {
  std::vector<Part> parts;
  std::vector<int> seen;
  std::vector<Outline::Interval> intervals;
};

}  // namespace stiction
