#pragma once
// The directions in which the support function of a shape is not smooth: those that belong to its edges and
// flat parts.

#include <array>

#include "stiction/geometry/shape/collision_shape.h"

namespace stiction {

inline constexpr double kNonsmoothWindow = 0.1;  // rad: nonsmooth directions this near are tried

// Lines e (edges): the directions n with n . e = 0. Flats m (faces): the single direction n = m.
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

// Those near the unit direction n, in the frame of the shape; `wide`: also edges not at the support vertex.
NonsmoothDirections nonsmooth_directions_near(const CollisionShape& shape, const Vec3& n, bool wide);

}  // namespace stiction
