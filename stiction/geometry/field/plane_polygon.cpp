#include "stiction/geometry/field/plane_polygon.h"

#include <algorithm>
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

void PlanePolygon::make_room(std::size_t corners) {
  if (corners <= u_.size()) return;
  const std::size_t room = 2 * corners + 14;
  for (std::vector<double>* list : {&u_, &v_, &height_, &new_u_, &new_v_}) list->resize(room);
  cuts_.resize(room);
  new_cuts_.resize(room);
}

void PlanePolygon::set_square(double L) {
  clear();
  add(-L, -L);
  add(L, -L);
  add(L, L);
  add(-L, L);
}

void PlanePolygon::set_triangle(const double (&u)[3], const double (&v)[3]) {
  clear();
  for (int i = 0; i < 3; ++i) add(u[i], v[i]);
}

bool PlanePolygon::cut(double c, double cu, double cv, int number) {
  const std::size_t n = size_;
  std::size_t outside = 0;
  for (std::size_t i = 0; i < n; ++i) {
    height_[i] = c + cu * u_[i] + cv * v_[i];
    outside += height_[i] > 0.0;
  }
  if (outside == 0) return n > 0;
  size_ = 0;
  if (outside == n) return false;
  make_room(2 * n);  // round-off may have it cross more than twice
  for (std::size_t i = 0, last = n - 1; i < n; last = i++) {
    const double a = height_[last], b = height_[i];
    if ((a > 0.0) != (b > 0.0)) {
      const double t = a / (a - b);
      new_u_[size_] = u_[last] + t * (u_[i] - u_[last]);
      new_v_[size_] = v_[last] + t * (v_[i] - v_[last]);
      new_cuts_[size_++] = b > 0.0 ? number : cuts_[last];
    }
    if (b > 0.0) continue;
    new_u_[size_] = u_[i];
    new_v_[size_] = v_[i];
    new_cuts_[size_++] = cuts_[i];
  }
  u_.swap(new_u_);
  v_.swap(new_v_);
  cuts_.swap(new_cuts_);
  return size_ >= 3;
}

PolygonCircle PlanePolygon::circle() const {
  PolygonCircle out;
  for (std::size_t i = 0; i < size_; ++i) {
    out.u += u_[i];
    out.v += v_[i];
  }
  const double share = 1.0 / static_cast<double>(size_);
  out.u *= share;
  out.v *= share;
  double square = 0.0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double du = u_[i] - out.u, dv = v_[i] - out.v;
    square = std::max(square, du * du + dv * dv);
  }
  out.radius = std::sqrt(square);
  return out;
}

PolygonMoments PlanePolygon::moments() const {
  PolygonMoments m;
  if (size_ < 3) return m;
  // About the first corner; triangles (0, a, b) of the fan.
  double twice = 0.0, su = 0.0, sv = 0.0, square = 0.0;
  for (std::size_t i = 1; i + 1 < size_; ++i) {
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
