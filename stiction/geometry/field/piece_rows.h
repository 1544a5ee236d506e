#pragma once
// The pieces of a list number by number, so that four of them are seen in a plane at once.

#include <cmath>

#include "stiction/geometry/field/field_pieces.h"
#include "stiction/geometry/field/plane_polygon.h"
#include "stiction/math/aligned_vector.h"

namespace stiction {

// p or depth of a piece restricted to a plane: c + cu u + cv v.
struct OnPlane {
  double c, cu, cv;
};
inline OnPlane restricted(const FieldPiece& piece, const PlaneFrame& frame) {
  return {piece.value - piece.slope.dot(frame.origin), -piece.slope.dot(frame.t1),
          -piece.slope.dot(frame.t2)};
}

// Pieces that are one and the same function in a plane to round-off, such as two opposite faces of a box halfway
// between them: one of them has a face there, the one whose pressure falls more along the normal from A into B.
struct PlaneTie {
  static constexpr double kTied = 1e-12;
  double value = 0.0;  // of c
  double slope = 0.0;  // of cu, cv

  PlaneTie() = default;
  // steepest: the largest slope of the pieces; L: m, the size of what is looked at.
  PlaneTie(double steepest, double L) : value(kTied * steepest * L), slope(kTied * steepest) {}
  bool holds(double c, double cu, double cv) const {
    return std::abs(c) <= value && std::abs(cu) <= slope && std::abs(cv) <= slope;
  }
  // Of tied pieces with these gradients and numbers, whether `own` has no face.
  bool yields(double own_gradient, std::size_t own, double other_gradient, std::size_t other) const {
    const double more = other_gradient - own_gradient;
    return std::abs(more) > slope ? more > 0.0 : other < own;
  }
};

class PieceRows {
 public:
  void assign(const FieldPieces& pieces);
  std::size_t size() const { return size_; }

  // Sets what the functions below read. L: m, the size of what is looked at; side: 1 for pieces of A, -1 for those of B,
  // where the plane's normal looks from A into B.
  void restrict_to(const PlaneFrame& frame, double L, double side);
  // The first piece with the least value at a point of the plane.
  std::size_t least_at(double u, double v) const;
  // All pieces that are no more than `meets` above piece `own` there, which is one of them.
  void find_least(std::size_t own, double u, double v, double meets, std::vector<int>* out) const;
  // Cuts where piece `other` is less than piece `own`, or everything if they are tied and it is the other one that has a
  // face; cuts are numbered by `first` + other.
  bool cut_by(std::size_t own, std::size_t other, int first, PlanePolygon* polygon) const;
  // Keeps where piece `own` is not larger than any other one, and nothing if it is tied to one that has its face.
  bool cut_to_cell(std::size_t own, int first, PlanePolygon* polygon) const;

 private:
  bool yields(std::size_t own, std::size_t other) const;
  double gradient(std::size_t i) const {
    return slope_x_[i] * along_.x() + slope_y_[i] * along_.y() + slope_z_[i] * along_.z();
  }

  // Padded by pieces that are never the least.
  std::size_t size_ = 0;
  AlignedVector<double> slope_x_, slope_y_, slope_z_, value_;
  AlignedVector<double> c_, cu_, cv_;
  double steepest_ = 0.0;
  PlaneTie tie_;
  Vec3 along_ = Vec3::Zero();  // the normal, out of the shape of the pieces
};

}  // namespace stiction
