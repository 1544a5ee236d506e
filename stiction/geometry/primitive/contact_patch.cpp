#include "stiction/geometry/primitive/contact_patch.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/rounded_surface.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/primitive/disc_patch.h"
#include "stiction/geometry/primitive/patch_weights.h"
#include "stiction/geometry/shape/polytope.h"
#include "stiction/geometry/simd/tangents.h"

namespace stiction {
namespace {

constexpr double kMissedWindow = 0.25;  // of the overlap
constexpr double kLeastSlant = 0.1;     // cosine between normal and face: below this a projection is useless
using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// The interval [s0, s1] of the segment from a to b inside the feature.
bool clip_segment(const SupportFeature& part, const Vec2* polygon, const Vec2& a, const Vec2& b, double* s0,
                  double* s1) {
  const Vec2 d = b - a;
  *s0 = 0.0, *s1 = 1.0;
  if (part.kind == SupportFeature::Kind::disc) return clip_to_circle(a, d, part.radius, s0, s1);
  for (int i = 0; i < part.count; ++i) {
    const Vec2& p = polygon[i];
    const Vec2 side = polygon[i + 1 < part.count ? i + 1 : 0] - p;
    const double at_a = cross(side, a - p), at_b = cross(side, b - p);
    if (at_a < 0.0 && at_b < 0.0) return false;
    if (at_a < 0.0) *s0 = std::max(*s0, at_a / (at_a - at_b));
    if (at_b < 0.0) *s1 = std::min(*s1, at_a / (at_a - at_b));
  }
  return *s0 <= *s1;
}

// Distance along n (towards the other shape) from a point of the core to the surface.
double exit_from_core(const CollisionShape& shape, const Pose& X_AS, const SupportFeature& part,
                      const Vec3& p, const Vec3& n, bool is_deepest) {
  const double radius = core_radius(shape);
  if (radius == 0.0) return 0.0;
  if (shape.kind == ShapeKind::capsule)
    return capsule_exit_distance(part.half / shape.size[1], shape.size[1], radius, p - part.centre, n);
  if (is_deepest) return radius;
  const Vec3 x = X_AS.R.transpose() * (p - X_AS.p), d = X_AS.R.transpose() * n;
  return exit_distance(shape, x, d, 2.0 * (shape.ball_radius + radius)).value_or(radius);
}

// How far the corners of a polygon lie from its plane, m: faces of hulls are flat to 1e-6 of the size only.
double flatness(const SupportFeature& part) {
  double most = 0.0;
  for (int i = 0; i < part.count; ++i)
    most = std::max(most, std::abs(part.normal.dot(part.corners[i] - part.centre)));
  return most;
}

// The points before their weights are raised.
struct Points {
  const CollisionShape& A;
  const CollisionShape& B;
  const SupportFeature& a;
  const SupportFeature& b;
  const Separation& found;
  double same_depth, not_deeper;  // m
  double deepest = 1e300;
  int count = 0;
  std::array<PatchPoint, PatchCorners::kMax + 1> list;

  Points(const CollisionShape& of_A, const CollisionShape& of_B, const SupportFeature& of_a,
         const SupportFeature& of_b, const Separation& separation, double size)
      : A(of_A),
        B(of_B),
        a(of_a),
        b(of_b),
        found(separation),
        same_depth(1e-12 * size),
        not_deeper(1e-9 * size + 2.0 * (flatness(a) + flatness(b))) {}

  void add(const PatchPoint& point) {
    // No contact is deeper than the signed distance: such a corner lies outside its feature.
    if (point.distance < found.distance - not_deeper) return;
    deepest = std::min(deepest, point.distance);
    list[count++] = point;
  }
  std::span<PatchPoint> all() { return {list.data(), static_cast<std::size_t>(count)}; }

  // The support points themselves: what all others lose to them, their share, is continuous.
  void add_support(double weight, double least, double share, std::uint64_t feature) {
    double sum = 0.0, bearing = 0.0;
    for (PatchPoint& point : all()) {
      sum += point.weight;
      bearing += point.bearing;
    }
    // Together no more than the whole stiffness.
    const double scale = sum > 1.0 - weight * share ? (1.0 - weight * share) / sum : 1.0;
    for (PatchPoint& point : all()) {
      point.weight *= scale;
      point.bearing = bearing > 0.0 && share < 1.0 ? (1.0 - share) * point.bearing / bearing : 0.0;
    }
    list[count++] = {found.on_a, found.distance, weight * share, share, least * share, feature};
  }

  void emit(const PairFrame& frame, double margin, ContactPoints* out) const {
    const Vec3& n = found.normal;
    for (int i = 0; i < count; ++i) {
      const PatchPoint& point = list[i];
      const bool is_deepest = point.distance <= found.distance + same_depth;
      const double exit_a = exit_from_core(A, {}, a, point.on_a, n, is_deepest);
      const double exit_b = exit_from_core(B, frame.X_AB, b, point.on_a + point.distance * n, -n, is_deepest);
      const double d = point.distance - exit_a - exit_b;
      if (d <= margin)
        out->push_back(frame.point(point.on_a + exit_a * n, n, d, point.weight, point.feature));
    }
  }
};

// The least weight of a polytope at a point p of its surface: T' of the vertices beside it.
double least_near(const CollisionShape& shape, const Pose& X_AS, const Vec3& p, double window) {
  const Vec3 x = X_AS.R.transpose() * (p - X_AS.p);
  const Polytope& P = *shape.polytope;
  double most = 0.0;
  for (std::size_t v = 0; v < P.vertices.size(); ++v)
    most = std::max(most, P.least.near_vertex[v] - (P.vertices[v] - x).norm() / window);
  return most;
}

// The squared sine of the angle between a segment and the unit vector n.
double sine2_to(const Vec3& half, const Vec3& n) {
  const double along = half.squaredNorm();
  return along > 0.0 ? std::min(1.0, half.cross(n).squaredNorm() / along) : 1.0;
}

}  // namespace

void add_patch(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame,
               const SupportFeature& a, const SupportFeature& b, const Separation& found,
               const CollideOptions& options, ContactPoints* out) {
  using Kind = SupportFeature::Kind;
  const Vec3& n = found.normal;
  const double size = core_extent(A) + core_extent(B);
  const double depth = std::max(0.0, core_radius(A) + core_radius(B) - found.distance);
  const std::size_t begin = out->size();
  const double window = least_window(depth);
  Points points(A, B, a, b, found, size);

  // The common plane: of the disc (of two, the better aligned with n), or else of the polygon; `side` is +1
  // if it is A's.
  const bool looks_more = b.kind != Kind::disc || std::abs(n.dot(a.normal)) >= std::abs(n.dot(b.normal));
  const bool flat_is_a = a.kind == Kind::disc ? looks_more : b.kind != Kind::disc && a.kind == Kind::polygon;
  const SupportFeature& flat = flat_is_a ? a : b;
  const SupportFeature& other = flat_is_a ? b : a;
  const double side = flat_is_a ? 1.0 : -1.0, slant = n.dot(flat.normal);
  const Tangents axes = tangents(flat.normal);
  const auto down = [&](const Vec3& p) {  // along n into the plane
    const Vec3 q = p - flat.centre - (flat.normal.dot(p - flat.centre) / slant) * n;
    return Vec2(q.dot(axes.t1), q.dot(axes.t2));
  };
  const auto up = [&](const Vec2& x) { return Vec3(flat.centre + x.x() * axes.t1 + x.y() * axes.t2); };
  const auto feature = [&](FeatureKind kf, int f, FeatureKind ko, int o) {
    return flat_is_a ? pair_feature(kf, f, ko, o) : pair_feature(ko, o, kf, f);
  };
  std::array<Vec2, SupportFeature::kMaxCorners> polygon;
  const bool has_polygon = a.kind == Kind::polygon || b.kind == Kind::polygon;
  const PolygonLeast beside{has_polygon ? (a.kind == Kind::polygon ? A : B).polytope.get() : nullptr,
                            a.kind == Kind::polygon ? &a : &b, polygon.data(), window};
  const auto flatten = [&](const SupportFeature& part) {
    for (int i = 0; i < part.count; ++i) polygon[i] = down(part.corners[i]);
  };

  if (std::abs(slant) < kLeastSlant ||
      (other.kind != Kind::segment && std::abs(n.dot(other.normal)) < kLeastSlant)) {
    // Seen edge-on: one point, added below.
  } else if (other.kind == Kind::segment) {
    if (flat.kind == Kind::polygon) flatten(flat);
    const Vec3 lower = other.centre - other.half, upper = other.centre + other.half;
    double s0 = 0.0, s1 = 1.0;
    if (clip_segment(flat, polygon.data(), down(lower), down(upper), &s0, &s1)) {
      const double sine2 = sine2_to(other.half, n);
      const double f = std::max(0.0, s1 - s0), far_weight = other.end_weight * (sine2 + f * (1.0 - sine2));
      const Vec3 p0 = lower + s0 * (upper - lower), p1 = lower + s1 * (upper - lower);
      // Of the cores along n, from A to B.
      const double d0 = side * flat.normal.dot(p0 - flat.centre) / slant;
      const double d1 = side * flat.normal.dot(p1 - flat.centre) / slant;
      const bool lower_is_deep = d0 <= d1;
      const auto add_end = [&](const Vec3& p, double d, bool is_deep, int end, bool is_cut) {
        const Vec3 on_a = flat_is_a ? Vec3(p - d * n) : p;
        const Vec2 x = down(p);
        const double from_end = other.half.norm() - (p - other.centre).norm();
        const double own = other.end_weight + std::max(0.0, from_end) / window;
        points.add({on_a, d, is_deep ? other.end_weight : far_weight, 1.0,
                    is_cut ? std::min(own, beside.least_at_border(x)) : other.end_weight,
                    feature(is_cut ? FeatureKind::edge : FeatureKind::face, flat.index,
                            is_cut ? FeatureKind::edge : FeatureKind::vertex, end)});
      };
      add_end(p0, d0, lower_is_deep, 0, s0 > 0.0);
      add_end(p1, d1, !lower_is_deep, 1, s1 < 1.0);
    }
  } else {
    PatchCorners corners;
    // Along n to the other plane, from a point of the flat one.
    const double other_slant = n.dot(other.normal);
    const auto height = [&](const Vec3& p) { return other.normal.dot(other.centre - p) / other_slant; };
    corners.middle = 1.0 - (side * height(flat.centre) - found.distance) / window;
    corners.slope =
        side / (other_slant * window) * Vec2(other.normal.dot(axes.t1), other.normal.dot(axes.t2));
    // Corner 0 of a disc points towards the plane of the other feature.
    const Vec3 low = -(other.normal - flat.normal * flat.normal.dot(other.normal));
    DiscRim rim{flat.radius, heading_along(Vec2(low.dot(axes.t1), low.dot(axes.t2))), true, flat.index};
    if (other.kind == Kind::polygon) {
      flatten(other);
      // Seen from the disc, a polygon that faces it is clockwise.
      std::reverse(polygon.begin(), polygon.begin() + other.count);
      std::array<int, SupportFeature::kMaxCorners> vertices;
      std::reverse_copy(other.vertices.begin(), other.vertices.begin() + other.count, vertices.begin());
      intersect_disc_polygon(&rim, polygon.data(), vertices.data(), other.count, &corners);
    } else {
      // Angles on the other rim are measured from the image of t1, counter-clockwise seen from the flat disc.
      const Vec3 u = (axes.t1 - other.normal * other.normal.dot(axes.t1)).normalized(),
                 v = u.cross(other.normal);
      const Vec3 t = -(flat.normal - other.normal * other.normal.dot(flat.normal));
      DiscRim other_rim{other.radius, heading_along(Vec2(t.dot(u), t.dot(v))), false, other.index};
      const auto along_n = [&](const Vec3& p) {
        const Vec3 q = p - (other.normal.dot(p) / n.dot(other.normal)) * n;
        return Vec2(q.dot(u), q.dot(v));
      };
      PlaneMap to_other;
      to_other.M << along_n(axes.t1), along_n(axes.t2);
      to_other.c = along_n(flat.centre - other.centre);
      intersect_discs(&rim, &other_rim, to_other, &corners);
    }
    // Features that only touch at their borders have the weight of a corner, whether round-off finds an
    // intersection or not; those with an outline as long as the overlap is deep have 1.
    const double whole =
        corners.length < depth ? kCornerWeight + (1.0 - kCornerWeight) * corners.length / depth : 1.0;
    for (int i = 0; i < corners.count; ++i) {
      const PatchCorner& c = corners.corners[i];
      const Vec3 p = up(c.x);  // on the flat feature
      // What lies on the rim, or is cut off there, has the least of the rim.
      const double from_rim = std::max(0.0, flat.radius - c.x.norm());
      const double least = c.kind_other == FeatureKind::vertex
                               ? std::min(beside.least_of_vertex(c.other), kCornerWeight + from_rim / window)
                               : kCornerWeight;
      points.add({flat_is_a ? p : Vec3(p + height(p) * n), side * height(p),
                  corners.length > 0.0 ? whole * c.length / corners.length : kCornerWeight, c.bearing, least,
                  feature(c.kind_flat, c.flat, c.kind_other, c.other)});
    }
  }

  // Features that only touch at their borders, to round-off: add the support points themselves, with a weight
  // that grows with how much shallower the other points are.
  const double missing = points.deepest - found.distance - 1e-9 * size;
  if (missing > 0.0) {
    const double weight =
        other.kind == Kind::segment ? other.end_weight * (1.0 + sine2_to(other.half, n)) : kCornerWeight;
    const double window_of_missing = kMissedWindow * depth;
    const double share = missing < window_of_missing ? missing / window_of_missing : 1.0;
    // T as of the corners that would be here, so that it does not matter whether round-off finds them; what
    // lies below the polygon is no corner of it.
    const auto on = [&](const SupportFeature& part) {
      return &part == &a ? found.on_a : Vec3(found.on_a + found.distance * n);
    };
    const SupportFeature& round = flat.kind == Kind::polygon ? other : flat;
    const Vec3 from_centre = on(round) - round.centre;
    const double reach = round.kind == Kind::segment ? round.half.norm() : round.radius;
    const double own = (round.kind == Kind::segment ? round.end_weight : kCornerWeight) +
                       std::max(0.0, reach - from_centre.norm()) / window;
    double least = kCornerWeight;
    if (beside.polytope != nullptr) {
      const SupportFeature& part = *beside.part;
      const Vec3 p = on(part);
      // On a disc they only come and go at its rim, where `own` is the least.
      double below = 1.0;
      if (flat.kind == Kind::polygon) {
        least = beside.least_at_border(down(p));
        below = std::min(1.0, part.normal.dot(p - part.centre) / (kMissedWindow * window));
      }
      if (below > 1e-6)
        least = std::max(
            least, below * least_near(&part == &a ? A : B, &part == &a ? Pose{} : frame.X_AB, p, window));
    }
    least = std::min(least, own);
    points.add_support(weight, least, share, feature(FeatureKind::edge, 30, FeatureKind::edge, 30));
  }
  raise_to_least(found.distance, window, points.all());
  points.emit(frame, options.margin, out);
  limit_points(begin, options.max_points, out);
}

double capsule_exit_distance(const Vec3& axis, double half, double radius, const Vec3& x, const Vec3& n) {
  const double s = axis.dot(x), c = axis.dot(n), sine2 = axis.cross(n).squaredNorm();
  // Through the lateral surface, if the foot on the axis is still on the segment.
  const double way = sine2 > 0.0 ? radius / std::sqrt(sine2) : 1e300;
  const double below = s + way * c;
  if (std::abs(below) <= half) return way;
  // Through the ball at the end beyond which it lies.
  const double behind = (below > 0.0 ? half : -half) - s;  // of the point, along the axis
  const double along = behind * c;                         // of the end, along the ray
  return along + std::sqrt(std::max(0.0, radius * radius - behind * behind * sine2));
}

void limit_points(std::size_t begin, int max_points, ContactPoints* out) {
  const auto most = static_cast<std::size_t>(max_points);
  while (out->size() > begin + most) {
    // The point with the least weight times depth below the margin, never the deepest.
    std::size_t least = begin, deepest = begin;
    for (std::size_t i = begin; i < out->size(); ++i)
      if ((*out)[i].distance < (*out)[deepest].distance) deepest = i;
    const auto bears = [&](std::size_t i) { return (*out)[i].weight * std::max(0.0, -(*out)[i].distance); };
    if (least == deepest) ++least;
    for (std::size_t i = begin; i < out->size(); ++i) {
      if (i == deepest) continue;
      const double x = bears(i), y = bears(least);
      if (x < y || (x == y && (*out)[i].weight < (*out)[least].weight)) least = i;
    }
    // Its weight goes to the nearest point that stays.
    std::size_t nearest = deepest;
    for (std::size_t i = begin; i < out->size(); ++i) {
      if (i == least) continue;
      if (((*out)[i].p_A - (*out)[least].p_A).squaredNorm() <
          ((*out)[nearest].p_A - (*out)[least].p_A).squaredNorm())
        nearest = i;
    }
    (*out)[nearest].weight += (*out)[least].weight;
    out->erase(out->begin() + static_cast<std::ptrdiff_t>(least));
  }
}

}  // namespace stiction
