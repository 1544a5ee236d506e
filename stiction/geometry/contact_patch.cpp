#include "stiction/geometry/contact_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/capsule_pairs.h"
#include "stiction/geometry/convex_hull.h"
#include "stiction/geometry/support.h"
#include "stiction/geometry/tangents.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kNudge = 1e-6;    // rad, for a slope by differences
constexpr double kOnRim = 1e-15;   // of the radius: round-off
constexpr double kOffRim = 1e-12;  // of the radius: not a crossing
constexpr int kMaxCorrections = 12;
constexpr double kCornerWeight = 0.25;
constexpr double kLeastSlant = 0.1;  // cosine between normal and face: flatter projections say nothing
using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// A corner of an intersection: its place in the common plane, what it is, and its share of the outline.
struct PatchCorner {
  Vec2 x = Vec2::Zero();
  double length = 0.0;  // m
  FeatureKind kind_flat = FeatureKind::face, kind_other = FeatureKind::face;
  int flat = 0, other = 0;
};

struct PatchCorners {
  static constexpr int kMax = 2 * FacingPart::kMaxCorners + 16;
  std::array<PatchCorner, kMax> corners;
  int count = 0;
  double length = 0.0;  // m, of the whole outline

  int add(const Vec2& x, FeatureKind kind_flat, int flat, FeatureKind kind_other, int other) {
    if (count == kMax) return kMax - 1;
    corners[count] = {x, 0.0, kind_flat, kind_other, flat, other};
    return count++;
  }
  void give(int corner, double share) {
    corners[corner].length += share;
    length += share;
  }
};

// The integral of the falling half of a hat, 1 at 0 and 0 at a quarter turn, from u to v.
double half_hat(double u, double v) {
  const double quarter = 0.5 * kPi;
  u = std::clamp(u, 0.0, quarter), v = std::clamp(v, 0.0, quarter);
  return (v - u) * (1.0 - 0.5 * (u + v) / quarter);
}

// Angle in [0, 2 pi).
double turn(double angle) {
  angle = std::fmod(angle, 2.0 * kPi);
  return angle < 0.0 ? angle + 2.0 * kPi : angle;
}

// The four corners of a disc about the origin.
struct Rim {
  double radius = 0.0, heading = 0.0;  // m, rad: of corner 0
  bool is_flat = true;                 // of the part whose plane is used
  int index = 0;                       // of the disc
  std::array<int, 4> corner{-1, -1, -1, -1};

  double angle(int k) const { return heading + 0.5 * kPi * k; }
};

// The arc that runs counter-clockwise from corner `first` to corner `last` of the outline, at angles u to v
// (v > u, at most one turn): its corners inside appear, and its length goes to them. `place` turns an angle
// into a point of the common plane, `is_in_other` says whether the other part holds it.
template <class Place, class IsInside>
void add_arc(double u, double v, int first, int last, Rim* rim, const Place& place,
             const IsInside& is_in_other, PatchCorners* out) {
  // Ends that coincide to round-off may come in the wrong order: an arc of nothing, not the whole rim.
  if (v - u > kPi && !is_in_other(place(0.5 * (u + v)))) return;
  for (int k = 0; k < 4; ++k) {
    const double ahead = turn(rim->angle(k) - u);  // of corner k behind the beginning of the arc
    if (ahead > v - u || !is_in_other(place(rim->angle(k)))) continue;
    if (rim->corner[k] < 0)
      rim->corner[k] =
          rim->is_flat
              ? out->add(place(rim->angle(k)), FeatureKind::edge, 4 * rim->index + k, FeatureKind::face, 0)
              : out->add(place(rim->angle(k)), FeatureKind::face, 0, FeatureKind::edge, 4 * rim->index + k);
  }
  for (int k = 0; k < 4; ++k) {
    // The half before the corner and the half behind it, each cut with the arc; both may meet it twice,
    // at either end, where the arc is nearly whole.
    const double ahead = turn(rim->angle(k) - u);
    const bool is_inside = rim->corner[k] >= 0 && ahead <= v - u;
    double before = 0.0, behind = 0.0;
    for (const double at : {ahead - 2.0 * kPi, ahead, ahead + 2.0 * kPi}) {
      before += half_hat(at - (v - u), at);
      behind += half_hat(-at, v - u - at);
    }
    if (is_inside) {
      out->give(rim->corner[k], rim->radius * (before + behind));
    } else {
      out->give(last, rim->radius * before);
      out->give(first, rim->radius * behind);
    }
  }
}

// A whole disc: four equal corners.
template <class Place>
void add_whole_disc(Rim* rim, const Place& place, PatchCorners* out) {
  for (int k = 0; k < 4; ++k) {
    const int corner =
        rim->is_flat
            ? out->add(place(rim->angle(k)), FeatureKind::edge, 4 * rim->index + k, FeatureKind::face, 0)
            : out->add(place(rim->angle(k)), FeatureKind::face, 0, FeatureKind::edge, 4 * rim->index + k);
    out->give(corner, 0.5 * kPi * rim->radius);
  }
}

// The disc about the origin and a convex polygon, counter-clockwise.
void intersect_disc_polygon(Rim* rim, const Vec2* polygon, const int* vertices, int count,
                            PatchCorners* out) {
  const double r = rim->radius;
  const auto place = [r](double angle) { return Vec2(r * std::cos(angle), r * std::sin(angle)); };
  const auto is_in_polygon = [&](const Vec2& x) {
    for (int i = 0; i < count; ++i) {
      const Vec2 d = polygon[i + 1 < count ? i + 1 : 0] - polygon[i];
      if (cross(d, x - polygon[i]) < 0.0) return false;
    }
    return true;
  };
  bool is_inside = true;  // the centre, if no side comes into the disc
  int first = -1, previous = -1;
  double first_angle = 0.0, exit_angle = 0.0;
  int exit = -1;
  for (int i = 0; i < count; ++i) {
    const int next = i + 1 < count ? i + 1 : 0;
    const Vec2 a = polygon[i], d = polygon[next] - a;
    is_inside = is_inside && cross(d, -a) >= 0.0;
    // The part [s0, s1] of the side inside the circle.
    const double dd = d.squaredNorm(), half = -a.dot(d), c = a.squaredNorm() - r * r,
                 root2 = half * half - dd * c;
    if (!(root2 > 0.0) || !(dd > 0.0)) continue;
    const double root = std::sqrt(root2), s0 = std::max(0.0, (half - root) / dd),
                 s1 = std::min(1.0, (half + root) / dd);
    if (!(s0 < s1)) continue;
    int begin = previous;
    if (s0 > 0.0) {
      const Vec2 x = a + s0 * d;
      begin = out->add(x, FeatureKind::edge, 8 + 2 * rim->index, FeatureKind::edge, 2 * vertices[i]);
      const double angle = std::atan2(x.y(), x.x());
      if (exit >= 0) {
        add_arc(exit_angle, exit_angle + turn(angle - exit_angle), exit, begin, rim, place, is_in_polygon,
                out);
      } else {
        first = begin, first_angle = angle;
      }
      exit = -1;
    } else if (begin < 0) {
      begin = out->add(a, FeatureKind::face, rim->index, FeatureKind::vertex, vertices[i]);
      if (first < 0) first = begin;
    }
    int end = -1;
    const double length = (s1 - s0) * std::sqrt(dd);
    if (s1 < 1.0) {
      const Vec2 x = a + s1 * d;
      end = out->add(x, FeatureKind::edge, 8 + 2 * rim->index, FeatureKind::edge, 2 * vertices[i] + 1);
      exit = end, exit_angle = std::atan2(x.y(), x.x());
      previous = -1;
    } else {
      end = next == 0 && first >= 0 && out->corners[first].kind_other == FeatureKind::vertex
                ? first
                : out->add(polygon[next], FeatureKind::face, rim->index, FeatureKind::vertex, vertices[next]);
      previous = end;
    }
    out->give(begin, 0.5 * length);
    out->give(end, 0.5 * length);
  }
  if (out->count == 0) {
    if (is_inside) add_whole_disc(rim, place, out);
  } else if (exit >= 0) {
    add_arc(exit_angle, exit_angle + turn(first_angle - exit_angle), exit, first, rim, place, is_in_polygon,
            out);
  }
}

// Two discs. `on_other` places an angle of the other rim in the plane of the flat one; `beyond` says how far
// a point of that plane, moved along n into the other's, lies outside the other rim. For parallel planes the
// crossings are those of two circles; a tilt between them is corrected by Newton's method on the angle.
template <class Place, class Beyond>
void intersect_discs(Rim* flat, Rim* other, const Vec2& centre, const Place& on_other, const Beyond& beyond,
                     PatchCorners* out) {
  const double r = flat->radius, s = other->radius, d = centre.norm();
  const auto on_flat = [r](double angle) { return Vec2(r * std::cos(angle), r * std::sin(angle)); };
  if (d >= r + s) return;
  if (d + r <= s) return add_whole_disc(flat, on_flat, out);
  if (d + s <= r) return add_whole_disc(other, on_other, out);
  const double towards = std::atan2(centre.y(), centre.x());
  const double half_flat = std::acos(std::clamp((d * d + r * r - s * s) / (2.0 * d * r), -1.0, 1.0));
  const double half_other = std::acos(std::clamp((d * d + s * s - r * r) / (2.0 * d * s), -1.0, 1.0));
  const auto corrected = [&](double angle) {
    for (int k = 0; k < kMaxCorrections; ++k) {
      const double f = beyond(on_flat(angle)), slope = (beyond(on_flat(angle + kNudge)) - f) / kNudge;
      if (std::abs(f) <= kOnRim * r || !(std::abs(slope) > kNudge * r)) break;
      angle -= std::clamp(f / slope, -0.1, 0.1);
    }
    return angle;
  };
  // The arc of the flat disc inside the other faces it; that of the other faces back.
  const double from = corrected(towards - half_flat), to = corrected(towards + half_flat);
  if (std::max(std::abs(beyond(on_flat(from))), std::abs(beyond(on_flat(to)))) > kOffRim * r) {
    // Tilted so much that the outlines do not cross after all: one lies inside the other, or they are apart.
    bool is_inside = true, is_around = true;
    for (int k = 0; k < 4; ++k) {
      is_inside = is_inside && on_other(other->angle(k)).norm() <= r;
      is_around = is_around && beyond(on_flat(flat->angle(k))) <= 0.0;
    }
    if (is_inside) return add_whole_disc(other, on_other, out);
    if (is_around) return add_whole_disc(flat, on_flat, out);
    return;
  }
  const int right = out->add(on_flat(from), FeatureKind::edge, 8, FeatureKind::edge, 8);
  const int left = out->add(on_flat(to), FeatureKind::edge, 9, FeatureKind::edge, 9);
  add_arc(
      from, std::max(from, to), right, left, flat, on_flat, [&](const Vec2& x) { return beyond(x) <= 0.0; },
      out);
  add_arc(
      towards + kPi - half_other, towards + kPi + half_other, left, right, other, on_other,
      [&](const Vec2& x) { return x.norm() <= r; }, out);
}

// The part [s0, s1] of the segment from a to b inside the part.
bool clip_segment(const FacingPart& part, const Vec2* polygon, const Vec2& a, const Vec2& b, double* s0,
                  double* s1) {
  const Vec2 d = b - a;
  *s0 = 0.0, *s1 = 1.0;
  if (part.kind == FacingPart::Kind::disc) {
    const double dd = d.squaredNorm(), half = -a.dot(d), c = a.squaredNorm() - part.radius * part.radius;
    if (!(dd > 0.0)) return c <= 0.0;
    const double root2 = half * half - dd * c;
    if (root2 < 0.0) return false;
    *s0 = std::max(*s0, (half - std::sqrt(root2)) / dd);
    *s1 = std::min(*s1, (half + std::sqrt(root2)) / dd);
    return *s0 <= *s1;
  }
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

// The way along n (towards the partner) from a point of the core to the surface.
double swept(const CollisionShape& shape, const FacingPart& part, const Vec3& p, const Vec3& n,
             bool is_deepest) {
  const double radius = core_radius(shape);
  if (radius == 0.0) return 0.0;
  if (shape.kind == ShapeKind::capsule)
    return way_out_of_capsule(part.half / shape.size[1], shape.size[1], radius, p - part.centre, n);
  if (is_deepest || part.kind == FacingPart::Kind::segment) return radius;
  return radius / n.dot(part.normal);
}

struct Points {
  const PairFrame& frame;
  const CollideOptions& options;
  const CollisionShape& A;
  const CollisionShape& B;
  const FacingPart& a;
  const FacingPart& b;
  const Separation& found;
  double same_depth;  // m
  ContactPoints* out;
  double deepest = 1e300;

  // From the point of A's core and the distance of the cores along n.
  void add(const Vec3& p_a, double distance, double weight, std::uint64_t feature) {
    deepest = std::min(deepest, distance);
    const Vec3& n = found.normal;
    const bool is_deepest = distance <= found.distance + same_depth;
    const double way_a = swept(A, a, p_a, n, is_deepest);
    const double d = distance - way_a - swept(B, b, p_a + distance * n, -n, is_deepest);
    if (d <= options.margin) out->push_back(frame.point(p_a + way_a * n, n, d, weight, feature));
  }
};

// The squared sine of the angle between a segment and the unit vector n.
double sine2_to(const Vec3& half, const Vec3& n) {
  const double along = half.squaredNorm();
  return along > 0.0 ? half.cross(n).squaredNorm() / along : 1.0;
}

}  // namespace

void add_patch(const CollisionShape& A, const CollisionShape& B, const PairFrame& frame, const FacingPart& a,
               const FacingPart& b, const Separation& found, const CollideOptions& options,
               ContactPoints* out) {
  using Kind = FacingPart::Kind;
  const Vec3& n = found.normal;
  const double size = core_extent(A) + core_extent(B);
  const std::size_t begin = out->size();
  Points points{frame, options, A, B, a, b, found, 1e-12 * size, out};

  // The plane of the disc, or else of the polygon; `side` is +1 where the flat part is A's.
  const bool flat_is_a = a.kind == Kind::disc || (b.kind != Kind::disc && a.kind == Kind::polygon);
  const FacingPart& flat = flat_is_a ? a : b;
  const FacingPart& other = flat_is_a ? b : a;
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
  std::array<Vec2, FacingPart::kMaxCorners> polygon;
  const auto flatten = [&](const FacingPart& part) {
    for (int i = 0; i < part.count; ++i) polygon[i] = down(part.corners[i]);
  };

  if (std::abs(slant) < kLeastSlant ||
      (other.kind != Kind::segment && std::abs(n.dot(other.normal)) < kLeastSlant)) {
    // Seen from the side: one point, below.
  } else if (other.kind == Kind::segment) {
    if (flat.kind == Kind::polygon) flatten(flat);
    const Vec3 lower = other.centre - other.half, upper = other.centre + other.half;
    double s0 = 0.0, s1 = 1.0;
    if (clip_segment(flat, polygon.data(), down(lower), down(upper), &s0, &s1)) {
      const double sine2 = sine2_to(other.half, n);
      const double f = s1 - s0, far_weight = other.end_weight * (sine2 + f * (1.0 - sine2));
      const Vec3 p0 = lower + s0 * (upper - lower), p1 = lower + s1 * (upper - lower);
      // Of the cores along n, from A to B.
      const double d0 = side * flat.normal.dot(p0 - flat.centre) / slant;
      const double d1 = side * flat.normal.dot(p1 - flat.centre) / slant;
      const bool lower_is_deep = d0 <= d1;
      const auto add_end = [&](const Vec3& p, double d, bool is_deep, int end, bool is_cut) {
        const Vec3 on_a = flat_is_a ? Vec3(p - d * n) : p;
        points.add(on_a, d, is_deep ? other.end_weight : far_weight,
                   feature(is_cut ? FeatureKind::edge : FeatureKind::face, flat.index,
                           is_cut ? FeatureKind::edge : FeatureKind::vertex, end));
      };
      add_end(p0, d0, lower_is_deep, 0, s0 > 0.0);
      add_end(p1, d1, !lower_is_deep, 1, s1 < 1.0);
    }
  } else {
    PatchCorners corners;
    // Corner 0 of a disc heads for the partner's plane.
    const Vec3 low = -(other.normal - flat.normal * flat.normal.dot(other.normal));
    Rim rim{flat.radius, std::atan2(low.dot(axes.t2), low.dot(axes.t1)), true, flat.index};
    if (other.kind == Kind::polygon) {
      flatten(other);
      // Seen from the disc, a polygon that faces it runs clockwise.
      std::reverse(polygon.begin(), polygon.begin() + other.count);
      std::array<int, FacingPart::kMaxCorners> vertices;
      std::reverse_copy(other.vertices.begin(), other.vertices.begin() + other.count, vertices.begin());
      intersect_disc_polygon(&rim, polygon.data(), vertices.data(), other.count, &corners);
    } else {
      // Angles on the other rim are measured from the image of t1, counter-clockwise seen from the flat disc.
      const Vec3 u = (axes.t1 - other.normal * other.normal.dot(axes.t1)).normalized(),
                 v = u.cross(other.normal);
      const Vec3 t = -(flat.normal - other.normal * other.normal.dot(flat.normal));
      Rim other_rim{other.radius, std::atan2(t.dot(v), t.dot(u)), false, other.index};
      const auto on_other = [&](double angle) {
        return down(other.centre + other.radius * (std::cos(angle) * u + std::sin(angle) * v));
      };
      const auto beyond = [&](const Vec2& x) {
        const Vec3 p = up(x);
        const Vec3 q = p + (other.normal.dot(other.centre - p) / n.dot(other.normal)) * n;
        return (q - other.centre).norm() - other.radius;
      };
      intersect_discs(&rim, &other_rim, down(other.centre), on_other, beyond, &corners);
    }
    const double other_slant = n.dot(other.normal);
    // Parts that only meet at their borders weigh as much as a corner, whether round-off finds an
    // intersection or not; those with an outline as long as the overlap is deep weigh 1.
    const double depth = std::max(0.0, core_radius(A) + core_radius(B) - found.distance);
    const double whole =
        corners.length < depth ? kCornerWeight + (1.0 - kCornerWeight) * corners.length / depth : 1.0;
    for (int i = 0; i < corners.count; ++i) {
      const PatchCorner& c = corners.corners[i];
      const Vec3 p = up(c.x);                                                  // on the flat part
      const double height = other.normal.dot(other.centre - p) / other_slant;  // along n to the other plane
      const Vec3 on_a = flat_is_a ? p : Vec3(p + height * n);
      points.add(on_a, side * height,
                 corners.length > 0.0 ? whole * c.length / corners.length : kCornerWeight,
                 feature(c.kind_flat, c.flat, c.kind_other, c.other));
    }
  }

  // Parts that only meet at their borders, to round-off: the support points themselves.
  if (points.deepest > found.distance + 1e-9 * size) {
    const double weight =
        other.kind == Kind::segment ? other.end_weight * (1.0 + sine2_to(other.half, n)) : kCornerWeight;
    points.add(witness_on_a(A, B, frame.X_AB, found), found.distance, weight,
               feature(FeatureKind::edge, 30, FeatureKind::edge, 30));
  }
  limit_points(begin, options.max_points, out);
}

Vec3 witness_on_a(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                  const Separation& found) {
  using Kind = SupportSet::Kind;
  const Vec3& n = found.normal;
  const SupportSet a = support_set(A, n), b = support_set(B, -(X_AB.R.transpose() * n));
  const Vec3 from_b = X_AB * b.centre - found.distance * n;
  if (a.kind == Kind::point) return a.centre;
  if (b.kind == Kind::point) return from_b;
  if (a.kind == Kind::segment && b.kind == Kind::segment)
    return nearest_of_segments(a.centre, a.axis, a.half, from_b, X_AB.R * b.axis, b.half).a;
  return a.kind == Kind::segment ? a.centre : from_b;
}

double way_out_of_capsule(const Vec3& axis, double half, double radius, const Vec3& x, const Vec3& n) {
  const double s = axis.dot(x), c = axis.dot(n), sine2 = axis.cross(n).squaredNorm();
  // Through the mantle, if the point of the axis below it is still on the segment.
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
    // The point that bears least: by weight times depth below the margin, the deepest never.
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
    // Its weight goes to the nearest of those that stay.
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
