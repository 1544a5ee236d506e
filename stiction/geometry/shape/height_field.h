#pragma once
// Terrain: heights on a grid of points, on top of a base, in its own frame S.
//
//   x_c = -rx + 2 rx c/(cols - 1),   y_r = -ry + 2 ry r/(rows - 1),   z = height(r, c) in [0, elevation]
//
// Each cell of the grid is two triangles, divided by the diagonal from (r, c) to (r + 1, c + 1); the solid
// reaches down to z = -base. The four sizes are those of MJCF's hfield.

#include <cstddef>
#include <string>
#include <vector>

#include "stiction/math/spatial.h"

namespace stiction {

struct HeightFieldSize {
  double radius_x = 0.0, radius_y = 0.0;  // m, half the extent of the grid
  double elevation = 0.0;                 // m, height of the highest point above the lowest
  double base = 0.0;                      // m, thickness below the lowest point
};

struct HeightField {
  HeightFieldSize size;
  int rows = 0, cols = 0;       // points along y and along x
  std::vector<double> heights;  // m, row by row; row 0 lies at y = -radius_y, column 0 at x = -radius_x

  double height(int row, int col) const { return heights[static_cast<std::size_t>(row) * cols + col]; }
  double x(int col) const { return size.radius_x * (2.0 * col / (cols - 1) - 1.0); }
  double y(int row) const { return size.radius_y * (2.0 * row / (rows - 1) - 1.0); }
  Vec3 point(int row, int col) const { return {x(col), y(row), height(row, col)}; }  // in S
};

// Limits on what a file may ask for.
inline constexpr int kMaxHeightFieldSide = 1 << 14;  // points
inline constexpr std::size_t kMaxHeightFieldPoints = std::size_t{1} << 24;

// Heights from any numbers, shifted and scaled to [0, elevation]; if all are equal, 0. The order of the rows
// is that of images and of MJCF: the first one lies at y = +radius_y. Throws UserError if anything is out of
// range.
HeightField height_field(int rows, int cols, const std::vector<double>& picture, const HeightFieldSize& size);

// Empty if sizes are positive and finite and every height is in range, otherwise what is wrong.
std::string height_field_defect(const HeightField& field);

double volume(const HeightField& field);  // m^3, with the base
Eigen::AlignedBox3d bounding_box(const HeightField& field);

}  // namespace stiction
