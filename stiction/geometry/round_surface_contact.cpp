// Capsules, the mantles of cylinders, spheres and other smooth shapes on a surface of triangles.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/geometry/contact_patch.h"
#include "stiction/geometry/patch_outline.h"
#include "stiction/geometry/primitive_pairs.h"
#include "stiction/geometry/support.h"
#include "stiction/geometry/surface_contact.h"

namespace stiction {
namespace {

// Names of the points of a smooth shape within one part: begin, nearest, end.
int part_name(int part, int place) { return 4 * part + place; }

// Directions this near to a right angle with the axis are across it: the surface is missed by half the
// square.
constexpr double kAcross = 1e-6;

// Cuts [t0, t1] with the half-line where f, going from f0 at t = 0 to f1 at t = 1, is not positive.
bool cut_above(double f0, double f1, double* t0, double* t1) {
  if (f0 <= 0.0 && f1 <= 0.0) return true;
  if (f0 > 0.0 && f1 > 0.0) return false;
  const double t = f0 / (f0 - f1);
  if (f0 > 0.0)
    *t0 = std::max(*t0, t);
  else
    *t1 = std::min(*t1, t);
  return *t0 <= *t1;
}

// A part of a segment, or the one point of a smooth shape, with what it stands above.
struct Part {
  double measure = 0.0, depth = 0.0;
  std::size_t begin = 0, end = 0;
};

// The share of each part: those as deep as itself count, shallower ones by the ratio of the depths.
void share(const std::vector<Part>& parts, bool whole, double least, std::vector<SurfacePoint>* points) {
  for (const Part& part : parts) {
    double sum = 0.0;
    for (const Part& other : parts)
      sum += other.measure * std::min(1.0, std::max(other.depth, least) / std::max(part.depth, least));
    const double s = whole ? (sum > 0.0 ? part.measure / sum : 1.0) : 1.0 / std::max(1.0, sum);
    for (std::size_t i = part.begin; i < part.end; ++i) (*points)[i].weight *= s;
  }
}

bool bears(SideKind kind) { return kind == SideKind::convex || kind == SideKind::boundary; }

// Calls visit(triangle, i) once for every corner i of the piece where a convex or boundary side ends and that
// lies in the box around the shape, margin included.
template <class Visit>
void for_each_vertex(const SurfacePiece& piece, const Visitor& visitor, std::vector<int>* seen,
                     const Visit& visit) {
  const Vec3 centre = visitor.centre();
  const Vec3 half = visitor.X_SA.R.cwiseAbs() * visitor.shape.box_half + Vec3::Constant(visitor.margin);
  seen->clear();
  for (const PieceTriangle& t : piece.triangles) {
    for (int i = 0; i < 3; ++i) {
      if (!bears(t.kinds[i]) && !bears(t.kinds[i == 0 ? 2 : i - 1])) continue;
      if (((t.corners[i] - centre).cwiseAbs() - half).maxCoeff() > 0.0) continue;
      if (std::find(seen->begin(), seen->end(), t.vertices[i]) != seen->end()) continue;
      seen->push_back(t.vertices[i]);
      visit(t, i);
    }
  }
}

struct Scratch {
  std::vector<Part> parts;
  std::vector<int> seen;
  std::vector<Outline::Interval> intervals;
};

class SegmentContact {
 public:
  SegmentContact(const Visitor& visitor, const SurfacePiece& piece, Scratch* scratch,
                 std::vector<SurfacePoint>* out)
      : visitor_(visitor),
        piece_(piece),
        out_(out),
        parts_(scratch->parts),
        seen_(scratch->seen),
        intervals_(scratch->intervals) {
    const CollisionShape& shape = visitor.shape;
    axis_ = visitor.X_SA.R.col(2);
    a_ = visitor.X_SA.p - shape.size[1] * axis_;
    way_ = 2.0 * shape.size[1] * axis_;
    mantle_ = shape.kind == ShapeKind::cylinder;
    radius_ = mantle_ ? shape.size[0] : core_radius(shape);
    rounding_ = mantle_ ? shape.rounding : 0.0;
  }

  void collide() {
    parts_.clear();
    for (const PiecePatch& patch : piece_.patches) {
      if (visitor_.lowest(patch) <= visitor_.margin) above_patch(patch);
    }
    for (const PieceTriangle& t : piece_.triangles)
      for (int i = 0; i < 3; ++i)
        if (t.names_side(i) && bears(t.kinds[i])) above_edge(t, i);
    for_each_vertex(piece_, visitor_, &seen_, [this](const PieceTriangle& t, int i) { above_vertex(t, i); });
    share(parts_, false, 1e-14 * piece_.size, out_);
  }

 private:
  Vec3 at(double t) const { return a_ + t * way_; }

  // The weights of the two ends where the segment meets a plane with normal n.
  std::array<double, 2> end_weights(const Vec3& n) const {
    if (!mantle_) return {0.5, 0.5};
    const double c = axis_.dot(n), disc = std::clamp((std::abs(c) - kDiscBegin) / kDiscWidth, 0.0, 1.0);
    // The end whose disc looks down, and is the lower one, leaves its share to the disc.
    std::array<double, 2> w{0.25, 0.25};
    w[c < 0.0 ? 1 : 0] *= 1.0 - disc;
    return w;
  }

  void above_patch(const PiecePatch& patch) {
    const std::array<double, 2> ends = end_weights(patch.normal);
    // The lowest line of the mantle, or the core of the capsule.
    Vec3 low = Vec3::Zero();
    if (mantle_) low = radius_ * lowest_across(axis_, patch.normal, visitor_.X_SA.R.col(0));
    intersect(piece_, patch, a_ + low, a_ + way_ + low, &intervals_);
    if (intervals_.empty() || !acts_on(piece_, patch, visitor_)) return;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      const double t0 = intervals_[k].begin, t1 = intervals_[k].end;
      Part part{t1 - t0, -1e300, out_->size(), 0};
      for (int end = 0; end < 2; ++end) {
        const double t = end == 0 ? t0 : t1;
        const Vec3 x = at(t) + low;
        const double weight = (t1 - t0) * ((1.0 - t) * ends[0] + t * ends[1]);
        SurfacePoint point{x,
                           patch.normal,
                           patch.height(x),
                           weight,
                           pair_feature(FeatureKind::smooth, part_name(static_cast<int>(k), end),
                                        FeatureKind::face, patch.id),
                           static_cast<int>(&patch - piece_.patches.data())};
        bool is_moved = false;
        const int triangle = end == 0 ? intervals_[k].begin_triangle : intervals_[k].end_triangle;
        const int side = end == 0 ? intervals_[k].begin_side : intervals_[k].end_side;
        const Vec3 foot = on_triangle(piece_, triangle, side, x - point.distance * patch.normal, &is_moved);
        if (!is_moved)
          go_down(x, &point);
        else if (!visitor_.settle(foot, patch.normal, &point))
          continue;
        part.depth = std::max(part.depth, -point.distance);
        out_->push_back(point);
      }
      part.end = out_->size();
      parts_.push_back(part);
    }
  }

  // From the point x of the axis, or of the mantle, down to the surface against the point's normal.
  void go_down(const Vec3& x, SurfacePoint* point) const {
    if (mantle_ && rounding_ == 0.0) return;
    if (mantle_) {
      visitor_.settle(x - point->distance * point->normal, point->normal, point);
      return;
    }
    const double way =
        way_out_of_capsule(axis_, 0.5 * way_.norm(), radius_, x - visitor_.X_SA.p, -point->normal);
    point->p = x - way * point->normal;
    point->distance -= way;
  }

  // The part [t0, t1] of the segment, whose nearest point of the line or point is given by `foot`.
  template <class Foot>
  void add_part(double t0, double t1, double nearest, FeatureKind kind, int name, const Foot& foot) {
    std::array<double, 3> t{t0, std::clamp(nearest, t0, t1), t1};
    if (mantle_ && !(t[1] > t0 && t[1] < t1)) return;  // the mantle touches across its axis only
    Part part{t1 - t0, -1e300, out_->size(), 0};
    for (int k = 0; k < 3; ++k) {
      if (mantle_ && k != 1) continue;
      const double length =
          mantle_ ? t1 - t0 : (k > 0 ? t[k] - t[k - 1] : 0.0) + (k < 2 ? t[k + 1] - t[k] : 0.0);
      if (!(length > 0.0)) continue;
      const Vec3 x = at(t[k]), y = foot(x), d = x - y;
      const double rho = d.norm();
      // A mantle whose axis passes through the edge, to round-off, has no direction across it.
      if (!(rho > 0.0) || (mantle_ && std::abs(d.dot(axis_)) > kAcross * rho)) continue;
      SurfacePoint point{x, d / rho, rho, 0.5 * length,
                         pair_feature(FeatureKind::smooth, part_name(0, k), kind, name)};
      if (mantle_) {
        // Across the axis.
        const double reach = radius_ + rounding_;
        point.p = x - reach * point.normal, point.distance = rho - reach;
      } else {
        go_down(x, &point);
      }
      part.depth = std::max(part.depth, -point.distance);
      out_->push_back(point);
    }
    part.end = out_->size();
    if (part.end > part.begin) parts_.push_back(part);
  }

  void above_edge(const PieceTriangle& t, int i) {
    const PiecePatch& patch = piece_.patches[t.patch];
    const Vec3 &v = t.corners[i], &w = t.corners[i == 2 ? 0 : i + 1];
    const Vec3 e = w - v;
    const double length2 = e.squaredNorm();
    const Vec3 into_this = patch.normal.cross(e);
    // At a boundary only what is in front of the surface touches.
    const Vec3 into_other = t.kinds[i] == SideKind::convex ? Vec3(e.cross(t.across[i])) : Vec3(-patch.normal);
    const Vec3 p = a_ - v, q = p + way_;
    double t0 = 0.0, t1 = 1.0;
    if (!cut_above(p.dot(into_this), q.dot(into_this), &t0, &t1) ||
        !cut_above(p.dot(into_other), q.dot(into_other), &t0, &t1) ||
        !cut_above(-p.dot(e), -q.dot(e), &t0, &t1) ||
        !cut_above(p.dot(e) - length2, q.dot(e) - length2, &t0, &t1))
      return;
    // Nearest to the line: across both directions.
    const Vec3 d = way_ - (way_.dot(e) / length2) * e, p_across = p - (p.dot(e) / length2) * e;
    const double d2 = d.squaredNorm();
    const double nearest = d2 > 1e-20 * way_.squaredNorm() ? -p_across.dot(d) / d2 : t0;
    add_part(t0, t1, nearest, FeatureKind::edge, t.edges[i],
             [&](const Vec3& x) { return Vec3(v + (std::clamp((x - v).dot(e) / length2, 0.0, 1.0)) * e); });
  }

  void above_vertex(const PieceTriangle& triangle, int i) {
    const Vec3& v = triangle.corners[i];
    const Vec3 p = a_ - v, q = p + way_;
    double t0 = 0.0, t1 = 1.0;
    bool left = true;
    for_each_neighbour(piece_, triangle.vertices[i], v,
                       [&](const Vec3& e) { left = left && cut_above(p.dot(e), q.dot(e), &t0, &t1); });
    // A vertex of a boundary is not touched from behind.
    const Vec3& n = piece_.patches[triangle.patch].normal;
    if (bears(triangle.kinds[i]) && triangle.kinds[i] == SideKind::boundary)
      left = left && cut_above(-p.dot(n), -q.dot(n), &t0, &t1);
    if (!left) return;
    const double nearest = way_.squaredNorm() > 0.0 ? -p.dot(way_) / way_.squaredNorm() : 0.0;
    add_part(t0, t1, nearest, FeatureKind::vertex, triangle.vertices[i], [&v](const Vec3&) { return v; });
  }

  const Visitor& visitor_;
  const SurfacePiece& piece_;
  std::vector<SurfacePoint>* out_;
  Vec3 axis_, a_, way_;
  double radius_ = 0.0, rounding_ = 0.0;
  bool mantle_ = false;
  std::vector<Part>& parts_;
  std::vector<int>& seen_;
  std::vector<Outline::Interval>& intervals_;
};

// Spheres, ellipsoids and superellipsoids.
class PointContact {
 public:
  PointContact(const Visitor& visitor, const SurfacePiece& piece, Scratch* scratch,
               std::vector<SurfacePoint>* out)
      : visitor_(visitor),
        piece_(piece),
        out_(out),
        radius_(core_radius(visitor.shape)),
        is_sphere_(visitor.shape.kind == ShapeKind::sphere),
        parts_(scratch->parts),
        seen_(scratch->seen) {}

  void collide() {
    parts_.clear();
    for (const PiecePatch& patch : piece_.patches) {
      if (visitor_.lowest(patch) > visitor_.margin) continue;
      const Vec3 s = support(-patch.normal);
      if (!covers(piece_, patch, s, 0.0) || !acts_on(piece_, patch, visitor_)) continue;
      const double distance = patch.height(s) - radius_;
      add(s, patch.normal, distance, inset_of(patch, s, distance), FeatureKind::face, patch.id);
      if (!parts_.empty() && parts_.back().end == out_->size())
        out_->back().patch = static_cast<int>(&patch - piece_.patches.data());
    }
    for (const PieceTriangle& t : piece_.triangles)
      for (int i = 0; i < 3; ++i)
        if (t.names_side(i) && bears(t.kinds[i])) try_edge(t, i);
    for_each_vertex(piece_, visitor_, &seen_, [this](const PieceTriangle& t, int i) { try_vertex(t, i); });
    behind();
    share(parts_, true, 1e-14 * piece_.size, out_);
  }

 private:
  Vec3 support(const Vec3& d) const {
    if (is_sphere_) return visitor_.X_SA.p;
    return visitor_.X_SA * core_support(visitor_.shape, visitor_.X_SA.R.transpose() * d).p;
  }

  // At an edge or a vertex: through the point x of the surface along m.
  void add_settled(const Vec3& x, const Vec3& m, FeatureKind kind, int name) {
    SurfacePoint point;
    point.weight = 1.0;
    point.feature = pair_feature(FeatureKind::smooth, 0, kind, name);
    if (!visitor_.settle(x, m, &point) || !(point.distance <= visitor_.margin)) return;
    parts_.push_back({1.0, -point.distance, out_->size(), out_->size() + 1});
    out_->push_back(point);
  }

  void add(const Vec3& s, const Vec3& m, double distance, double measure, FeatureKind kind, int name) {
    if (!(distance <= visitor_.margin)) return;
    parts_.push_back({measure, -distance, out_->size(), out_->size() + 1});
    out_->push_back({s - radius_ * m, m, distance, 1.0, pair_feature(FeatureKind::smooth, 0, kind, name)});
  }

  // Near a concave edge the point above one patch hands over to that of the next: 0 on the edge, 1 from as
  // far inside as the shape is deep at the edge.
  double inset_of(const PiecePatch& patch, const Vec3& s, double distance) const {
    if (!(distance < 0.0)) return 1.0;
    double inset = 1.0;
    for (int k = patch.begin; k < patch.end; ++k) {
      const PieceTriangle& t = piece_.triangles[k];
      for (int i = 0; i < 3; ++i) {
        if (t.kinds[i] != SideKind::concave) continue;
        const Vec3 e = t.corners[i == 2 ? 0 : i + 1] - t.corners[i];
        const Vec3 foot =
            t.corners[i] + std::clamp((s - t.corners[i]).dot(e) / e.squaredNorm(), 0.0, 1.0) * e;
        const Vec3 way = s - foot;
        const double height = way.dot(patch.normal), across = (way - height * patch.normal).norm();
        const double depth = is_sphere_ ? radius_ - way.norm() : -distance;
        if (depth > 0.0) inset = std::min(inset, across / depth);
      }
    }
    return inset;
  }

  // The direction m between the normals of the two patches in which the shape reaches least far below the
  // edge: d/dm of the reach, which is the support point, has no part across the edge there.
  void try_edge(const PieceTriangle& t, int i) {
    const PiecePatch& patch = piece_.patches[t.patch];
    const Vec3 &v = t.corners[i], &w = t.corners[i == 2 ? 0 : i + 1];
    const double length = (w - v).norm();
    const Vec3 e = (w - v) / length;
    const Vec3 n1 = patch.normal, out1 = e.cross(n1);  // out of this patch, across the edge
    const bool convex = t.kinds[i] == SideKind::convex;
    double angle = 0.5 * std::numbers::pi;  // at a boundary up to the plane of the patch
    if (convex) angle = std::atan2(t.across[i].dot(out1), t.across[i].dot(n1));
    if (!(angle > 0.0)) return;
    const auto direction = [&](double a) { return Vec3(std::cos(a) * n1 + std::sin(a) * out1); };

    Vec3 m, s;
    if (is_sphere_) {
      s = visitor_.X_SA.p;
      const Vec3 across = (s - v) - (s - v).dot(e) * e;
      const double x = across.dot(out1), y = across.dot(n1);
      if (!(x > 0.0) || x > radius_ + visitor_.margin) return;
      const double a = std::atan2(x, y);
      if (!(a <= angle)) return;
      m = direction(a);
    } else {
      if (patch.height(visitor_.X_SA.p) + visitor_.shape.ball_radius < -visitor_.margin) return;
      // The slope of the reach over the angle rises; its zero by regula falsi (Illinois).
      const auto slope = [&](double a, Vec3* point) {
        const Vec3 n = direction(a);
        *point = support(-n);
        return -(*point - v).dot(Vec3(-std::sin(a) * n1 + std::cos(a) * out1));
      };
      double a0 = 0.0, a1 = angle, f0 = slope(a0, &s), f1 = slope(a1, &s);
      if (!(f0 < 0.0 && f1 > 0.0)) return;
      double a = a0;
      const double enough = 1e-15 * visitor_.shape.ball_radius;
      for (int k = 0; k < 60; ++k) {
        a = (a0 * f1 - a1 * f0) / (f1 - f0);
        if (!(a > a0 && a < a1)) a = 0.5 * (a0 + a1);
        const double f = slope(a, &s);
        if (std::abs(f) <= enough || a1 - a0 < 1e-15) break;
        if (f < 0.0) {
          a0 = a, f0 = f;
          f1 *= 0.5;
        } else {
          a1 = a, f1 = f;
          f0 *= 0.5;
        }
      }
      m = direction(a);
      s = support(-m);
    }
    const double along = (s - v).dot(e);
    if (!(along >= 0.0 && along <= length)) return;
    if (is_sphere_)
      add(s, m, m.dot(s - v - along * e) - radius_, 1.0, FeatureKind::edge, t.edges[i]);
    else
      add_settled(v + along * e, m, FeatureKind::edge, t.edges[i]);
  }

  void try_vertex(const PieceTriangle& t, int i) {
    const Vec3& v = t.corners[i];
    const Pose& X = visitor_.X_SA;
    const Vec3 v_A = X.R.transpose() * (v - X.p);
    if ((v_A - visitor_.shape.box_centre).norm() > visitor_.shape.ball_radius + visitor_.margin) return;
    Vec3 m;
    Vec3 s;
    if (is_sphere_) {
      s = X.p;
      const double far = v_A.norm();
      if (!(far > 0.0)) return;
      m = (s - v) / far;
    } else {
      const NearestPoint nearest = nearest_on_core(visitor_.shape, v_A);
      m = -(X.R * nearest.normal);
      s = X * nearest.p;
    }
    // On the medial axis of the shape no direction is the nearest.
    if (!(m.squaredNorm() > 0.5)) return;
    if (t.kinds[i] == SideKind::boundary && m.dot(piece_.patches[t.patch].normal) < 0.0) return;
    if (!is_peak(piece_, t.vertices[i], v, m)) return;
    if (is_sphere_)
      add(s, m, m.dot(s - v) - radius_, 1.0, FeatureKind::vertex, t.vertices[i]);
    else
      add_settled(v, m, FeatureKind::vertex, t.vertices[i]);
  }

  // A centre behind several patches leaves through the nearest.
  void behind() {
    double best = std::numeric_limits<double>::infinity();
    const Vec3 centre = visitor_.centre();
    const auto is_behind = [&](const SurfacePoint& p) {
      return p.normal.dot(centre - (p.p - p.distance * p.normal)) < 0.0;
    };
    for (const Part& part : parts_) {
      if (is_behind((*out_)[part.begin])) best = std::min(best, part.depth);
    }
    for (const Part& part : parts_) {
      SurfacePoint& p = (*out_)[part.begin];
      if (is_behind(p)) p.weight *= ramp_share(part.depth, best);
    }
  }

  const Visitor& visitor_;
  const SurfacePiece& piece_;
  std::vector<SurfacePoint>* out_;
  double radius_;
  bool is_sphere_;
  std::vector<Part>& parts_;
  std::vector<int>& seen_;
};

}  // namespace

void collide_segment(const Visitor& visitor, const SurfacePiece& piece, std::vector<SurfacePoint>* out) {
  thread_local Scratch scratch;
  SegmentContact(visitor, piece, &scratch, out).collide();
}

void collide_one_point(const Visitor& visitor, const SurfacePiece& piece, std::vector<SurfacePoint>* out) {
  thread_local Scratch scratch;
  PointContact(visitor, piece, &scratch, out).collide();
}

}  // namespace stiction
