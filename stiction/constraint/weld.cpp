#include "stiction/constraint/weld.h"

#include "stiction/math/rotation.h"

namespace stiction {

void write_rows(const Weld& weld, const RowCompliance& compliance, int index, RowWriter* rows) {
  LoopClosureRows closure(weld, index, rows);
  const RelativeMotion motion = closure.relative_motion();
  for (int i = 0; i < 3; ++i) {
    closure.along(Vec3::Unit(i), 1.0);
    closure.set_curvature(motion.acceleration[i]);
    closure.end_equality(closure.apart[i], i, compliance);
  }
  const Vec3 rotation =
      quaternion_log<double>(quaternion_from_rotation(closure.X_A.R * closure.X_B.R.transpose()));
  for (int i = 0; i < 3; ++i) {
    closure.about(Vec3::Unit(i), 1.0);
    closure.set_curvature(motion.angular_acceleration[i]);
    closure.end_equality(rotation[i], 3 + i, compliance);
  }
}

Vec6 wrench_on_first(const Weld&, const Pose&, const Pose&, int component, double force) {
  return axis_wrench(Vec3::Unit(component % 3), component, force);
}

}  // namespace stiction
