#include "stiction/geometry/polytope/polytope_pairs.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/polytope/box_box.h"
#include "stiction/geometry/polytope/polytope_bounds.h"
#include "stiction/geometry/simd/row_products.h"

namespace stiction {
namespace {

using simd::Pack;

constexpr double kInside = 1e-15;  // of the size: points this far outside count as inside

struct Scratch {
  PolytopeView a, b;
};
Scratch& scratch() {
  static thread_local Scratch buffers;
  return buffers;
}

// Evaluates the faces of P that may matter, in the order of their bounds. X_PQ is the pose of the other
// polytope.
template <class Offer>
void search_faces(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const WantedAxes& wanted,
                  PolytopeView* view, const Offer& offer) {
  for (int place = next_face(*view, wanted); place >= 0; place = next_face(*view, wanted)) {
    const int face = view->faces[place];
    const Vec3& n = P.faces[face].normal;
    const Vec3 p = X_PQ * Q.vertices[farthest_vertex(Q, -(X_PQ.R.transpose() * n))];
    offer(face, n.dot(p) - P.faces[face].offset);
    settle_face(place, p, view);
  }
}

// The arc of an edge in A's frame; the normals of B are negated.
struct Arc {
  Pack from, along;         // one end, and the vector to the other, m
  Pack normal_0, normal_1;  // of its faces
};
[[gnu::always_inline]] inline Arc arc_of(const Polytope& P, int e) {
  const PolytopeEdge& edge = P.edges[e];
  const double *vertices = P.vertex_rows.data(), *faces = P.face_rows.data();
  const Pack from = simd::load(vertices + 4 * edge.vertices[0]);
  return {from, simd::load(vertices + 4 * edge.vertices[1]) - from, simd::load(faces + 4 * edge.faces[0]),
          simd::load(faces + 4 * edge.faces[1])};
}
[[gnu::always_inline]] inline Arc arc_of(const Polytope& P, int e, const Pose& X_AP) {
  const Arc arc = arc_of(P, e);
  return {simd::position(X_AP) + simd::rotated(X_AP, arc.from), simd::rotated(X_AP, arc.along),
          -simd::rotated(X_AP, arc.normal_0), -simd::rotated(X_AP, arc.normal_1)};
}

// The axis perpendicular to two edges whose arcs cross.
void offer_edges(const Arc& a, int i, const Arc& b, int j, AxisList* axes) {
  const Pack n = simd::cross(a.along, b.along);
  const Pack products =
      simd::sums(n * n, a.along * a.along, b.along * b.along, n * (a.normal_0 + a.normal_1));
  if (products[0] <= kParallelEdges * kParallelEdges * products[1] * products[2]) return;
  const Pack unit = n * (std::copysign(1.0, products[3]) / std::sqrt(products[0]));
  const double s = simd::dot(unit, b.from - a.from);
  const SeparatingAxis& best = axes->best;
  const bool is_best = best.kind == AxisKind::edges && best.i == i && best.j == j;
  if (!is_best && s >= axes->threshold()) axes->offer({simd::vec3_of(unit), s, AxisKind::edges, i, j});
}

void search_edges(const Polytope& A, const Arcs& of_a, const Polytope& B, const Arcs& of_b, const Pose& X_AB,
                  AxisList* axes) {
  for (int j = 0; j < of_b.count; j += 4) {
    std::array<Arc, 4> b;
    for (int k = 0; k < 4; ++k) b[k] = arc_of(B, of_b.edges[std::min(j + k, of_b.count - 1)], X_AB);
    const simd::Columns along = simd::columns_of(b[0].along, b[1].along, b[2].along, b[3].along),
                        n0 = simd::columns_of(b[0].normal_0, b[1].normal_0, b[2].normal_0, b[3].normal_0),
                        n1 = simd::columns_of(b[0].normal_1, b[1].normal_1, b[2].normal_1, b[3].normal_1);
    const unsigned there = of_b.count - j >= 4 ? 0xfu : (1u << (of_b.count - j)) - 1u;
    for (int i = 0; i < of_a.count; ++i) {
      const Arc a = arc_of(A, of_a.edges[i]);
      const auto times = [](const simd::Columns& x, Pack y) { return x.x * y[0] + x.y * y[1] + x.z * y[2]; };
      // Whether the two arcs cross.
      const Pack c = times(n0, a.along), d = times(n1, a.along), f = times(along, a.normal_0),
                 g = times(along, a.normal_1);
      unsigned crossing =
          there & simd::lane_bits((c * d < simd::zero()) & (f * g < simd::zero()) & (c * g > simd::zero()));
      for (; crossing != 0; crossing &= crossing - 1) {
        const int k = __builtin_ctz(crossing);
        offer_edges(a, of_a.edges[i], b[k], of_b.edges[j + k], axes);
      }
    }
  }
}

// Climbs from the face of P most aligned with n, at the vertex farthest along n, over adjacent faces to one
// with a larger separation than all of its neighbours: a good first guess at the best axis. The support
// vertex of Q is stored in `view`.
struct Climb {
  int face, vertex;  // of P, and Q's support vertex against it
  double s;          // m, separation
};
Climb climb_faces(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const Vec3& n, int vertex_of_P,
                  int vertex_of_Q, PolytopeView* view) {
  const auto look_at = [&](int f) {
    // From one face to the next the support vertex is usually the same or adjacent to the last one.
    const Vec3 d = -(X_PQ.R.transpose() * P.faces[f].normal);
    const int vertex = vertex_of_Q = P.is_box || Q.is_box ? farthest_vertex(Q, d) : climb(Q, d, vertex_of_Q);
    return Climb{f, vertex, P.faces[f].normal.dot(X_PQ * Q.vertices[vertex]) - P.faces[f].offset};
  };
  Climb best = look_at(most_aligned_face_at(P, vertex_of_P, n));
  for (bool climbs = true; climbs;) {
    climbs = false;
    // A known vertex below the best separation rules the face out.
    const Vec3 p = X_PQ * Q.vertices[best.vertex];
    const Pack at{p.x(), p.y(), p.z(), -1.0};
    for (int i = P.ring_begin[best.face]; i < P.ring_begin[best.face + 1] && !climbs; i += 4) {
      const Pack height = simd::products(P.face_rows.data(), P.rings.data() + i, at);
      for (unsigned higher = simd::lane_bits(height > simd::broadcast(best.s)); higher != 0 && !climbs;
           higher &= higher - 1) {
        const Climb next = look_at(P.rings[i + __builtin_ctz(higher)]);
        climbs = next.s > best.s;
        if (climbs) best = next;
      }
    }
  }
  view->add(X_PQ * Q.vertices[best.vertex]);
  return best;
}

// Whether a point in the plane of a face lies within it: below the faces around it.
bool holds(const Polytope& P, int face, const Vec3& p) {
  const Pack at{p.x(), p.y(), p.z(), -1.0};
  Pack most = simd::broadcast(-1e300);
  for (int i = P.ring_begin[face]; i < P.ring_begin[face + 1]; i += 4)
    most = simd::larger(most, simd::products(P.face_rows.data(), P.rings.data() + i, at));
  return !(simd::spread_largest(most)[0] > kInside * P.size);
}

// The lowest points of the two along the normal of the better of two faces. Where a vertex of one touches a
// face of the other, the vertices of the face are far away, but its point below the vertex is near. Returns
// whether this is the case.
bool find_lowest(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA, const Climb& of_a,
                 const Climb& of_b, Scratch* s) {
  if (of_b.s > of_a.s) {
    const Vec3& m = B.faces[of_b.face].normal;
    const Vec3 n = -(X_AB.R * m);
    s->a.find_lowest(n);
    s->b.find_lowest(m);
    const Vec3 p = A.vertices[of_b.vertex] + of_b.s * n;
    if (!holds(B, of_b.face, X_BA * p)) return false;
    s->a.set_lowest(p);
    s->a.add_corners(B, of_b.face, X_AB);
  } else {
    const Vec3& n = A.faces[of_a.face].normal;
    const Vec3 n_B = X_AB.R.transpose() * n;
    s->a.find_lowest(n);
    s->b.find_lowest(-n_B);
    const Vec3 p = B.vertices[of_a.vertex] - of_a.s * n_B;
    if (!holds(A, of_a.face, X_AB * p)) return false;
    s->b.set_lowest(p);
    s->b.add_corners(A, of_a.face, X_BA);
  }
  return true;
}

// The points of two edges where they cross, seen along the axis, are the lowest.
void set_lowest_on_edges(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA,
                         const SeparatingAxis& axis, Scratch* s) {
  const Arc a = arc_of(A, axis.i), b = arc_of(B, axis.j, X_AB);
  const Pack n = simd::pack_of(axis.n), across_a = simd::cross(a.along, n),
             across_b = simd::cross(b.along, n);
  const Pack between = b.from - a.from;
  const Pack products =
      simd::sums(across_b * between, across_b * a.along, across_a * between, across_a * b.along);
  const double t = std::clamp(products[0] / products[1], 0.0, 1.0);
  const double u = std::clamp(-products[2] / products[3], 0.0, 1.0);
  s->a.set_lowest(simd::vec3_of(b.from + u * b.along));
  s->b.set_lowest(X_BA * simd::vec3_of(a.from + t * a.along));
}

// Faces of A, faces of B, then edges that matter beside the best known axis; repeated if a better one is
// found.
void search(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA, const Climb& of_a,
            const Climb& of_b, bool is_on_face, double tolerance, Scratch* s, AxisList* axes) {
  constexpr int kMaxRounds = 16;
  const auto offer_a = [&](int face, double separation) {
    axes->offer({A.faces[face].normal, separation, AxisKind::face_of_a, face, -1});
  };
  const auto offer_b = [&](int face, double separation) {
    axes->offer({-(X_AB.R * B.faces[face].normal), separation, AxisKind::face_of_b, -1, face});
  };
  axes->best = {Vec3::UnitZ(), -1e300, AxisKind::none, -1, -1};
  axes->count = 0;
  offer_a(of_a.face, of_a.s);
  offer_b(of_b.face, of_b.s);
  s->a.make_room(A);
  s->b.make_room(B);
  if (!is_on_face) {
    // If an edge pair is best, it is mostly one of these.
    list_edges_of(A, of_a.face, &s->a.arcs);
    list_edges_of(B, of_b.face, &s->b.arcs);
    search_edges(A, s->a.arcs, B, s->b.arcs, X_AB, axes);
    if (axes->best.kind == AxisKind::edges) set_lowest_on_edges(A, B, X_AB, X_BA, axes->best, s);
  }
  list_faces(A, lowest_wanted(*axes, tolerance, A.least_cosine), of_a.face, &s->a);
  list_faces(B, lowest_wanted(*axes, tolerance, B.least_cosine), of_b.face, &s->b);
  for (int round = 0; round < kMaxRounds; ++round) {
    const SeparatingAxis best = axes->best;
    const auto is_still_best = [&] {
      return axes->best.kind == best.kind && axes->best.i == best.i && axes->best.j == best.j;
    };
    const WantedAxes of_A(*axes, best.n, tolerance, A.least_cosine);
    const WantedAxes of_B(
        *axes,
        best.kind == AxisKind::face_of_b ? B.faces[best.j].normal : Vec3(-(X_AB.R.transpose() * best.n)),
        tolerance, B.least_cosine);
    search_faces(A, B, X_AB, of_A, &s->a, offer_a);
    search_faces(B, A, X_BA, of_B, &s->b, offer_b);
    if (!is_still_best()) continue;
    list_edges(A, of_A, &s->a);
    if (s->a.arcs.count == 0) return;
    list_edges(B, of_B, &s->b);
    if (s->b.arcs.count == 0) return;
    axes->remove(AxisKind::edges);
    search_edges(A, s->a.arcs, B, s->b.arcs, X_AB, axes);
    if (is_still_best()) return;
  }
}

Pose relative_pose(const Pose& X_WA, const Pose& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

}  // namespace

bool find_polytope_axes(const Polytope& A, const Polytope& B, const Pose& X_AB, double reach,
                        const Vec3& guess, AxisList* axes) {
  const Pose X_BA = X_AB.inverse();
  Scratch& s = scratch();
  const Vec3 centre_B = X_AB * B.centre;

  // A first direction, and the separation along it.
  Vec3 n = guess;
  if (!(n.squaredNorm() > 0.0)) n = centre_B - A.centre;
  if (!(n.squaredNorm() > 0.0)) n = Vec3::UnitZ();
  n.normalize();
  const Vec3 n_B = -(X_AB.R.transpose() * n);
  const int v_A = farthest_vertex(A, n), v_B = farthest_vertex(B, n_B);
  const Vec3 p_A = A.vertices[v_A], p_B = X_AB * B.vertices[v_B];
  const double first = n.dot(p_B - p_A);
  if (first > reach) {
    axes->best = {n, first, AxisKind::none, -1, -1};
    return false;
  }
  axes->deepest_share = 2.0 * kShareDepth * 2.0 * std::min(A.inner_radius, B.inner_radius);
  s.a.begin(centre_B, B.inner_radius, p_B);
  s.b.begin(X_BA * A.centre, A.inner_radius, X_BA * p_A);
  const Climb of_a = climb_faces(A, B, X_AB, n, v_A, v_B, &s.a);
  const Climb of_b = climb_faces(B, A, X_BA, n_B, v_B, v_A, &s.b);
  const bool is_on_face = find_lowest(A, B, X_AB, X_BA, of_a, of_b, &s);
  // For nearly parallel edges or very different sizes, round-off of the bounds is larger than usual, and the
  // best axis found may be below the known lower bound.
  const double known = std::min(std::max({first, of_a.s, of_b.s}), 0.0);
  const double size = A.size + B.size + X_AB.p.cwiseAbs().maxCoeff();
  for (const double round_off : {1e-13, -1e-10, -1e-7}) {
    axes->floor = known - std::abs(round_off) * size;
    search(A, B, X_AB, X_BA, of_a, of_b, is_on_face, round_off * size, &s, axes);
    if (axes->best.s >= axes->floor) break;
  }
  axes->sort();
  return axes->best.s <= reach;
}

void collide_polytopes(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_WB,
                       const CollideOptions& options, PairMemory* memory, ContactPoints* out) {
  const Pose X_AB = relative_pose(X_WA, X_WB);
  const double reach = options.margin + A.rounding + B.rounding;
  AxisList axes;
  const bool near = find_polytope_axes(*A.polytope, *B.polytope, X_AB, reach,
                                       memory != nullptr ? memory->axis : Vec3(Vec3::Zero()), &axes);
  if (memory != nullptr) memory->axis = axes.best.n;
  if (near) add_contact_points(A, X_WA, B, X_AB, axes, options, out);
}

ContactPoint polytope_distance(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                               const Pose& X_WB) {
  constexpr double kAnywhere = 1e300;
  const Pose X_AB = relative_pose(X_WA, X_WB);
  AxisList axes;
  int separating = -1;
  if (A.kind == ShapeKind::box && B.kind == ShapeKind::box)
    find_box_axes(A.size, B.size, X_AB, kAnywhere, &separating, &axes);
  else
    find_polytope_axes(*A.polytope, *B.polytope, X_AB, kAnywhere, Vec3::Zero(), &axes);
  return distance_from_axes(A, X_WA, B, X_AB, axes);
}

}  // namespace stiction
