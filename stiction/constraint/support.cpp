#include "stiction/constraint/support.h"

namespace stiction {
namespace {

// Components: along x and y, and about z.
constexpr int kAbout = 2;

}  // namespace

void write_rows(const Support& support, const RowCompliance&, int index, RowWriter* rows) {
  if (!(support.limit > 0.0)) return;
  LoopClosureRows closure(support, index, rows);
  int count = 0;
  for (int component = 0; component < kAbout; ++component) {
    closure.along(closure.X_B.R.col(component), 1.0);
    count += closure.end_in_group(component);
  }
  if (support.length > 0.0) {
    closure.about(closure.X_B.R.col(2), support.length);
    count += closure.end_in_group(kAbout);
  }
  rows->close_friction_group(count, support.limit);
}

Vec6 wrench_on_first(const Support& support, const Pose&, const Pose& X_B, int component, double force) {
  if (component == kAbout) return axis_wrench(X_B.R.col(2), 3, support.length * force);
  return axis_wrench(X_B.R.col(component), 0, force);
}

}  // namespace stiction
