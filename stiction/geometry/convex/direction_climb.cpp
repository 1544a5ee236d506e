#include "stiction/geometry/convex/direction_climb.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/convex/implicit.h"

namespace stiction {
namespace {

constexpr double kRoundOff = 2.2e-16;
// Relative to the largest: needles and plates of 1 : 1e4 have curvatures in a ratio of 1 : 1e8.
constexpr double kLeastCurvature = 1e-12;
constexpr int kMaxSteps = 40;
constexpr int kMaxRejected = 8;
constexpr double kKick = 0.1;  // rad, step away from a saddle

// Plain square root: no overflow is possible here, and std::hypot costs as much as a support point.
double length_of(double x, double y) { return std::sqrt(x * x + y * y); }

// Whether a step from v to w is progress: g grows, or stays equal to round-off while the slope decreases.
bool improves(const DirectionValue& v, double slope, const DirectionValue& w, double next_slope,
              double size) {
  return w.g > v.g || (w.g > v.g - 8.0 * kRoundOff * size && next_slope < 0.5 * slope);
}

// The curvatures of a superellipsoid across its normal m at its point x, in the basis t: dm = K dx.
Eigen::Matrix2d curvatures(const CollisionShape& shape, const Vec3& x, const Eigen::Matrix<double, 3, 2>& t) {
  const ImplicitValue f = implicit_of_core(shape, x);
  return t.transpose() * f.hessian * t / f.gradient.norm();
}

}  // namespace

DirectionValue DirectionSearch::at(const Vec3& n) const {
  DirectionValue v;
  v.n = n;
  v.a = support_jet(A, n);
  v.b = support_jet(B, -(X_AB.R.transpose() * n));
  v.gradient = X_AB.p + X_AB.R * v.b.s - v.a.s;
  v.g = n.dot(v.gradient);
  return v;
}

double DirectionSearch::curvature(const DirectionValue& v, const Vec3& s, const Vec3& t) const {
  return s.dot(v.a.H * t) + (X_AB.R.transpose() * s).dot(v.b.H * (X_AB.R.transpose() * t));
}

// Newton's method on the whole sphere.
DirectionValue DirectionSearch::climb(const Vec3& start) const {
  DirectionValue v = at(start);
  double shift = 0.0;
  for (int step = 0, rejected = 0; step < kMaxSteps && rejected < kMaxRejected; ++step) {
    const Mat3 frame = frame_with_z(v.n);
    const Vec3 t1 = frame.col(0), t2 = frame.col(1);
    const double r1 = t1.dot(v.gradient), r2 = t2.dot(v.gradient), slope = length_of(r1, r2);
    const bool is_level = slope <= 2.0 * kRoundOff * size;
    if (is_level && v.g >= 0.0) break;
    const double m11 = curvature(v, t1, t1) + v.g, m12 = curvature(v, t1, t2),
                 m22 = curvature(v, t2, t2) + v.g;
    const double mean = 0.5 * (m11 + m22), spread = length_of(0.5 * (m11 - m22), m12), least = mean - spread;
    if (is_level) {
      // Overlapping bodies have saddles too: step away along the direction of positive curvature.
      if (least >= -kLeastCurvature * size) break;
      const Vec3 up = m12 != 0.0 ? Vec3((m12 * t1 + (least - m11) * t2).normalized()) : (m11 < m22 ? t1 : t2);
      const DirectionValue left = at((v.n - kKick * up).normalized()),
                           right = at((v.n + kKick * up).normalized());
      const DirectionValue& w = left.g > right.g ? left : right;
      if (!(w.g > v.g)) break;
      v = w;
      continue;
    }
    // The shift keeps the model concave and the step below about half a radian.
    const double floor = std::max(kLeastCurvature * (std::abs(mean) + spread),
                                  2.0 * slope - least > 0.0 && least <= 0.0 ? 2.0 * slope : 0.0);
    const double add = shift + std::max(0.0, floor - least);
    const double a = m11 + add, c = m22 + add, det = a * c - m12 * m12;
    double d1 = (c * r1 - m12 * r2) / det, d2 = (a * r2 - m12 * r1) / det;
    const double length = length_of(d1, d2);
    if (!(length > 0.5 * kRoundOff)) break;
    if (length > 0.5) d1 *= 0.5 / length, d2 *= 0.5 / length;
    const DirectionValue w = at((v.n + d1 * t1 + d2 * t2).normalized());
    const double next_slope = std::sqrt(std::max(0.0, w.gradient.squaredNorm() - w.g * w.g));
    if (improves(v, slope, w, next_slope, size)) {
      v = w;
      shift *= 0.1;
      if (shift < 1e-6 * spread) shift = 0.0;
      rejected = 0;
    } else {
      shift = std::max(4.0 * (shift + std::max(0.0, floor - least)), 0.5 * (std::abs(mean) + spread));
      ++rejected;
    }
  }
  return v;
}

// The same on the great circle perpendicular to e.
DirectionValue DirectionSearch::climb_across(const Vec3& e, const Vec3& start) const {
  Vec3 n = start - e * e.dot(start);
  DirectionValue v = at(n.normalized());
  double shift = 0.0;
  for (int step = 0, rejected = 0; step < kMaxSteps && rejected < kMaxRejected; ++step) {
    const Vec3 t = e.cross(v.n);
    const double r = t.dot(v.gradient), slope = std::abs(r);
    if (slope <= 2.0 * kRoundOff * size) break;
    const double m = curvature(v, t, t) + v.g,
                 floor = std::max(kLeastCurvature * std::abs(m), m <= 0.0 ? 2.0 * slope : 0.0);
    const double d = std::clamp(r / (shift + std::max(m, floor)), -0.5, 0.5);
    if (!(std::abs(d) > 0.5 * kRoundOff)) break;
    n = v.n + d * t;
    n -= e * e.dot(n);
    const DirectionValue w = at(n.normalized());
    const double next_slope = std::abs(e.cross(w.n).dot(w.gradient));
    if (improves(v, slope, w, next_slope, size)) {
      v = w;
      shift *= 0.1;
      rejected = 0;
    } else {
      shift = std::max(4.0 * shift, std::abs(m));
      ++rejected;
    }
  }
  return v;
}

DirectionValue DirectionSearch::climb_on_surface(const Vec3& start) const {
  DirectionValue v = at(start);
  double damping = 1.0;
  for (int step = 0, rejected = 0; step < 3 * kMaxSteps && rejected < 2 * kMaxRejected; ++step) {
    const Mat3 frame = frame_with_z(v.n);
    const Eigen::Matrix<double, 3, 2> t = frame.leftCols<2>();
    const Eigen::Matrix<double, 3, 2> t_b = X_AB.R.transpose() * t;
    const Eigen::Vector2d r = t.transpose() * v.gradient;
    const double slope = r.norm();
    if (slope <= 2.0 * kRoundOff * size) break;
    const Eigen::Matrix2d Ha = t.transpose() * v.a.H * t, Hb = t_b.transpose() * v.b.H * t_b;
    const bool on_a = A.kind == ShapeKind::superellipsoid &&
                      (B.kind != ShapeKind::superellipsoid || Ha.trace() >= Hb.trace());
    Eigen::Matrix2d radii = on_a ? Hb : Ha;
    radii.diagonal().array() += v.g;
    const Eigen::Matrix2d K = on_a ? curvatures(A, v.a.s, t) : curvatures(B, v.b.s, t_b);
    Eigen::Matrix2d M = radii * K;
    M.diagonal().array() += 1.0;
    const double det = M(0, 0) * M(1, 1) - M(0, 1) * M(1, 0);
    Eigen::Vector2d dx = r;
    if (det > 1e-6)
      dx = Eigen::Vector2d(M(1, 1) * r[0] - M(0, 1) * r[1], M(0, 0) * r[1] - M(1, 0) * r[0]) / det;
    const double length = dx.norm(), longest = 0.5 * size;
    if (length > longest) dx *= longest / length;
    dx *= damping;
    Vec3 n;
    if (on_a) {
      n = implicit_of_core(A, v.a.s + t * dx).gradient;
    } else {
      n = -(X_AB.R * implicit_of_core(B, v.b.s - t_b * dx).gradient);
    }
    const double length_n = n.norm();
    if (!(length_n > 0.0)) {  // in the centre of the body: no normal
      damping *= 0.25;
      ++rejected;
      continue;
    }
    const DirectionValue w = at(n / length_n);
    const double next_slope = std::sqrt(std::max(0.0, w.gradient.squaredNorm() - w.g * w.g));
    if (improves(v, slope, w, next_slope, size)) {
      v = w;
      damping = std::min(1.0, 4.0 * damping);
      rejected = 0;
    } else {
      damping *= 0.25;
      ++rejected;
    }
  }
  return v;
}

DirectionValue DirectionSearch::bisect_across(const Vec3& e, const Vec3& start) const {
  const Vec3 n0 = (start - e * e.dot(start)).normalized(), t0 = e.cross(n0);
  const auto value = [&](double angle) { return at(std::cos(angle) * n0 + std::sin(angle) * t0); };
  const auto slope = [&](const DirectionValue& v) { return e.cross(v.n).dot(v.gradient); };
  DirectionValue best = value(0.0);
  const double first = slope(best);
  if (first == 0.0) return best;
  const double way = first > 0.0 ? 1.0 : -1.0;
  double inside = 0.0, outside = 0.0;
  for (double reach = 1e-3; reach < 1.6; reach *= 2.0) {
    const DirectionValue v = value(way * reach);
    if (slope(v) * way <= 0.0) {
      outside = reach;
      break;
    }
    inside = reach;
  }
  if (outside == 0.0) return best;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (inside + outside);
    const DirectionValue v = value(way * middle);
    if (v.g > best.g) best = v;
    (slope(v) * way > 0.0 ? inside : outside) = middle;
  }
  // Compare slopes: near the maximum the value itself is flat to round-off.
  const DirectionValue last = value(way * 0.5 * (inside + outside));
  return last.g > best.g - 8.0 * kRoundOff * size ? last : best;
}

}  // namespace stiction
