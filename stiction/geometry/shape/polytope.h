#pragma once
// A box or a convex hull prepared for collision detection: faces and edges, groups of faces for packs of
// four, start vertices for climbing, and an inscribed ball.
//
// The vertices and faces of a box are numbered by their signs: vertex i has x, y, z = +half where bits 0, 1,
// 2 of i are set; face 2 k + 1 has the normal +e_k, face 2 k the normal -e_k.

#include <array>
#include <vector>

#include "stiction/geometry/shape/face_groups.h"
#include "stiction/geometry/shape/least_weights.h"
#include "stiction/geometry/shape/polytope_cells.h"
#include "stiction/math/aligned_vector.h"
#include "stiction/math/matrix.h"

namespace stiction {

struct ConvexHull;  // stiction/geometry/shape/convex_hull.h

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
  // The same for climbing, in blocks of four: their indices, and rows x, y, z. The padding repeats the
  // vertex.
  std::vector<int> block_begin, block_vertices;
  AlignedVector<double> block_rows;
  // Vertices as (x, y, z, 0) and faces as (normal, offset), padded to a multiple of four rows by the first.
  AlignedVector<double> vertex_rows, face_rows;
  PolytopeCells cells;  // of a hull
  LeastWeights least;
  // Of a hull: the faces around vertex i start at vertex_face_begin[i], those adjacent to face i at
  // ring_begin[i]. In multiples of four: the last one is repeated.
  std::vector<int> vertex_face_begin, vertex_faces, ring_begin, rings;

  bool is_box = false;
  Vec3 half_extents = Vec3::Zero();  // m, of a box
  Vec3 centre = Vec3::Zero();        // m, of an inscribed ball
  double inner_radius = 0.0;         // m
  double least_cosine = 1.0;         // of half the angle between the two normals at an edge, over all edges
  double size = 0.0;                 // m, diagonal of the bounding box
};

Polytope box_polytope(const Vec3& half_extents);
Polytope hull_polytope(const ConvexHull& hull);

// The vertex farthest along d; any one of equally far ones.
int farthest_vertex(const Polytope& P, const Vec3& d);

// The same for a hull, climbing from `vertex` to the highest neighbour until none is higher.
int climb(const Polytope& P, const Vec3& d, int vertex);

// The faces whose normals are nearest to the unit vector d, with n . d: first the largest (among equal ones
// the lowest index), then all that are below it by less than kAlignmentWindow times the chord between the two
// normals. Both lists have room for all faces. Not for boxes. Returns how many.
int aligned_faces(const Polytope& P, const Vec3& d, int* faces, double* cosines);

// All faces with n . p - offset >= least, and these heights (m), in unspecified order; both lists have room
// for all faces, and four more. Returns how many.
int faces_above(const Polytope& P, const Vec3& p, double least, int* faces, double* heights);

// The face whose normal is nearest to d, a unit vector.
int most_aligned_face(const Polytope& P, const Vec3& d);

// Of the faces around a vertex the one whose normal is nearest to d.
int most_aligned_face_at(const Polytope& P, int vertex, const Vec3& d);

}  // namespace stiction
