#include "stiction/geometry/capsule_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "stiction/geometry/contact_patch.h"
#include "stiction/geometry/direction_search.h"
#include "stiction/geometry/pair_frame.h"
#include "stiction/geometry/primitive_pairs.h"
#include "stiction/geometry/support.h"

namespace stiction {

SegmentPoints nearest_of_segments(const Vec3& centre_a, const Vec3& axis_a, double half_a,
                                  const Vec3& centre_b, const Vec3& axis_b, double half_b) {
  const Vec3 d = centre_b - centre_a;
  const double da = d.dot(axis_a), db = d.dot(axis_b), c = axis_a.dot(axis_b);
  const double sine2 = axis_a.cross(axis_b).squaredNorm();
  const auto points = [&](double s, double t) {
    return SegmentPoints{s, t, centre_a + s * axis_a, centre_b + t * axis_b};
  };
  // Where the lines cross, seen along their common normal, if that lies on both.
  if (sine2 > 0.0) {
    const double s = (da - c * db) / sine2, t = (c * da - db) / sine2;
    if (std::abs(s) <= half_a && std::abs(t) <= half_b) return points(s, t);
  }
  // Otherwise an end of one is nearest to the other.
  SegmentPoints best;
  double least = 1e300;
  const auto look = [&](double s, double t) {
    const double length2 = (d + t * axis_b - s * axis_a).squaredNorm();
    if (length2 < least) least = length2, best = points(s, t);
  };
  for (const double s : {-half_a, half_a}) look(s, std::clamp(c * s - db, -half_b, half_b));
  for (const double t : {-half_b, half_b}) look(std::clamp(da + c * t, -half_a, half_a), t);
  return best;
}

bool side_by_side(const Vec3& centre_a, const Vec3& axis_a, double half_a, const Vec3& centre_b,
                  const Vec3& axis_b, double half_b, SegmentPoints* first, SegmentPoints* last) {
  const double sign = axis_a.dot(axis_b) < 0.0 ? -1.0 : 1.0;
  const Vec3 mean = (axis_a + sign * axis_b).normalized();
  const double ca = centre_a.dot(mean), cb = centre_b.dot(mean), slope = axis_a.dot(mean);
  const double low = std::max(ca - half_a * slope, cb - half_b * slope);
  const double high = std::min(ca + half_a * slope, cb + half_b * slope);
  if (!(low < high)) return false;
  const auto level = [&](double x) {
    const double s = (x - ca) / slope, t = sign * (x - cb) / slope;
    return SegmentPoints{s, t, centre_a + s * axis_a, centre_b + t * axis_b};
  };
  *first = level(low), *last = level(high);
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
  const Vec3 d = X_WB.p - X_WA.p, a = X_WA.R.col(2), b = X_WB.R.col(2);
  const double ra = core_radius(A), rb = core_radius(B), radius = ra + rb;
  const SegmentPoints near = nearest_of_segments(Vec3::Zero(), a, A.size[1], d, b, B.size[1]);
  const auto contact = [&](const SegmentPoints& p, FeatureKind kind, int index) {
    const Vec3 apart = p.b - p.a;
    const double length = apart.norm();
    Vec3 n = a.cross(b);  // of axes that cross: across both, and any way across parallel ones
    if (length > 0.0) {
      n = apart / length;
    } else {
      n = n.norm() > 1e-9 ? Vec3(n.normalized()) : Vec3(frame_with_z(a).col(0));
    }
    const double way_a = way_out_of_capsule(a, A.size[1], ra, p.a, n);
    const double way_b = way_out_of_capsule(b, B.size[1], rb, p.b - d, -n);
    return ContactPoint{X_WA.p + (p.a + way_a * n), n, length - way_a - way_b, 1.0,
                        pair_feature(kind, index, kind, index)};
  };
  const ContactPoint nearest = contact(near, FeatureKind::smooth, 0);
  if (nearest.distance > options.margin) return;
  // Steep axes have no stretch side by side that could bear.
  std::array<ContactPoint, 2> ends;
  int count = 0;
  SegmentPoints first, last;
  // A ray leaves a capsule before it has come as far as the capsule reaches along it. An end farther apart
  // than that and the window of add_round_contacts bears nothing.
  const double window = radius + nearest.distance + std::abs(nearest.distance) + kParallel * radius;
  const auto bears = [&](const SegmentPoints& p) {
    const Vec3 apart = p.b - p.a;
    const double ca = a.dot(apart), cb = b.dot(apart);
    const double ahead = std::abs(ca) * A.size[1] - ca * p.s + std::abs(cb) * B.size[1] + cb * p.t;
    const double length2 = apart.squaredNorm();
    return length2 - ahead <= (1.0 + 1e-12) * window * std::sqrt(length2);
  };
  if (side_by_side(Vec3::Zero(), a, A.size[1], d, b, B.size[1], &first, &last)) {
    // Numbered along A.
    const int at = first.s > last.s ? 1 : 0;
    if (bears(first)) ends[count++] = contact(first, FeatureKind::vertex, at);
    if (bears(last)) ends[count++] = contact(last, FeatureKind::vertex, 1 - at);
  }
  add_round_contacts(nearest, ends.data(), count, 1.0, radius, options.margin, out);
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
  const ContactPoint nearest =
      frame.point(witness_on_a(A, B, X, found) + ra * n, n, found.distance - ra - rb, 1.0, 0);
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
