#pragma once
// The intersection of a convex polygon or a segment with a facet of a mesh: a union of triangles in a plane.
//
// The outline of (polygon Q) and (union P of triangles) consists of the parts of Q's sides inside P and of
// the parts of P's own border inside Q. For each side of Q the intervals inside the triangles are found one
// by one and joined where they abut, so that the sides between triangles have no effect; each border side of
// a triangle is clipped by Q. Every end of an interval is a corner of the outline and gets half its length:
//   w_i = (half the lengths that end in corner i)/(whole length),    sum w_i = 1;
// the enclosed area is 1/2 sum (x0 y1 - x1 y0) over the parts, which are all counter-clockwise. Lengths are
// measured on the face of which Q is the projection.
//
// Where a side of Q lies along the border, exactly one of the two must count: sides of Q count up to kBand
// outside P, borders only from kBand inside Q.

#include <vector>

#include "stiction/geometry/surface/mesh_region.h"

namespace stiction {

inline constexpr double kBand = 1e-12;  // of the coordinates

// A face of the shape projected along a facet's normal into its plane: a polygon.
struct ProjectedFace {
  std::vector<double> x, y;           // m, corners, counter-clockwise about the facet's normal
  double rise_x = 0.0, rise_y = 0.0;  // height of the face above the plane per distance in the plane

  int size() const { return static_cast<int>(x.size()); }
};

struct OutlineCorner {
  enum class What : std::uint8_t { corner, crossing, vertex };
  What what = What::corner;
  int side = -1;            // of Q: the corner, or the side that crosses
  double x = 0.0, y = 0.0;  // m
  double length = 0.0;      // m
  // Up to two border sides that meet here: triangle of the region, and its side.
  int borders = 0;
  std::array<int, 2> triangle{-1, -1}, border_side{-1, -1};
};

struct Outline {
  std::vector<OutlineCorner> corners;
  double length = 0.0;  // m
  double area = 0.0;    // m^2, in the plane of the facet

  struct Interval {
    double begin, end;
    int begin_triangle, begin_side, end_triangle, end_side;  // the cuts; side -1: its own end
  };
  std::vector<Interval> intervals;  // scratch
};

void intersect(const MeshRegion& region, const CoplanarFacet& facet, const ProjectedFace& projected,
               Outline* outline);

// The intervals [begin, end] of the segment from a to b (in S), 0 at a and 1 at b, whose projections lie in
// the facet; each end with its triangle and the side that cuts it there, -1: its own end.
void intersect(const MeshRegion& region, const CoplanarFacet& facet, const Vec3& a, const Vec3& b,
               std::vector<Outline::Interval>* parts);

}  // namespace stiction
