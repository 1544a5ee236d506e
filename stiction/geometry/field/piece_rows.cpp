#include "stiction/geometry/field/piece_rows.h"

#include <algorithm>

#include "stiction/math/simd.h"

namespace stiction {

using simd::Pack;

void PieceRows::assign(const FieldPieces& pieces) {
  constexpr double kNeverLeast = 1e300;
  size_ = pieces.size();
  const std::size_t room = static_cast<std::size_t>(simd::padded(static_cast<int>(size_)));
  for (AlignedVector<double>* row : {&slope_x_, &slope_y_, &slope_z_, &value_, &c_, &cu_, &cv_})
    if (row->size() < room) row->resize(room);
  steepest_ = 0.0;
  for (std::size_t i = 0; i < room; ++i) {
    const bool is_there = i < size_;
    if (is_there) steepest_ = std::max(steepest_, pieces[i].slope.squaredNorm());
    slope_x_[i] = is_there ? pieces[i].slope.x() : 0.0;
    slope_y_[i] = is_there ? pieces[i].slope.y() : 0.0;
    slope_z_[i] = is_there ? pieces[i].slope.z() : 0.0;
    value_[i] = is_there ? pieces[i].value : kNeverLeast;
  }
  steepest_ = std::sqrt(steepest_);
}

void PieceRows::restrict_to(const PlaneFrame& frame, double L, double side) {
  tie_ = PlaneTie(steepest_, L);
  along_ = side * frame.normal;
  const Vec3 &o = frame.origin, &s = frame.t1, &t = frame.t2;
  for (std::size_t i = 0; i < size_; i += simd::kLanes) {
    const Pack x = simd::load(slope_x_.data() + i), y = simd::load(slope_y_.data() + i),
               z = simd::load(slope_z_.data() + i);
    simd::store(c_.data() + i, simd::load(value_.data() + i) - (x * o[0] + y * o[1] + z * o[2]));
    simd::store(cu_.data() + i, -(x * s[0] + y * s[1] + z * s[2]));
    simd::store(cv_.data() + i, -(x * t[0] + y * t[1] + z * t[2]));
  }
}

std::size_t PieceRows::least_at(double u, double v) const {
  Pack least = simd::broadcast(1e300), place = simd::zero(), here = {0.0, 1.0, 2.0, 3.0};
  for (std::size_t i = 0; i < size_; i += simd::kLanes) {
    const Pack value =
        simd::load(c_.data() + i) + simd::load(cu_.data() + i) * u + simd::load(cv_.data() + i) * v;
    const simd::IntPack is_less = value < least;
    least = is_less ? value : least;
    place = is_less ? here : place;
    here += 4.0;
  }
  int best = 0;
  for (int k = 1; k < simd::kLanes; ++k)
    if (least[k] < least[best] || (least[k] == least[best] && place[k] < place[best])) best = k;
  return static_cast<std::size_t>(place[best]);
}

void PieceRows::find_least(std::size_t own, double u, double v, double meets, std::vector<int>* out) const {
  out->clear();
  const double most = c_[own] + cu_[own] * u + cv_[own] * v + meets;
  for (std::size_t i = 0; i < size_; i += simd::kLanes) {
    const Pack value =
        simd::load(c_.data() + i) + simd::load(cu_.data() + i) * u + simd::load(cv_.data() + i) * v;
    for (std::size_t k = 0; k < simd::kLanes; ++k)
      if (value[k] <= most && i + k < size_) out->push_back(static_cast<int>(i + k));
  }
}

bool PieceRows::yields(std::size_t own, std::size_t other) const {
  return tie_.yields(gradient(own), own, gradient(other), other);
}

bool PieceRows::cut_by(std::size_t own, std::size_t other, int first, PlanePolygon* polygon) const {
  const double c = c_[own] - c_[other], cu = cu_[own] - cu_[other], cv = cv_[own] - cv_[other];
  if (tie_.holds(c, cu, cv)) return !yields(own, other);
  return polygon->cut(c, cu, cv, first + static_cast<int>(other));
}

bool PieceRows::cut_to_cell(std::size_t own, int first, PlanePolygon* polygon) const {
  PolygonCircle circle = polygon->circle();
  for (std::size_t i = 0; i < size_; i += simd::kLanes) {
    const Pack c = c_[own] - simd::load(c_.data() + i), cu = cu_[own] - simd::load(cu_.data() + i),
               cv = cv_[own] - simd::load(cv_.data() + i);
    // Which of them reach into the circle?
    const Pack height = c + cu * circle.u + cv * circle.v;
    const Pack reach = (circle.radius * circle.radius) * (cu * cu + cv * cv);
    const simd::IntPack meets = (height > -tie_.value) | (height * height < reach);
    if ((meets[0] | meets[1] | meets[2] | meets[3]) == 0) continue;
    const std::size_t before = polygon->size();
    for (std::size_t k = 0; k < simd::kLanes; ++k) {
      if (meets[k] == 0 || i + k == own) continue;
      if (tie_.holds(c[k], cu[k], cv[k])) {
        if (yields(own, i + k)) return false;
        continue;
      }
      if (!polygon->cut(c[k], cu[k], cv[k], first + static_cast<int>(i + k))) return false;
    }
    if (i + simd::kLanes < size_ && polygon->size() != before) circle = polygon->circle();
  }
  return true;
}

}  // namespace stiction
