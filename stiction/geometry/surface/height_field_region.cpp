// The part of a height field that a shape may reach.

#include <algorithm>
#include <cmath>

#include "stiction/geometry/simd/tangents.h"
#include "stiction/geometry/surface/mesh_region.h"

namespace stiction {
namespace {

// Of the field's diagonal: a triangle whose corners are this close to the plane of a facet's first triangle
// is coplanar with it. The heights of a ramp have round-off of some 1e-16.
constexpr double kFlatField = 1e-11;

// One triangle of the grid: k = 0 lies below the diagonal of its cell (larger x), 1 above it.
struct Place {
  int row, col, k;
};

// Its corners as offsets in row and column from its cell.
constexpr int kCorners[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}};
// The corner of the neighbour across side i that is not on the side, from the neighbour's cell.
constexpr int kFar[2][3][2] = {{{0, 0}, {1, 1}, {1, 0}}, {{0, 1}, {1, 1}, {0, 0}}};

Place across(const Place& p, int i) {
  if (p.k == 0) return {p.row - (i == 0 ? 1 : 0), p.col + (i == 1 ? 1 : 0), 1};
  return {p.row + (i == 1 ? 1 : 0), p.col - (i == 2 ? 1 : 0), 0};
}

// An id for a plane that does not depend on which part of it was gathered, nor on round-off.
int name_of_plane(const Vec3& normal, double offset) {
  constexpr double kGrain = 4294967296.0;
  std::uint64_t hash = 0;
  for (double x : {normal.x(), normal.y(), normal.z(), offset}) {
    hash = (hash ^ static_cast<std::uint64_t>(std::llround(kGrain * x))) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<int>(hash >> 35);
}

// The cells under the shape and a ring of cells around them.
class Window {
 public:
  Window(const HeightField& field, const Vec3& lower, const Vec3& upper, MeshRegion* region)
      : field_(field), region_(region), near_plane_(kFlatField * region->size) {
    const double dx = 2.0 * field.size.radius_x / (field.cols - 1),
                 dy = 2.0 * field.size.radius_y / (field.rows - 1);
    per_dx_ = 1.0 / dx, per_dy_ = 1.0 / dy;
    const auto cell = [](double x, double radius, double step, int count) {
      return static_cast<int>(
          std::clamp(std::floor((x + radius) / step), 0.0, static_cast<double>(count - 1)));
    };
    col_ = cell(lower.x(), field.size.radius_x, dx, field.cols - 1);
    row_ = cell(lower.y(), field.size.radius_y, dy, field.rows - 1);
    cols_ = cell(upper.x(), field.size.radius_x, dx, field.cols - 1) - col_ + 1;
    rows_ = cell(upper.y(), field.size.radius_y, dy, field.rows - 1) - row_ + 1;
  }

  void gather(double lowest) {
    find(lowest);
    if (region_->found.empty()) return;
    region_->label.assign(2 * static_cast<std::size_t>(rows_ + 2) * (cols_ + 2), kOutside);
    region_->normals.assign(region_->label.size(), Vec3::Zero());
    // Coordinates of the grid lines, from one before the first cell on.
    region_->xs.resize(cols_ + 3), region_->ys.resize(rows_ + 3);
    for (int i = 0; i < cols_ + 3; ++i) region_->xs[i] = field_.x(col_ - 1 + i);
    for (int i = 0; i < rows_ + 3; ++i) region_->ys[i] = field_.y(row_ - 1 + i);
    for (const int id : region_->found) label(place_of(id)) = kNoFacet;
    for (const int id : region_->found)
      if (label(place_of(id)) == kNoFacet) grow(place_of(id));
  }

 private:
  static constexpr int kOutside = -2, kNoFacet = -1;  // labels; others are facets

  // Lists the triangles that are not entirely below the box, and narrows the window to them.
  void find(double lowest) {
    region_->found.clear();
    int first_row = field_.rows, last_row = -1, first_col = field_.cols, last_col = -1;
    for (int r = row_; r < row_ + rows_; ++r) {
      for (int c = col_; c < col_ + cols_; ++c) {
        const double diagonal = std::max(field_.height(r, c), field_.height(r + 1, c + 1));
        const bool has[2] = {std::max(diagonal, field_.height(r, c + 1)) >= lowest,
                             std::max(diagonal, field_.height(r + 1, c)) >= lowest};
        if (!has[0] && !has[1]) continue;
        first_row = std::min(first_row, r), last_row = r;
        first_col = std::min(first_col, c), last_col = std::max(last_col, c);
        for (int k = 0; k < 2; ++k)
          if (has[k]) region_->found.push_back(id_of({r, c, k}));
      }
    }
    row_ = first_row, rows_ = last_row - first_row + 1;
    col_ = first_col, cols_ = last_col - first_col + 1;
  }

  std::size_t slot(const Place& p) const {
    return 2 * (static_cast<std::size_t>(p.row - row_ + 1) * (cols_ + 2) + (p.col - col_ + 1)) + p.k;
  }
  int& label(const Place& p) { return region_->label[slot(p)]; }
  bool is_in_field(const Place& p) const {
    return p.row >= 0 && p.col >= 0 && p.row + 1 < field_.rows && p.col + 1 < field_.cols;
  }
  Vec3 point(int row, int col) const {
    return {region_->xs[col - col_ + 1], region_->ys[row - row_ + 1], field_.height(row, col)};
  }
  int id_of(const Place& p) const { return 2 * (p.row * (field_.cols - 1) + p.col) + p.k; }
  Place place_of(int id) const { return {id / 2 / (field_.cols - 1), id / 2 % (field_.cols - 1), id % 2}; }

  // Unit normal, computed when first needed.
  const Vec3& normal(const Place& p) {
    Vec3& n = region_->normals[slot(p)];
    if (n.z() > 0.0) return n;
    const double z00 = field_.height(p.row, p.col), z11 = field_.height(p.row + 1, p.col + 1);
    const double corner = p.k == 0 ? field_.height(p.row, p.col + 1) : field_.height(p.row + 1, p.col);
    const double along_x = p.k == 0 ? corner - z00 : z11 - corner,
                 along_y = p.k == 0 ? z11 - corner : corner - z00;
    const double sx = along_x * per_dx_, sy = along_y * per_dy_;
    n = Vec3(-sx, -sy, 1.0) / std::sqrt(1.0 + sx * sx + sy * sy);
    return n;
  }

  // Height above the facet's plane of the far corner of the neighbour q across side i of a triangle, m.
  double rise(const CoplanarFacet& facet, int k, int i, const Place& q) const {
    return facet.height(point(q.row + kFar[k][i][0], q.col + kFar[k][i][1]));
  }
  bool is_flat(const CoplanarFacet& facet, double rise, const Place& q) {
    return std::abs(rise) <= near_plane_ && facet.normal.cross(normal(q)).norm() <= kFlatAngle;
  }

  // Grows a facet from its first triangle over coplanar neighbours.
  void grow(const Place& first) {
    const int index = static_cast<int>(region_->facets.size());
    CoplanarFacet& facet = region_->facets.emplace_back();
    facet.normal = normal(first);
    facet.offset = facet.normal.dot(point(first.row, first.col));
    facet.id = name_of_plane(facet.normal, facet.offset);
    const Tangents t = tangents(facet.normal);
    facet.t1 = t.t1, facet.t2 = t.t2;
    facet.begin = static_cast<int>(region_->triangles.size());
    label(first) = index;
    add(first, index);
    // The list of triangles doubles as the queue.
    for (std::size_t at = facet.begin; at < region_->triangles.size(); ++at) {
      const Place p = place_of(region_->triangles[at].id);
      for (int i = 0; i < 3; ++i) {
        RegionTriangle& triangle = region_->triangles[at];
        const Place q = across(p, i);
        triangle.owner[i] = true;
        triangle.kinds[i] = SideKind::boundary;
        triangle.across[i] = Vec3::Zero();
        if (!is_in_field(q)) continue;
        triangle.owner[i] = triangle.id < id_of(q);
        triangle.across[i] = normal(q);
        const int known = label(q);
        const double up = known == index ? 0.0 : rise(facet, p.k, i, q);
        if (known == index || (known < 0 && is_flat(facet, up, q))) {
          triangle.kinds[i] = SideKind::flat;
          if (known != kNoFacet) continue;
          label(q) = index;
          add(q, index);  // may reallocate the triangles
        } else {
          triangle.kinds[i] = up < 0.0 ? SideKind::convex : SideKind::concave;
        }
      }
    }
    facet.end = static_cast<int>(region_->triangles.size());
  }

  void add(const Place& p, int facet) {
    RegionTriangle& t = region_->triangles.emplace_back();
    t.facet = facet;
    t.id = id_of(p);
    for (int i = 0; i < 3; ++i) {
      const int r = p.row + kCorners[p.k][i][0], c = p.col + kCorners[p.k][i][1];
      t.corners[i] = point(r, c);
      t.vertices[i] = r * field_.cols + c;
    }
    // The id of an edge: its lower end and its direction (along x, along y, diagonal).
    const int here = p.row * field_.cols + p.col;
    if (p.k == 0)
      t.edges = {3 * here, 3 * (here + 1) + 1, 3 * here + 2};
    else
      t.edges = {3 * here + 2, 3 * (here + field_.cols), 3 * here + 1};
  }

  const HeightField& field_;
  MeshRegion* region_;
  double near_plane_, per_dx_ = 0.0, per_dy_ = 0.0;
  int row_ = 0, col_ = 0, rows_ = 0, cols_ = 0;  // the first cell, how many
};

}  // namespace

void gather(const HeightField& field, const Vec3& lower, const Vec3& upper, MeshRegion* region) {
  region->mesh = nullptr, region->field = &field;
  const HeightFieldSize& size = field.size;
  region->size = std::hypot(2.0 * size.radius_x, 2.0 * size.radius_y, size.elevation + size.base);
  region->facets.clear();
  region->triangles.clear();
  if (lower.x() > size.radius_x || upper.x() < -size.radius_x || lower.y() > size.radius_y ||
      upper.y() < -size.radius_y || upper.z() < -size.base)
    return;
  Window(field, lower, upper, region).gather(lower.z());
}

}  // namespace stiction
