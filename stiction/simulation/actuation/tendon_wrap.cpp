#include "stiction/simulation/actuation/tendon_wrap.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stiction/math/root_finding.h"

namespace stiction {

namespace {

using Vec2 = Eigen::Vector2d;

constexpr double kTiny = 1e-15;  // lengths (m) and sines that count as zero

// A path along a circle: from a to b, and its length.
struct Arc {
  Vec2 a, b;
  double length = 0.0;
};

double angle_of(const Vec2& d) { return std::atan2(d.y(), d.x()); }
Vec2 at_angle(double r, double angle) { return r * Vec2(std::cos(angle), std::sin(angle)); }

// The equivalent angle in (-pi, pi].
double wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }

std::optional<Arc> wrap_outside(const Vec2& d0, const Vec2& d1, double r, const Vec2* side) {
  const double l0 = d0.norm(), l1 = d1.norm();
  if (r < kTiny || l0 < r || l1 < r || (d1 - d0).squaredNorm() < kTiny) return {};
  const double a0 = angle_of(d0), a1 = angle_of(d1);
  double turn = wrapped(a1 - a0);
  if (side) turn = wrapped(angle_of(*side) - a0) + wrapped(a1 - angle_of(*side));
  const double t0 = std::acos(r / l0), t1 = std::acos(r / l1), arc = std::abs(turn) - t0 - t1;
  if (arc <= 0.0) return {};
  const double sign = turn > 0.0 ? 1.0 : -1.0;
  return Arc{at_angle(r, a0 + sign * t0), at_angle(r, a1 - sign * t1), r * arc};
}

// The shortest path from d0 to d1 that touches the circle, if the straight line does not.
std::optional<Arc> wrap_inside(const Vec2& d0, const Vec2& d1, double r) {
  if (r < kTiny || d0.norm() <= r || d1.norm() <= r) return {};
  const Vec2 step = d1 - d0;
  const double share = std::clamp(-d0.dot(step) / std::max(kTiny, step.squaredNorm()), 0.0, 1.0);
  if ((d0 + share * step).norm() <= r) return {};

  // Derivative of the path length through the point p on the circle by the angle of p (zero at the shortest
  // path), and its second derivative. p' is p rotated by 90 degrees, d|d - p| = -d.p'/|d - p|.
  const auto slope_at = [&](double angle) {
    const Vec2 p = at_angle(r, angle), along(-p.y(), p.x());
    ValueAndSlope f;
    for (const Vec2& d : {d0, d1}) {
      const double u = (d - p).norm(), first = -d.dot(along) / u;
      f.value += first;
      f.slope += (d.dot(p) - first * first) / u;
    }
    return f;
  };
  const double a0 = angle_of(d0), turn = wrapped(angle_of(d1) - a0);
  double angle = a0;
  if (std::abs(turn) > kTiny) angle = find_root(slope_at, a0, a0 + turn).x;
  return Arc{at_angle(r, angle), at_angle(r, angle), 0.0};
}

// Two axes of the plane through the origin and both points.
void plane_of(const Vec3& p0, const Vec3& p1, Vec3* axis0, Vec3* axis1) {
  *axis0 = p0.normalized();
  Vec3 normal = p0.cross(p1);
  if (normal.norm() < kTiny) {
    // All on one line: any plane through it will do; this is MuJoCo's.
    int largest = 0;
    axis0->cwiseAbs().maxCoeff(&largest);
    normal = axis0->cross(Vec3(Vec3::Ones() - Vec3::Unit(largest)));
  }
  *axis1 = normal.normalized().cross(*axis0).normalized();
}

}  // namespace

std::optional<TendonWrapPath> wrap_tendon(const Vec3& from, const Vec3& to, const Pose& X, double radius,
                                          bool is_cylinder, const std::optional<Vec3>& side) {
  const Pose inverse = X.inverse();
  const Vec3 p0 = inverse * from, p1 = inverse * to;
  if (p0.norm() < kTiny || p1.norm() < kTiny) return {};

  Vec3 axis0 = Vec3::UnitX(), axis1 = Vec3::UnitY();
  if (!is_cylinder) plane_of(p0, p1, &axis0, &axis1);
  const auto flat = [&](const Vec3& p) { return Vec2(p.dot(axis0), p.dot(axis1)); };
  const Vec2 d0 = flat(p0), d1 = flat(p1);

  std::optional<Arc> arc;
  if (side) {
    const Vec3 s = inverse * *side;
    Vec2 direction = flat(s);
    direction = direction.normalized() * radius;
    arc = s.norm() < radius ? wrap_inside(d0, d1, radius) : wrap_outside(d0, d1, radius, &direction);
  } else {
    arc = wrap_outside(d0, d1, radius, nullptr);
  }
  if (!arc) return {};

  // Back to three dimensions; along a cylinder the string advances steadily.
  Vec3 a = axis0 * arc->a.x() + axis1 * arc->a.y(), b = axis0 * arc->b.x() + axis1 * arc->b.y();
  double length = arc->length;
  if (is_cylinder) {
    const double l0 = (d0 - arc->a).norm(), l1 = (d1 - arc->b).norm(), all = l0 + length + l1;
    a.z() = p0.z() + (p1.z() - p0.z()) * l0 / all;
    b.z() = p0.z() + (p1.z() - p0.z()) * (l0 + length) / all;
    length = std::hypot(length, b.z() - a.z());
  }
  return TendonWrapPath{{X * a, X * b}, length};
}

}  // namespace stiction
