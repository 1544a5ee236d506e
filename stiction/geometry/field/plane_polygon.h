#pragma once
// A convex polygon in coordinates (u, v) of its plane, which half-planes cut, with its area and moments.
//
// Cutting is Sutherland and Hodgman's. Corners run counter-clockwise. Buffers grow and are kept.

#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

// A plane x = origin + u t1 + v t2 with a right-handed (t1, t2, normal).
struct PlaneFrame {
  Vec3 origin = Vec3::Zero(), t1 = Vec3::UnitX(), t2 = Vec3::UnitY(), normal = Vec3::UnitZ();

  Vec3 at(double u, double v) const { return origin + u * t1 + v * t2; }
};
// The plane normal . x = offset, its origin the point nearest to 0. The tangents depend on the normal alone.
PlaneFrame plane_frame(const Vec3& normal, double offset);

// All numbers by exact formulas on the fan of triangles from the first corner.
struct PolygonMoments {
  double area = 0.0;        // m^2
  double u = 0.0, v = 0.0;  // m, centroid
  double trace = 0.0;       // m^4, integral of the square of the distance from the centroid
};

class PlanePolygon {
 public:
  std::size_t size() const { return u_.size(); }
  double u(std::size_t i) const { return u_[i]; }
  double v(std::size_t i) const { return v_[i]; }

  void clear() {
    u_.clear();
    v_.clear();
  }
  void add(double u, double v) {
    u_.push_back(u);
    v_.push_back(v);
  }
  // A square of half width L around the origin.
  void set_square(double L);
  void set_triangle(const double (&u)[3], const double (&v)[3]);
  // Keeps where c + cu u + cv v <= 0. False if nothing is left.
  bool cut(double c, double cu, double cv);
  PolygonMoments moments() const;

 private:
  std::vector<double> u_, v_, height_, new_u_, new_v_;
};

}  // namespace stiction
