#include "stiction/constraint/slot.h"

namespace stiction {
namespace {

// Components: across the slot along y and z, and towards the inside at the upper and the lower end.
constexpr int kAcrossY = 0, kAcrossZ = 1, kUpper = 2, kLower = 3;

}  // namespace

void write_rows(const Slot& slot, const RowCompliance& compliance, int index, RowWriter* rows) {
  LoopClosureRows closure(slot, index, rows);
  const Mat3& R_B = closure.X_B.R;
  const double along = R_B.col(0).dot(closure.apart);
  // The acceleration of the pin as seen from the slot.
  const RelativeMotion motion = closure.relative_motion();
  const Vec3 w = motion.w_B, &r = closure.apart;
  const Vec3 seen = motion.velocity - w.cross(r);
  const Vec3 bend = motion.acceleration - motion.alpha_B.cross(r) - w.cross(w.cross(r)) - 2.0 * w.cross(seen);
  for (const int component : {kAcrossY, kAcrossZ}) {
    const Vec3 axis = R_B.col(1 + component);
    closure.along(axis, 1.0);
    closure.set_curvature(axis.dot(bend));
    closure.end_equality(axis.dot(closure.apart), component, compliance);
  }
  if (std::isfinite(slot.upper)) {
    closure.along(R_B.col(0), -1.0);
    closure.set_curvature(-R_B.col(0).dot(bend));
    closure.end_limit(slot.upper - along, kUpper, compliance);
  }
  if (std::isfinite(slot.lower)) {
    closure.along(R_B.col(0), 1.0);
    closure.set_curvature(R_B.col(0).dot(bend));
    closure.end_limit(along - slot.lower, kLower, compliance);
  }
}

Vec6 wrench_on_first(const Slot&, const Pose&, const Pose& X_B, int component, double force) {
  const bool is_across = component == kAcrossY || component == kAcrossZ;
  const Vec3 axis = X_B.R.col(is_across ? 1 + component : 0);
  return axis_wrench(axis, 0, component == kUpper ? -force : force);
}

}  // namespace stiction
