#pragma once
// The pieces of a list number by number, so that four of them are seen in a plane at once.

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

class PieceRows {
 public:
  void assign(const FieldPieces& pieces);
  std::size_t size() const { return size_; }

  // Sets what the functions below read.
  void restrict_to(const PlaneFrame& frame);
  // The first piece with the least value at a point of the plane.
  std::size_t least_at(double u, double v) const;
  // All pieces that are no more than `meets` above piece `own` there, which is one of them.
  void find_least(std::size_t own, double u, double v, double meets, std::vector<int>* out) const;
  // Cuts where piece `other` is less than piece `own`; cuts are numbered by `first` + other.
  bool cut_by(std::size_t own, std::size_t other, int first, PlanePolygon* polygon) const;
  // Keeps where piece `own` is not larger than any other one.
  bool cut_to_cell(std::size_t own, int first, PlanePolygon* polygon) const;

 private:
  // Padded by pieces that are never the least.
  std::size_t size_ = 0;
  AlignedVector<double> slope_x_, slope_y_, slope_z_, value_;
  AlignedVector<double> c_, cu_, cv_;
};

}  // namespace stiction
