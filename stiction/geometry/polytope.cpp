#include "stiction/geometry/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "stiction/geometry/box_packs.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/pose_packs.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::Pack;

// Cells of directions: kCells x kCells on every face of a cube.
constexpr int kCells = 8;
constexpr double kFarAway = 1e300;

int cell_of(const Vec3& d) {
  const Vec3 a = d.cwiseAbs();
  int k = a[1] > a[0] ? 1 : 0;
  if (a[2] > a[k]) k = 2;
  if (!(a[k] > 0.0 && a[k] < kFarAway)) return 0;  // no direction
  const int k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
  const double scale = 0.5 * kCells / a[k];
  const int i = std::min(static_cast<int>(scale * d[k1] + 0.5 * kCells), kCells - 1);
  const int j = std::min(static_cast<int>(scale * d[k2] + 0.5 * kCells), kCells - 1);
  return ((2 * k + (d[k] > 0.0 ? 1 : 0)) * kCells + i) * kCells + j;
}

void make_blocks(Polytope* P) {
  P->block_begin.push_back(0);
  for (int v = 0; v < static_cast<int>(P->vertices.size()); ++v) {
    const int begin = P->neighbour_begin[v], end = P->neighbour_begin[v + 1];
    for (int first = begin; first < end; first += 4) {
      for (int k = first; k < first + 4; ++k) P->block_vertices.push_back(k < end ? P->neighbours[k] : v);
      for (int axis = 0; axis < 3; ++axis)
        for (int k = 0; k < 4; ++k)
          P->block_rows.push_back(P->vertices[*(P->block_vertices.end() - 4 + k)][axis]);
    }
    P->block_begin.push_back(static_cast<int>(P->block_vertices.size()) / 4);
  }
}

// From a start to the highest neighbour, until there is none.
int climb(const Polytope& P, const Vec3& d, int vertex) {
  const Pack dx = broadcast(d.x()), dy = broadcast(d.y()), dz = broadcast(d.z());
  const Vec3& p = P.vertices[vertex];
  double best = d.x() * p.x() + d.y() * p.y() + d.z() * p.z();
  for (;;) {
    Pack highest = broadcast(best);
    simd::IntPack place{-1, -1, -1, -1};
    const int begin = P.block_begin[vertex], end = P.block_begin[vertex + 1];
    for (int i = begin; i < end; ++i) {
      const double* row = P.block_rows.data() + 12 * i;
      const Pack value = dx * simd::load(row) + dy * simd::load(row + 4) + dz * simd::load(row + 8);
      const simd::IntPack higher = value > highest;
      highest = higher ? value : highest;
      place = higher ? simd::IntPack{4LL * i, 4LL * i + 1, 4LL * i + 2, 4LL * i + 3} : place;
    }
    const Pack pairs = simd::larger(highest, __builtin_shufflevector(highest, highest, 2, 3, 0, 1));
    const Pack most = simd::larger(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2));
    if (!(most[0] > best)) return vertex;
    best = most[0];
    vertex = P.block_vertices[place[__builtin_ctz(simd::lane_bits(highest == most))]];
  }
}

// The middles of the cells in the order of cell_of().
void make_first_vertices(Polytope* P) {
  int vertex = 0;
  for (int k = 0; k < 3; ++k)
    for (int sign = 0; sign < 2; ++sign)
      for (int i = 0; i < kCells; ++i)
        for (int j = 0; j < kCells; ++j) {
          Vec3 d;
          d[k] = sign == 1 ? 1.0 : -1.0;
          d[(k + 1) % 3] = (2.0 * i + 1.0) / kCells - 1.0;
          d[(k + 2) % 3] = (2.0 * j + 1.0) / kCells - 1.0;
          vertex = climb(*P, d, vertex);
          P->first_vertex.push_back(vertex);
        }
}

void make_vertex_faces(Polytope* P) {
  P->vertex_face_begin.assign(P->vertices.size() + 1, 0);
  for (int v : P->corner_vertex) ++P->vertex_face_begin[v + 1];
  std::partial_sum(P->vertex_face_begin.begin(), P->vertex_face_begin.end(), P->vertex_face_begin.begin());
  P->vertex_faces.resize(P->corner_vertex.size());
  std::vector<int> next(P->vertex_face_begin.begin(), P->vertex_face_begin.end() - 1);
  for (int f = 0; f < static_cast<int>(P->faces.size()); ++f)
    for (int c = P->faces[f].begin; c < P->faces[f].end; ++c)
      P->vertex_faces[next[P->corner_vertex[c]]++] = f;
}

void make_ball(Polytope* P) {
  P->inner_radius = std::numeric_limits<double>::infinity();
  for (const PolytopeFace& face : P->faces)
    P->inner_radius = std::min(P->inner_radius, face.offset - face.normal.dot(P->centre));
  P->inner_radius = std::max(P->inner_radius, 0.0);
  for (const PolytopeEdge& edge : P->edges)
    P->least_cosine = std::min(P->least_cosine, std::sqrt(std::max(0.0, 0.5 + 0.5 * edge.cosine)));
}

}  // namespace

Polytope box_polytope(const Vec3& half_extents) {
  Polytope P;
  P.is_box = true;
  P.half_extents = half_extents;
  P.size = 2.0 * half_extents.norm();
  for (int i = 0; i < 8; ++i)
    P.vertices.push_back(Vec3((i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1.0 : -1.0, (i & 4) != 0 ? 1.0 : -1.0)
                             .cwiseProduct(half_extents));

  // Edges along axis k: 4 k + the signs of the other two axes, k + 1 first.
  for (int k = 0; k < 3; ++k) {
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    for (int signs = 0; signs < 4; ++signs) {
      const int s1 = signs & 1, s2 = signs >> 1;
      const int from = s1 << k1 | s2 << k2;
      std::array<int, 2> beside{2 * k1 + s1, 2 * k2 + s2};
      if (s1 != s2) std::swap(beside[0], beside[1]);
      P.edges.push_back({{from, from | 1 << k}, beside, 0.0});
    }
  }
  // Faces, counter-clockwise: for +e_k around k1, k2; for -e_k the other way round.
  for (int k = 0; k < 3; ++k) {
    const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    for (int sign = 0; sign < 2; ++sign) {
      PolytopeFace face;
      face.normal = Vec3::Unit(k) * (sign == 1 ? 1.0 : -1.0);
      face.offset = half_extents[k];
      face.begin = int(P.corner_vertex.size());
      face.end = face.begin + 4;
      const std::array<int, 4> around{0, 1 << k1, 1 << k1 | 1 << k2, 1 << k2};
      for (int i = 0; i < 4; ++i) {
        const int here = sign << k | around[sign == 1 ? i : 3 - i];
        const int next = sign << k | around[sign == 1 ? (i + 1) % 4 : (6 - i) % 4];
        for (int e = 0; e < 12; ++e) {
          const PolytopeEdge& edge = P.edges[e];
          if ((edge.vertices[0] | edge.vertices[1]) != (here | next) ||
              (edge.vertices[0] & edge.vertices[1]) != (here & next))
            continue;
          P.corner_edge.push_back(e);
          P.corner_across.push_back(edge.faces[0] == 2 * k + sign ? edge.faces[1] : edge.faces[0]);
        }
        P.corner_vertex.push_back(here);
      }
      P.faces.push_back(face);
    }
  }
  for (int i = 0; i < 8; ++i) {
    P.neighbour_begin.push_back(3 * i);
    for (int k = 0; k < 3; ++k) P.neighbours.push_back(i ^ 1 << k);
  }
  P.neighbour_begin.push_back(24);
  make_ball(&P);
  P.groups = face_groups(P.faces, P.centre, P.size);
  return P;
}

Polytope hull_polytope(const ConvexHull& hull) {
  Polytope P;
  P.vertices = hull.vertices;
  P.centre = hull.centre;
  P.size = bounding_box(hull.vertices).sizes().norm();
  for (const HullFace& face : hull.faces) P.faces.push_back({face.normal, face.offset, face.begin, face.end});
  for (const HullCorner& corner : hull.corners) {
    P.corner_vertex.push_back(corner.vertex);
    P.corner_edge.push_back(corner.edge);
    P.corner_across.push_back(corner.across);
  }
  for (const HullEdge& edge : hull.edges) {
    const double cosine = hull.faces[edge.faces[0]].normal.dot(hull.faces[edge.faces[1]].normal);
    P.edges.push_back({edge.vertices, edge.faces, cosine});
  }
  P.neighbour_begin = hull.neighbour_begin;
  P.neighbours = hull.neighbours;
  make_blocks(&P);
  make_first_vertices(&P);
  make_vertex_faces(&P);
  make_ball(&P);
  P.groups = face_groups(P.faces, P.centre, P.size);
  return P;
}

int farthest_vertex(const Polytope& P, const Vec3& d, int hint) {
  if (P.is_box) return (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
  return climb(P, d, hint >= 0 ? hint : P.first_vertex[cell_of(d)]);
}

int most_aligned_face(const Polytope& P, const Vec3& d) {
  if (P.is_box) {
    int k = 0;
    d.cwiseAbs().maxCoeff(&k);
    return 2 * k + (d[k] > 0.0 ? 1 : 0);
  }
  static thread_local std::vector<int> faces;
  static thread_local std::vector<double> cosines;
  if (faces.size() < P.faces.size()) {
    faces.resize(P.faces.size());
    cosines.resize(P.faces.size());
  }
  aligned_faces(P.groups, d, 0.0, faces.data(), cosines.data());
  return faces[0];
}

int most_aligned_face_at(const Polytope& P, int vertex, const Vec3& d) {
  if (P.is_box) return most_aligned_face(P, d);
  int face = -1;
  double best = -2.0;
  for (int i = P.vertex_face_begin[vertex]; i < P.vertex_face_begin[vertex + 1]; ++i) {
    const double cosine = P.faces[P.vertex_faces[i]].normal.dot(d);
    if (cosine > best) best = cosine, face = P.vertex_faces[i];
  }
  // A vertex of the triangles may lie within a flat face and be no corner of it.
  return face >= 0 ? face : most_aligned_face(P, d);
}

}  // namespace stiction
