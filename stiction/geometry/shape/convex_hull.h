#pragma once
// The convex hull of points, with the adjacency that collision detection needs.
//
// Computed by Qhull (C. B. Barber, D. P. Dobkin, H. Huhdanpaa, "The Quickhull algorithm for convex hulls",
// ACM TOMS 22(4), 1996; http://www.qhull.org) as triangles. Neighbouring triangles that lie in one plane, up
// to the fraction `flatness` of the hull's size, are then joined to polygons: a cube has six faces, and a
// plate that was rounded to single precision does not fall into slivers. For plates thinner than a hundredth
// of their size the tolerance is 1e-4 of their thickness instead.

#include <array>
#include <vector>

#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction {

// A polygon of a hull. Its plane touches the hull from outside: n . x <= offset for every vertex.
struct HullFace {
  Vec3 normal = Vec3::Zero();  // unit, outward
  double offset = 0.0;         // m
  int begin = 0, end = 0;      // its corners in ConvexHull::corners
};

// One side of a polygon, from its own vertex to that of the next corner of the face.
struct HullCorner {
  int vertex = -1;  // where the side begins
  int edge = -1;    // in ConvexHull::edges
  int across = -1;  // the face on the other side
};

struct HullEdge {
  std::array<int, 2> vertices{-1, -1};
  // The left face, seen from outside, runs from vertices[0] to vertices[1]; the right one runs back.
  std::array<int, 2> faces{-1, -1};
};

struct ConvexHull {
  std::vector<Vec3> vertices;        // m
  std::vector<Triangle> triangles;   // of the whole surface, outward
  std::vector<HullFace> faces;       // polygons, counter-clockwise seen from outside
  std::vector<HullCorner> corners;   // of all faces, one face after the other
  std::vector<HullEdge> edges;       // between polygons
  std::vector<int> neighbour_begin;  // vertex i has neighbours[neighbour_begin[i]], ..., [i + 1]) along the
  std::vector<int> neighbours;       //   edges of the triangles: climbing along them finds support points
  Vec3 centre = Vec3::Zero();        // m, mean of the vertices, inside
};

struct HullOptions {
  int max_vertices = 0;    // at least 4: Qhull stops after so many. 0: no limit
  double flatness = 1e-6;  // of the hull's size: triangles this close to one plane form one face (see above)
};

// Throws UserError if the points span no volume (fewer than 4, in one point, line or plane) or are not
// finite.
ConvexHull convex_hull(const std::vector<Vec3>& points, const HullOptions& options = {});

// The same surface as a plain mesh.
TriangleMesh surface_mesh(const ConvexHull& hull);

}  // namespace stiction
