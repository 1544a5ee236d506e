#pragma once
// What the rigid solvers remember from one step to the next: the forces at the points of contact, by what
// meets what and, where the same shapes meet by other features than before, by the nearest place; and those
// of the constraint rows. Forces, not impulses, so that the step size may change.

#include <cstdint>
#include <vector>

#include "stiction/math/matrix.h"

namespace stiction {

struct RememberedPoint {
  int shape_A = 0, shape_B = 0;  // in Model::shapes
  std::uint64_t feature = 0;
  Vec3 place = Vec3::Zero();   // m, in W, where it was
  Vec3 force = Vec3::Zero();   // N, in W, on B
  Vec3 moment = Vec3::Zero();  // N m, likewise, of friction against turning
  bool operator==(const RememberedPoint&) const = default;
};

struct RememberedRow {
  int kind = 0, index = 0, component = 0;  // RowOwner
  double force = 0.0;                      // N or N m
  bool operator==(const RememberedRow&) const = default;
};

// Empty under laws that start from the velocities.
struct ContactMemory {
  std::vector<RememberedPoint> points;  // pair by pair, in the order of their shapes
  std::vector<RememberedRow> rows;
  bool operator==(const ContactMemory&) const = default;
};

struct StepRecord;

// Looks up what is remembered for the points and rows of the record's problem; the rest starts from zero.
void recall(const ContactMemory& memory, StepRecord* r);
// What the record's solution leaves to remember.
void remember(const StepRecord& r, ContactMemory* memory);

}  // namespace stiction
