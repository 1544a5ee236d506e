#include "stiction/geometry/derivative/pair_derivatives.h"

#include "stiction/base/check.h"
#include "stiction/geometry/derivative/pair_motion.h"

namespace stiction {
namespace {

bool is_polytope(ShapeKind kind) { return kind == ShapeKind::box || kind == ShapeKind::hull; }

// A's kind does not come after B's in the table; everything in A.
PointMotion move_point(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                       const ContactPoint& point) {
  if (B.kind == ShapeKind::half_space) return move_half_space_point(A, B, X_AB, point);
  if (is_polytope(A.kind)) return move_polytope_point(A, B, X_AB, point);
  const Feature of_a = feature_of_a(point), of_b = feature_of_b(point);
  if (of_a.kind == FeatureKind::smooth && of_b.kind == FeatureKind::smooth)
    return move_nearest(A, B, X_AB, point);
  if (of_a.kind == FeatureKind::vertex && of_b.kind == FeatureKind::vertex)
    return move_side_by_side_end(A, B, X_AB, point);
  return move_patch_point(A, B, X_AB, point);
}

PointDerivatives in_table_order(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                const Pose& X_WB, const ContactPoint& point) {
  const Mat3 R_AW = X_WA.R.transpose();
  const Vec3 between = X_WB.p - X_WA.p, from_a = point.p_A - X_WA.p;
  const Pose X_AB{R_AW * X_WB.R, R_AW * between};
  ContactPoint in_a = point;
  in_a.p_A = R_AW * from_a;
  in_a.normal = R_AW * point.normal;
  const PointMotion moves = move_point(A, B, X_AB, in_a);

  // phi = R_AW (theta_B - theta_A),   t = R_AW (t_B - t_A - theta_A x between)
  Eigen::Matrix<double, 6, 12> relative = Eigen::Matrix<double, 6, 12>::Zero();
  relative.block<3, 3>(0, 0) = -R_AW;
  relative.block<3, 3>(0, 6) = R_AW;
  relative.block<3, 3>(3, 0) = R_AW * skew(between);
  relative.block<3, 3>(3, 3) = -R_AW;
  relative.block<3, 3>(3, 9) = R_AW;

  PointDerivatives out;
  out.d_p_A = X_WA.R * moves.p_A.d * relative;
  out.d_p_A.leftCols<3>() -= skew(from_a);
  out.d_p_A.middleCols<3>(3) += Mat3::Identity();
  out.d_normal = X_WA.R * moves.n.d * relative;
  out.d_normal.leftCols<3>() -= skew(point.normal);
  out.d_distance = moves.distance.d * relative;
  out.d_p_B = out.d_p_A + point.normal * out.d_distance + point.distance * out.d_normal;
  return out;
}

template <class Columns>
Columns swapped_columns(const Columns& m) {
  Columns out;
  out.template leftCols<6>() = m.template rightCols<6>();
  out.template rightCols<6>() = m.template leftCols<6>();
  return out;
}

}  // namespace

PointDerivatives point_derivatives(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                   const Pose& X_WB, const ContactPoint& point) {
  const PairEntry& entry = pair_entry(A.kind, B.kind);
  STICTION_USER_CHECK(A.is_convex() && B.is_convex() && entry.function != nullptr,
                      "no derivatives of a contact between a {} and a {}", name_of(A.kind), name_of(B.kind));
  if (!entry.swapped) return in_table_order(A, X_WA, B, X_WB, point);
  const ContactPoint seen_from_b{point.p_B(), -point.normal, point.distance, point.weight,
                                 swapped_feature(point.feature)};
  const PointDerivatives from_b = in_table_order(B, X_WB, A, X_WA, seen_from_b);
  return {swapped_columns(from_b.d_p_B), swapped_columns(from_b.d_p_A), -swapped_columns(from_b.d_normal),
          swapped_columns(from_b.d_distance)};
}

}  // namespace stiction
