#include "stiction/geometry/direction_search.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/capsule_pairs.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/epa.h"
#include "stiction/geometry/gjk.h"
#include "stiction/geometry/implicit.h"
#include "stiction/geometry/support.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 2.2e-16;
constexpr double kWindow = 0.1;   // rad: kinks this near to a direction are tried
constexpr double kOnKink = 1e-9;  // rad: directions this close to a kink are on it
constexpr double kErosion = 0.1;  // of the smallest size: overlaps up to this are shallow
constexpr double kStart = 1e-4;   // relative accuracy of a first direction from GJK
constexpr double kFineStart = 1e-10;
constexpr double kDeepStart = 1e-3;  // of the sizes, from EPA
constexpr double kFineDeepStart = 1e-7;
// Of the largest: needles and plates of 1 : 1e4 have curvatures 1 : 1e8 apart.
constexpr double kLeastCurvature = 1e-12;
constexpr int kMaxSteps = 40;
constexpr int kMaxRejected = 8;
constexpr int kMaxRounds = 6;
constexpr int kMaxLines = 12;
constexpr int kMaxFlats = 6;

// Directions across which a support function has a kink: n . e = 0 for the line e, n = m for the flat m.
struct Kinks {
  std::array<Vec3, kMaxLines> lines;
  std::array<Vec3, kMaxFlats> flats;
  int num_lines = 0, num_flats = 0;

  void line(const Vec3& e) {
    if (num_lines < kMaxLines) lines[num_lines++] = e;
  }
  void flat(const Vec3& m) {
    if (num_flats < kMaxFlats) flats[num_flats++] = m;
  }
};

// The edges that reach farthest along n with their lower end.
void add_highest_edges(const ConvexHull& hull, const Vec3& n, Kinks* kinks) {
  constexpr int kMost = kMaxLines - 2;
  std::array<double, kMost> reach;
  std::array<int, kMost> edge;
  int count = 0;
  for (int i = 0; i < static_cast<int>(hull.edges.size()); ++i) {
    const auto& ends = hull.edges[i].vertices;
    const double r = std::min(n.dot(hull.vertices[ends[0]]), n.dot(hull.vertices[ends[1]]));
    if (count == kMost && r <= reach[count - 1]) continue;
    int place = count < kMost ? count++ : count - 1;
    for (; place > 0 && reach[place - 1] < r; --place)
      reach[place] = reach[place - 1], edge[place] = edge[place - 1];
    reach[place] = r, edge[place] = i;
  }
  for (int i = 0; i < count; ++i) {
    const auto& ends = hull.edges[edge[i]].vertices;
    kinks->line((hull.vertices[ends[1]] - hull.vertices[ends[0]]).normalized());
  }
}

// Those near the direction n, in the frame of the shape; `wide`: edges beyond the support vertex too.
Kinks kinks_near(const CollisionShape& shape, const Vec3& n, bool wide) {
  Kinks kinks;
  switch (shape.kind) {
    case ShapeKind::capsule:
      if (std::abs(n.z()) < kWindow) kinks.line(Vec3::UnitZ());
      break;
    case ShapeKind::cylinder:
      if (std::abs(n.z()) < kWindow) kinks.line(Vec3::UnitZ());
      if (n.x() * n.x() + n.y() * n.y() < kWindow * kWindow)
        kinks.flat(Vec3(0, 0, std::copysign(1.0, n.z())));
      break;
    case ShapeKind::box:
      for (int i = 0; i < 3; ++i) {
        if (std::abs(n[i]) < kWindow) kinks.line(Vec3::Unit(i));
        if (std::abs(n[(i + 1) % 3]) < kWindow && std::abs(n[(i + 2) % 3]) < kWindow)
          kinks.flat(std::copysign(1.0, n[i]) * Vec3::Unit(i));
      }
      break;
    case ShapeKind::hull: {
      const ConvexHull& hull = *shape.hull;
      const int v = core_support(shape, n).vertex;
      if (wide) add_highest_edges(hull, n, &kinks);
      for (int k = hull.neighbour_begin[v]; k < hull.neighbour_begin[v + 1]; ++k) {
        const Vec3 e = (hull.vertices[hull.neighbours[k]] - hull.vertices[v]).normalized();
        if (std::abs(n.dot(e)) < kWindow) kinks.line(e);
      }
      for (const HullFace& face : hull.faces)
        if (face.normal.dot(n) > 1.0 - 0.5 * kWindow * kWindow) kinks.flat(face.normal);
      break;
    }
    default:
      break;
  }
  return kinks;
}

bool is_smooth(const CollisionShape& s) {
  return s.kind == ShapeKind::ellipsoid || s.kind == ShapeKind::superellipsoid;
}

// Whether the point q lies in the core, to `slack` (m).
bool holds(const CollisionShape& shape, const Vec3& q, double slack) {
  switch (shape.kind) {
    case ShapeKind::capsule:
      return q.head<2>().norm() <= slack && std::abs(q.z()) <= shape.size[1] + slack;
    case ShapeKind::cylinder:
      return q.head<2>().norm() <= shape.size[0] + slack && std::abs(q.z()) <= shape.size[1] + slack;
    case ShapeKind::box:
      return (q.cwiseAbs() - shape.size).maxCoeff() <= slack;
    case ShapeKind::ellipsoid:
      return q.cwiseQuotient(shape.size).norm() <= 1.0 + slack / shape.size.maxCoeff();
    case ShapeKind::superellipsoid: {
      const Vec3 u = q.cwiseQuotient(shape.size).cwiseAbs();
      const double p2 = 2.0 / shape.e2, p1 = 2.0 / shape.e1;
      const double m = std::pow(std::pow(u.x(), p2) + std::pow(u.y(), p2), 1.0 / p2);
      return std::pow(std::pow(m, p1) + std::pow(u.z(), p1), 1.0 / p1) <= 1.0 + slack / shape.size.maxCoeff();
    }
    case ShapeKind::hull:
      for (const HullFace& face : shape.hull->faces)
        if (face.normal.dot(q) > face.offset + slack) return false;
      return true;
    default:
      return q.norm() <= slack;
  }
}

// The middle of the edge or flat part to which the support point s belongs, where there is one.
Vec3 middle_of_support(const CollisionShape& shape, const Vec3& s, const Vec3& n) {
  Vec3 middle = s;
  if (shape.kind == ShapeKind::box) {
    for (int i = 0; i < 3; ++i)
      if (std::abs(n[i]) < kOnKink) middle[i] = 0.0;
  } else if (shape.kind == ShapeKind::capsule || shape.kind == ShapeKind::cylinder) {
    if (std::abs(n.z()) < kOnKink) middle.z() = 0.0;
    if (n.head<2>().norm() < kOnKink) middle.head<2>().setZero();
  } else if (shape.kind == ShapeKind::hull) {
    // The mean of the vertices level with it.
    const ConvexHull& hull = *shape.hull;
    const int v = core_support(shape, n).vertex;
    int count = 1;
    for (int k = hull.neighbour_begin[v]; k < hull.neighbour_begin[v + 1]; ++k) {
      const Vec3& other = hull.vertices[hull.neighbours[k]];
      if (std::abs(n.dot(other - s)) <= kOnKink * (other - s).norm()) middle += other, ++count;
    }
    middle /= count;
  }
  return middle;
}

struct Search {
  const CollisionShape& A;
  const CollisionShape& B;
  const Pose& X_AB;
  double size;  // m, of both cores

  // g, its gradient p + s_B - s_A, and what the Hessians are made of.
  struct Value {
    Vec3 n;
    double g = 0.0;
    Vec3 gradient;
    SupportJet a, b;  // b in B's frame
  };

  Value at(const Vec3& n) const {
    Value v;
    v.n = n;
    v.a = support_jet(A, n);
    v.b = support_jet(B, -(X_AB.R.transpose() * n));
    v.gradient = X_AB.p + X_AB.R * v.b.s - v.a.s;
    v.g = n.dot(v.gradient);
    return v;
  }

  double curvature(const Value& v, const Vec3& s, const Vec3& t) const {
    return s.dot(v.a.H * t) + (X_AB.R.transpose() * s).dot(v.b.H * (X_AB.R.transpose() * t));
  }

  // Whether a step from v to w is progress: g grows, or stays to round-off while the slope falls.
  bool improves(const Value& v, double slope, const Value& w, double next_slope) const {
    return w.g > v.g || (w.g > v.g - 8.0 * kRoundOff * size && next_slope < 0.5 * slope);
  }

  // Newton's method on the whole sphere.
  Value climb(const Vec3& start) const {
    Value v = at(start);
    double shift = 0.0;
    for (int step = 0, rejected = 0; step < kMaxSteps && rejected < kMaxRejected; ++step) {
      const Mat3 frame = frame_with_z(v.n);
      const Vec3 t1 = frame.col(0), t2 = frame.col(1);
      const double r1 = t1.dot(v.gradient), r2 = t2.dot(v.gradient), slope = std::hypot(r1, r2);
      if (slope <= 2.0 * kRoundOff * size) break;
      const double m11 = curvature(v, t1, t1) + v.g, m12 = curvature(v, t1, t2),
                   m22 = curvature(v, t2, t2) + v.g;
      const double mean = 0.5 * (m11 + m22), spread = std::hypot(0.5 * (m11 - m22), m12),
                   least = mean - spread;
      // The shift keeps the model concave and the step below about half a radian.
      const double floor = std::max(kLeastCurvature * (std::abs(mean) + spread),
                                    2.0 * slope - least > 0.0 && least <= 0.0 ? 2.0 * slope : 0.0);
      const double add = shift + std::max(0.0, floor - least);
      const double a = m11 + add, c = m22 + add, det = a * c - m12 * m12;
      double d1 = (c * r1 - m12 * r2) / det, d2 = (a * r2 - m12 * r1) / det;
      const double length = std::hypot(d1, d2);
      if (!(length > 0.5 * kRoundOff)) break;
      if (length > 0.5) d1 *= 0.5 / length, d2 *= 0.5 / length;
      const Value w = at((v.n + d1 * t1 + d2 * t2).normalized());
      const double next_slope = std::sqrt(std::max(0.0, w.gradient.squaredNorm() - w.g * w.g));
      if (improves(v, slope, w, next_slope)) {
        v = w;
        shift *= 0.1;
        if (shift < 1e-6 * spread) shift = 0.0;
        rejected = 0;
      } else {
        shift = std::max(4.0 * (shift + std::max(0.0, floor - least)), 0.5 * (std::abs(mean) + spread));
        ++rejected;
      }
    }
    return v;
  }

  // The same on the great circle across e.
  Value climb_across(const Vec3& e, const Vec3& start) const {
    Vec3 n = start - e * e.dot(start);
    Value v = at(n.normalized());
    double shift = 0.0;
    for (int step = 0, rejected = 0; step < kMaxSteps && rejected < kMaxRejected; ++step) {
      const Vec3 t = e.cross(v.n);
      const double r = t.dot(v.gradient), slope = std::abs(r);
      if (slope <= 2.0 * kRoundOff * size) break;
      const double m = curvature(v, t, t) + v.g,
                   floor = std::max(kLeastCurvature * std::abs(m), m <= 0.0 ? 2.0 * slope : 0.0);
      const double d = std::clamp(r / (shift + std::max(m, floor)), -0.5, 0.5);
      if (!(std::abs(d) > 0.5 * kRoundOff)) break;
      n = v.n + d * t;
      n -= e * e.dot(n);
      const Value w = at(n.normalized());
      const double next_slope = std::abs(e.cross(w.n).dot(w.gradient));
      if (improves(v, slope, w, next_slope)) {
        v = w;
        shift *= 0.1;
        rejected = 0;
      } else {
        shift = std::max(4.0 * shift, std::abs(m));
        ++rejected;
      }
    }
    return v;
  }

  // The curvatures of a superellipsoid across its normal m at its point x, in the basis t: dm = K dx.
  static Eigen::Matrix2d curvatures(const CollisionShape& shape, const Vec3& x,
                                    const Eigen::Matrix<double, 3, 2>& t) {
    const ImplicitValue f = implicit_of_core(shape, x);
    return t.transpose() * f.hessian * t / f.gradient.norm();
  }

  // Newton's method for a superellipsoid, on its surface: its support point hardly depends on n at an edge
  // and very much on a flat side, but n is a smooth function of the point x everywhere. With r the slope,
  //   (1 + (H_other + g) K) dx = r,      n = normal at x + dx,
  // on whichever body is flatter at the place.
  Value climb_on_surface(const Vec3& start) const {
    Value v = at(start);
    double damping = 1.0;
    for (int step = 0, rejected = 0; step < 3 * kMaxSteps && rejected < 2 * kMaxRejected; ++step) {
      const Mat3 frame = frame_with_z(v.n);
      const Eigen::Matrix<double, 3, 2> t = frame.leftCols<2>();
      const Eigen::Matrix<double, 3, 2> t_b = X_AB.R.transpose() * t;
      const Eigen::Vector2d r = t.transpose() * v.gradient;
      const double slope = r.norm();
      if (slope <= 2.0 * kRoundOff * size) break;
      const Eigen::Matrix2d Ha = t.transpose() * v.a.H * t, Hb = t_b.transpose() * v.b.H * t_b;
      const bool on_a = A.kind == ShapeKind::superellipsoid &&
                        (B.kind != ShapeKind::superellipsoid || Ha.trace() >= Hb.trace());
      Eigen::Matrix2d radii = on_a ? Hb : Ha;
      radii.diagonal().array() += v.g;
      const Eigen::Matrix2d K = on_a ? curvatures(A, v.a.s, t) : curvatures(B, v.b.s, t_b);
      Eigen::Matrix2d M = radii * K;
      M.diagonal().array() += 1.0;
      const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
      Eigen::Vector2d dx = r;
      if (det > 1e-6)
        dx = Eigen::Vector2d(M(1, 1) * r[0] - M(0, 1) * r[1], M(0, 0) * r[1] - M(1, 0) * r[0]) / det;
      const double length = dx.norm(), longest = 0.5 * size;
      if (length > longest) dx *= longest / length;
      dx *= damping;
      Vec3 n;
      if (on_a) {
        n = implicit_of_core(A, v.a.s + t * dx).gradient;
      } else {
        n = -(X_AB.R * implicit_of_core(B, v.b.s - t_b * dx).gradient);
      }
      const Value w = at(n.normalized());
      const double next_slope = std::sqrt(std::max(0.0, w.gradient.squaredNorm() - w.g * w.g));
      if (improves(v, slope, w, next_slope)) {
        v = w;
        damping = std::min(1.0, 4.0 * damping);
        rejected = 0;
      } else {
        damping *= 0.25;
        ++rejected;
      }
    }
    return v;
  }

  // The same on the great circle across e, by bisection of the slope: a superellipsoid's turns too sharply
  // for Newton's method there.
  Value bisect_across(const Vec3& e, const Vec3& start) const {
    const Vec3 n0 = (start - e * e.dot(start)).normalized(), t0 = e.cross(n0);
    const auto value = [&](double angle) { return at(std::cos(angle) * n0 + std::sin(angle) * t0); };
    const auto slope = [&](const Value& v) { return e.cross(v.n).dot(v.gradient); };
    Value best = value(0.0);
    const double first = slope(best);
    if (first == 0.0) return best;
    const double way = first > 0.0 ? 1.0 : -1.0;
    double inside = 0.0, outside = 0.0;
    for (double reach = 1e-3; reach < 1.6; reach *= 2.0) {
      const Value v = value(way * reach);
      if (slope(v) * way <= 0.0) {
        outside = reach;
        break;
      }
      inside = reach;
    }
    if (outside == 0.0) return best;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (inside + outside);
      const Value v = value(way * middle);
      if (v.g > best.g) best = v;
      (slope(v) * way > 0.0 ? inside : outside) = middle;
    }
    // The slope knows the place better than the value, which is level there.
    const Value last = value(way * 0.5 * (inside + outside));
    return last.g > best.g - 8.0 * kRoundOff * size ? last : best;
  }

  // Whether both bodies show an edge, and the edges cross, seen along n.
  bool edges_meet(const Value& v, double slack) const {
    const SupportSet a = support_set(A, v.n), b = support_set(B, -(X_AB.R.transpose() * v.n));
    if (a.kind != SupportSet::Kind::segment || b.kind != SupportSet::Kind::segment) return false;
    const SegmentPoints near =
        nearest_of_segments(a.centre, a.axis, a.half, X_AB * b.centre - v.g * v.n, X_AB.R * b.axis, b.half);
    return (near.b - near.a).squaredNorm() <= slack * slack;
  }

  // The first-order condition: one of the support points, moved along n, lands in the other core.
  bool is_settled(const Value& v) const {
    const double slack = 1e-12 * size;
    const Vec3 step = v.g * v.n;
    const auto lands_in_a = [&](const Vec3& b) { return holds(A, X_AB * b - step, slack); };
    const auto lands_in_b = [&](const Vec3& a) {
      return holds(B, X_AB.R.transpose() * (a + step - X_AB.p), slack);
    };
    return lands_in_a(v.b.s) || lands_in_b(v.a.s) ||
           lands_in_a(middle_of_support(B, v.b.s, -(X_AB.R.transpose() * v.n))) ||
           lands_in_b(middle_of_support(A, v.a.s, v.n)) || edges_meet(v, slack);
  }

  // Tries every choice of parts near n.
  Value refine(const Vec3& start) const {
    Value best = at(start);
    const bool has_hull = A.kind == ShapeKind::hull || B.kind == ShapeKind::hull;
    for (int round = 0; round < kMaxRounds; ++round) {
      const Vec3 n = best.n;
      const Kinks ka = kinks_near(A, n, round > 0), kb = kinks_near(B, -(X_AB.R.transpose() * n), round > 0);
      const auto take = [&](const Value& v) {
        const bool is_best = v.g > best.g - 8.0 * kRoundOff * size && (v.g > best.g || is_settled(v));
        if (is_best) best = v;
        return is_best && is_settled(v);
      };
      bool done = false;
      for (int i = 0; i < ka.num_flats && !done; ++i) done = take(at(ka.flats[i]));
      for (int i = 0; i < kb.num_flats && !done; ++i) done = take(at(-(X_AB.R * kb.flats[i])));
      for (int i = 0; i < ka.num_lines && !done; ++i) {
        for (int j = 0; j < kb.num_lines && !done; ++j) {
          const Vec3 across = ka.lines[i].cross(X_AB.R * kb.lines[j]);
          const double length = across.norm();
          if (length < 1e-6) continue;  // parallel: one of the lines alone will do
          done = take(at((n.dot(across) < 0.0 ? -1.0 : 1.0) / length * across));
        }
      }
      const bool turns_sharply = A.kind == ShapeKind::superellipsoid || B.kind == ShapeKind::superellipsoid;
      const auto across = [&](const Vec3& e) {
        return turns_sharply ? bisect_across(e, n) : climb_across(e, n);
      };
      for (int i = 0; i < ka.num_lines && !done; ++i) done = take(across(ka.lines[i]));
      for (int j = 0; j < kb.num_lines && !done; ++j) done = take(across(X_AB.R * kb.lines[j]));
      if (!done) done = take(turns_sharply ? climb_on_surface(n) : climb(n));
      const bool stays = (best.n - n).squaredNorm() < 0.25 * kWindow * kWindow;
      if (done || (stays && (round > 0 || !has_hull))) break;
    }
    return best;
  }

  // The best of the axes of both shapes, for overlapping bodies.
  Value best_axis() const {
    Value best = at(X_AB.p.norm() > 0.0 ? Vec3(X_AB.p.normalized()) : Vec3::UnitX());
    const auto look = [&](const Vec3& n) {
      for (const double sign : {1.0, -1.0}) {
        if (separation_along(A, B, X_AB, sign * n) > best.g) best = at(sign * n);
      }
    };
    for (int i = 0; i < 3; ++i) look(Vec3::Unit(i)), look(X_AB.R.col(i));
    for (const CollisionShape* shape : {&A, &B}) {
      if (shape->kind != ShapeKind::hull) continue;
      for (const HullFace& face : shape->hull->faces)
        look(shape == &A ? face.normal : Vec3(X_AB.R * face.normal));
    }
    return best;
  }
};

CollisionShape eroded(const CollisionShape& shape) {
  CollisionShape inner = shape;
  if (shape.kind == ShapeKind::cylinder) {
    const double less = kErosion * std::min(shape.size[0], shape.size[1]);
    inner.size[0] -= less;
    inner.size[1] -= less;
  } else if (shape.kind == ShapeKind::box || is_smooth(shape)) {
    inner.size.array() -= kErosion * shape.size.minCoeff();
  }
  return inner;
}

}  // namespace

SupportSet support_set(const CollisionShape& shape, const Vec3& n) {
  SupportSet set;
  set.centre = core_support(shape, n).p;
  const auto edge = [&](const Vec3& centre, const Vec3& axis, double half) {
    set.kind = SupportSet::Kind::segment;
    set.centre = centre, set.axis = axis, set.half = half;
  };
  switch (shape.kind) {
    case ShapeKind::capsule:
      if (std::abs(n.z()) <= kOnKink) edge(Vec3::Zero(), Vec3::UnitZ(), shape.size[1]);
      break;
    case ShapeKind::cylinder:
      if (std::abs(n.z()) <= kOnKink)
        edge(Vec3(set.centre.x(), set.centre.y(), 0.0), Vec3::UnitZ(), shape.size[1]);
      if (n.head<2>().norm() <= kOnKink) set.kind = SupportSet::Kind::flat;
      break;
    case ShapeKind::box: {
      int flat = 0, axis = 0;
      for (int i = 0; i < 3; ++i)
        if (std::abs(n[i]) <= kOnKink) ++flat, axis = i;
      if (flat == 1) {
        set.centre[axis] = 0.0;
        edge(set.centre, Vec3::Unit(axis), shape.size[axis]);
      }
      if (flat == 2) set.kind = SupportSet::Kind::flat;
      break;
    }
    case ShapeKind::hull: {
      const ConvexHull& hull = *shape.hull;
      const int v = core_support(shape, n).vertex;
      int other = -1, count = 0;
      for (int k = hull.neighbour_begin[v]; k < hull.neighbour_begin[v + 1]; ++k) {
        const Vec3 e = hull.vertices[hull.neighbours[k]] - hull.vertices[v];
        if (std::abs(n.dot(e)) <= kOnKink * e.norm()) other = hull.neighbours[k], ++count;
      }
      if (count == 1) {
        const Vec3 e = hull.vertices[other] - hull.vertices[v];
        edge(0.5 * (hull.vertices[other] + hull.vertices[v]), e.normalized(), 0.5 * e.norm());
      }
      if (count > 1) set.kind = SupportSet::Kind::flat;
      break;
    }
    default:
      break;
  }
  return set;
}

bool is_soon_separated(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, double reach,
                       PairMemory* memory) {
  constexpr int kSteps = 4;
  const double enough = std::max(reach, 0.0) + 1e-12 * (core_extent(A) + core_extent(B) + X_AB.p.norm());
  if (memory != nullptr && separation_along(A, B, X_AB, memory->axis) > enough) return true;
  Vec3 x = X_AB.p + X_AB.R * B.box_centre - A.box_centre;
  for (int step = 0; step < kSteps; ++step) {
    const double length2 = x.squaredNorm();
    if (!(length2 > 0.0)) return false;
    const Vec3 w = X_AB * core_support(B, -(X_AB.R.transpose() * x)).p - core_support(A, x).p;
    const double along = x.dot(w);
    if (along > 0.0 && along * along > enough * enough * length2) {
      if (memory != nullptr) memory->axis = x / std::sqrt(length2);
      return true;
    }
    const Vec3 way = w - x;
    const double way2 = way.squaredNorm();
    if (!(way2 > 0.0)) return false;
    x += std::clamp((length2 - along) / way2, 0.0, 1.0) * way;
  }
  return false;
}

double separation_along(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB, const Vec3& n) {
  return n.dot(X_AB.p) - core_reach(A, n) - core_reach(B, -(X_AB.R.transpose() * n));
}

Separation largest_separation(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                              double far_enough) {
  const Search search{A, B, X_AB, core_extent(A) + core_extent(B)};
  const auto answer = [](const Search::Value& v) { return Separation{v.g, v.n}; };

  // Two smooth bodies need no start beyond a guess: the direction that would be right for small ones of the
  // shape of the sum.
  Search::Value best;
  best.g = -1e300;
  bool is_shallow = false;
  if (A.kind == ShapeKind::ellipsoid && B.kind == ShapeKind::ellipsoid) {
    Mat3 sum = X_AB.R * B.size.cwiseAbs2().asDiagonal() * X_AB.R.transpose();
    sum.diagonal() += A.size.cwiseAbs2();
    const Vec3 guess = sum.inverse() * X_AB.p;
    const double length = guess.norm();
    best = search.climb(length > 0.0 ? Vec3(guess / length) : Vec3::UnitX());
    if (best.g >= 0.0) return answer(best);
    // A shallow overlap for sure: A's support point lies in B.
    is_shallow = -best.g <= kErosion * std::min(A.size.minCoeff(), B.size.minCoeff()) &&
                 search.is_settled(best) && holds(B, X_AB.R.transpose() * (best.a.s - X_AB.p), 0.0);
  }

  // From cores made a little smaller, which are apart if the overlap is shallow.
  if (!is_shallow) {
    GjkOptions options;
    options.tolerance = kStart;
    options.far_enough = far_enough + 2.0 * (core_radius(A) + core_radius(B)) + search.size;
    const GjkResult gjk = gjk_distance(eroded(A), eroded(B), X_AB, options);
    if (!gjk.overlap) {
      const Search::Value first = search.at(gjk.normal);
      if (first.g > far_enough) return answer(first);
      const Search::Value refined = search.refine(gjk.normal);
      if (refined.g > best.g) best = refined;
      if (best.g >= 0.0 && search.is_settled(best)) return answer(best);
    }
    // Second thoughts, with more accurate first directions.
    const GjkResult whole = gjk_distance(A, B, X_AB, {kFineStart, 1e300, Vec3::Zero()});
    if (!whole.overlap) {
      if (best.g < whole.lower_bound || !search.is_settled(best)) {
        const Search::Value refined = search.refine(whole.normal);
        if (refined.g > best.g) best = refined;
      }
      return answer(best);
    }
    // Deep inside: the shortest way out may lead anywhere.
    if (gjk.overlap || !search.is_settled(best)) {
      for (const double tolerance : {kDeepStart, kFineDeepStart}) {
        const EpaResult epa = epa_depth(A, B, X_AB, whole, tolerance);
        const Search::Value refined = search.refine(epa.normal);
        if (refined.g > best.g) best = refined;
        if (search.is_settled(best)) break;
      }
    }
  }
  const Search::Value axis = search.best_axis();
  if (axis.g > best.g) {
    const Search::Value refined = search.refine(axis.n);
    if (refined.g > best.g) best = refined;
  }
  return answer(best);
}

}  // namespace stiction
