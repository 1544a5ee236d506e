#pragma once
// A box or a convex hull made ready for collision detection: faces and edges, groups of faces for packs of
// four, where to begin climbing, and a ball inside.
//
// The vertices and faces of a box are numbered by their signs: vertex i has x, y, z = +half where bits 0, 1,
// 2 of i are set; face 2 k + 1 looks along +e_k, face 2 k along -e_k.

#include <array>
#include <vector>

#include "stiction/geometry/face_groups.h"
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

  FaceGroups groups;

  // Along the edges of the surface: those of vertex i start at neighbour_begin[i].
  std::vector<int> neighbour_begin, neighbours;
  // The same for climbing, in blocks of four: their numbers, and rows x, y, z. The padding repeats the
  // vertex.
  std::vector<int> block_begin, block_vertices;
  AlignedVector<double> block_rows;
  // Where a climb of a hull begins: the vertex farthest along the middle of each cell of directions.
  std::vector<int> first_vertex;
  // The faces around vertex i start at vertex_face_begin[i]; of a hull.
  std::vector<int> vertex_face_begin, vertex_faces;

  bool is_box = false;
  Vec3 half_extents = Vec3::Zero();  // m, of a box
  Vec3 centre = Vec3::Zero();        // m, of a ball inside
  double inner_radius = 0.0;         // m
  double least_cosine = 1.0;         // of half the angle between the normals beside an edge, over all edges
  double size = 0.0;                 // m, diagonal of the bounding box
};

Polytope box_polytope(const Vec3& half_extents);
Polytope hull_polytope(const ConvexHull& hull);

// The vertex farthest along d; `hint` is where a climb begins, -1: by the direction. Among equals, which one
// is not said.
int farthest_vertex(const Polytope& P, const Vec3& d, int hint = -1);

// The face whose normal is nearest to d, a unit vector.
int most_aligned_face(const Polytope& P, const Vec3& d);

// Of the faces around a vertex the one whose normal is nearest to d.
int most_aligned_face_at(const Polytope& P, int vertex, const Vec3& d);

}  // namespace stiction
