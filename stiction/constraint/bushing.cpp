#include "stiction/constraint/bushing.h"

#include "stiction/math/rotation.h"

namespace stiction {

void write_rows(const BushingSprings& bushing, const RowCompliance&, int index, RowWriter* rows) {
  LoopClosureRows closure(bushing, index, rows);
  const Mat3& R_A = closure.X_A.R;
  const Vec3 rotation =
      R_A * quaternion_log<double>(quaternion_from_rotation(R_A.transpose() * closure.X_B.R));
  for (int i = 0; i < 6; ++i) {
    if (bushing.springs[i].is_rigid()) continue;  // a free direction
    const Vec3 axis = R_A.col(i % 3);
    if (i < 3)
      closure.along(axis, -1.0);
    else
      closure.about(axis, -1.0);
    closure.end_equality(i < 3 ? -axis.dot(closure.apart) : axis.dot(rotation), i, bushing.springs[i]);
  }
}

Vec6 wrench_on_first(const BushingSprings&, const Pose& X_A, const Pose&, int component, double force) {
  return axis_wrench(X_A.R.col(component % 3), component, -force);
}

}  // namespace stiction
