#include "stiction/geometry/capsule_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/contact_patch.h"
#include "stiction/geometry/direction_search.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/pose_packs.h"
#include "stiction/geometry/primitive_pairs.h"
#include "stiction/geometry/support.h"

namespace stiction {

namespace {

using simd::Pack;

// Not std::clamp, whose references become branches.
double limited(double x, double half) { return std::min(std::max(x, -half), half); }

// Two segments, d from centre to centre, and the places on them that are nearest to each other.
struct Segments {
  Pack d, a, b;           // axes of unit length
  double half_a, half_b;  // m

  // Points of the axes closer than this are one point to round-off, m: no direction leads from one to the
  // other.
  double same_place() const { return 1e-14 * (half_a + half_b); }
};
struct Places {
  double s, t;  // m along the axes
};
inline Places nearest_places(const Segments& x) {
  // Lines closer to parallel than this (the square of a sine) say little about where they are nearest.
  constexpr double kLeastSine2 = 1e-20;
  const Pack across = simd::cross(x.a, x.b);
  const Pack dots = simd::sums(x.d * x.a, x.d * x.b, x.a * x.b, across * across);
  const double da = dots[0], db = dots[1], c = dots[2], sine2 = dots[3];
  // Where the lines cross, seen along their common normal; from the end of the one that does not reach there
  // to the point of the other that is level with it, and back (C. Ericson, "Real-Time Collision Detection",
  // 2005, 5.1.9).
  if (sine2 > kLeastSine2) {
    const double s = limited((da - c * db) / sine2, x.half_a);
    const double t = limited(c * s - db, x.half_b);
    return {limited(da + c * t, x.half_a), t};
  }
  // Otherwise an end of one is nearest to the other.
  Places best{0.0, 0.0};
  double least = 1e300;
  const auto look = [&](double s, double t) {
    const Pack apart = x.d + t * x.b - s * x.a;
    const double length2 = simd::dot(apart, apart);
    if (length2 < least) least = length2, best = {s, t};
  };
  for (const double s : {-x.half_a, x.half_a}) look(s, limited(c * s - db, x.half_b));
  for (const double t : {-x.half_b, x.half_b}) look(limited(da + c * t, x.half_a), t);
  return best;
}

// The ends of the stretch side by side.
struct Stretch {
  bool exists;
  Places first, last;
};
inline Stretch stretch_of(const Segments& x) {
  // Measured along the sum of the axes, which is as good as their mean.
  const double sign = simd::dot(x.a, x.b) < 0.0 ? -1.0 : 1.0;
  const Pack sum = x.a + sign * x.b;
  const double slope = simd::dot(x.a, sum), apart = simd::dot(x.d, sum);
  const double low = std::max(-x.half_a * slope, apart - x.half_b * slope);
  const double high = std::min(x.half_a * slope, apart + x.half_b * slope);
  const double inverse = 1.0 / slope;
  return {low < high,
          {low * inverse, sign * (low - apart) * inverse},
          {high * inverse, sign * (high - apart) * inverse}};
}

Vec3 vec3_of(Pack v) { return Vec3(v[0], v[1], v[2]); }

// A normal where two axes cross: across both, and any way across parallel ones.
Vec3 normal_across(const Vec3& a, const Vec3& b) {
  const Vec3 n = a.cross(b);
  return n.norm() > 1e-9 ? Vec3(n.normalized()) : Vec3(frame_with_z(a).col(0));
}

// Both ends of the stretch as contacts along the lines through their two points.
struct Ends {
  Pack apart0, apart1;          // m, from A to B
  Pack length;                  // m: first, first, last, last
  Pack way;                     // m, out of A and out of B at the first, of A and of B at the last
  double distance0, distance1;  // m
};
inline Ends ends_of(const Segments& x, const Stretch& stretch, double ra, double rb) {
  Ends ends;
  ends.apart0 = x.d + stretch.first.t * x.b - stretch.first.s * x.a;
  ends.apart1 = x.d + stretch.last.t * x.b - stretch.last.s * x.a;
  const Pack square0 = ends.apart0 * ends.apart0, square1 = ends.apart1 * ends.apart1;
  const Pack length2 = simd::sums(square0, square0, square1, square1);
  // Along the axes, out of the capsule.
  const Pack along = simd::sums(x.a * ends.apart0, -x.b * ends.apart0, x.a * ends.apart1, -x.b * ends.apart1);
  const Pack half{x.half_a, x.half_b, x.half_a, x.half_b}, radius{ra, rb, ra, rb};
  const Pack at{stretch.first.s, stretch.first.t, stretch.last.s, stretch.last.t};
  ends.length = simd::square_root(length2);
  const Pack c = ends.length > simd::broadcast(x.same_place()) ? along / ends.length : simd::zero(),
             sine2 = 1.0 - c * c;
  // As in way_out_of_capsule(): through the mantle, or through the ball at an end.
  const Pack through_mantle = radius / simd::square_root(sine2);
  const Pack below = at + through_mantle * c;
  const Pack behind = (below > simd::zero() ? half : -half) - at;
  const Pack inside2 = simd::larger(radius * radius - behind * behind * sine2, simd::zero());
  const Pack through_ball = behind * c + simd::square_root(inside2);
  ends.way = simd::absolute(below) <= half ? through_mantle : through_ball;
  const Pack rest = ends.length - ends.way - __builtin_shufflevector(ends.way, ends.way, 1, 0, 3, 2);
  ends.distance0 = rest[0];
  ends.distance1 = rest[2];
  return ends;
}

}  // namespace

SegmentPoints nearest_of_segments(const Vec3& centre_a, const Vec3& axis_a, double half_a,
                                  const Vec3& centre_b, const Vec3& axis_b, double half_b) {
  const Places at = nearest_places(
      {simd::pack_of(centre_b - centre_a), simd::pack_of(axis_a), simd::pack_of(axis_b), half_a, half_b});
  return {at.s, at.t, centre_a + at.s * axis_a, centre_b + at.t * axis_b};
}

bool side_by_side(const Vec3& centre_a, const Vec3& axis_a, double half_a, const Vec3& centre_b,
                  const Vec3& axis_b, double half_b, SegmentPoints* first, SegmentPoints* last) {
  const Stretch ends = stretch_of(
      {simd::pack_of(centre_b - centre_a), simd::pack_of(axis_a), simd::pack_of(axis_b), half_a, half_b});
  if (!ends.exists) return false;
  const auto points = [&](const Places& at) {
    return SegmentPoints{at.s, at.t, centre_a + at.s * axis_a, centre_b + at.t * axis_b};
  };
  *first = points(ends.first), *last = points(ends.last);
  return true;
}

void add_round_contacts(const ContactPoint& nearest, const ContactPoint* ends, int count, double weight,
                        double radius, double margin, ContactPoints* out) {
  if (nearest.distance > margin) return;
  const double scale = std::abs(nearest.distance) + kParallel * radius;
  const double same_place = 1e-9 * radius;
  ContactPoint deepest = nearest;
  deepest.weight = weight;
  std::array<double, 2> share{};
  int merged = -1;
  bool is_needed = true;  // the nearest point itself
  for (int i = 0; i < count; ++i) {
    // Axes that cross deep inside have no side by side.
    const double above = ends[i].distance - nearest.distance;
    if (above < -1e-12 * radius) continue;
    share[i] = 0.5 * weight * std::clamp(1.0 - above / scale, 0.0, 1.0);
    deepest.weight -= share[i];
    if ((ends[i].p_A - nearest.p_A).norm() <= same_place) merged = i;
    if (share[i] > 0.0 && above <= 1e-14 * radius) is_needed = false;
  }
  // With no weight to speak of it goes, unless it alone is deepest.
  if (merged < 0 && (is_needed || deepest.weight > 1e-9 * weight)) out->push_back(deepest);
  for (int i = 0; i < count; ++i) {
    ContactPoint end = ends[i];
    end.weight = share[i] + (i == merged ? deepest.weight : 0.0);
    if (i == merged) {
      const std::uint64_t feature = end.feature;
      const double w = end.weight;
      end = nearest, end.feature = feature, end.weight = w;
    }
    if (end.weight > 0.0 && end.distance <= margin) out->push_back(end);
  }
}

void collide_capsule_capsule(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                             const Pose& X_WB, const CollideOptions& options, PairMemory*,
                             ContactPoints* out) {
  const Pack p_WA = simd::position(X_WA);
  const Segments x{simd::position(X_WB) - p_WA, simd::column<2>(X_WA), simd::column<2>(X_WB), A.size[1],
                   B.size[1]};
  const double ra = core_radius(A), rb = core_radius(B), radius = ra + rb;
  const Places near = nearest_places(x);
  const Pack on_a = near.s * x.a, shortest = x.d + near.t * x.b - on_a;
  const double length = std::sqrt(simd::dot(shortest, shortest));
  // Between the nearest points of two axes the way out of either capsule is its radius.
  constexpr double kClose = 1e-6;  // of the lengths
  double distance = length - radius, way_a = ra;
  if (distance > options.margin) return;
  const Pack n = length > x.same_place() ? shortest * (1.0 / length)
                                         : simd::pack_of(normal_across(X_WA.R.col(2), X_WB.R.col(2)));
  if (length < kClose * (x.half_a + x.half_b)) {
    // The direction between points so close is no longer across the axes to round-off.
    const Vec3 m = vec3_of(n), a = X_WA.R.col(2), b = X_WB.R.col(2);
    way_a = way_out_of_capsule(a, A.size[1], ra, near.s * a, m);
    distance = length - way_a - way_out_of_capsule(b, B.size[1], rb, near.t * b, -m);
  }

  // Most ends of the stretch side by side bear nothing.
  const Stretch stretch = stretch_of(x);
  const Ends ends = ends_of(x, stretch, ra, rb);
  const double bearing = distance + std::abs(distance) + kParallel * radius;
  if (!stretch.exists || (ends.distance0 > bearing && ends.distance1 > bearing)) {
    simd::add_point(p_WA + (on_a + way_a * n), n, distance, 1.0, 0, out);
    return;
  }
  const Vec3 a = X_WA.R.col(2), b = X_WB.R.col(2);
  const auto contact = [&](double s, Pack apart, double length_at, double way, double at_distance,
                           int index) {
    const Vec3 m = length_at > x.same_place() ? Vec3(vec3_of(apart) / length_at) : normal_across(a, b);
    return ContactPoint{X_WA.p + (s * a + way * m), m, at_distance, 1.0,
                        pair_feature(FeatureKind::vertex, index, FeatureKind::vertex, index)};
  };
  // Numbered along A.
  const int at = stretch.first.s > stretch.last.s ? 1 : 0;
  std::array<ContactPoint, 2> points;
  int count = 0;
  if (ends.distance0 <= bearing)
    points[count++] = contact(stretch.first.s, ends.apart0, ends.length[0], ends.way[0], ends.distance0, at);
  if (ends.distance1 <= bearing)
    points[count++] =
        contact(stretch.last.s, ends.apart1, ends.length[2], ends.way[2], ends.distance1, 1 - at);
  const Vec3 normal = vec3_of(n);
  const ContactPoint nearest{X_WA.p + (near.s * a + way_a * normal), normal, distance, 1.0, 0};
  add_round_contacts(nearest, points.data(), count, 1.0, radius, options.margin, out);
}

void collide_capsule_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                              ContactPoints* out) {
  const PairFrame frame(X_WA, X_WB);
  const Pose& X = frame.X_AB;
  const double ra = core_radius(A), rb = core_radius(B), reach = options.margin + ra + rb;
  if (is_soon_separated(A, B, X, reach, memory)) return;
  const Separation found = largest_separation(A, B, X, reach);
  if (found.distance > reach) return;
  FacingPart a, b;
  facing_part(A, {}, found.normal, &a);
  facing_part(B, X, -found.normal, &b);
  if (b.kind == FacingPart::Kind::disc) {
    add_patch(A, B, frame, a, b, found, options, out);
    return;
  }
  const Vec3& n = found.normal;
  const Vec3 axis = Vec3::UnitZ(), axis_b = X.R.col(2);
  const ContactPoint nearest = frame.point(found.on_a + ra * n, n, found.distance - ra - rb, 1.0, 0);
  std::array<ContactPoint, 2> ends;
  int count = 0;
  SegmentPoints first, last;
  if (side_by_side(Vec3::Zero(), axis, A.size[1], X.p, axis_b, B.size[1], &first, &last)) {
    for (const SegmentPoints* p : {&first, &last}) {
      const NearestPoint on_b = nearest_on_cylinder(B.size[0], B.size[1], X.R.transpose() * (p->a - X.p));
      const Vec3 m = -(X.R * on_b.normal);
      const double way = way_out_of_capsule(axis, A.size[1], ra, p->a, m);
      ends[count] = frame.point(p->a + way * m, m, on_b.distance - way - rb, 1.0,
                                pair_feature(FeatureKind::vertex, count, FeatureKind::vertex, count));
      ++count;
    }
  }
  add_round_contacts(nearest, ends.data(), count, 1.0, ra + rb + B.size[0], options.margin, out);
}

}  // namespace stiction
