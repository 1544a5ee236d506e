#pragma once
// A convex polygon or a segment cut with a facet: a union of triangles in a plane.
//
// The outline of (polygon Q) and (union P of triangles) consists of the parts of Q's sides inside P and of
// the parts of P's own border inside Q. For each side of Q the intervals inside the triangles are found one
// by one and joined where they abut, so that the sides between triangles leave no trace; each border side of
// a triangle is cut with Q. Every end of an interval is a corner of the outline and gets half its length:
//   w_i = (half the lengths that end in corner i)/(whole length),    sum w_i = 1;
// the enclosed area is 1/2 sum (x0 y1 - x1 y0) over the parts, which all run counter-clockwise. Lengths are
// measured on the plane of the face that Q is the projected of.
//
// Where a side of Q runs along the border, exactly one of the two must count: sides of Q count up to kBand
// outside P, borders from kBand inside Q on.

#include <vector>

#include "stiction/geometry/surface/mesh_region.h"

namespace stiction {

inline constexpr double kBand = 1e-12;  // of the coordinates

// A polygon in the plane of a facet, the projected of a face along the facet's normal.
struct ProjectedFace {
  std::vector<double> x, y;           // m, corners, counter-clockwise about the facet's normal
  double rise_x = 0.0, rise_y = 0.0;  // height of the face above the plane per way in the plane

  int size() const { return static_cast<int>(x.size()); }
};

struct OutlineCorner {
  enum class What : std::uint8_t { corner, crossing, vertex };
  What what = What::corner;
  int side = -1;            // of Q: the corner, or the side that crosses
  double x = 0.0, y = 0.0;  // m
  double length = 0.0;      // m
  // Up to two border sides that meet here: triangle of the piece and side.
  int borders = 0;
  std::array<int, 2> triangle{-1, -1}, border_side{-1, -1};
};

struct Outline {
  std::vector<OutlineCorner> corners;
  double length = 0.0;  // m
  double area = 0.0;    // m^2, in the plane of the facet

  struct Interval {
    double begin, end;
    int begin_triangle, begin_side, end_triangle, end_side;  // what ends it; -1: the end of the side
  };
  std::vector<Interval> intervals;  // scratch
};

void intersect(const MeshRegion& region, const CoplanarFacet& facet, const ProjectedFace& projected,
               Outline* outline);

// The parts [begin, end] of the segment from a to b (in S), 0 at a and 1 at b, whose shadows lie in the
// facet; each end with its triangle, and the side that cuts it there, -1: its own end.
void intersect(const MeshRegion& region, const CoplanarFacet& facet, const Vec3& a, const Vec3& b,
               std::vector<Outline::Interval>* parts);

}  // namespace stiction
