// Longer than most files: the points along one direction and how directions share them are one algorithm.

#include "stiction/geometry/polytope/polytope_axes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/geometry/convex/epa.h"
#include "stiction/geometry/convex/gjk.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

// Round-off of the crossing point of edges that are parallel to within kParallelEdges, of the sizes.
constexpr double kCrossing = 1e-9;
// Of the depth: tolerance of EPA.
constexpr double kDepth = 1e-12;
// Weight of a contact at a single vertex, edge crossing or pair of vertices: that of a corner of a box.
constexpr double kPointWeight = 0.25;

bool comes_before(const SeparatingAxis& a, const SeparatingAxis& b) {
  if (a.kind != b.kind) return a.kind < b.kind;
  return a.i != b.i ? a.i < b.i : a.j < b.j;
}

double size_of(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB) {
  return A.polytope->size + B.polytope->size + X_AB.p.cwiseAbs().maxCoeff();
}

// The edge of a box parallel to axis k that is farthest along d (in the box's axes), numbered as in
// polytope.cpp.
int farthest_edge(int k, const Vec3& d) {
  const int k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
  return 4 * k + (d[k1] > 0.0 ? 1 : 0) + (d[k2] > 0.0 ? 2 : 0);
}

// The two points that are s apart along the axis.
ManifoldPoint witness(const Polytope& A, const Polytope& B, const Pose& X_AB, const SeparatingAxis& axis) {
  ManifoldPoint point;
  point.is_mixed = false;
  point.normal = axis.n;
  point.distance = axis.s;
  point.weight = kPointWeight;
  if (axis.kind == AxisKind::face_of_a) {
    const int v = farthest_vertex(B, -(X_AB.R.transpose() * axis.n));
    point.p_A = X_AB * B.vertices[v] - axis.s * axis.n;
    point.feature = pair_feature(FeatureKind::face, axis.i, FeatureKind::vertex, v);
  } else if (axis.kind == AxisKind::face_of_b) {
    const int v = farthest_vertex(A, axis.n);
    point.p_A = A.vertices[v];
    point.feature = pair_feature(FeatureKind::vertex, v, FeatureKind::face, axis.j);
  } else {
    // The points of two lines that lie above each other along n.
    const bool boxes = axis.kind == AxisKind::edges_of_boxes;
    const int i = boxes ? farthest_edge(axis.i, axis.n) : axis.i;
    const int j = boxes ? farthest_edge(axis.j, -(X_AB.R.transpose() * axis.n)) : axis.j;
    const PolytopeEdge &a = A.edges[i], &b = B.edges[j];
    const Vec3 p = A.vertices[a.vertices[0]], q = X_AB * B.vertices[b.vertices[0]];
    const Vec3 e = A.vertices[a.vertices[1]] - p, f = X_AB * B.vertices[b.vertices[1]] - q;
    const Vec3 across = f.cross(axis.n);  // perpendicular to B's edge and to n
    const double t = across.dot(q - p) / across.dot(e);
    point.p_A = p + std::clamp(t, 0.0, 1.0) * e;
    point.feature = pair_feature(FeatureKind::edge, i, FeatureKind::edge, j);
  }
  return point;
}

// The feature id of one side of a simplex: a vertex, or a hash of two or three of them that does not depend
// on their order.
int mixed_vertices(const GjkResult& gjk, bool of_b, FeatureKind* kind) {
  std::array<int, 4> seen{};
  int count = 0;
  std::uint32_t mixed = 0;
  for (int i = 0; i < gjk.size; ++i) {
    const int v = of_b ? gjk.simplex[i].vertex_b : gjk.simplex[i].vertex_a;
    if (std::find(seen.begin(), seen.begin() + count, v) != seen.begin() + count) continue;
    seen[count++] = v;
    mixed += static_cast<std::uint32_t>(v) * (static_cast<std::uint32_t>(v) + 7919u);
  }
  *kind = count <= 1 ? FeatureKind::vertex : count == 2 ? FeatureKind::edge : FeatureKind::face;
  return count <= 1 ? seen[0] : static_cast<int>(mixed & 0x3fffffffu);
}

ManifoldPoint witness(const GjkResult& gjk) {
  ManifoldPoint point;
  point.is_mixed = false;
  point.normal = gjk.normal;
  point.distance = gjk.distance;
  point.weight = kPointWeight;
  point.p_A = gjk.p_a;
  FeatureKind kind_a, kind_b;
  const int a = mixed_vertices(gjk, false, &kind_a), b = mixed_vertices(gjk, true, &kind_b);
  point.feature = pair_feature(kind_a, a, kind_b, b);
  return point;
}

double deepest_distance(const Manifold& manifold) {
  double least = 1e300;
  for (int i = 0; i < manifold.count; ++i) least = std::min(least, manifold.points[i].distance);
  return least;
}

// The least total weight at a witness of the axis (polytope_manifold.h).
double least_at(const Polytope& A, const Polytope& B, const ManifoldPoint& point) {
  const auto half = [](std::uint64_t feature) {
    return std::pair(static_cast<FeatureKind>(feature >> 30 & 3),
                     static_cast<std::size_t>(feature & 0x3fffffff));
  };
  const auto [kind_a, a] = half(point.feature >> 32);
  const auto [kind_b, b] = half(point.feature & 0xffffffff);
  // Features of GJK and EPA may be hashes of several vertices; a vertex is always one.
  const auto of = [](const Polytope& P, FeatureKind kind, std::size_t i) {
    if (kind == FeatureKind::vertex) return i < P.least.of_vertex.size() ? P.least.of_vertex[i] : 1.0;
    return kind == FeatureKind::edge && i < P.least.of_edge.size() ? P.least.of_edge[i] : 1.0;
  };
  return std::min(of(A, kind_a, a), of(B, kind_b, b));
}

// Of two simplices: a vertex on a face has its own, edges that of their ends.
double least_at(const GjkResult& gjk, const CollisionShape& A, const CollisionShape& B) {
  const auto side = [&gjk](const Polytope& P, bool of_b) {
    std::array<int, 4> seen{};
    int count = 0;
    double most = 0.0;
    for (int i = 0; i < gjk.size; ++i) {
      const int v = of_b ? gjk.simplex[i].vertex_b : gjk.simplex[i].vertex_a;
      if (std::find(seen.begin(), seen.begin() + count, v) != seen.begin() + count) continue;
      seen[count++] = v;
      most = std::max(most, P.least.near_vertex[v]);
    }
    return count == 1 ? P.least.of_vertex[seen[0]] : count == 2 ? most : 1.0;
  };
  return std::min(side(*A.polytope, false), side(*B.polytope, true));
}

// Adds the point at distance s if the manifold has none as deep: on hulls the face most aligned with n need
// not be adjacent to the farthest vertex. Its weight grows with the difference in depth, and the others give
// it away.
void add_missing_witness(const ManifoldPoint& point, double least, double share, double tolerance,
                         Manifold* manifold) {
  const double missing = deepest_distance(*manifold) - point.distance;
  if (missing <= tolerance) return;
  LeastTotal& total = manifold->total;
  const double window = kShareWindow * total.window();
  const double blend = missing < window ? missing / window : 1.0, weight = kPointWeight * blend;
  if (!(weight > 0.0)) return;
  const double scale = total.bearing > 0.0 ? (1.0 - blend) * share / total.bearing : 0.0;
  for (int i = 0; i < manifold->count; ++i) {
    manifold->points[i].weight *= 1.0 - weight;
    manifold->points[i].bearing *= scale;
  }
  total.used = (1.0 - weight) * total.used + share * weight;
  const double wanted = total.bearing > 0.0 ? total.wanted / total.bearing : 0.0;
  total.bearing = share * (total.bearing > 0.0 ? 1.0 : blend);
  total.wanted = total.bearing * std::max(wanted, blend * least);
  ManifoldPoint added = point;
  added.weight = share * weight;
  added.bearing = share * blend;
  // A point with the same features is the same point up to round-off.
  for (int i = 0; i < manifold->count; ++i) {
    if (manifold->points[i].feature != added.feature) continue;
    added.weight += manifold->points[i].weight;
    added.bearing += manifold->points[i].bearing;
    manifold->points[i] = added;
    return;
  }
  manifold->add(added, false);
}

// The separation along n (in A's frame), m; `farthest`: in the start vertices, out the support points.
double separation_along(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n,
                        GjkVertex* farthest) {
  *farthest = support_difference(A, B, X_AB, n, *farthest);
  return n.dot(farthest->b - farthest->a);
}

// The normal of the simplex, away from the origin, from the differences of its corners; zero if these are on
// a line.
Vec3 direction_across(const GjkResult& gjk) {
  const auto side = [&gjk](int i) -> Vec3 {
    const GjkVertex &from = gjk.simplex[0], &to = gjk.simplex[i];
    return (to.b - from.b) - (to.a - from.a);
  };
  if (gjk.size == 1) return gjk.normal;
  if (gjk.size == 2) {
    const Vec3 e = side(1).normalized();
    return (gjk.normal - e.dot(gjk.normal) * e).normalized();
  }
  const Vec3 n = side(1).cross(side(2)).normalized();
  return n.dot(gjk.normal) > 0.0 ? n : -n;
}

// The nearest point v of GJK has an error of round-off of the sizes, so the direction of a short v is wrong
// by that over |v|: other vertices then lie beyond the support points. Adding these to the simplex gives a
// better direction, its normal, which only needs differences of vertices; the best separating axis may be
// better too, as it does not depend on |v|. Along n the points are s n apart instead of v: the smallest
// difference wins.
void sharpen_normal(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& axis,
                    double tolerance, GjkResult* gjk) {
  GjkVertex next = gjk->simplex[0];
  double missed = gjk->distance - separation_along(A, B, X_AB, gjk->normal, &next);
  if (missed <= tolerance) return;
  const Vec3 v = gjk->distance * gjk->normal;
  const auto try_direction = [&](const Vec3& n) {
    const double s = separation_along(A, B, X_AB, n, &next);
    const double missed_by_n = (v - s * n).norm();
    if (!(missed_by_n < missed)) return;
    missed = missed_by_n;
    gjk->normal = n;
    gjk->distance = gjk->lower_bound = s;
  };
  GjkResult grown = *gjk;
  while (missed > tolerance) {
    const Vec3 n = direction_across(grown);
    if (n.isZero(0.0)) break;
    try_direction(n);
    if (grown.size == 3) break;
    grown.simplex[grown.size++] = next;
  }
  if (missed > tolerance) try_direction(axis);
}

// Whether a point is valid: p_A in A, p_B in B, and no part of either body farther along the normal.
bool is_certain(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                const ManifoldPoint& point, double tolerance) {
  const auto holds = [tolerance](const Polytope& P, const Vec3& p) {
    for (const PolytopeFace& face : P.faces)
      if (!(face.normal.dot(p) - face.offset <= tolerance)) return false;
    return true;
  };
  GjkVertex farthest;
  return holds(*A.polytope, point.p_A) &&
         holds(*B.polytope, X_AB.inverse() * Vec3(point.p_A + point.distance * point.normal)) &&
         separation_along(A, B, X_AB, point.normal, &farthest) >= point.distance - tolerance;
}

// The deepest point of overlapping polytopes from their vertices alone (EPA), in the form of a result of GJK.
GjkResult deepest_place(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                        const GjkResult& overlap) {
  const EpaResult epa = epa_depth(A, B, X_AB, overlap, kDepth);
  GjkResult out = overlap;
  out.normal = epa.normal;
  out.distance = out.lower_bound = -epa.depth;
  if (!(epa.depth > 0.0)) return out;
  // The point of the face nearest to the origin.
  out.size = 3;
  std::array<Vec3, 3> w;
  for (int i = 0; i < 3; ++i) w[i] = epa.face[i].b - epa.face[i].a;
  const Vec3 n = (w[1] - w[0]).cross(w[2] - w[0]);
  out.p_a.setZero();
  for (int i = 0; i < 3; ++i) {
    out.simplex[i] = epa.face[i];
    out.simplex[i].share = n.dot(w[(i + 1) % 3].cross(w[(i + 2) % 3])) / n.squaredNorm();
    out.p_a += out.simplex[i].share * out.simplex[i].a;
  }
  return out;
}

// The manifold along the direction of GJK.
void add_nearest(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const GjkResult& nearest,
                 double reach, double tolerance, Manifold* manifold) {
  manifold->count = 0;
  manifold->total = {.overlap = -nearest.distance};
  if (nearest.distance > reach) return;
  add_manifold(*A.polytope, *B.polytope, X_AB, nearest.normal, 1.0, nearest.lower_bound, reach, false,
               manifold);
  const ManifoldPoint point = witness(nearest);
  add_missing_witness(point, least_at(nearest, A, B), 1.0, tolerance, manifold);
  manifold->raise(1.0);
}

// Adds the two points that are s apart along the best axis to a manifold that has none as deep. Where faces
// are not exactly flat (convex_hull.h) the axis may belong to features that do not touch; then the result of
// GJK or EPA, which use vertices only, is taken, and false is returned.
bool add_witness(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                 const SeparatingAxis& best, double share, double reach, double tolerance,
                 Manifold* manifold) {
  ManifoldPoint point = witness(*A.polytope, *B.polytope, X_AB, best);
  const bool touches = std::abs(best.s) <= tolerance;
  if (touches || !is_certain(A, B, X_AB, point, kCrossing / kCertificate * tolerance)) {
    GjkResult gjk = gjk_distance(A, B, X_AB);
    if (!touches) {
      if (gjk.overlap)
        gjk = deepest_place(A, B, X_AB, gjk);
      else
        sharpen_normal(A, B, X_AB, best.n, tolerance, &gjk);
      add_nearest(A, B, X_AB, gjk, reach, tolerance, manifold);
      return false;
    }
    point.p_A = gjk.p_a;  // touching without area: the common point
  }
  add_missing_witness(point, least_at(*A.polytope, *B.polytope, point), share, tolerance, manifold);
  return true;
}

// The manifold of separated polytopes.
void add_separated(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const AxisList& axes,
                   double reach, double tolerance, Manifold* manifold) {
  const SeparatingAxis& best = axes.best;
  manifold->total.overlap = -best.s;
  add_manifold(*A.polytope, *B.polytope, X_AB, best.n, 1.0, best.s, reach, false, manifold);
  if (deepest_distance(*manifold) <= best.s + tolerance) {
    manifold->raise(1.0);
    return;
  }
  manifold->count = 0;
  manifold->total = {.overlap = -best.s};
  GjkOptions gjk_options;
  gjk_options.axis = best.n;
  GjkResult gjk = gjk_distance(A, B, X_AB, gjk_options);
  if (gjk.overlap) {
    add_manifold(*A.polytope, *B.polytope, X_AB, best.n, 1.0, best.s, reach, false, manifold);
    if (add_witness(A, B, X_AB, best, 1.0, reach, tolerance, manifold)) manifold->raise(1.0);
    return;
  }
  sharpen_normal(A, B, X_AB, best.n, tolerance, &gjk);
  add_nearest(A, B, X_AB, gjk, reach, tolerance, manifold);
}

// The nonzero shares of the axes, the best first; `order` maps the rest to the others of the list.
struct Shares {
  int count = 1;
  std::array<double, AxisList::kCapacity + 1> share;
  std::array<const SeparatingAxis*, AxisList::kCapacity + 1> axis;
};

constexpr double kRightAngle = 1.4142135623730951;  // chord

void find_shares(const AxisList& axes, double fade, Shares* out) {
  constexpr int kMost = AxisList::kCapacity + 1;
  const double window = kShareWindow * -axes.best.s;
  out->axis[0] = &axes.best;
  out->share[0] = 1.0;
  out->count = 1;
  std::array<double, kMost> r;
  r[0] = 1.0;
  const auto chord = [](const SeparatingAxis& a, const SeparatingAxis& b) {
    return std::min((a.n - b.n).norm(), kRightAngle);
  };
  // Those not ruled out by the best one.
  for (int k = 0; k < axes.count; ++k) {
    const SeparatingAxis& axis = axes.others[k];
    const double below = axes.best.s - axis.s;
    if (below >= kRightAngle * window) continue;
    const double c = chord(axis, axes.best);
    if (below >= c * window || c < 1e-3 * kSameAxis) continue;
    r[out->count] = fade * (1.0 - below / (c * window)) * std::min(1.0, c / kSameAxis);
    out->axis[out->count++] = &axis;
  }
  if (out->count == 1) return;

  // Nor by any other.
  for (int i = 1; i < out->count; ++i) {
    for (int j = 1; j < out->count; ++j) {
      const double below = out->axis[j]->s - out->axis[i]->s;
      if (i == j || below < 0.0 || (below == 0.0 && i < j)) continue;
      const double c = chord(*out->axis[i], *out->axis[j]);
      if (below >= c * window || c < 1e-3 * kSameAxis)
        r[i] = 0.0;
      else
        r[i] = std::min(r[i], (1.0 - below / (c * window)) * std::min(1.0, c / kSameAxis));
    }
  }
  // A direction counts once however many axes have it.
  double sum = 0.0;
  for (int i = 0; i < out->count; ++i) {
    double largest = 0.0, total = 0.0;
    for (int j = 0; j < out->count; ++j) {
      const double near = i == j ? r[j] : std::max(0.0, 1.0 - chord(*out->axis[i], *out->axis[j])) * r[j];
      largest = std::max(largest, near);
      total += near;
    }
    out->share[i] = r[i] > 0.0 ? r[i] * largest / total : 0.0;
    sum += out->share[i];
  }
  for (int i = 0; i < out->count; ++i) out->share[i] /= sum;
}

void add_overlapping(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const AxisList& axes,
                     double reach, double tolerance, bool share_axes, Manifold* manifold) {
  const SeparatingAxis& best = axes.best;
  const double full_share = kShareDepth * 2.0 * std::min(A.polytope->inner_radius, B.polytope->inner_radius);
  const double fade = std::min(1.0, 2.0 + best.s / full_share);
  Shares shares;
  shares.share[0] = 1.0;
  if (share_axes && axes.count > 0 && fade > 0.0) find_shares(axes, fade, &shares);

  // Nearly parallel axes as one.
  Vec3 n = best.n;
  double share = shares.share[0];
  int kept = 1;
  for (int k = 1; k < shares.count; ++k) {
    if (shares.share[k] <= 0.0) continue;
    if ((shares.axis[k]->n - best.n).squaredNorm() < kAveraged * kAveraged) {
      n += shares.share[k] / shares.share[0] * (shares.axis[k]->n);
      share += shares.share[k];
    } else {
      shares.share[kept] = shares.share[k];
      shares.axis[kept++] = shares.axis[k];
    }
  }
  const bool is_averaged = share > shares.share[0];
  manifold->total.overlap = -best.s;
  if (is_averaged) {
    n.normalize();
    GjkVertex farthest;
    manifold->total.overlap = -separation_along(A, B, X_AB, n, &farthest);
  }
  add_manifold(*A.polytope, *B.polytope, X_AB, n, share, is_averaged ? 2.0 * best.s : best.s, reach, false,
               manifold);
  // Along the mean normal the overlap is no less than along the best one, provided the facing features
  // contain the point.
  if (deepest_distance(*manifold) > best.s + tolerance &&
      !add_witness(A, B, X_AB, best, share, reach, tolerance, manifold))
    return;
  manifold->raise(share);
  if (kept == 1) return;
  // An axis whose features do not overlap along it gives its share to the others.
  double total = manifold->scale_by_bearing(share);
  for (int k = 1; k < kept; ++k) {
    const SeparatingAxis& axis = *shares.axis[k];
    Manifold along;
    along.total.overlap = -axis.s;
    add_manifold(*A.polytope, *B.polytope, X_AB, axis.n, shares.share[k], axis.s, reach, true, &along);
    if (deepest_distance(along) > axis.s + tolerance) {
      const ManifoldPoint point = witness(*A.polytope, *B.polytope, X_AB, axis);
      if (is_certain(A, B, X_AB, point, kCrossing / kCertificate * tolerance))
        add_missing_witness(point, least_at(*A.polytope, *B.polytope, point), shares.share[k], tolerance,
                            &along);
    }
    along.raise(shares.share[k]);
    total += along.scale_by_bearing(shares.share[k]);
    for (int i = 0; i < along.count; ++i) manifold->add(along.points[i], true);
  }
  for (int i = 0; i < manifold->count && total > 0.0; ++i) manifold->points[i].weight /= total;
}

// From cores in A's frame to shapes in W.
void write(const ManifoldPoint& point, const CollisionShape& A, const Pose& X_WA, double rounding,
           ContactPoints* out) {
  const simd::Pack n = simd::pack_of(point.normal), p = simd::pack_of(point.p_A) + A.rounding * n;
  simd::add_point(simd::position(X_WA) + simd::rotated(X_WA, p), simd::rotated(X_WA, n),
                  point.distance - rounding, point.weight, point.feature, out);
}

}  // namespace

void AxisList::sort() {
  // Insertion sort: few and nearly sorted.
  for (int k = 1; k < count; ++k)
    for (int i = k; i > 0 && comes_before(others[i], others[i - 1]); --i) std::swap(others[i], others[i - 1]);
}

void AxisList::remove(AxisKind kind) {
  int kept = 0;
  for (int k = 0; k < count; ++k)
    if (others[k].kind != kind) others[kept++] = others[k];
  count = kept;
}

void AxisList::offer(const SeparatingAxis& axis) {
  SeparatingAxis lower = axis;
  if (axis.s > best.s || (axis.s == best.s && comes_before(axis, best))) std::swap(lower, best);
  if (lower.s < threshold() || lower.kind == AxisKind::none) return;
  if (count == int(others.size())) {
    // Full: drop those below the threshold, or else the lowest.
    int kept = 0, lowest = 0;
    for (int k = 0; k < count; ++k) {
      if (others[k].s < threshold()) continue;
      others[kept++] = others[k];
      if (others[kept - 1].s < others[lowest].s) lowest = kept - 1;
    }
    count = kept;
    if (kept == int(others.size())) {
      if (others[lowest].s < lower.s) others[lowest] = lower;
      return;
    }
  }
  others[count++] = lower;
}

void add_contact_points(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B, const Pose& X_AB,
                        const AxisList& axes, const CollideOptions& options, ContactPoints* out) {
  const double rounding = A.rounding + B.rounding;
  const double reach = options.margin + rounding;
  if (axes.best.s > reach) return;
  const double tolerance = kCertificate * size_of(A, B, X_AB);
  Manifold manifold;
  if (axes.best.s > 0.0)
    add_separated(A, B, X_AB, axes, reach, tolerance, &manifold);
  else
    add_overlapping(A, B, X_AB, axes, reach, tolerance, options.share_axes, &manifold);
  manifold.finish();
  if (manifold.count > options.max_points) manifold.reduce(options.max_points, reach);

  for (int i = 0; i < manifold.count; ++i) write(manifold.points[i], A, X_WA, rounding, out);
}

ContactPoint distance_from_axes(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                const Pose& X_AB, const AxisList& axes) {
  const double tolerance = kCertificate * size_of(A, B, X_AB);
  constexpr double kAnywhere = 1e300;
  Manifold manifold;
  if (axes.best.s > 0.0)
    add_separated(A, B, X_AB, axes, kAnywhere, tolerance, &manifold);
  else
    add_overlapping(A, B, X_AB, axes, kAnywhere, tolerance, false, &manifold);
  int deepest = 0;
  for (int i = 1; i < manifold.count; ++i)
    if (manifold.points[i].distance < manifold.points[deepest].distance) deepest = i;
  const ManifoldPoint& found = manifold.points[deepest];
  ContactPoint point;
  point.p_A = X_WA * Vec3(found.p_A + A.rounding * found.normal);
  point.normal = X_WA.R * found.normal;
  point.distance = found.distance - (A.rounding + B.rounding);
  point.feature = found.feature;
  return point;
}

}  // namespace stiction
