#include "stiction/constraint/tendon.h"

namespace stiction {

void write_rows(const TendonLimit& limit, const MomentRows& tendons, double length, double rate,
                RowWriter* rows) {
  const int t = limit.tendon;
  if (tendons.columns_of(t).empty()) return;
  const double free_rate = tendons.dot(t, rows->in.v_free.data());
  if (rows->can_reach(length - limit.lower, rate, free_rate)) {
    rows->begin();
    rows->moment_row(tendons, t, 1.0);
    rows->end_limit(length - limit.lower, {RowKind::tendon_limit, t, 0}, limit.compliance);
  }
  if (rows->can_reach(limit.upper - length, -rate, -free_rate)) {
    rows->begin();
    rows->moment_row(tendons, t, -1.0);
    rows->end_limit(limit.upper - length, {RowKind::tendon_limit, t, 1}, limit.compliance);
  }
}

void write_rows(const TendonFriction& friction, const MomentRows& tendons, RowWriter* rows) {
  if (tendons.columns_of(friction.tendon).empty()) return;
  rows->begin();
  rows->moment_row(tendons, friction.tendon, 1.0);
  rows->end_friction(friction.force, {RowKind::tendon_friction, friction.tendon, 0});
}

}  // namespace stiction
