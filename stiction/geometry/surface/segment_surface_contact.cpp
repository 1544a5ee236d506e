// Capsules and the lateral surfaces of cylinders on a surface of triangles.

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/primitive/capsule_pairs.h"
#include "stiction/geometry/primitive/contact_patch.h"
#include "stiction/geometry/surface/round_surface_contact.h"

namespace stiction {
namespace {

// Feature indices of the points within one part: begin, nearest, end.
int part_name(int part, int place) { return 4 * part + place; }

// rad: directions this close to perpendicular to the axis count as perpendicular; the error on the surface is
// half the square.
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

class SegmentContact {
 public:
  SegmentContact(const ConvexOnSurface& body, const MeshRegion& region, PartScratch* scratch,
                 std::vector<SurfacePoint>* out)
      : body_(body),
        region_(region),
        out_(out),
        parts_(scratch->parts),
        seen_(scratch->seen),
        intervals_(scratch->intervals) {
    const CollisionShape& shape = body.shape;
    axis_ = body.X_SA.R.col(2);
    a_ = body.X_SA.p - shape.size[1] * axis_;
    span_ = 2.0 * shape.size[1] * axis_;
    lateral_ = shape.kind == ShapeKind::cylinder;
    radius_ = lateral_ ? shape.size[0] : core_radius(shape);
    rounding_ = lateral_ ? shape.rounding : 0.0;
  }

  void collide() {
    parts_.clear();
    for (const CoplanarFacet& facet : region_.facets) {
      if (body_.lowest(facet) <= body_.margin) above_facet(facet);
    }
    for (const RegionTriangle& t : region_.triangles)
      for (int i = 0; i < 3; ++i)
        if (t.owns_edge(i) && can_touch(t.kinds[i])) above_edge(t, i);
    for_each_vertex(region_, body_, &seen_, [this](const RegionTriangle& t, int i) { above_vertex(t, i); });
    share_parts(parts_, false, 1e-14 * region_.size, out_);
  }

 private:
  Vec3 at(double t) const { return a_ + t * span_; }

  // The weights of the two ends on a plane with normal n.
  std::array<double, 2> end_weights(const Vec3& n) const {
    if (!lateral_) return {0.5, 0.5};
    const double c = axis_.dot(n), disc = std::clamp((std::abs(c) - kDiscBegin) / kDiscWidth, 0.0, 1.0);
    // The lower end, whose disc faces down, leaves its share to the disc.
    std::array<double, 2> w{0.25, 0.25};
    w[c < 0.0 ? 1 : 0] *= 1.0 - disc;
    return w;
  }

  void above_facet(const CoplanarFacet& facet) {
    const std::array<double, 2> ends = end_weights(facet.normal);
    // The lowest line of the lateral surface, or the core of the capsule.
    Vec3 low = Vec3::Zero();
    if (lateral_) low = radius_ * lowest_across(axis_, facet.normal, body_.X_SA.R.col(0));
    intersect(region_, facet, a_ + low, a_ + span_ + low, &intervals_);
    if (intervals_.empty() || !acts_on(region_, facet, body_)) return;
    for (std::size_t k = 0; k < intervals_.size(); ++k) {
      const double t0 = intervals_[k].begin, t1 = intervals_[k].end;
      Part part{t1 - t0, -1e300, out_->size(), 0};
      for (int end = 0; end < 2; ++end) {
        const double t = end == 0 ? t0 : t1;
        const Vec3 x = at(t) + low;
        const double weight = (t1 - t0) * ((1.0 - t) * ends[0] + t * ends[1]);
        SurfacePoint point{x,
                           facet.normal,
                           facet.height(x),
                           weight,
                           pair_feature(FeatureKind::smooth, part_name(static_cast<int>(k), end),
                                        FeatureKind::face, facet.id),
                           static_cast<int>(&facet - region_.facets.data())};
        bool is_moved = false;
        const int triangle = end == 0 ? intervals_[k].begin_triangle : intervals_[k].end_triangle;
        const int side = end == 0 ? intervals_[k].begin_side : intervals_[k].end_side;
        const Vec3 foot = on_triangle(region_, triangle, side, x - point.distance * facet.normal, &is_moved);
        if (!is_moved)
          go_down(x, &point);
        else if (!body_.find_lowest_on_line(foot, facet.normal, &point))
          continue;
        if (side >= 0) hand_over(region_.triangles[triangle], side, &point);
        if (point.weight > 0.0) {
          part.depth = std::max(part.depth, -point.distance);
          out_->push_back(point);
        }
      }
      part.end = out_->size();
      if (part.end > part.begin) parts_.push_back(part);
    }
  }

  // Where a facet ends, the depth at its edge or vertex may be less than that in the facet, for instance for
  // a capsule across a sharp ridge. The better of the two axes takes the weight (ramp_share()).
  void hand_over(const RegionTriangle& t, int i, SurfacePoint* point) {
    if (lateral_ || !can_touch(t.kinds[i])) return;
    const int j = i == 2 ? 0 : i + 1;
    const Vec3 &v = t.corners[i], e = t.corners[j] - v;
    const double length = e.norm(), half = 0.5 * span_.norm();
    const SegmentPoints near =
        nearest_of_segments(body_.X_SA.p, axis_, half, v + 0.5 * e, e / length, 0.5 * length);
    const Vec3 way = near.a - near.b;
    const double rho = way.norm(), keeps = ramp_share(-point->distance, radius_ - rho);
    if (keeps == 1.0 || !(rho > 0.0)) return;
    const bool at_end = std::abs(near.t) >= 0.5 * length;
    const int vertex = t.vertices[near.t < 0.0 ? i : j];
    SurfacePoint better{
        near.a, way / rho, rho, (1.0 - keeps) * point->weight,
        pair_feature(FeatureKind::smooth, part_name(0, 1), at_end ? FeatureKind::vertex : FeatureKind::edge,
                     at_end ? vertex : t.edges[i])};
    go_down(near.a, &better);
    out_->push_back(better);
    point->weight *= keeps;
  }

  // From the point x of the axis or lateral surface to the surface of the shape, against the point's normal.
  void go_down(const Vec3& x, SurfacePoint* point) const {
    if (lateral_ && rounding_ == 0.0) return;
    if (lateral_) {
      body_.find_lowest_on_line(x - point->distance * point->normal, point->normal, point);
      return;
    }
    const double way =
        capsule_exit_distance(axis_, 0.5 * span_.norm(), radius_, x - body_.X_SA.p, -point->normal);
    point->p = x - way * point->normal;
    point->distance -= way;
  }

  // Adds the part [t0, t1] of the segment above an edge or vertex; `foot` gives the point of that nearest to
  // a point of the segment. Its weight is divided among the nearest point and the ends by the rule of
  // capsule_pairs.h.
  template <class Foot>
  void add_part(double t0, double t1, double nearest, FeatureKind kind, int name, const Foot& foot) {
    constexpr double kNoPart = 1e-13;  // of the segment: round-off
    if (!(t1 - t0 > kNoPart)) return;
    const std::array<double, 3> t{t0, std::clamp(nearest, t0, t1), t1};
    if (lateral_ && !(t[1] > t0 && t[1] < t1)) return;  // touches only at right angles
    std::array<Vec3, 3> way;                            // vector from the surface to the axis
    std::array<double, 3> rho, weight{0.0, (lateral_ ? 0.5 : 1.0) * (t1 - t0), 0.0};
    for (int k = 0; k < 3; ++k) {
      const Vec3 x = at(t[k]);
      way[k] = x - foot(x);
      rho[k] = way[k].norm();
    }
    const double window = std::abs(rho[1] - radius_) + kParallel * radius_;
    for (const int k : {0, 2}) {
      if (lateral_ || t[k] == t[1]) continue;
      weight[k] = 0.5 * (t1 - t0) * std::clamp(1.0 - (rho[k] - rho[1]) / window, 0.0, 1.0);
      weight[1] -= weight[k];
    }
    Part part{t1 - t0, -1e300, out_->size(), 0};
    for (int k = 0; k < 3; ++k) {
      // If the axis of a cylinder passes through the edge, to round-off, there is no direction.
      if (!(weight[k] > 0.0) || !(rho[k] > 0.0)) continue;
      if (lateral_ && std::abs(way[k].dot(axis_)) > kAcross * rho[k]) continue;
      const Vec3 x = at(t[k]);
      SurfacePoint point{x, way[k] / rho[k], rho[k], weight[k],
                         pair_feature(FeatureKind::smooth, part_name(0, k), kind, name)};
      if (lateral_) {
        // Make it exactly perpendicular to the axis: near a disc any tilt would lead beyond it.
        const double reach = radius_ + rounding_;
        point.normal = (point.normal - axis_.dot(point.normal) * axis_).normalized();
        point.p = x - reach * point.normal, point.distance = rho[k] - reach;
      } else {
        go_down(x, &point);
      }
      part.depth = std::max(part.depth, -point.distance);
      out_->push_back(point);
    }
    part.end = out_->size();
    if (part.end > part.begin) parts_.push_back(part);
  }

  void above_edge(const RegionTriangle& t, int i) {
    const CoplanarFacet& facet = region_.facets[t.facet];
    const Vec3 &v = t.corners[i], &w = t.corners[i == 2 ? 0 : i + 1];
    const Vec3 e = w - v;
    const double length2 = e.squaredNorm();
    const Vec3 into_this = facet.normal.cross(e);
    // A boundary is only touched from the front of the surface.
    const Vec3 into_other = t.kinds[i] == SideKind::convex ? Vec3(e.cross(t.across[i])) : Vec3(-facet.normal);
    const Vec3 p = a_ - v, q = p + span_;
    double t0 = 0.0, t1 = 1.0;
    if (!cut_above(p.dot(into_this), q.dot(into_this), &t0, &t1) ||
        !cut_above(p.dot(into_other), q.dot(into_other), &t0, &t1) ||
        !cut_above(-p.dot(e), -q.dot(e), &t0, &t1) ||
        !cut_above(p.dot(e) - length2, q.dot(e) - length2, &t0, &t1))
      return;
    // The nearest points of the two lines: perpendicular to both.
    const Vec3 d = span_ - (span_.dot(e) / length2) * e, p_across = p - (p.dot(e) / length2) * e;
    const double d2 = d.squaredNorm();
    const double nearest = d2 > 1e-20 * span_.squaredNorm() ? -p_across.dot(d) / d2 : t0;
    add_part(t0, t1, nearest, FeatureKind::edge, t.edges[i],
             [&](const Vec3& x) { return Vec3(v + (std::clamp((x - v).dot(e) / length2, 0.0, 1.0)) * e); });
  }

  void above_vertex(const RegionTriangle& triangle, int i) {
    const Vec3& v = triangle.corners[i];
    const Vec3 p = a_ - v, q = p + span_;
    double t0 = 0.0, t1 = 1.0;
    bool left = true;
    for_each_neighbour(region_, triangle.vertices[i], v,
                       [&](const Vec3& e) { left = left && cut_above(p.dot(e), q.dot(e), &t0, &t1); });
    // A vertex of a boundary is not touched from behind.
    const Vec3& n = region_.facets[triangle.facet].normal;
    if (can_touch(triangle.kinds[i]) && triangle.kinds[i] == SideKind::boundary)
      left = left && cut_above(-p.dot(n), -q.dot(n), &t0, &t1);
    if (!left) return;
    const double nearest = span_.squaredNorm() > 0.0 ? -p.dot(span_) / span_.squaredNorm() : 0.0;
    add_part(t0, t1, nearest, FeatureKind::vertex, triangle.vertices[i], [&v](const Vec3&) { return v; });
  }

  const ConvexOnSurface& body_;
  const MeshRegion& region_;
  std::vector<SurfacePoint>* out_;
  Vec3 axis_, a_, span_;
  double radius_ = 0.0, rounding_ = 0.0;
  bool lateral_ = false;
  std::vector<Part>& parts_;
  std::vector<int>& seen_;
  std::vector<Outline::Interval>& intervals_;
};

}  // namespace

void collide_segment(const ConvexOnSurface& body, const MeshRegion& region, std::vector<SurfacePoint>* out) {
  thread_local PartScratch scratch;
  SegmentContact(body, region, &scratch, out).collide();
}

}  // namespace stiction
