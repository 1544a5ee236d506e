#include "stiction/constraint/distance.h"

namespace stiction {

void write_rows(const Distance& distance, const RowCompliance& compliance, int index, RowWriter* rows) {
  LoopClosureRows closure(distance, index, rows);
  const double length = closure.apart.norm();
  constexpr double kShortest = 1e-12;  // m; the ends coincide
  const Vec3 axis = length > kShortest ? Vec3(closure.apart / length) : Vec3::UnitX();
  double curvature = 0.0;
  if (length > kShortest) {
    const RelativeMotion motion = closure.relative_motion();
    const double along = axis.dot(motion.velocity);
    curvature = axis.dot(motion.acceleration) + (motion.velocity.squaredNorm() - along * along) / length;
  }
  if (distance.is_rod()) {
    closure.along(axis, 1.0);
    closure.set_curvature(curvature);
    closure.end_equality(length - distance.upper, 0, compliance);
    return;
  }
  // One row for each bound; the row of a bound that is far away costs little and has no force.
  closure.along(axis, -1.0);
  closure.set_curvature(-curvature);
  closure.end_limit(distance.upper - length, 0, compliance);
  if (distance.lower > 0.0) {
    closure.along(axis, 1.0);
    closure.set_curvature(curvature);
    closure.end_limit(length - distance.lower, 1, compliance);
  }
}

Vec6 wrench_on_first(const Distance& distance, const Pose& X_A, const Pose& X_B, int component,
                     double force) {
  const Vec3 apart = X_A.p - X_B.p;
  const Vec3 axis = apart.norm() > 0.0 ? Vec3(apart.normalized()) : Vec3::UnitX();
  const bool pulls = component == 0 && !distance.is_rod();
  return axis_wrench(axis, 0, pulls ? -force : force);
}

}  // namespace stiction
