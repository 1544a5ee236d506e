#include "stiction/geometry/convex/gjk.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {
namespace {

constexpr int kMaxIterations = 128;
constexpr double kRoundOff = 2.2e-16;
constexpr double kFlat = 1e-13;             // volume of a flat tetrahedron, of its extent cubed
constexpr double kInsideError = 1e-14;      // error of a combination that should be zero, of the same extent
constexpr double kLevel = 8.0 * kRoundOff;  // relative: lengths that differ by less are equal
constexpr double kProgress = 0.9;           // of the gap between both bounds

struct Difference {
  Vec3 w = Vec3::Zero();  // b - a
  GjkVertex vertex;
};

struct Simplex {
  std::array<Difference, 4> d;
  int size = 0;

  bool has(const Difference& other) const {
    for (int i = 0; i < size; ++i)
      if (other.w == d[i].w) return true;
    return false;
  }
};

// State of the iteration.
struct Progress {
  Simplex simplex;
  Vec3 v = Vec3::Zero();  // its point nearest to the origin
  double length = 0.0;    // |v|
  Difference next;        // the support difference against v
  double bound = 0.0;     // v . next/|v|
};

// Barycentric coordinates of the point of a simplex nearest to the origin; zero for corners it does not need.
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
  // Measured from the nearer end, so that t = 1 gives the end itself exactly.
  return t < 0.5 ? Vec3(a + t * edge) : Vec3(s.d[j].w - (1.0 - t) * edge);
}

Vec3 nearest_on_triangle(const Simplex& s, int i, int j, int k, Shares* shares) {
  const Vec3 &a = s.d[i].w, &b = s.d[j].w, &c = s.d[k].w;
  const Vec3 m = (b - a).cross(c - a);
  const double area2 = m.squaredNorm();
  if (area2 > 0.0) {
    // The projection p of the origin; barycentric coordinates by signed areas in the coordinate plane with
    // the largest projected area.
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
  // All of the sign of the whole: the origin is inside, unless the tetrahedron is too flat to trust the
  // signs.
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
    // Only faces visible from the origin; all of them if the tetrahedron is flat.
    if (!is_flat && opposite[f] * volume > 0.0) continue;
    Shares on_face;
    const Vec3 p = nearest_on_triangle(s, faces[f][0], faces[f][1], faces[f][2], &on_face);
    if (p.squaredNorm() < best2) best = p, best2 = p.squaredNorm(), *shares = on_face;
  }
  return best;
}

// Moves to the nearest point of the simplex and keeps only the corners it needs.
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

// Calls visit(point, vertex) for the vertices that share an edge with a vertex of the core (numbered as in
// SupportPoint).
template <class Visit>
void visit_neighbours(const CollisionShape& shape, int vertex, const Visit& visit) {
  switch (shape.kind) {
    case ShapeKind::capsule:
      visit(Vec3(0.0, 0.0, vertex == 0 ? shape.size[1] : -shape.size[1]), 1 - vertex);
      break;
    case ShapeKind::box:
      for (const int bit : {1, 2, 4}) {
        const int other = vertex ^ bit;
        visit(Vec3((other & 1) != 0 ? shape.size.x() : -shape.size.x(),
                   (other & 2) != 0 ? shape.size.y() : -shape.size.y(),
                   (other & 4) != 0 ? shape.size.z() : -shape.size.z()),
              other);
      }
      break;
    case ShapeKind::hull: {
      const ConvexHull& hull = *shape.hull;
      for (int k = hull.neighbour_begin[vertex]; k < hull.neighbour_begin[vertex + 1]; ++k)
        visit(hull.vertices[hull.neighbours[k]], hull.neighbours[k]);
      break;
    }
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::cylinder:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
}

// Where an edge is almost perpendicular to v, its far end may be the support point, and a nearer point along
// the edge is then lost in round-off. Among the corners that share an edge of either core with the simplex,
// picks the one towards which |v| falls fastest; false if it falls towards none.
bool find_steepest_beside(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                          const Simplex& simplex, const Vec3& v, Difference* steepest) {
  double most = 0.0;
  for (int i = 0; i < simplex.size; ++i) {
    const Difference& from = simplex.d[i];
    const auto look = [&](const GjkVertex& to) {
      const Difference d{to.b - to.a, to};
      const Vec3 edge = d.w - from.w;
      const double slope = -v.dot(edge) / edge.norm();
      if (slope > most && !simplex.has(d)) most = slope, *steepest = d;
    };
    const GjkVertex& at = from.vertex;
    visit_neighbours(A, at.vertex_a, [&](const Vec3& p, int vertex) {
      look({p, at.b, vertex, at.vertex_b, 1.0});
    });
    visit_neighbours(B, at.vertex_b, [&](const Vec3& p, int vertex) {
      look({at.a, X_AB * p, at.vertex_a, vertex, 1.0});
    });
  }
  return most > 0.0;
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
  // Distances below the round-off of the coordinates count as overlap.
  const double size = core_extent(A) + core_extent(B) + X_AB.p.norm();
  const double touching = 8.0 * kRoundOff * size;

  // The support difference beyond the nearest point of the simplex.
  const auto look_beyond = [&](Progress* p) {
    p->length = p->v.norm();
    p->bound = -1e300;
    if (p->length <= touching || p->simplex.size == 4) return;
    // v points from A to B: the support difference against it.
    p->next = support(p->v, p->simplex.d[p->simplex.size - 1].vertex);
    p->bound = p->v.dot(p->next.w) / p->length;
  };
  const auto add_corner = [&](const Simplex& to, const Difference& corner, Progress* p) {
    std::copy_n(to.d.begin(), to.size, p->simplex.d.begin());
    p->simplex.d[to.size] = corner;
    p->simplex.size = to.size + 1;
    p->v = reduce(&p->simplex);
    look_beyond(p);
  };
  std::array<Progress, 2> states;
  Progress *now = &states[0], *grown = &states[1];
  now->simplex.d[0] = support(first, {});
  now->simplex.size = 1;
  now->v = now->simplex.d[0].w;
  look_beyond(now);
  result.lower_bound = -1e300;
  for (; result.iterations < kMaxIterations; ++result.iterations) {
    if (now->length <= touching || now->simplex.size == 4) {
      result.overlap = true;
      break;
    }
    result.lower_bound = std::max(result.lower_bound, now->bound);
    if (now->bound > options.far_enough) break;
    const double gap = now->length - result.lower_bound;
    if (gap <= options.tolerance * now->length) break;
    // Near the solution the length is flat and says less than the gap to the bound.
    const auto is_better = [&] {
      return grown->length < now->length || (grown->length <= (1.0 + kLevel) * now->length &&
                                             grown->length - grown->bound < kProgress * gap);
    };
    bool goes_on = false;
    if (!now->simplex.has(now->next)) {
      add_corner(now->simplex, now->next, grown);
      goes_on = is_better();
    }
    Difference corner;
    if (!goes_on && now->length - now->bound > touching &&
        find_steepest_beside(A, B, X_AB, now->simplex, now->v, &corner)) {
      add_corner(now->simplex, corner, grown);
      goes_on = is_better();
    }
    // No corner helps: round-off is reached.
    if (!goes_on) break;
    std::swap(now, grown);
  }
  const Simplex& simplex = now->simplex;
  const double length = now->length;
  const Vec3& v = now->v;

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
