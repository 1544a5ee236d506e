#include "stiction/geometry/disc_patch.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kOnRim = 1e-15;      // of the radii: round-off
constexpr int kMaxCorrections = 160;  // a third of them halve the interval: enough for round-off
using Vec2 = Eigen::Vector2d;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

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

// The arc that runs counter-clockwise from corner `first` to corner `last` of the outline, at angles u to v
// (v > u, at most one turn): its corners inside appear, and its length goes to them. `place` turns an angle
// into a point of the common plane, `is_in_other` says whether the other part holds it.
template <class Place, class IsInside>
void add_arc(double u, double v, int first, int last, DiscRim* rim, const Place& place,
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
void add_whole_disc(DiscRim* rim, const Place& place, PatchCorners* out) {
  for (int k = 0; k < 4; ++k) {
    const int corner =
        rim->is_flat
            ? out->add(place(rim->angle(k)), FeatureKind::edge, 4 * rim->index + k, FeatureKind::face, 0)
            : out->add(place(rim->angle(k)), FeatureKind::face, 0, FeatureKind::edge, 4 * rim->index + k);
    out->give(corner, 0.5 * kPi * rim->radius);
  }
}

// Where f changes its sign between two angles, by the method of false position with halved ends, and by
// bisection every third time.
template <class Function>
double crossing_between(const Function& f, double low, double high, double f_low, double f_high,
                        double good_enough) {
  for (int k = 0; k < kMaxCorrections; ++k) {
    const double middle = k % 3 == 2 ? 0.5 * (low + high) : low + (high - low) * f_low / (f_low - f_high);
    const double f_middle = f(middle);
    if (std::abs(f_middle) <= good_enough) return middle;
    if ((f_middle < 0.0) == (f_high < 0.0)) {
      high = middle, f_high = f_middle, f_low *= 0.5;
    } else {
      low = middle, f_low = f_middle, f_high *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

}  // namespace

// The part [s0, s1] of a + s d, 0 <= s <= 1, inside the circle of radius r about the origin, from the point
// of the line nearest to the origin: nothing cancels where the line is much longer than the circle is wide.
bool clip_to_circle(const Vec2& a, const Vec2& d, double r, double* s0, double* s1) {
  // From the point of the line nearest to the origin: nothing cancels where it is much longer than the circle
  // is wide.
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
  const auto place = [r](double angle) { return Vec2(r * std::cos(angle), r * std::sin(angle)); };
  const auto is_in_polygon = [&](const Vec2& x) {
    for (int i = 0; i < count; ++i) {
      const Vec2 d = polygon[i + 1 < count ? i + 1 : 0] - polygon[i];
      if (cross(d, x - polygon[i]) < 0.0) return false;
    }
    return true;
  };
  const auto is_in_disc = [r](const Vec2& x) { return x.squaredNorm() <= r * r; };
  bool is_inside = true;  // the centre, if no side comes into the disc
  int first = -1, previous = -1;
  double first_angle = 0.0, exit_angle = 0.0;
  int exit = -1;
  for (int i = 0; i < count; ++i) {
    const int next = i + 1 < count ? i + 1 : 0;
    const Vec2 a = polygon[i], d = polygon[next] - a;
    is_inside = is_inside && cross(d, -a) >= 0.0;
    // The part [s0, s1] of the side inside the circle; which vertices lie in it is decided once for both
    // sides that meet there.
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
    const double length = std::max(0.0, s1 - s0) * d.norm();
    if (!ends_inside) {
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

void intersect_discs(DiscRim* flat, DiscRim* other, const PlaneMap& to_other, PatchCorners* out) {
  constexpr int kSamples = 8;
  const double r = flat->radius, good_enough = kOnRim * (r + other->radius);
  const auto on_flat = [r](double angle) { return Vec2(r * std::cos(angle), r * std::sin(angle)); };
  const auto there = [&](const Vec2& x) { return Vec2(to_other.M * x + to_other.c); };
  const auto beyond = [&](const Vec2& x) { return there(x).norm() - other->radius; };
  const auto off = [&](double angle) { return beyond(on_flat(angle)); };
  const auto angle_on_other = [&](const Vec2& x) {
    const Vec2 y = there(x);
    return std::atan2(y.y(), y.x());
  };
  const double det = cross(to_other.M.col(0), to_other.M.col(1));
  const auto back_here = [&](const Vec2& y) {
    const Vec2 z = y - to_other.c;
    return Vec2(cross(z, to_other.M.col(1)) / det, cross(to_other.M.col(0), z) / det);
  };
  const auto on_other = [&](double angle) {
    return back_here(other->radius * Vec2(std::cos(angle), std::sin(angle)));
  };
  // The flat rim crosses the other where `off` changes its sign: between eight angles that begin where it
  // heads for the other's centre.
  const Vec2 centre = back_here(Vec2::Zero());
  const double towards = std::atan2(centre.y(), centre.x()), spacing = 2.0 * kPi / kSamples;
  std::array<double, kSamples> f;
  int inside = 0;
  for (int k = 0; k < kSamples; ++k) {
    f[k] = off(towards + spacing * k);
    inside += f[k] <= 0.0 ? 1 : 0;
  }
  if (inside == kSamples) return add_whole_disc(flat, on_flat, out);
  if (inside == 0) {
    bool is_around = true;
    for (int k = 0; k < 4; ++k) is_around = is_around && on_other(other->angle(k)).norm() <= r;
    if (is_around) add_whole_disc(other, on_other, out);
    return;
  }
  // The arc of the flat disc inside the other faces it; that of the other faces back.
  const auto value = [&](int k) { return f[(k + kSamples) % kSamples]; };
  int begin = 0;
  while (value(begin) > 0.0) ++begin;
  int end = begin;
  while (value(end + 1) <= 0.0) ++end;
  while (value(begin - 1) <= 0.0) --begin;
  const double from = crossing_between(off, towards + spacing * (begin - 1), towards + spacing * begin,
                                       value(begin - 1), value(begin), good_enough);
  const double to = crossing_between(off, towards + spacing * end, towards + spacing * (end + 1), value(end),
                                     value(end + 1), good_enough);
  const int right = out->add(on_flat(from), FeatureKind::edge, 8, FeatureKind::edge, 8);
  const int left = out->add(on_flat(to), FeatureKind::edge, 9, FeatureKind::edge, 9);
  add_arc(
      from, std::max(from, to), right, left, flat, on_flat, [&](const Vec2& x) { return beyond(x) <= 0.0; },
      out);
  const double back = angle_on_other(on_flat(to));
  add_arc(
      back, back + turn(angle_on_other(on_flat(from)) - back), left, right, other, on_other,
      [&](const Vec2& x) { return x.norm() <= r; }, out);
}

}  // namespace stiction
