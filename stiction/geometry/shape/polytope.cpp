#include "stiction/geometry/shape/polytope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/simd/box_packs.h"
#include "stiction/geometry/simd/row_products.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::Pack;
using simd::place_of_largest;
using simd::products;
using simd::spread_largest;

constexpr double kFarAway = 1e300;

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

// Rows of four numbers.
void make_rows(Polytope* P) {
  const auto append = [](const Vec3& x, double last, AlignedVector<double>* rows) {
    for (const double number : {x[0], x[1], x[2], last}) rows->push_back(number);
  };
  for (std::size_t i = 0; i < P->vertices.size() || i % 4 != 0; ++i)
    append(P->vertices[i < P->vertices.size() ? i : 0], 0.0, &P->vertex_rows);
  for (std::size_t i = 0; i < P->faces.size() || i % 4 != 0; ++i) {
    const PolytopeFace& face = P->faces[i < P->faces.size() ? i : 0];
    append(face.normal, face.offset, &P->face_rows);
  }
}

// Lists one after the other, each padded to a multiple of four by repeating its last number.
void join(const std::vector<std::vector<int>>& lists, std::vector<int>* begin, std::vector<int>* numbers) {
  begin->push_back(0);
  for (const std::vector<int>& list : lists) {
    numbers->insert(numbers->end(), list.begin(), list.end());
    while (numbers->size() % 4 != 0) numbers->push_back(list.back());
    begin->push_back(static_cast<int>(numbers->size()));
  }
}

void make_rings(Polytope* P) {
  std::vector<std::vector<int>> around_vertex(P->vertices.size()), beside(P->faces.size());
  for (int f = 0; f < static_cast<int>(P->faces.size()); ++f)
    for (int c = P->faces[f].begin; c < P->faces[f].end; ++c) {
      around_vertex[P->corner_vertex[c]].push_back(f);
      beside[f].push_back(P->corner_across[c]);
    }
  join(around_vertex, &P->vertex_face_begin, &P->vertex_faces);
  join(beside, &P->ring_begin, &P->rings);
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
  make_rings(&P);
  make_ball(&P);
  make_rows(&P);
  P.least = least_weights(P);
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
  make_rings(&P);
  make_ball(&P);
  make_rows(&P);
  P.least = least_weights(P);
  P.groups = face_groups(P.faces, P.centre, P.size);
  P.cells = polytope_cells(P);
  return P;
}

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

int farthest_vertex(const Polytope& P, const Vec3& d) {
  if (P.is_box) return (d.x() > 0.0 ? 1 : 0) | (d.y() > 0.0 ? 2 : 0) | (d.z() > 0.0 ? 4 : 0);
  const Pack along = simd::pack_of(d);
  const int cell = cell_of(P.cells.side, along);
  const int begin = P.cells.vertices.begin[cell], count = P.cells.vertices.begin[cell + 1] - begin;
  if (count == 0) return climb(P, d, P.cells.first_vertex[cell]);
  const int* numbers = P.cells.vertices.numbers.data() + begin;
  return numbers[place_of_largest(P.vertex_rows.data(), numbers, count, along)];
}

int aligned_faces(const Polytope& P, const Vec3& d, int* faces, double* cosines) {
  // a_best - a_f < window c needs c^2 = 2 (1 - n_f . n_best) <= 2: faces at more than a right angle have no
  // share.
  constexpr double kMostBelow = kAlignmentWindow * 1.4142135623730951;
  const Pack along = simd::pack_of(d);
  const int cell = cell_of(P.cells.side, along);
  const int begin = P.cells.facing.begin[cell], end = P.cells.facing.begin[cell + 1];
  if (begin == end) return aligned_faces(P.groups, d, kMostBelow, faces, cosines);
  const int* numbers = P.cells.facing.numbers.data() + begin;
  const int packs = (end - begin) / 4;
  std::array<Pack, PolytopeCells::kMaxListed / 4> cosine;
  Pack most = cosine[0] = products(P.face_rows.data(), numbers, along);
  for (int i = 1; i < packs; ++i) {
    cosine[i] = products(P.face_rows.data(), numbers + 4 * i, along);
    most = simd::larger(most, cosine[i]);
  }
  const Pack best = spread_largest(most), least = best - kMostBelow;
  unsigned near = 0;
  alignas(32) std::array<double, PolytopeCells::kMaxListed> values;
  for (int i = 0; i < packs; ++i) {
    simd::store(values.data() + 4 * i, cosine[i]);
    near |= simd::lane_bits(cosine[i] >= least) << 4 * i;
  }
  int count = 0, first = 0;
  for (; near != 0; near &= near - 1) {
    const int k = __builtin_ctz(near), face = numbers[k];
    if (count > 0 && faces[count - 1] == face) continue;  // the last one is repeated
    faces[count] = face;
    cosines[count] = values[k];
    if (values[k] == best[0] && (cosines[first] != best[0] || face < faces[first])) first = count;
    ++count;
  }
  if (count == 0) return aligned_faces(P.groups, d, kMostBelow, faces, cosines);  // d is not a number
  std::swap(faces[0], faces[first]);
  std::swap(cosines[0], cosines[first]);
  return count;
}

int faces_above(const Polytope& P, const Vec3& p, double least, int* faces, double* heights) {
  if (P.is_box) return faces_above(P.groups, p, least, faces, heights);
  const int cell = cell_of(P.cells.side, simd::pack_of(p - P.centre));
  const int begin = P.cells.near.begin[cell], end = P.cells.near.begin[cell + 1];
  const int* numbers = P.cells.near.numbers.data() + begin;
  const double* bounds = P.cells.near_bounds.data() + begin;
  const Pack at{p.x(), p.y(), p.z(), -1.0};
  Pack most = broadcast(-kFarAway);
  int count = 0, i = 0;
  const auto look_down_to = [&](double limit) {
    for (; i < end - begin && bounds[i] >= limit; i += 4) {
      const Pack height = products(P.face_rows.data(), numbers + i, at);
      most = simd::larger(most, height);
      const unsigned above = simd::lane_bits((height >= broadcast(least)) &
                                             (simd::load_unaligned(bounds + i) > broadcast(-kFarAway)));
      count += simd::pack_set_lanes(above, numbers + i, height, faces + count, heights + count);
    }
  };
  const double slack = P.groups.slack;
  double limit = std::min(least, 0.0) - slack;
  look_down_to(limit);
  // A point outside is a surface point moved away from the centre, which changes its height above every face.
  const double outside = spread_largest(most)[0];
  if (outside > 0.0) {
    limit = least - slack - outside * (P.cells.farthest_face / P.inner_radius);
    look_down_to(limit);
  }
  if (limit > P.cells.missing_below[cell]) return count;
  return faces_above(P.groups, p, least, faces, heights);
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
  aligned_faces(P, d, faces.data(), cosines.data());
  return faces[0];
}

int most_aligned_face_at(const Polytope& P, int vertex, const Vec3& d) {
  if (P.is_box) return most_aligned_face(P, d);
  const int begin = P.vertex_face_begin[vertex], count = P.vertex_face_begin[vertex + 1] - begin;
  // A vertex of the triangles may lie inside a joined face without being a corner of it.
  if (count == 0) return most_aligned_face(P, d);
  const int* numbers = P.vertex_faces.data() + begin;
  return numbers[place_of_largest(P.face_rows.data(), numbers, count, simd::pack_of(d))];
}

}  // namespace stiction
