#include "stiction/constraint/ball.h"

namespace stiction {

void write_rows(const Ball& ball, const RowCompliance& compliance, int index, RowWriter* rows) {
  LoopClosureRows closure(ball, index, rows);
  const RelativeMotion motion = closure.relative_motion();
  for (int i = 0; i < 3; ++i) {
    closure.along(Vec3::Unit(i), 1.0);
    closure.set_curvature(motion.acceleration[i]);
    closure.end_equality(closure.apart[i], i, compliance);
  }
}

Vec6 wrench_on_first(const Ball&, const Pose&, const Pose&, int component, double force) {
  return axis_wrench(Vec3::Unit(component % 3), component, force);
}

}  // namespace stiction
