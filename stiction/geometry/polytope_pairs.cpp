#include "stiction/geometry/polytope_pairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/geometry/box_box.h"
#include "stiction/geometry/box_packs.h"
#include "stiction/math/simd.h"

namespace stiction {
namespace {

using simd::broadcast;
using simd::Pack;

constexpr int kMaxPoints = 8;      // of the other polytope that bounds are taken from
constexpr double kInside = 1e-15;  // of the size: points this far outside count as inside

// An edge that may belong to the best axis, in A's frame; the normals of B's are turned around.
struct ArcOfEdge {
  Vec3 vertex, direction;   // one end, m, and the way to the other
  Vec3 normal_0, normal_1;  // of its faces
  int edge;
};

// One polytope P looked at by what is known of the other, Q; everything in P's frame.
struct Side {
  std::array<Vec3, kMaxPoints> points;  // of Q, mostly vertices
  int count = 0, lowest = 0;            // `lowest`: the one that is deepest in P, as far as is known
  Vec3 centre = Vec3::Zero();           // of the ball in Q
  double radius = 0.0;
  // The first num_faces are faces that may still matter, and their bounds; the vectors only grow.
  int num_faces = 0;
  std::vector<int> faces;
  std::vector<double> bounds;
  std::vector<ArcOfEdge> arcs;

  void add(const Vec3& p) {
    if (count < kMaxPoints) points[count++] = p;
  }
  // The lowest one along d; or p, which is as low.
  void find_lowest(const Vec3& d) {
    lowest = 0;
    for (int k = 1; k < count; ++k)
      if (d.dot(points[k]) < d.dot(points[lowest])) lowest = k;
  }
  void set_lowest(const Vec3& p) {
    lowest = std::min(count, kMaxPoints - 1);
    points[lowest] = p;
    count = lowest + 1;
  }
};

struct Scratch {
  Side a, b;
};
Scratch& scratch() {
  static thread_local Scratch buffers;
  return buffers;
}

// Heights of p above four faces.
Pack heights(const Polytope& P, int i, const Vec3& p) {
  const double* rows = P.face_rows.data() + i;
  const int stride = P.face_stride;
  return simd::load(rows) * p.x() + simd::load(rows + stride) * p.y() +
         simd::load(rows + 2 * stride) * p.z() - simd::load(rows + 3 * stride);
}

// Bounds of all faces by the ball and the last point; keeps the faces above the threshold.
void bound_faces(const Polytope& P, double threshold, Side* side) {
  const int faces = int(P.faces.size());
  if (int(side->faces.size()) < P.face_stride) {
    side->faces.resize(P.face_stride);
    side->bounds.resize(P.face_stride);
  }
  const Vec3 p = side->points[side->count - 1];
  const Pack least = broadcast(threshold);
  int kept = 0;
  for (int i = 0; i < P.face_stride; i += 4) {
    // The point alone rules out nearly all of them.
    const Pack by_point = heights(P, i, p);
    if (simd::lane_bits(by_point >= least) == 0) continue;
    const Pack by_ball = heights(P, i, side->centre) - broadcast(side->radius);
    const Pack bound = by_ball < by_point ? by_ball : by_point;
    const simd::IntPack above = bound >= least;
    for (int k = 0; k < 4 && i + k < faces; ++k) {
      if (above[k] == 0) continue;
      side->faces[kept] = i + k;
      side->bounds[kept++] = bound[k];
    }
  }
  side->num_faces = kept;
}

// Evaluates the faces of P in the order of their bounds. X_PQ is the pose of the other polytope.
template <class Offer>
void search_faces(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const AxisList& axes, Side* side,
                  const Offer& offer) {
  int hint = 0;
  int live = side->num_faces;
  while (live > 0) {
    int top = 0;
    for (int k = 1; k < live; ++k)
      if (side->bounds[k] > side->bounds[top]) top = k;
    if (side->bounds[top] < axes.threshold()) break;
    const int face = side->faces[top];
    const Vec3& n = P.faces[face].normal;
    hint = farthest_vertex(Q, -(X_PQ.R.transpose() * n), hint);
    const Vec3 p = X_PQ * Q.vertices[hint];
    offer(face, n.dot(p) - P.faces[face].offset);
    side->add(p);

    // The new vertex sharpens the other bounds.
    --live;
    side->faces[top] = side->faces[live];
    side->bounds[top] = side->bounds[live];
    for (int k = 0; k < live; ++k) {
      const PolytopeFace& f = P.faces[side->faces[k]];
      side->bounds[k] = std::min(side->bounds[k], f.normal.dot(p) - f.offset);
    }
  }
}

double bound_on_arc(double a, double b, double cosine) {
  if (a > cosine * b && b > cosine * a) {
    const double sine2 = 1.0 - cosine * cosine;
    return sine2 > 0.0 ? std::sqrt((a * a + b * b - 2.0 * cosine * a * b) / sine2) : std::max(a, b);
  }
  return std::max(a, b);
}

// Looks at one edge of P with all that is known of the other polytope.
void bound_edge(const Polytope& P, int e, double threshold, const Pose* X_AP, Side* side) {
  const PolytopeEdge& edge = P.edges[e];
  const PolytopeFace &f = P.faces[edge.faces[0]], &g = P.faces[edge.faces[1]];
  const auto bound = [&](const Vec3& p) {
    return bound_on_arc(f.normal.dot(p) - f.offset, g.normal.dot(p) - g.offset, edge.cosine);
  };
  if (bound(side->centre) < threshold + side->radius) return;
  for (int k = 0; k < side->count; ++k)
    if (bound(side->points[k]) < threshold) return;
  const Vec3& from = P.vertices[edge.vertices[0]];
  const Vec3 along = P.vertices[edge.vertices[1]] - from;
  if (X_AP == nullptr)
    side->arcs.push_back({from, along, f.normal, g.normal, e});
  else
    side->arcs.push_back({*X_AP * from, X_AP->R * along, -(X_AP->R * f.normal), -(X_AP->R * g.normal), e});
}

// The edges of P whose arcs may hold an axis above the threshold. On the arc the height of a point is at most
// that of the higher of the two faces, over the cosine of half the angle between them where that is positive,
// so that edges of two lower faces are passed over with their faces. The point is the lowest one: few faces
// are as near to it.
void bound_edges(const Polytope& P, double threshold, const Pose* X_AP, Side* side) {
  side->arcs.clear();
  const Vec3& p = side->points[side->lowest];
  const double of_face = threshold > 0.0 ? threshold * P.least_cosine : threshold;
  const Pack least = broadcast(of_face);
  std::vector<double>& known = side->bounds;
  for (int i = 0; i < P.face_stride; i += 4) {
    const Pack height = heights(P, i, p);
    simd::store_unaligned(&known[i], height);
    if (simd::lane_bits(height >= least) == 0) continue;
    for (int f = i; f < std::min(i + 4, int(P.faces.size())); ++f) {
      if (known[f] < of_face) continue;
      for (int c = P.faces[f].begin; c < P.faces[f].end; ++c) {
        // An edge of two such faces is looked at from the first of them.
        const int across = P.corner_across[c];
        if (across < f && known[across] >= of_face) continue;
        bound_edge(P, P.corner_edge[c], threshold, X_AP, side);
      }
    }
  }
}

void search_edges(const Side& a, const Side& b, AxisList* axes) {
  for (const ArcOfEdge& of_a : a.arcs) {
    for (const ArcOfEdge& of_b : b.arcs) {
      // Whether the two arcs cross.
      const double c = of_b.normal_0.dot(of_a.direction), d = of_b.normal_1.dot(of_a.direction);
      if (c * d >= 0.0) continue;
      const double f = of_a.normal_0.dot(of_b.direction), g = of_a.normal_1.dot(of_b.direction);
      if (f * g >= 0.0 || c * g <= 0.0) continue;
      Vec3 n = of_a.direction.cross(of_b.direction);
      const double length2 = n.squaredNorm();
      const double least =
          kParallelEdges * kParallelEdges * of_a.direction.squaredNorm() * of_b.direction.squaredNorm();
      if (length2 <= least) continue;
      n *= (n.dot(of_a.normal_0 + of_a.normal_1) > 0.0 ? 1.0 : -1.0) / std::sqrt(length2);
      const double s = n.dot(of_b.vertex - of_a.vertex);
      if (s >= axes->threshold()) axes->offer({n, s, AxisKind::edges, of_a.edge, of_b.edge});
    }
  }
}

// From the face of P most aligned with n over neighbours to one that none of them exceeds: a good first guess
// at the best axis. Returns its separation; Q's farthest vertices are noted in `side`.
double climb_faces(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const Vec3& n, Side* side) {
  int face = most_aligned_face(P, n), hint = 0;
  const auto separation = [&](int f) {
    hint = farthest_vertex(Q, -(X_PQ.R.transpose() * P.faces[f].normal), hint);
    return P.faces[f].normal.dot(X_PQ * Q.vertices[hint]) - P.faces[f].offset;
  };
  double best = separation(face);
  int best_vertex = hint;
  for (bool climbs = true; climbs;) {
    climbs = false;
    const int begin = P.faces[face].begin, end = P.faces[face].end;
    for (int i = begin; i < end; ++i) {
      const int other = P.corner_across[i];
      // A vertex known to be that low settles it.
      if (P.faces[other].normal.dot(X_PQ * Q.vertices[best_vertex]) - P.faces[other].offset <= best) continue;
      const double value = separation(other);
      if (value <= best) continue;
      best = value;
      best_vertex = hint;
      face = other;
      climbs = true;
    }
  }
  side->add(X_PQ * Q.vertices[best_vertex]);
  return best;
}

bool holds(const Polytope& P, const Vec3& p) {
  const Pack least = broadcast(kInside * P.size);
  for (int i = 0; i < P.face_stride; i += 4)
    if (simd::lane_bits(heights(P, i, p) > least) != 0) return false;
  return true;
}

// The lowest points of the two along the best axis. Where a vertex of one meets a face of the other the
// vertices of the face are far away, but the point of it below the vertex is not.
void find_lowest(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA,
                 const SeparatingAxis& best, Scratch* s) {
  const Vec3 n_B = X_AB.R.transpose() * best.n;
  s->a.find_lowest(best.n);
  s->b.find_lowest(-n_B);
  if (best.kind == AxisKind::face_of_b) {
    const Vec3 p = A.vertices[farthest_vertex(A, best.n)] + best.s * best.n;
    if (holds(B, X_BA * p)) s->a.set_lowest(p);
  } else if (best.kind == AxisKind::face_of_a) {
    const Vec3 p = B.vertices[farthest_vertex(B, -n_B)] - best.s * n_B;
    if (holds(A, X_AB * p)) s->b.set_lowest(p);
  }
}

// Faces of A, faces of B, then edges.
void search(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA, Scratch* s,
            AxisList* axes) {
  axes->best = {Vec3::UnitZ(), -1e300, AxisKind::none, -1, -1};
  axes->count = 0;
  bound_faces(A, axes->threshold(), &s->a);
  search_faces(A, B, X_AB, *axes, &s->a, [&](int face, double separation) {
    axes->offer({A.faces[face].normal, separation, AxisKind::face_of_a, face, -1});
  });
  bound_faces(B, axes->threshold(), &s->b);
  search_faces(B, A, X_BA, *axes, &s->b, [&](int face, double separation) {
    axes->offer({-(X_AB.R * B.faces[face].normal), separation, AxisKind::face_of_b, -1, face});
  });
  find_lowest(A, B, X_AB, X_BA, axes->best, s);
  bound_edges(A, axes->threshold(), nullptr, &s->a);
  if (s->a.arcs.empty()) return;
  bound_edges(B, axes->threshold(), &X_AB, &s->b);
  search_edges(s->a, s->b, axes);
}

Pose relative_pose(const Pose& X_WA, const Pose& X_WB) {
  return {X_WA.R.transpose() * X_WB.R, X_WA.R.transpose() * (X_WB.p - X_WA.p)};
}

}  // namespace

bool find_polytope_axes(const Polytope& A, const Polytope& B, const Pose& X_AB, double reach,
                        const Vec3& guess, AxisList* axes) {
  const Pose X_BA = X_AB.inverse();
  Scratch& s = scratch();
  s.a.count = s.b.count = 0;
  s.a.centre = X_AB * B.centre;
  s.a.radius = B.inner_radius;
  s.b.centre = X_BA * A.centre;
  s.b.radius = A.inner_radius;

  // A first direction, and how far apart the two are along it.
  Vec3 n = guess;
  if (!(n.squaredNorm() > 0.0)) n = s.a.centre - A.centre;
  if (!(n.squaredNorm() > 0.0)) n = Vec3::UnitZ();
  n.normalize();
  const Vec3 p_A = A.vertices[farthest_vertex(A, n)];
  const Vec3 p_B = X_AB * B.vertices[farthest_vertex(B, -(X_AB.R.transpose() * n))];
  const double first = n.dot(p_B - p_A);
  if (first > reach) {
    axes->best = {n, first, AxisKind::none, -1, -1};
    return false;
  }
  axes->deepest_share = 2.0 * kShareDepth * 2.0 * std::min(A.inner_radius, B.inner_radius);
  s.a.add(p_B);
  s.b.add(X_BA * p_A);
  const double of_a = climb_faces(A, B, X_AB, n, &s.a);
  const double of_b = climb_faces(B, A, X_BA, -(X_AB.R.transpose() * n), &s.b);
  // The floor is lowered by what round-off may take from the bounds of the axis that has it; where edges are
  // nearly parallel or sizes very different that is more than usual, and the best axis falls short of the
  // floor.
  const double known = std::min(std::max({first, of_a, of_b}), 0.0);
  const double size = A.size + B.size + X_AB.p.cwiseAbs().maxCoeff();
  for (const double round_off : {1e-13, 1e-10, 1e-7}) {
    axes->floor = known - round_off * size;
    search(A, B, X_AB, X_BA, &s, axes);
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
