#include "stiction/geometry/primitive/capsule_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/convex/direction_search.h"
#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/segment_pair.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/primitive/contact_patch.h"
#include "stiction/geometry/simd/box_packs.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {

namespace {

using namespace segment_pair;
using simd::Pack;
using simd::spread;

// Of the lengths: if the axes are nearer than this, the direction between their nearest points is not
// perpendicular to them to round-off.
constexpr double kClose = 1e-6;
// Of the radii: contacts nearer to each other than this are one point; ends whose depth differs by less than
// this from that of the nearest points replace them.
constexpr double kSamePlaceOfEnds = 1e-9, kSameDepth = 1e-14;

// A normal for two axes that intersect: perpendicular to both; any perpendicular if they are parallel.
Vec3 normal_across(const Vec3& a, const Vec3& b) {
  const Vec3 n = a.cross(b);
  return n.norm() > 1e-9 ? Vec3(n.normalized()) : Vec3(frame_with_z(a).col(0));
}

constexpr std::size_t kMostPoints = 3;  // of a pair of capsules

// Out of line, so that the usual case stays fast.
[[gnu::noinline]] void make_room(ContactPoints* out) { out->reserve(2 * out->size() + 8); }

constexpr std::uint64_t feature_of_end(int i) {
  return pair_feature(FeatureKind::vertex, i, FeatureKind::vertex, i);
}

// Any two capsules. Out of line, so that the usual case stays fast: handles parallel axes, axes that
// intersect or nearly do (where the direction between them is not perpendicular to round-off), and coinciding
// contacts.
[[gnu::noinline]] void collide_general_capsules(const CollisionShape& A, const Pose& X_WA,
                                                const CollisionShape& B, const Pose& X_WB,
                                                const CollideOptions& options, PairMemory*,
                                                ContactPoints* out) {
  const Segments x{X_WB.p - X_WA.p, X_WA.R.col(2), X_WB.R.col(2), A.size[1], B.size[1]};
  const double ra = core_radius(A), rb = core_radius(B);
  const Products products = products_of(x);
  const auto contact = [&](const Places& at, bool is_nearest, std::uint64_t feature) {
    const Vec3 v = x.d + at.t * x.b - at.s * x.a;
    const double length = v.norm();
    const Vec3 n = length > x.same_place() ? Vec3(v / length) : normal_across(x.a, x.b);
    double exit_a = ra, exit_b = rb;
    if (!is_nearest || length < kClose * (x.half_a + x.half_b)) {
      exit_a = capsule_exit_distance(x.a, x.half_a, ra, at.s * x.a, n);
      exit_b = capsule_exit_distance(x.b, x.half_b, rb, at.t * x.b, -n);
    }
    return ContactPoint{X_WA.p + (at.s * x.a + exit_a * n), n, length - exit_a - exit_b, 1.0, feature};
  };
  const Places near =
      products.sine2 > kLeastSine2 ? nearest_places(x, products) : nearest_places_of_parallel(x, products);
  const Stretch stretch = stretch_of(x, products);
  const std::array<ContactPoint, 2> ends{contact(stretch.first, false, feature_of_end(0)),
                                         contact(stretch.last, false, feature_of_end(1))};
  add_round_contacts(contact(near, true, 0), ends.data(), stretch.exists() ? 2 : 0, 1.0, ra + rb,
                     options.margin, out);
}

// At the two ends of the interval side by side (lanes 1 and 2): the distance, and the distance along v out of
// A, m, as by capsule_exit_distance(); in lane 0 the latter is A's radius. Points with the same coordinate
// along the sum of the axes differ by a vector perpendicular to it: v makes the same angle with both axes.
struct EndExits {
  Pack way, distance;
};
[[gnu::always_inline]] inline EndExits exits_at_ends(Pack s, Pack t, Pack length, Pack along, Pack height,
                                                     double sign, const CollisionShape& A,
                                                     const CollisionShape& B) {
  const double ra = A.size[0] + A.rounding, rb = B.size[0] + B.rounding;
  // Out of A and of B at the first end, then at the last.
  const auto twice = [](Pack x) { return __builtin_shufflevector(x, x, 1, 1, 2, 2); };
  const Pack cosine = twice(along / length) * Pack{1.0, sign, 1.0, sign};
  const Pack half{A.size[1], B.size[1], A.size[1], B.size[1]}, radius{ra, rb, ra, rb};
  const Pack place = __builtin_shufflevector(s, t, 1, 5, 2, 6);
  // Through the lateral surface, or through the ball at an end.
  const Pack through_lateral_surface = radius * twice(length / height);
  const Pack below = place + through_lateral_surface * cosine;
  const Pack behind = simd::times_sign(half, below) - place;
  const Pack inside2 = radius * radius - behind * behind * (1.0 - cosine * cosine);
  const Pack through_ball = behind * cosine + simd::square_root(simd::larger(inside2, simd::zero()));
  const Pack way = simd::absolute(below) <= half ? through_lateral_surface : through_ball;
  const Pack both = way + __builtin_shufflevector(way, way, 1, 0, 3, 2);
  return {__builtin_shufflevector(way, simd::broadcast(ra), 4, 0, 2, 4),
          length - __builtin_shufflevector(both, both, 0, 0, 2, 2)};
}

}  // namespace

void add_round_contacts(const ContactPoint& nearest, const ContactPoint* ends, int count, double weight,
                        double radius, double margin, ContactPoints* out) {
  if (nearest.distance > margin) return;
  const double scale = std::abs(nearest.distance) + kParallel * radius;
  const double same_place = kSamePlaceOfEnds * radius;
  ContactPoint deepest = nearest;
  deepest.weight = weight;
  std::array<double, 2> share{};
  int merged = -1;
  bool is_needed = true;  // the nearest point itself
  for (int i = 0; i < count; ++i) {
    // Axes that cross deep inside do not run side by side.
    const double above = ends[i].distance - nearest.distance;
    if (above < -1e-12 * radius) continue;
    share[i] = 0.5 * weight * std::clamp(1.0 - above / scale, 0.0, 1.0);
    deepest.weight -= share[i];
    if ((ends[i].p_A - nearest.p_A).norm() <= same_place) merged = i;
    if (share[i] > 0.0 && above <= kSameDepth * radius) is_needed = false;
  }
  // Drop it if its weight is negligible, unless it alone is the deepest.
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
                             const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                             ContactPoints* out) {
  const Segments x{X_WB.p - X_WA.p, X_WA.R.col(2), X_WB.R.col(2), A.size[1], B.size[1]};
  const Products products = products_of(x);
  // Not a reason for the general case, which rounds in another way: the answer must not depend on the list.
  if (out->capacity() - out->size() < kMostPoints) make_room(out);
  if (!(products.sine2 > kLeastSine2))
    return collide_general_capsules(A, X_WA, B, X_WB, options, memory, out);
  const Places near = nearest_places(x, products);
  // Lanes: the nearest points, the first and the last end of the interval side by side (as in stretch_of(),
  // the last one with its sign flipped).
  constexpr Pack kWay{0.0, 1.0, -1.0, 0.0};
  const double sign = std::copysign(1.0, products.c);
  const Pack apart = kWay * ((products.da + sign * products.db) / (1.0 + std::abs(products.c)));
  const Pack low = simd::larger(simd::broadcast(-x.half_a), apart - x.half_b);
  const Pack s = __builtin_shufflevector(low * kWay, simd::broadcast(near.s), 4, 1, 2, 7);
  const Pack t = __builtin_shufflevector((low - apart) * (sign * kWay), simd::broadcast(near.t), 4, 1, 2, 7);
  // v is the vector from axis to axis.
  const Pack vx = x.d[0] + t * x.b[0] - s * x.a[0], vy = x.d[1] + t * x.b[1] - s * x.a[1],
             vz = x.d[2] + t * x.b[2] - s * x.a[2];
  const Pack length2 = vx * vx + vy * vy + vz * vz, along = x.a[0] * vx + x.a[1] * vy + x.a[2] * vz;
  const Pack length = simd::square_root(length2), height = simd::square_root(length2 - along * along);
  // At the nearest points v is perpendicular to the surfaces: the line leaves either capsule after its
  // radius.
  const double ra = A.size[0] + A.rounding, rb = B.size[0] + B.rounding, radius = ra + rb;
  const double distance = length[0] - radius;
  if (distance > options.margin) return;
  if (length[0] < kClose * (x.half_a + x.half_b))
    return collide_general_capsules(A, X_WA, B, X_WB, options, memory, out);
  const Pack inverse = length * (1.0 / length2), nx = vx * inverse, ny = vy * inverse, nz = vz * inverse;
  const auto add = [&](int k, double way, double distance_at, double weight, std::uint64_t feature) {
    const Vec3 n(nx[k], ny[k], nz[k]);
    simd::append({X_WA.p + (s[k] * x.a + way * n), n, distance_at, weight, feature}, out);
  };

  // Most ends have no weight. The line along v leaves an infinite cylinder after r |v|/h, h the component of
  // v perpendicular to its axis; it leaves the capsule that ends there, if it points beyond the end, after r.
  const double scale = std::abs(distance) + kParallel * radius;
  constexpr Pack kOutward{0.0, -1.0, 1.0, 0.0};
  const Pack who_ends =
      simd::absolute(s) >= simd::broadcast(x.half_a) ? simd::broadcast(ra) : simd::broadcast(rb);
  const Pack through_ball = along * kOutward > simd::zero() ? who_ends : simd::zero();
  const unsigned loaded_ends =
      6u & simd::lane_bits(
               (height * (length - through_ball - (distance + scale)) < (radius - through_ball) * length) &
               (low + __builtin_shufflevector(low, low, 0, 2, 1, 3) < simd::zero()));
  if (loaded_ends == 0) return add(0, ra, distance, 1.0, 0);

  // Both have weight only if the axes are nearly parallel.
  if (loaded_ends == 6u) return collide_general_capsules(A, X_WA, B, X_WB, options, memory, out);
  const EndExits at = exits_at_ends(s, t, length, along, height, sign, A, B);
  const int k = static_cast<int>(loaded_ends >> 1);
  const double end = at.distance[k], share = 0.5 * (1.0 - (end - distance) / scale);
  // An end that coincides with the nearest points, or is as deep, is a special case.
  const Pack px = s * x.a[0] + at.way * nx, py = s * x.a[1] + at.way * ny, pz = s * x.a[2] + at.way * nz;
  const Pack ex = px - spread<0>(px), ey = py - spread<0>(py), ez = pz - spread<0>(pz);
  const Pack elsewhere = ex * ex + ey * ey + ez * ez;
  const double same_place = kSamePlaceOfEnds * radius;
  if (elsewhere[k] <= same_place * same_place || end <= distance + kSameDepth * radius)
    return collide_general_capsules(A, X_WA, B, X_WB, options, memory, out);
  add(0, ra, distance, 1.0 - std::max(0.0, share), 0);
  if (share > 0.0 && end <= options.margin)
    simd::append(
        {X_WA.p + Vec3(px[k], py[k], pz[k]), Vec3(nx[k], ny[k], nz[k]), end, share, feature_of_end(k - 1)},
        out);
}

void collide_capsule_cylinder(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                              const Pose& X_WB, const CollideOptions& options, PairMemory* memory,
                              ContactPoints* out) {
  const PairFrame frame(X_WA, X_WB);
  const Pose& X = frame.X_AB;
  const double ra = core_radius(A), rb = core_radius(B), reach = options.margin + ra + rb;
  if (finds_separating_direction(A, B, X, reach, memory)) return;
  const Separation found = largest_separation(A, B, X, reach);
  if (found.distance > reach) return;
  SupportFeature a, b;
  support_feature(A, {}, found.normal, &a);
  support_feature(B, X, -found.normal, &b);
  if (b.kind == SupportFeature::Kind::disc) {
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
      const double way = capsule_exit_distance(axis, A.size[1], ra, p->a, m);
      ends[count] = frame.point(p->a + way * m, m, on_b.distance - way - rb, 1.0,
                                pair_feature(FeatureKind::vertex, count, FeatureKind::vertex, count));
      ++count;
    }
  }
  add_round_contacts(nearest, ends.data(), count, 1.0, ra + rb + B.size[0], options.margin, out);
}

}  // namespace stiction
