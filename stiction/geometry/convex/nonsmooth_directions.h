#pragma once
// The directions across which the support function of a shape has a kink: where it has edges and flat parts.

#include <array>

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

inline constexpr double kNonsmoothWindow = 0.1;  // rad: kinks this near to a direction are tried

// n . e = 0 for the line e, n = m for the flat m.
struct NonsmoothDirections {
  static constexpr int kMaxLines = 12;
  static constexpr int kMaxFlats = 6;
  std::array<Vec3, kMaxLines> lines;
  std::array<Vec3, kMaxFlats> flats;
  int num_lines = 0, num_flats = 0;

  void line(const Vec3& e) {
    if (num_lines < kMaxLines) lines[num_lines++] = e;
  }
  void flat(const Vec3& m) {
    if (num_flats < kMaxFlats) flats[num_flats++] = m;
  }
};

// Those near the unit direction n, in the frame of the shape; `wide`: edges beyond the support vertex too.
NonsmoothDirections nonsmooth_directions_near(const CollisionShape& shape, const Vec3& n, bool wide);

}  // namespace stiction
