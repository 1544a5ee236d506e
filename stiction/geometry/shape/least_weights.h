#pragma once
// The least total weight T that a corner or an edge of a polytope has in contact, from its shape alone.
//
// The corners of a contact polygon share the stiffness of the pair by the length of its outline, so that the
// only corner of a fine hull that touches would have next to nothing. What touches is a piece of a surface,
// though, and how round that is does not depend on its triangles: by Gauss, the solid angle
//   Psi = 2 pi - sum of the angles of the faces around a vertex
// of the normals for which the vertex is the deepest point is the curvature that the vertex stands for, and
// the angle beta between the normals of its two faces is that of an edge:
//   T_v = 1 - 3/4 min(1, 2 Psi/pi),            T_e = 1 - 1/2 min(1, 2 beta/pi).
// A corner of a box has 1/4, an edge of it 1/2, and those of a hull of a smooth body tend to 1, which such a
// body has itself. How weights are raised to T: polytope/polytope_manifold.h.

#include <vector>

namespace stiction {

struct Polytope;  // stiction/geometry/shape/polytope.h

struct LeastWeights {
  std::vector<double> of_vertex;    // T_v
  std::vector<double> of_edge;      // T_e
  std::vector<double> near_vertex;  // the largest of T_v and of T_e of the edges that end there
  double most = 0.0;                // the largest of all
};

// Needs the polytope's vertices, faces, corners and edges.
LeastWeights least_weights(const Polytope& P);

}  // namespace stiction
