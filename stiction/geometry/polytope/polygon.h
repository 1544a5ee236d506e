#pragma once
// Convex polygons in a plane, their intersection, and the weights of its corners.
//
// Every side has a label, so that each corner of an intersection knows its origin: two sides of one polygon
// meet at one of its vertices, sides of both polygons cross. The intersection is computed by clipping one
// polygon with every side of the other (I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", CACM
// 17(1), 1974). The weight of corner i is its share of the outline,
//   w_i = (l_{i-1} + l_i)/(2 sum l),         l_i the length of the side from corner i to the next:
// the weights sum to 1, a new corner appears with weight zero next to the one it is cut from, whose weight it
// shares, and all of them are Lipschitz in the corners.

#include <cmath>

namespace stiction {

// A corner, and the side that begins in it. Corners run counter-clockwise.
struct PolygonCorner {
  double x = 0.0, y = 0.0;  // m
  int side = 0;             // label
};

// Cuts the polygon with the half-plane to the left of the line from (ax, ay) to (bx, by); a side along the
// line gets `label`. `out` has room for count + 1 corners. Returns the number of corners, 0 if nothing is
// left.
int cut_polygon(const PolygonCorner* polygon, int count, double ax, double ay, double bx, double by,
                int label, PolygonCorner* out);

// The intersection of two convex polygons; `out` and `scratch` have room for a_count + b_count corners each.
// The labels are those of the polygons' own sides.
int intersect_polygons(const PolygonCorner* a, int a_count, const PolygonCorner* b, int b_count,
                       PolygonCorner* scratch, PolygonCorner* out);

// The weights of the corners; returns the length of the outline. A polygon without extent has equal weights.
double corner_weights(const PolygonCorner* polygon, int count, double* weights);

double outline_length(const PolygonCorner* polygon, int count);

}  // namespace stiction
