#include "stiction/geometry/shape/height_field.h"

#include <algorithm>
#include <cmath>

#include "stiction/base/check.h"

namespace stiction {

HeightField height_field(int rows, int cols, const std::vector<double>& picture,
                         const HeightFieldSize& size) {
  STICTION_USER_CHECK(rows >= 2 && cols >= 2 && rows <= kMaxHeightFieldSide && cols <= kMaxHeightFieldSide,
                      "a height field of {} x {} points; each side must have 2 to {}", rows, cols,
                      kMaxHeightFieldSide);
  const std::size_t count = static_cast<std::size_t>(rows) * cols;
  STICTION_USER_CHECK(count <= kMaxHeightFieldPoints, "a height field of {} x {} points; at most {} in all",
                      rows, cols, kMaxHeightFieldPoints);
  STICTION_USER_CHECK(picture.size() == count, "a height field of {} x {} points with {} heights", rows, cols,
                      picture.size());
  for (double value : picture)
    STICTION_USER_CHECK(std::isfinite(value), "a height field with height {}", value);

  const auto [lowest, highest] = std::minmax_element(picture.begin(), picture.end());
  const double low = *lowest, range = *highest - *lowest;
  STICTION_USER_CHECK(std::isfinite(range), "a height field with heights from {} to {}", low, *highest);

  HeightField field{size, rows, cols, std::vector<double>(count, 0.0)};
  for (int row = 0; row < rows; ++row) {
    const double* from = picture.data() + static_cast<std::size_t>(rows - 1 - row) * cols;
    double* to = field.heights.data() + static_cast<std::size_t>(row) * cols;
    for (int col = 0; col < cols && range > 0.0; ++col) to[col] = (from[col] - low) / range * size.elevation;
  }
  const std::string defect = height_field_defect(field);
  STICTION_USER_CHECK(defect.empty(), "a height field {}", defect);
  return field;
}

std::string height_field_defect(const HeightField& field) {
  const HeightFieldSize& s = field.size;
  for (double value : {s.radius_x, s.radius_y, s.elevation, s.base}) {
    if (!(std::isfinite(value) && value > 0.0))
      return format("has sizes {} {} {} {} m, which must be positive and finite", s.radius_x, s.radius_y,
                    s.elevation, s.base);
  }
  if (field.rows < 2 || field.cols < 2) return format("has {} x {} points", field.rows, field.cols);
  if (field.heights.size() != static_cast<std::size_t>(field.rows) * field.cols)
    return format("has {} x {} points and {} heights", field.rows, field.cols, field.heights.size());
  for (double height : field.heights) {
    if (!(height >= 0.0 && height <= s.elevation))
      return format("has height {} m outside [0, {}]", height, s.elevation);
  }
  return {};
}

double volume(const HeightField& field) {
  // The prism below a triangle has the mean height of its corners; both triangles share the diagonal's ends.
  double sum = 0.0;
  for (int r = 0; r + 1 < field.rows; ++r) {
    for (int c = 0; c + 1 < field.cols; ++c) {
      sum += (2.0 * (field.height(r, c) + field.height(r + 1, c + 1)) + field.height(r, c + 1) +
              field.height(r + 1, c)) /
             6.0;
    }
  }
  const double area = 4.0 * field.size.radius_x * field.size.radius_y;
  const double cells = static_cast<double>(field.rows - 1) * (field.cols - 1);
  return area * (sum / cells + field.size.base);
}

Eigen::AlignedBox3d bounding_box(const HeightField& field) {
  const HeightFieldSize& s = field.size;
  const double top = *std::max_element(field.heights.begin(), field.heights.end());
  return {Vec3(-s.radius_x, -s.radius_y, -s.base), Vec3(s.radius_x, s.radius_y, top)};
}

}  // namespace stiction
