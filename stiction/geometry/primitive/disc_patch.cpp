#include "stiction/geometry/primitive/disc_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/geometry/polytope/polytope_manifold.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kOnRim = 1e-15;     // of the radii: round-off
constexpr int kMaxCorrections = 60;  // bisection alone would need so many
using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// The integral from u to v of the falling half of a hat function, 1 at 0 and 0 at 90 degrees.
double half_hat(double u, double v) {
  const double quarter = 0.5 * kPi;
  u = std::clamp(u, 0.0, quarter), v = std::clamp(v, 0.0, quarter);
  return (v - u) * (1.0 - 0.5 * (u + v) / quarter);
}

// Angle in [0, 2 pi).
double turn(double angle) {
  const double turned = angle - 2.0 * kPi * std::floor(angle / (2.0 * kPi));
  return turned < 2.0 * kPi ? turned : 0.0;
}

int add_corner(int k, const Vec2& x, DiscRim* rim, PatchCorners* out) {
  const int name = 4 * rim->index + k;
  rim->corner[k] = rim->is_flat ? out->add(x, FeatureKind::edge, name, FeatureKind::face, 0)
                                : out->add(x, FeatureKind::face, 0, FeatureKind::edge, name);
  return rim->corner[k];
}

// An arc of a rim, counter-clockwise from angle u to v, with its ends `first` and `last` in the outline.
struct RimArc {
  double u, v;  // rad, from corner 0
  int first, last;
  std::array<double, 4> ahead;     // rad, of the corners from the beginning of the arc
  std::array<bool, 4> has_corner;  // otherwise the share of a corner goes to the ends
};

// Divides the part of the arc from t0 to t1 (rad, from its beginning) among the corners.
template <class Give>
void share_arc(const DiscRim& rim, const RimArc& arc, double t0, double t1, const Give& give) {
  for (int k = 0; k < 4; ++k) {
    // The halves of the hat before and after the corner, each clipped to the arc; if the arc is nearly a full
    // circle both may overlap it twice, at either end.
    double before = 0.0, behind = 0.0;
    for (const double at : {arc.ahead[k] - 2.0 * kPi, arc.ahead[k], arc.ahead[k] + 2.0 * kPi}) {
      before += half_hat(at - t1, at - t0);
      behind += half_hat(t0 - at, t1 - at);
    }
    if (arc.has_corner[k]) {
      give(rim.corner[k], rim.radius * (before + behind));
    } else {
      give(arc.last, rim.radius * before);
      give(arc.first, rim.radius * behind);
    }
  }
}

// The same for the parts that overlap.
void share_bearing(const DiscRim& rim, const RimArc& arc, PatchCorners* out) {
  const auto give = [&](int corner, double share) { out->corners[corner].bearing += share; };
  if (rim.overlapping >= kPi) return share_arc(rim, arc, 0.0, arc.v - arc.u, give);
  for (const double middle : {-2.0 * kPi, 0.0, 2.0 * kPi, 4.0 * kPi}) {
    const double begin = std::max(arc.u, middle - rim.overlapping),
                 end = std::min(arc.v, middle + rim.overlapping);
    if (begin < end) share_arc(rim, arc, begin - arc.u, end - arc.u, give);
  }
}

// Sets DiscRim::overlapping: along a rim `inside` is a constant and a cosine.
template <class Place>
void set_overlapping(const PatchCorners& corners, const Place& place, DiscRim* rim) {
  const double most = corners.inside(place(rim->direction(0))),
               least = corners.inside(place(rim->direction(2)));
  rim->overlapping = least >= 0.0  ? kPi
                     : most <= 0.0 ? 0.0
                                   : std::acos(std::clamp((most + least) / (least - most), -1.0, 1.0));
}

// Adds the arc that runs counter-clockwise from corner `first` to corner `last` of the outline, at angles u
// to v from corner 0 of the rim (v > u, at most 2 pi): the rim corners on it are added, and its length is
// divided among them. `place` maps a direction to a point of the common plane, `is_in_other` tells whether
// the other feature contains it.
template <class Place, class IsInside>
void add_arc(double u, double v, int first, int last, DiscRim* rim, const Place& place,
             const IsInside& is_in_other, PatchCorners* out) {
  if (v - u > kPi) {
    // Ends equal to round-off may be in the wrong order: an empty arc, not the whole rim.
    const double middle = 0.5 * (u + v);
    const Vec2 d = std::cos(middle) * rim->direction(0) + std::sin(middle) * rim->direction(1);
    if (!is_in_other(place(d))) return;
  }
  RimArc arc{u, v, first, last, {}, {}};
  for (int k = 0; k < 4; ++k) {
    arc.ahead[k] = turn(0.5 * kPi * k - u);
    const bool is_on_arc = arc.ahead[k] <= v - u;
    if (is_on_arc && rim->corner[k] < 0) {
      const Vec2 x = place(rim->direction(k));
      if (is_in_other(x)) add_corner(k, x, rim, out);
    }
    arc.has_corner[k] = is_on_arc && rim->corner[k] >= 0;
  }
  share_arc(*rim, arc, 0.0, v - u, [&](int corner, double share) { out->give(corner, share); });
  share_bearing(*rim, arc, out);
}

// A whole disc: four equal corners.
template <class Place>
void add_whole_disc(DiscRim* rim, const Place& place, PatchCorners* out) {
  for (int k = 0; k < 4; ++k)
    out->give(add_corner(k, place(rim->direction(k)), rim, out), 0.5 * kPi * rim->radius);
  const RimArc all{0.0,
                   2.0 * kPi,
                   rim->corner[0],
                   rim->corner[0],
                   {0.0, 0.5 * kPi, kPi, 1.5 * kPi},
                   {true, true, true, true}};
  share_bearing(*rim, all, out);
}

// How far the points of a circle of radius r lie beyond another rim, |y| - R with y = r M e + c, along the
// 45 degrees that begin at the unit vector e_0: with t the tangent of half the angle,
//   e = ((1 - t^2) e_0 + 2 t e_1)/(1 + t^2),        y = (p_0 + p_1 t + p_2 t^2)/(1 + t^2).
struct EighthOfRim {
  Vec2 e0, p0, p1, p2;
  double R;

  Vec2 direction(double t) const {
    return ((1.0 - t * t) * e0 + 2.0 * t * Vec2(-e0.y(), e0.x())) / (1.0 + t * t);
  }
  double beyond(double t, double* slope) const {
    const double inverse = 1.0 / (1.0 + t * t);
    const Vec2 y = inverse * (p0 + t * (p1 + t * p2));
    const double length = y.norm();
    *slope = length > 0.0 ? inverse * y.dot(p1 + 2.0 * t * (p2 - y)) / length : 0.0;
    return length - R;
  }
};

// The sign change of f between two points: Newton's method, and bisection where that leaves the interval or
// gains little.
double crossing_between(const EighthOfRim& f, double low, double high, double f_low, double f_high,
                        double good_enough) {
  double at = low + (high - low) * f_low / (f_low - f_high), last_width = high - low;
  for (int k = 0; k < kMaxCorrections; ++k) {
    double slope = 0.0;
    const double value = f.beyond(at, &slope);
    if (std::abs(value) <= good_enough) return at;
    ((value < 0.0) == (f_high < 0.0) ? high : low) = at;
    const double next = at - value / slope, width = high - low;
    const bool is_good = next > low && next < high && (k % 3 != 2 || width < 0.5 * last_width);
    if (k % 3 == 2) last_width = width;
    const double before = at;
    at = is_good ? next : 0.5 * (low + high);
    if (at == before) return at;
  }
  return at;
}

}  // namespace

Vec2 heading_along(const Vec2& x) {
  const double length = x.norm();
  return length > 0.0 ? Vec2(x / length) : Vec2(Vec2::UnitX());
}

void PatchCorners::give_side(int from, int to, double side) {
  const double bears = side * overlapping_part(inside(corners[from].x), inside(corners[to].x));
  for (const int corner : {from, to}) {
    give(corner, 0.5 * side);
    corners[corner].bearing += 0.5 * bears;
  }
}

bool clip_to_circle(const Vec2& a, const Vec2& d, double r, double* s0, double* s1) {
  // Relative to the point of the line nearest to the origin: no cancellation if the segment is much longer
  // than the circle is wide.
  const double dd = d.squaredNorm();
  if (!(dd > 0.0)) return a.squaredNorm() <= r * r;
  const double foot = -a.dot(d) / dd, half2 = r * r - (a + foot * d).squaredNorm();
  if (!(half2 >= 0.0)) return false;
  const double half = std::sqrt(half2 / dd);
  *s0 = std::clamp(foot - half, 0.0, 1.0), *s1 = std::clamp(foot + half, 0.0, 1.0);
  return foot + half >= 0.0 && foot - half <= 1.0;
}

void intersect_disc_polygon(DiscRim* rim, const Vec2* polygon, const int* vertices, int count,
                            PatchCorners* out) {
  const double r = rim->radius;
  const auto place = [r](const Vec2& d) { return Vec2(r * d); };
  const auto is_in_polygon = [&](const Vec2& x) {
    for (int i = 0; i < count; ++i) {
      const Vec2 d = polygon[i + 1 < count ? i + 1 : 0] - polygon[i];
      if (cross(d, x - polygon[i]) < 0.0) return false;
    }
    return true;
  };
  const auto is_in_disc = [r](const Vec2& x) { return x.squaredNorm() <= r * r; };
  set_overlapping(*out, place, rim);
  bool is_inside = true;  // the centre, if no side enters the disc
  int first = -1, previous = -1;
  double first_angle = 0.0, exit_angle = 0.0;
  int exit = -1;
  for (int i = 0; i < count; ++i) {
    const int next = i + 1 < count ? i + 1 : 0;
    const Vec2 a = polygon[i], d = polygon[next] - a;
    is_inside = is_inside && cross(d, -a) >= 0.0;
    // The interval [s0, s1] of the side inside the circle; whether a vertex lies in it is decided once for
    // both of its sides.
    const bool begins_inside = is_in_disc(a), ends_inside = is_in_disc(polygon[next]);
    double s0 = 0.0, s1 = 1.0;
    const bool crosses = clip_to_circle(a, d, r, &s0, &s1);
    if (begins_inside) s0 = 0.0;
    if (ends_inside) s1 = 1.0;
    if (!begins_inside && !ends_inside && !(crosses && s0 > 0.0 && s1 < 1.0 && s0 < s1)) continue;
    int begin = previous;
    if (!begins_inside) {
      const Vec2 x = a + s0 * d;
      begin = out->add(x, FeatureKind::edge, 8 + 2 * rim->index, FeatureKind::edge, 2 * vertices[i]);
      const double angle = rim->angle_of(x);
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
    const double length = std::max(0.0, s1 - s0) * d.norm();
    if (!ends_inside) {
      const Vec2 x = a + s1 * d;
      end = out->add(x, FeatureKind::edge, 8 + 2 * rim->index, FeatureKind::edge, 2 * vertices[i] + 1);
      exit = end, exit_angle = rim->angle_of(x);
      previous = -1;
    } else {
      end = next == 0 && first >= 0 && out->corners[first].kind_other == FeatureKind::vertex
                ? first
                : out->add(polygon[next], FeatureKind::face, rim->index, FeatureKind::vertex, vertices[next]);
      previous = end;
    }
    out->give_side(begin, end, length);
  }
  if (out->count == 0) {
    if (is_inside) add_whole_disc(rim, place, out);
  } else if (exit >= 0) {
    add_arc(exit_angle, exit_angle + turn(first_angle - exit_angle), exit, first, rim, place, is_in_polygon,
            out);
  }
}

void intersect_discs(DiscRim* flat, DiscRim* other, const PlaneMap& to_other, PatchCorners* out) {
  constexpr int kSamples = 8;
  const double r = flat->radius, good_enough = kOnRim * (r + other->radius);
  const Eigen::Matrix2d& M = to_other.M;
  const auto on_flat = [r](const Vec2& d) { return Vec2(r * d); };
  const auto there = [&](const Vec2& x) { return Vec2(M * x + to_other.c); };
  const auto beyond = [&](const Vec2& x) { return there(x).norm() - other->radius; };
  const double det = cross(M.col(0), M.col(1));
  const auto back_here = [&](const Vec2& y) {
    const Vec2 z = y - to_other.c;
    return Vec2(cross(z, M.col(1)) / det, cross(M.col(0), z) / det);
  };
  const auto on_other = [&](const Vec2& d) { return back_here(other->radius * d); };
  set_overlapping(*out, on_flat, flat);
  set_overlapping(*out, on_other, other);
  // The flat rim crosses the other where `beyond` changes sign: sampled at eight directions, the first
  // towards the other's centre.
  const Vec2 towards = heading_along(back_here(Vec2::Zero()));
  std::array<Vec2, kSamples> sample;
  std::array<double, kSamples> f;
  int inside = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double half = std::numbers::sqrt2 / 2.0;
    const Vec2 d =
        k % 2 == 0 ? towards : Vec2(half * (towards.x() - towards.y()), half * (towards.x() + towards.y()));
    const Vec2 quarter(-d.y(), d.x());
    sample[k] = k / 2 == 0 ? d : k / 2 == 1 ? quarter : k / 2 == 2 ? Vec2(-d) : Vec2(-quarter);
    f[k] = beyond(on_flat(sample[k]));
    inside += f[k] <= 0.0 ? 1 : 0;
  }
  if (inside == kSamples) return add_whole_disc(flat, on_flat, out);
  if (inside == 0) {
    bool is_around = true;
    for (int k = 0; k < 4; ++k) is_around = is_around && on_other(other->direction(k)).norm() <= r;
    if (is_around) add_whole_disc(other, on_other, out);
    return;
  }
  // The arc of the flat disc inside the other, and that of the other inside it.
  const auto number = [](int k) { return (k + kSamples) % kSamples; };
  const auto value = [&](int k) { return f[number(k)]; };
  int begin = 0;
  while (value(begin) > 0.0) ++begin;
  int end = begin;
  while (value(end + 1) <= 0.0) ++end;
  while (value(begin - 1) <= 0.0) --begin;
  // The direction of the crossing after sample k, and its angle from there.
  const auto cross_behind = [&](int k, Vec2* direction) {
    constexpr double kEighth = std::numbers::sqrt2 - 1.0;  // tangent of half of 45 degrees
    const Vec2& e = sample[number(k)];
    const Vec2 along = r * (M * e), across = r * (M * Vec2(-e.y(), e.x()));
    const EighthOfRim eighth{e, to_other.c + along, 2.0 * across, to_other.c - along, other->radius};
    const double t = crossing_between(eighth, 0.0, kEighth, value(k), value(k + 1), good_enough);
    *direction = eighth.direction(t);
    return 2.0 * std::atan(t);
  };
  Vec2 from, to;
  const double behind_from = cross_behind(begin - 1, &from), behind_to = cross_behind(end, &to);
  const double length = 0.25 * kPi * (end - (begin - 1)) + behind_to - behind_from;
  const int right = out->add(on_flat(from), FeatureKind::edge, 8, FeatureKind::edge, 8);
  const int left = out->add(on_flat(to), FeatureKind::edge, 9, FeatureKind::edge, 9);
  const double start = flat->angle_of(from);
  add_arc(
      start, start + std::max(0.0, length), right, left, flat, on_flat,
      [&](const Vec2& x) { return beyond(x) <= 0.0; }, out);
  const double back = other->angle_of(there(on_flat(to)));
  add_arc(
      back, back + turn(other->angle_of(there(on_flat(from))) - back), left, right, other, on_other,
      [&](const Vec2& x) { return x.norm() <= r; }, out);
}

}  // namespace stiction
