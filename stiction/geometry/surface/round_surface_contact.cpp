// Spheres and other smooth shapes on a surface of triangles.

#include "stiction/geometry/surface/round_surface_contact.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"

namespace stiction {
namespace {

// Spheres, ellipsoids and superellipsoids.
class PointContact {
 public:
  PointContact(const ConvexOnSurface& body, const MeshRegion& region, PartScratch* scratch,
               std::vector<SurfacePoint>* out)
      : body_(body),
        region_(region),
        out_(out),
        radius_(core_radius(body.shape)),
        is_sphere_(body.shape.kind == ShapeKind::sphere),
        parts_(scratch->parts),
        seen_(scratch->seen) {}

  void collide() {
    parts_.clear();
    for (const CoplanarFacet& facet : region_.facets) {
      if (body_.lowest(facet) > body_.margin) continue;
      const Vec3 s = support(-facet.normal);
      if (!covers(region_, facet, s, 0.0) || !acts_on(region_, facet, body_)) continue;
      const double distance = facet.height(s) - radius_;
      add(s, facet.normal, distance, inset_of(facet, s, distance), FeatureKind::face, facet.id);
      if (!parts_.empty() && parts_.back().end == out_->size())
        out_->back().facet = static_cast<int>(&facet - region_.facets.data());
    }
    for (const RegionTriangle& t : region_.triangles)
      for (int i = 0; i < 3; ++i)
        if (t.owns_edge(i) && can_touch(t.kinds[i])) try_edge(t, i);
    for_each_vertex(region_, body_, &seen_, [this](const RegionTriangle& t, int i) { try_vertex(t, i); });
    behind();
    share_parts(parts_, true, 1e-14 * region_.size, out_);
  }

 private:
  Vec3 support(const Vec3& d) const {
    if (is_sphere_) return body_.X_SA.p;
    return body_.X_SA * core_support(body_.shape, body_.X_SA.R.transpose() * d).p;
  }

  // Contact at an edge or a vertex: on the line through the point x of the surface along m.
  void add_lowest_on_line(const Vec3& x, const Vec3& m, FeatureKind kind, int name) {
    SurfacePoint point;
    point.weight = 1.0;
    point.feature = pair_feature(FeatureKind::smooth, 0, kind, name);
    if (!body_.find_lowest_on_line(x, m, &point) || !(point.distance <= body_.margin)) return;
    parts_.push_back({1.0, -point.distance, out_->size(), out_->size() + 1});
    out_->push_back(point);
  }

  void add(const Vec3& s, const Vec3& m, double distance, double measure, FeatureKind kind, int name) {
    if (!(distance <= body_.margin)) return;
    parts_.push_back({measure, -distance, out_->size(), out_->size() + 1});
    out_->push_back({s - radius_ * m, m, distance, 1.0, pair_feature(FeatureKind::smooth, 0, kind, name)});
  }

  // Near a concave edge the weight goes over from one facet to the next: 0 on the edge, 1 as far inside as
  // the shape is deep at the edge.
  double inset_of(const CoplanarFacet& facet, const Vec3& s, double distance) const {
    if (!(distance < 0.0)) return 1.0;
    double inset = 1.0;
    for (int k = facet.begin; k < facet.end; ++k) {
      const RegionTriangle& t = region_.triangles[k];
      for (int i = 0; i < 3; ++i) {
        if (t.kinds[i] != SideKind::concave) continue;
        const Vec3 e = t.corners[i == 2 ? 0 : i + 1] - t.corners[i];
        const Vec3 foot =
            t.corners[i] + std::clamp((s - t.corners[i]).dot(e) / e.squaredNorm(), 0.0, 1.0) * e;
        const Vec3 way = s - foot;
        const double height = way.dot(facet.normal), across = (way - height * facet.normal).norm();
        const double depth = is_sphere_ ? radius_ - way.norm() : -distance;
        if (depth > 0.0) inset = std::min(inset, across / depth);
      }
    }
    return inset;
  }

  // The direction m between the normals of the two facets along which the shape is least deep below the edge:
  // there the support point, the derivative of the depth, has no component perpendicular to the edge.
  void try_edge(const RegionTriangle& t, int i) {
    const CoplanarFacet& facet = region_.facets[t.facet];
    const Vec3 &v = t.corners[i], &w = t.corners[i == 2 ? 0 : i + 1];
    const double length = (w - v).norm();
    const Vec3 e = (w - v) / length;
    const Vec3 n1 = facet.normal, out1 = e.cross(n1);  // out of this facet, perpendicular to the edge
    const bool convex = t.kinds[i] == SideKind::convex;
    double angle = 0.5 * std::numbers::pi;  // at a boundary up to the plane of the facet
    if (convex) angle = std::atan2(t.across[i].dot(out1), t.across[i].dot(n1));
    if (!(angle > 0.0)) return;
    const auto direction = [&](double a) { return Vec3(std::cos(a) * n1 + std::sin(a) * out1); };

    Vec3 m, s;
    if (is_sphere_) {
      s = body_.X_SA.p;
      const Vec3 across = (s - v) - (s - v).dot(e) * e;
      const double x = across.dot(out1), y = across.dot(n1);
      if (!(x > 0.0) || x > radius_ + body_.margin) return;
      const double a = std::atan2(x, y);
      if (!(a <= angle)) return;
      m = direction(a);
    } else {
      if (facet.height(body_.X_SA.p) + body_.shape.ball_radius < -body_.margin) return;
      // The derivative of the depth is increasing in the angle; its zero by regula falsi (Illinois).
      const auto slope = [&](double a, Vec3* point) {
        const Vec3 n = direction(a);
        *point = support(-n);
        return -(*point - v).dot(Vec3(-std::sin(a) * n1 + std::cos(a) * out1));
      };
      double a0 = 0.0, a1 = angle, f0 = slope(a0, &s), f1 = slope(a1, &s);
      if (!(f0 < 0.0 && f1 > 0.0)) return;
      double a = a0;
      const double enough = 1e-15 * body_.shape.ball_radius;
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
      add_lowest_on_line(v + along * e, m, FeatureKind::edge, t.edges[i]);
  }

  void try_vertex(const RegionTriangle& t, int i) {
    const Vec3& v = t.corners[i];
    const Pose& X = body_.X_SA;
    const Vec3 v_A = X.R.transpose() * (v - X.p);
    if ((v_A - body_.shape.box_centre).norm() > body_.shape.ball_radius + body_.margin) return;
    Vec3 m;
    Vec3 s;
    if (is_sphere_) {
      s = X.p;
      const double far = v_A.norm();
      if (!(far > 0.0)) return;
      m = (s - v) / far;
    } else {
      const NearestPoint nearest = nearest_on_core(body_.shape, v_A);
      m = -(X.R * nearest.normal);
      s = X * nearest.p;
    }
    // On the medial axis of the shape there is no unique direction.
    if (!(m.squaredNorm() > 0.5)) return;
    if (t.kinds[i] == SideKind::boundary && m.dot(region_.facets[t.facet].normal) < 0.0) return;
    if (!is_peak(region_, t.vertices[i], v, m)) return;
    if (is_sphere_)
      add(s, m, m.dot(s - v) - radius_, 1.0, FeatureKind::vertex, t.vertices[i]);
    else
      add_lowest_on_line(v, m, FeatureKind::vertex, t.vertices[i]);
  }

  // If the centre is behind several facets, the nearest takes the weight.
  void behind() {
    double best = std::numeric_limits<double>::infinity();
    const Vec3 centre = body_.centre();
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

  const ConvexOnSurface& body_;
  const MeshRegion& region_;
  std::vector<SurfacePoint>* out_;
  double radius_;
  bool is_sphere_;
  std::vector<Part>& parts_;
  std::vector<int>& seen_;
};

}  // namespace

void share_parts(const std::vector<Part>& parts, bool whole, double least,
                 std::vector<SurfacePoint>* points) {
  for (const Part& part : parts) {
    double sum = 0.0;
    for (const Part& other : parts)
      sum += other.measure * std::min(1.0, std::max(other.depth, least) / std::max(part.depth, least));
    const double s = whole ? (sum > 0.0 ? part.measure / sum : 1.0) : 1.0 / std::max(1.0, sum);
    for (std::size_t i = part.begin; i < part.end; ++i) (*points)[i].weight *= s;
  }
}

void collide_one_point(const ConvexOnSurface& body, const MeshRegion& region,
                       std::vector<SurfacePoint>* out) {
  thread_local PartScratch scratch;
  PointContact(body, region, &scratch, out).collide();
}

}  // namespace stiction
