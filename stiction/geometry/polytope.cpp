#include "stiction/geometry/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/convex_hull.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::Pack;

// Up to so many vertices looking at all of them in packs is faster than climbing.
constexpr int kMaxScan = 160;

void make_rows(Polytope* P) {
  const int vertices = int(P->vertices.size()), faces = int(P->faces.size());
  P->vertex_stride = simd::padded(vertices);
  P->face_stride = simd::padded(faces);
  P->vertex_rows.resize(3 * P->vertex_stride);
  P->face_rows.resize(4 * P->face_stride);
  for (int i = 0; i < P->vertex_stride; ++i)
    for (int k = 0; k < 3; ++k)
      P->vertex_rows[k * P->vertex_stride + i] = P->vertices[std::min(i, vertices - 1)][k];
  for (int i = 0; i < P->face_stride; ++i) {
    const PolytopeFace& face = P->faces[std::min(i, faces - 1)];
    for (int k = 0; k < 3; ++k) P->face_rows[k * P->face_stride + i] = face.normal[k];
    P->face_rows[3 * P->face_stride + i] = face.offset;
  }
}

void make_ball(Polytope* P) {
  P->inner_radius = std::numeric_limits<double>::infinity();
  for (const PolytopeFace& face : P->faces)
    P->inner_radius = std::min(P->inner_radius, face.offset - face.normal.dot(P->centre));
  P->inner_radius = std::max(P->inner_radius, 0.0);
  for (const PolytopeEdge& edge : P->edges)
    P->least_cosine = std::min(P->least_cosine, std::sqrt(std::max(0.0, 0.5 + 0.5 * edge.cosine)));
}

// Index of the largest d . row among `stride` rows in packs of four.
int index_of_largest(const double* rows, int stride, const Vec3& d) {
  const Pack dx = broadcast(d.x()), dy = broadcast(d.y()), dz = broadcast(d.z());
  const double *x = rows, *y = rows + stride, *z = rows + 2 * stride;
  Pack best = broadcast(-std::numeric_limits<double>::infinity());
  simd::IntPack where{0, 0, 0, 0}, index{0, 1, 2, 3};
  const simd::IntPack step{4, 4, 4, 4};
  for (int i = 0; i < stride; i += 4) {
    const Pack value = dx * simd::load(x + i) + dy * simd::load(y + i) + dz * simd::load(z + i);
    const simd::IntPack larger = value > best;
    best = larger ? value : best;
    where = larger ? index : where;
    index += step;
  }
  int lane = 0;
  for (int k = 1; k < 4; ++k)
    if (best[k] > best[lane]) lane = k;
  return int(where[lane]);
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
  make_rows(&P);
  make_ball(&P);
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
  make_rows(&P);
  make_ball(&P);
  return P;
}

int farthest_vertex(const Polytope& P, const Vec3& d, int hint) {
  if (P.is_box) return (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
  const int count = int(P.vertices.size());
  if (count <= kMaxScan)
    return std::min(index_of_largest(P.vertex_rows.data(), P.vertex_stride, d), count - 1);
  int vertex = hint;
  double best = d.dot(P.vertices[vertex]);
  for (bool climbs = true; climbs;) {
    climbs = false;
    const int begin = P.neighbour_begin[vertex], end = P.neighbour_begin[vertex + 1];
    for (int i = begin; i < end; ++i) {
      const double value = d.dot(P.vertices[P.neighbours[i]]);
      if (value <= best) continue;
      best = value;
      vertex = P.neighbours[i];
      climbs = true;
    }
  }
  return vertex;
}

int most_aligned_face(const Polytope& P, const Vec3& d) {
  if (P.is_box) {
    int k = 0;
    d.cwiseAbs().maxCoeff(&k);
    return 2 * k + (d[k] > 0.0 ? 1 : 0);
  }
  return std::min(index_of_largest(P.face_rows.data(), P.face_stride, d), int(P.faces.size()) - 1);
}

}  // namespace stiction
