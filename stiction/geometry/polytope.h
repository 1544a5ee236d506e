#pragma once
// A box or a convex hull made ready for collision detection: rows of coordinates for packs of four, faces,
// edges, and a ball inside.
//
// The vertices and faces of a box are numbered by their signs: vertex i has x, y, z = +half where bits 0, 1,
// 2 of i are set; face 2 k + 1 looks along +e_k, face 2 k along -e_k.

#include <array>
#include <vector>

#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

struct ConvexHull;  // stiction/geometry/convex_hull.h

// A polygon: corner i has the vertex corner_vertex[i]; the side from it to the next is corner_edge[i].
struct PolytopeFace {
  Vec3 normal = Vec3::Zero();  // unit, outward
  double offset = 0.0;         // m; n . x <= offset for every vertex
  int begin = 0, end = 0;
};

// The cross product of the normals of the two faces points from the first vertex to the second.
struct PolytopeEdge {
  std::array<int, 2> vertices{-1, -1};
  std::array<int, 2> faces{-1, -1};
  double cosine = 0.0;  // of the angle between the two normals
};

struct Polytope {
  std::vector<Vec3> vertices;  // m
  std::vector<PolytopeFace> faces;
  std::vector<int> corner_vertex, corner_edge, corner_across;  // counter-clockwise seen from outside
  std::vector<PolytopeEdge> edges;

  // The same as rows x, y, z (and offset) of vertex_stride or face_stride numbers, a multiple of four; the
  // padding repeats the last vertex or face.
  AlignedVector<double> vertex_rows, face_rows;
  int vertex_stride = 0, face_stride = 0;

  // Along the edges of the surface, for climbing: those of vertex i start at neighbour_begin[i].
  std::vector<int> neighbour_begin, neighbours;

  bool is_box = false;
  Vec3 half_extents = Vec3::Zero();  // m, of a box
  Vec3 centre = Vec3::Zero();        // m, of a ball inside
  double inner_radius = 0.0;         // m
  double least_cosine = 1.0;         // of half the angle between the normals beside an edge, over all edges
  double size = 0.0;                 // m, diagonal of the bounding box
};

Polytope box_polytope(const Vec3& half_extents);
Polytope hull_polytope(const ConvexHull& hull);

// The vertex farthest along d; `hint` is where a climb over many vertices begins. Among equals, which one is
// not said.
int farthest_vertex(const Polytope& P, const Vec3& d, int hint = 0);

// The face whose normal is nearest to d.
int most_aligned_face(const Polytope& P, const Vec3& d);

}  // namespace stiction
