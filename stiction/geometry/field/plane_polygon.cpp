#include "stiction/geometry/field/plane_polygon.h"

#include <cmath>

namespace stiction {

PlaneFrame plane_frame(const Vec3& normal, double offset) {
  PlaneFrame frame;
  frame.normal = normal;
  frame.origin = offset * normal;
  // The axis least aligned with the normal gives the first tangent.
  int axis = 0;
  normal.cwiseAbs().minCoeff(&axis);
  frame.t1 = normal.cross(Vec3::Unit(axis)).normalized();
  frame.t2 = normal.cross(frame.t1);
  return frame;
}

void PlanePolygon::set_square(double L) {
  u_.assign({-L, L, L, -L});
  v_.assign({-L, -L, L, L});
}

void PlanePolygon::set_triangle(const double (&u)[3], const double (&v)[3]) {
  u_.assign(u, u + 3);
  v_.assign(v, v + 3);
}

bool PlanePolygon::cut(double c, double cu, double cv) {
  const std::size_t n = u_.size();
  height_.resize(n);
  std::size_t outside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    height_[i] = c + cu * u_[i] + cv * v_[i];
    outside += height_[i] > 0.0;
  }
  if (outside == 0) return n > 0;
  new_u_.clear();
  new_v_.clear();
  if (outside < n) {
    for (std::size_t i = 0, last = n - 1; i < n; last = i++) {
      const double a = height_[last], b = height_[i];
      if ((a > 0.0) != (b > 0.0)) {
        const double t = a / (a - b);
        new_u_.push_back(u_[last] + t * (u_[i] - u_[last]));
        new_v_.push_back(v_[last] + t * (v_[i] - v_[last]));
      }
      if (b > 0.0) continue;
      new_u_.push_back(u_[i]);
      new_v_.push_back(v_[i]);
    }
  }
  u_.swap(new_u_);
  v_.swap(new_v_);
  return u_.size() >= 3;
}

PolygonMoments PlanePolygon::moments() const {
  PolygonMoments m;
  if (u_.size() < 3) return m;
  // About the first corner; triangles (0, a, b) of the fan.
  double twice = 0.0, su = 0.0, sv = 0.0, square = 0.0;
  for (std::size_t i = 1; i + 1 < u_.size(); ++i) {
    const double au = u_[i] - u_[0], av = v_[i] - v_[0], bu = u_[i + 1] - u_[0], bv = v_[i + 1] - v_[0];
    const double cross = au * bv - av * bu;
    twice += cross;
    su += cross * (au + bu);
    sv += cross * (av + bv);
    square += cross * (au * au + av * av + bu * bu + bv * bv + au * bu + av * bv);
  }
  m.area = 0.5 * twice;
  if (!(m.area > 0.0)) return {};
  const double u = su / (6.0 * m.area), v = sv / (6.0 * m.area);
  m.u = u_[0] + u;
  m.v = v_[0] + v;
  m.trace = std::max(0.0, square / 12.0 - m.area * (u * u + v * v));
  return m;
}

}  // namespace stiction
