#pragma once
// Rows along tendons: limits of the length, dry friction, and implicit springs and dampers. Of a limit of a
// tendon that passes bodies the curvature (row_laws.h) is left out.

#include "stiction/constraint/row_writer.h"

namespace stiction {

struct TendonLimit {
  int tendon = 0;
  double lower = 0.0, upper = 0.0;  // m or rad
  RowCompliance compliance;
};

struct TendonFriction {
  int tendon = 0;
  double force = 0.0;  // N or N m
};

inline int num_rows(const TendonLimit&) { return 2; }
inline int num_rows(const TendonFriction&) { return 1; }
void write_rows(const TendonLimit& limit, const MomentRows& tendons, double length, double rate,
                RowWriter* rows);
void write_rows(const TendonFriction& friction, const MomentRows& tendons, RowWriter* rows);

// The force along the tendon due to a row; positive: pushes its ends apart.
inline double tendon_limit_force(int component, double force) { return component == 0 ? force : -force; }

}  // namespace stiction
