#include "stiction/geometry/convex/lowest_on_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/convex/nearest_point.h"
#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The interval of the line that is inside all constraints applied so far.
struct Span {
  double enter = -kInfinity, leave = kInfinity;

  // Behind a plane: the line's origin is `gap` in front of it, and the height changes at this rate.
  void cut_plane(double gap, double rate) {
    if (rate < 0.0)
      enter = std::max(enter, -gap / rate);
    else if (rate > 0.0)
      leave = std::min(leave, -gap / rate);
    else if (gap > 0.0)
      enter = kInfinity;
  }

  // Where a s^2 + 2 b s + c <= 0.
  void cut_quadric(double a, double b, double c) {
    const double det = b * b - a * c;
    if (!(a > 0.0) || !(det >= 0.0)) {
      if (c > 0.0) enter = kInfinity;
      return;
    }
    // Both roots without cancellation.
    const double q = -(b + std::copysign(std::sqrt(det), b));
    const double s0 = q / a, s1 = q != 0.0 ? c / q : s0;
    enter = std::max(enter, std::min(s0, s1));
    leave = std::min(leave, std::max(s0, s1));
  }

  bool is_met(double* s) const {
    *s = enter;
    return enter <= leave && enter < kInfinity;
  }
};

// |(x, y)|_p and its derivatives.
double p_norm(double x, double y, double p, double* dx, double* dy) {
  const double top = std::max(x, y);
  if (!(top > 0.0)) {
    *dx = *dy = 0.0;
    return 0.0;
  }
  const double norm = top * std::pow(1.0 + std::pow(std::min(x, y) / top, p), 1.0 / p);
  *dx = std::pow(x / norm, p - 1.0), *dy = std::pow(y / norm, p - 1.0);
  return norm;
}

// f of a superellipsoid and its derivative along m, over the length of its gradient: f is a distance, m, to
// first order.
double gauge(const CollisionShape& shape, const Vec3& p, const Vec3& m, double* rate) {
  const Vec3 u = p.cwiseAbs().cwiseQuotient(shape.size);
  double dx, dy, dm, dz;
  const double middle = p_norm(u.x(), u.y(), 2.0 / shape.e2, &dx, &dy);
  const double norm = p_norm(middle, u.z(), 2.0 / shape.e1, &dm, &dz);
  const Vec3 slope(std::copysign(dm * dx, p.x()), std::copysign(dm * dy, p.y()), std::copysign(dz, p.z()));
  const Vec3 gradient = slope.cwiseQuotient(shape.size);
  const double length = gradient.norm();
  *rate = gradient.dot(m) / length;
  return (norm - 1.0) / length;
}

// The same for a line whose point x is near the centre of the shape.
bool enter_from(const CollisionShape& shape, const Vec3& x, const Vec3& m, double skin, double radius,
                double* s) {
  Span span;
  if (radius == 0.0) {
    switch (shape.kind) {
      case ShapeKind::box:
        for (int i = 0; i < 3; ++i) {
          span.cut_plane(x[i] - shape.size[i] - skin, m[i]);
          span.cut_plane(-x[i] - shape.size[i] - skin, -m[i]);
        }
        return span.is_met(s);
      case ShapeKind::hull:
        for (const PolytopeFace& face : shape.polytope->faces)
          span.cut_plane(face.normal.dot(x) - face.offset - skin, face.normal.dot(m));
        return span.is_met(s);
      case ShapeKind::cylinder: {
        const double r = shape.size[0] + skin;
        span.cut_plane(x.z() - shape.size[1] - skin, m.z());
        span.cut_plane(-x.z() - shape.size[1] - skin, -m.z());
        span.cut_quadric(m.head<2>().squaredNorm(), m.head<2>().dot(x.head<2>()),
                         x.head<2>().squaredNorm() - r * r);
        return span.is_met(s);
      }
      case ShapeKind::ellipsoid: {
        // Once more from the midpoint of the chord of the unit ball, for accuracy.
        const Vec3 d = m.cwiseQuotient(shape.size);
        const double along = -x.cwiseQuotient(shape.size).dot(d) / d.squaredNorm();
        const Vec3 o = Vec3(x + along * m).cwiseQuotient(shape.size);
        span.cut_quadric(d.squaredNorm(), o.dot(d), o.squaredNorm() - (1.0 + kSkin));
        const bool is_met = span.is_met(s);
        *s += along;
        return is_met;
      }
      case ShapeKind::sphere:
      case ShapeKind::capsule:
      case ShapeKind::superellipsoid:
      case ShapeKind::half_space:
      case ShapeKind::mesh:
      case ShapeKind::height_field:
        break;
    }
  }

  constexpr int kMaxSteps = 100;  // all of them are taken where the line grazes the shape
  *s = -(shape.ball_radius + skin);
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec3 p = x + *s * m;
    double f = 0.0, rate = 0.0;
    if (shape.kind == ShapeKind::superellipsoid && radius == 0.0) {
      f = gauge(shape, p, m, &rate);
    } else {
      const NearestPoint nearest = nearest_on_core(shape, p);
      f = nearest.distance - radius, rate = nearest.normal.dot(m);
    }
    if (f <= skin) return true;
    if (!(rate < 0.0)) return false;
    *s -= f / rate;
  }
  return false;
}

}  // namespace

bool lowest_on_line(const CollisionShape& shape, const Vec3& origin, const Vec3& m, double* s) {
  // Start at the point of the line nearest to the centre: a far origin would cost digits.
  const Vec3 to_centre = shape.box_centre - origin;
  const double middle = m.dot(to_centre);
  const Vec3 x = origin + middle * m;
  const double skin = kSkin * (shape.ball_radius + to_centre.norm()), radius = core_radius(shape);
  if ((x - shape.box_centre).norm() > shape.ball_radius + skin) return false;
  const bool is_met = enter_from(shape, x, m, skin, radius, s);
  *s += middle;
  return is_met;
}

}  // namespace stiction
