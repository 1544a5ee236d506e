#include "stiction/geometry/gjk.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex_hull.h"

namespace stiction {
namespace {

constexpr int kMaxIterations = 128;
constexpr double kRoundOff = 2.2e-16;
constexpr double kFlat = 1e-13;         // volume of a flat tetrahedron, of its reach cubed
constexpr double kInsideError = 1e-14;  // error of a combination that should be zero, of the same reach

struct Difference {
  Vec3 w = Vec3::Zero();  // b - a
  GjkVertex vertex;
};

struct Simplex {
  std::array<Difference, 4> d;
  int size = 0;
};

// The shares of the point of a simplex nearest to the origin; corners it does not need have none.
using Shares = std::array<double, 4>;

// det of three columns.
double triple(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

Vec3 nearest_on_edge(const Simplex& s, int i, int j, Shares* shares) {
  const Vec3 &a = s.d[i].w, edge = s.d[j].w - a;
  const double length2 = edge.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp(-a.dot(edge) / length2, 0.0, 1.0) : 0.0;
  shares->fill(0.0);
  (*shares)[i] = 1.0 - t;
  (*shares)[j] = t;
  // From the nearer end, so that t = 1 gives the end itself.
  return t < 0.5 ? Vec3(a + t * edge) : Vec3(s.d[j].w - (1.0 - t) * edge);
}

Vec3 nearest_on_triangle(const Simplex& s, int i, int j, int k, Shares* shares) {
  const Vec3 &a = s.d[i].w, &b = s.d[j].w, &c = s.d[k].w;
  const Vec3 m = (b - a).cross(c - a);
  const double area2 = m.squaredNorm();
  if (area2 > 0.0) {
    // The origin's projection p; shares by signed areas on the coordinate plane that sees most of it.
    const Vec3 p = (a.dot(m) / area2) * m;
    int drop = 0;
    m.cwiseAbs().maxCoeff(&drop);
    const int x = (drop + 1) % 3, y = (drop + 2) % 3;
    const auto area = [&](const Vec3& u, const Vec3& v, const Vec3& w) {
      return (v[x] - u[x]) * (w[y] - u[y]) - (v[y] - u[y]) * (w[x] - u[x]);
    };
    const double whole = area(a, b, c);
    const double sa = area(p, b, c) / whole, sb = area(a, p, c) / whole, sc = area(a, b, p) / whole;
    if (sa >= 0.0 && sb >= 0.0 && sc >= 0.0) {
      shares->fill(0.0);
      const double sum = sa + sb + sc;
      (*shares)[i] = sa / sum, (*shares)[j] = sb / sum, (*shares)[k] = sc / sum;
      return p;
    }
  }
  // Outside, or flat: the nearest of the sides.
  Vec3 best = nearest_on_edge(s, i, j, shares);
  const std::array<std::array<int, 2>, 2> others{{{j, k}, {k, i}}};
  for (const auto& side : others) {
    Shares on_side;
    const Vec3 p = nearest_on_edge(s, side[0], side[1], &on_side);
    if (p.squaredNorm() < best.squaredNorm()) best = p, *shares = on_side;
  }
  return best;
}

Vec3 nearest_on_tetrahedron(const Simplex& s, Shares* shares) {
  const Vec3 &a = s.d[0].w, &b = s.d[1].w, &c = s.d[2].w, &e = s.d[3].w;
  const double volume = triple(b - a, c - a, e - a);
  const double va = triple(b, c, e), vb = -triple(a, c, e), vc = triple(a, b, e), ve = -triple(a, b, c);
  // All of the sign of the whole: the origin is inside, unless the tetrahedron is too flat for signs to tell.
  const double reach = std::max({a.norm(), b.norm(), c.norm(), e.norm()});
  if (va * volume >= 0.0 && vb * volume >= 0.0 && vc * volume >= 0.0 && ve * volume >= 0.0 && volume != 0.0) {
    *shares = {va / volume, vb / volume, vc / volume, ve / volume};
    const Vec3 p = (*shares)[0] * a + (*shares)[1] * b + (*shares)[2] * c + (*shares)[3] * e;
    if (p.norm() <= kInsideError * reach) return Vec3::Zero();
  }
  Vec3 best = Vec3::Zero();
  double best2 = 1e300;
  const std::array<std::array<int, 3>, 4> faces{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};
  const std::array<double, 4> opposite{va, vb, vc, ve};
  const bool is_flat = std::abs(volume) <= kFlat * reach * reach * reach;
  for (int f = 0; f < 4; ++f) {
    // Only faces that see the origin; all of them where the tetrahedron is flat.
    if (!is_flat && opposite[f] * volume > 0.0) continue;
    Shares on_face;
    const Vec3 p = nearest_on_triangle(s, faces[f][0], faces[f][1], faces[f][2], &on_face);
    if (p.squaredNorm() < best2) best = p, best2 = p.squaredNorm(), *shares = on_face;
  }
  return best;
}

// Moves to the nearest point and keeps only the corners it needs.
Vec3 reduce(Simplex* s) {
  Shares shares{1.0, 0.0, 0.0, 0.0};
  Vec3 v = s->d[0].w;
  if (s->size == 2) v = nearest_on_edge(*s, 0, 1, &shares);
  if (s->size == 3) v = nearest_on_triangle(*s, 0, 1, 2, &shares);
  if (s->size == 4) v = nearest_on_tetrahedron(*s, &shares);
  int kept = 0;
  for (int i = 0; i < s->size; ++i) {
    if (!(shares[i] > 0.0)) continue;
    if (kept != i) s->d[kept] = s->d[i];
    s->d[kept++].vertex.share = shares[i];
  }
  s->size = kept;
  return v;
}

}  // namespace

GjkVertex support_difference(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                             const Vec3& n, const GjkVertex& hint) {
  const SupportPoint a = core_support(A, n, hint.vertex_a);
  const SupportPoint b = core_support(B, X_AB.R.transpose() * -n, hint.vertex_b);
  return {a.p, X_AB * b.p, a.vertex, b.vertex, 1.0};
}

GjkResult gjk_distance(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                       const GjkOptions& options) {
  const auto support = [&](const Vec3& n, const GjkVertex& hint) {
    const GjkVertex vertex = support_difference(A, B, X_AB, n, hint);
    return Difference{vertex.b - vertex.a, vertex};
  };
  GjkResult result;
  Vec3 first = options.axis;
  if (first.isZero(0.0)) {
    first = X_AB.p;
    if (A.kind == ShapeKind::hull) first -= A.hull->centre;
    if (B.kind == ShapeKind::hull) first += X_AB.R * B.hull->centre;
    if (first.isZero(0.0)) first = Vec3::UnitX();
  }
  // Nothing smaller than round-off of the numbers involved can be told from contact.
  const double size = core_extent(A) + core_extent(B) + X_AB.p.norm();
  const double touching = 8.0 * kRoundOff * size;

  Simplex simplex;
  simplex.d[0] = support(first, {});
  simplex.size = 1;
  Vec3 v = simplex.d[0].w;
  double length = v.norm();
  result.lower_bound = -1e300;
  for (; result.iterations < kMaxIterations; ++result.iterations) {
    if (length <= touching || simplex.size == 4) {
      result.overlap = true;
      break;
    }
    // v points from A to B: the support difference against it.
    const Difference next = support(v, simplex.d[simplex.size - 1].vertex);
    const double bound = v.dot(next.w) / length;
    result.lower_bound = std::max(result.lower_bound, bound);
    if (bound > options.far_enough) break;
    if (length - result.lower_bound <= options.tolerance * length) break;
    bool is_known = false;
    for (int i = 0; i < simplex.size; ++i) is_known = is_known || next.w == simplex.d[i].w;
    if (is_known) break;
    Simplex grown = simplex;
    grown.d[grown.size++] = next;
    const Vec3 nearer = reduce(&grown);
    const double shorter = nearer.norm();
    // Round-off is reached where the new corner does not help.
    if (!(shorter < length)) break;
    simplex = grown;
    v = nearer;
    length = shorter;
  }

  result.size = simplex.size;
  for (int i = 0; i < simplex.size; ++i) {
    result.simplex[i] = simplex.d[i].vertex;
    result.p_a += simplex.d[i].vertex.share * simplex.d[i].vertex.a;
    result.p_b += simplex.d[i].vertex.share * simplex.d[i].vertex.b;
  }
  result.distance = result.overlap ? 0.0 : length;
  if (length > 0.0) result.normal = v / length;
  if (result.overlap) result.lower_bound = 0.0;
  return result;
}

}  // namespace stiction
