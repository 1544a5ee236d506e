#include "stiction/geometry/polytope_pairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/geometry/box_box.h"
#include "stiction/geometry/box_packs.h"

namespace stiction {
namespace {

using simd::Pack;

constexpr int kMaxPoints = 7;      // of the other polytope that bounds are taken from; and a ball
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
  // The first num_faces are faces that may matter, and the heights of the lowest point above them; the first
  // num_live those not looked at yet, and bounds of their separation. The vectors only grow.
  int num_faces = 0, num_live = 0;
  std::vector<int> faces, live;
  std::vector<double> heights, bounds;
  // Per face: what bound_edges() knows of it, and since when.
  std::vector<unsigned> above, listed_at;
  unsigned list = 0;
  std::vector<ArcOfEdge> arcs;

  void make_room(const Polytope& P) {
    if (faces.size() >= P.faces.size()) return;
    faces.resize(P.faces.size());
    live.resize(P.faces.size());
    heights.resize(P.faces.size());
    bounds.resize(P.faces.size());
    above.resize(P.faces.size());
    listed_at.resize(P.faces.size(), 0u);
  }
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

// The faces that may have or border an axis above the threshold: few faces are as near to the lowest point.
void list_faces(const Polytope& P, double threshold, Side* side) {
  side->make_room(P);
  side->num_faces =
      faces_above(P.groups, side->points[side->lowest], threshold, side->faces.data(), side->heights.data());
}

// Bounds of those faces by the ball and the point; `known` was looked at before.
void bound_faces(const Polytope& P, double threshold, int known, Side* side) {
  side->num_live = 0;
  for (int i = 0; i < side->num_faces; ++i) {
    const PolytopeFace& face = P.faces[side->faces[i]];
    const double by_ball = face.normal.dot(side->centre) - side->radius - face.offset;
    const double bound = std::min(by_ball, side->heights[i]);
    if (bound < threshold || side->faces[i] == known) continue;
    side->live[side->num_live] = side->faces[i];
    side->bounds[side->num_live++] = bound;
  }
}

// Evaluates the faces of P in the order of their bounds. X_PQ is the pose of the other polytope.
template <class Offer>
void search_faces(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const AxisList& axes, Side* side,
                  const Offer& offer) {
  int hint = -1;
  int live = side->num_live;
  while (live > 0) {
    int top = 0;
    for (int k = 1; k < live; ++k)
      if (side->bounds[k] > side->bounds[top]) top = k;
    if (side->bounds[top] < axes.threshold()) break;
    const int face = side->live[top];
    const Vec3& n = P.faces[face].normal;
    hint = farthest_vertex(Q, -(X_PQ.R.transpose() * n), hint);
    const Vec3 p = X_PQ * Q.vertices[hint];
    offer(face, n.dot(p) - P.faces[face].offset);
    side->add(p);

    // The new vertex sharpens the other bounds.
    --live;
    side->live[top] = side->live[live];
    side->bounds[top] = side->bounds[live];
    for (int k = 0; k < live; ++k) {
      const PolytopeFace& f = P.faces[side->live[k]];
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

// The points and the centre of the ball of a side in packs, and which of them are high enough above a face
// for its edges to matter: one bit each.
struct Heights {
  static constexpr int kPacks = (kMaxPoints + 1 + 3) / 4;
  std::array<Pack, kPacks> x, y, z, least;
  int packs = 0;
  unsigned all = 0;

  Heights(const Side& side, double of_point, double of_ball) {
    packs = (side.count + 1 + 3) / 4;
    all = (1u << (4 * packs)) - 1u;
    for (int i = 0; i < 4 * packs; ++i) {
      const bool is_ball = i >= side.count;  // the padding repeats it
      const Vec3& p = is_ball ? side.centre : side.points[i];
      x[i / 4][i % 4] = p.x();
      y[i / 4][i % 4] = p.y();
      z[i / 4][i % 4] = p.z();
      least[i / 4][i % 4] = is_ball ? of_ball : of_point;
    }
  }
  unsigned above(const PolytopeFace& face) const {
    unsigned bits = 0;
    for (int i = 0; i < packs; ++i) {
      const Pack height = face.normal.x() * x[i] + face.normal.y() * y[i] + face.normal.z() * z[i] -
                          simd::broadcast(face.offset);
      bits |= simd::lane_bits(height >= least[i]) << (4 * i);
    }
    return bits;
  }
};

// The edges of P whose arcs may hold an axis above the threshold. On the arc the height of a point is at most
// that of the higher of the two faces, over the cosine of half the angle between them where that is positive,
// so that edges of faces that are both too low for some point are passed over.
void bound_edges(const Polytope& P, double threshold, const Pose* X_AP, Side* side) {
  side->arcs.clear();
  const auto of_face = [&](double x) { return x > 0.0 ? x * P.least_cosine : x; };
  const double least = of_face(threshold);
  const Heights heights(*side, least, of_face(threshold + side->radius));
  // Every face is looked at once.
  const unsigned list = ++side->list;
  const auto above = [&](int f) {
    if (side->listed_at[f] != list) {
      side->listed_at[f] = list;
      side->above[f] = heights.above(P.faces[f]);
    }
    return side->above[f];
  };
  constexpr unsigned kListed = 1u << 31;
  for (int i = 0; i < side->num_faces; ++i) {
    if (side->heights[i] < least) continue;
    const int f = side->faces[i];
    // What the list says of the lowest point counts, whatever round-off says here.
    side->above[f] = above(f) | 1u << side->lowest | kListed;
  }
  for (int i = 0; i < side->num_faces; ++i) {
    if (side->heights[i] < least) continue;
    const int f = side->faces[i];
    const unsigned of_f = side->above[f];
    for (int c = P.faces[f].begin; c < P.faces[f].end; ++c) {
      const int across = P.corner_across[c];
      const unsigned of_g = above(across);
      // An edge of two such faces is looked at from the first of them.
      if (((of_f | of_g) & heights.all) != heights.all || (across < f && (of_g & kListed) != 0)) continue;
      bound_edge(P, P.corner_edge[c], threshold, X_AP, side);
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

// From the face of P most aligned with n, at the vertex farthest along n, over neighbours to one that none of
// them exceeds: a good first guess at the best axis. Q's farthest vertex is noted in `side`.
struct Climb {
  int face, vertex;  // of P, and Q's farthest against it
  double s;          // m, separation
};
Climb climb_faces(const Polytope& P, const Polytope& Q, const Pose& X_PQ, const Vec3& n, int vertex_of_P,
                  int vertex_of_Q, Side* side) {
  int face = most_aligned_face_at(P, vertex_of_P, n), hint = vertex_of_Q;
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
  return {face, best_vertex, best};
}

// Whether a point in the plane of a face lies within it: below the faces around it.
bool holds(const Polytope& P, int face, const Vec3& p) {
  for (int c = P.faces[face].begin; c < P.faces[face].end; ++c) {
    const PolytopeFace& beside = P.faces[P.corner_across[c]];
    if (beside.normal.dot(p) - beside.offset > kInside * P.size) return false;
  }
  return true;
}

// The lowest points of the two along the better of two faces' normals. Where a vertex of one meets a face of
// the other the vertices of the face are far away, but the point of it below the vertex is not.
void find_lowest(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA, const Climb& of_a,
                 const Climb& of_b, Scratch* s) {
  if (of_b.s > of_a.s) {
    const Vec3& m = B.faces[of_b.face].normal;
    const Vec3 n = -(X_AB.R * m);
    s->a.find_lowest(n);
    s->b.find_lowest(m);
    const Vec3 p = A.vertices[of_b.vertex] + of_b.s * n;
    if (holds(B, of_b.face, X_BA * p)) s->a.set_lowest(p);
  } else {
    const Vec3& n = A.faces[of_a.face].normal;
    const Vec3 n_B = X_AB.R.transpose() * n;
    s->a.find_lowest(n);
    s->b.find_lowest(-n_B);
    const Vec3 p = B.vertices[of_a.vertex] - of_a.s * n_B;
    if (holds(A, of_a.face, X_AB * p)) s->b.set_lowest(p);
  }
}

// Faces of A, faces of B, then edges.
void search(const Polytope& A, const Polytope& B, const Pose& X_AB, const Pose& X_BA, const Climb& of_a,
            const Climb& of_b, Scratch* s, AxisList* axes) {
  const auto offer_a = [&](int face, double separation) {
    axes->offer({A.faces[face].normal, separation, AxisKind::face_of_a, face, -1});
  };
  const auto offer_b = [&](int face, double separation) {
    axes->offer({-(X_AB.R * B.faces[face].normal), separation, AxisKind::face_of_b, -1, face});
  };
  axes->best = {Vec3::UnitZ(), -1e300, AxisKind::none, -1, -1};
  axes->count = 0;
  list_faces(A, axes->threshold(), &s->a);
  list_faces(B, axes->threshold(), &s->b);
  offer_a(of_a.face, of_a.s);
  offer_b(of_b.face, of_b.s);
  bound_faces(A, axes->threshold(), of_a.face, &s->a);
  search_faces(A, B, X_AB, *axes, &s->a, offer_a);
  bound_faces(B, axes->threshold(), of_b.face, &s->b);
  search_faces(B, A, X_BA, *axes, &s->b, offer_b);
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
  const Vec3 n_B = -(X_AB.R.transpose() * n);
  const int v_A = farthest_vertex(A, n), v_B = farthest_vertex(B, n_B);
  const Vec3 p_A = A.vertices[v_A], p_B = X_AB * B.vertices[v_B];
  const double first = n.dot(p_B - p_A);
  if (first > reach) {
    axes->best = {n, first, AxisKind::none, -1, -1};
    return false;
  }
  axes->deepest_share = 2.0 * kShareDepth * 2.0 * std::min(A.inner_radius, B.inner_radius);
  s.a.add(p_B);
  s.b.add(X_BA * p_A);
  const Climb of_a = climb_faces(A, B, X_AB, n, v_A, v_B, &s.a);
  const Climb of_b = climb_faces(B, A, X_BA, n_B, v_B, v_A, &s.b);
  find_lowest(A, B, X_AB, X_BA, of_a, of_b, &s);
  // The floor is lowered by what round-off may take from the bounds of the axis that has it; where edges are
  // nearly parallel or sizes very different that is more than usual, and the best axis falls short of the
  // floor.
  const double known = std::min(std::max({first, of_a.s, of_b.s}), 0.0);
  const double size = A.size + B.size + X_AB.p.cwiseAbs().maxCoeff();
  for (const double round_off : {1e-13, 1e-10, 1e-7}) {
    axes->floor = known - round_off * size;
    search(A, B, X_AB, X_BA, of_a, of_b, &s, axes);
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
