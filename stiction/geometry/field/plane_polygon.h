#pragma once
// A convex polygon in coordinates (u, v) of its plane, which half-planes cut, with its area and moments.
//
// Cutting is Sutherland and Hodgman's. Corners run counter-clockwise. Buffers grow and are kept. Every edge knows
// the number of the cut that made it.

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

// A circle around all corners.
struct PolygonCircle {
  double u = 0.0, v = 0.0, radius = 0.0;  // m
};

class PlanePolygon {
 public:
  static constexpr int kNoCut = -1;  // the number of edges that no cut has made

  std::size_t size() const { return size_; }
  double u(std::size_t i) const { return u_[i]; }
  double v(std::size_t i) const { return v_[i]; }
  // Of the edge from corner i to the next one.
  int cut_of_edge(std::size_t i) const { return cuts_[i]; }

  void clear() { size_ = 0; }
  void add(double u, double v) {
    make_room(size_ + 1);
    u_[size_] = u;
    v_[size_] = v;
    cuts_[size_++] = kNoCut;
  }
  // A square of half width L around the origin.
  void set_square(double L);
  void set_triangle(const double (&u)[3], const double (&v)[3]);
  // Keeps where c + cu u + cv v <= 0; number: of this cut. False if nothing is left.
  bool cut(double c, double cu, double cv, int number = kNoCut);
  PolygonMoments moments() const;
  // About the mean of the corners, of which there must be some.
  PolygonCircle circle() const;

 private:
  void make_room(std::size_t corners);

  // Longer than size_: room for what a cut may leave.
  std::size_t size_ = 0;
  std::vector<double> u_, v_, height_, new_u_, new_v_;
  std::vector<int> cuts_, new_cuts_;
};

}  // namespace stiction
