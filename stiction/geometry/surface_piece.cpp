#include "stiction/geometry/surface_piece.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "stiction/geometry/tangents.h"

namespace stiction {
namespace {

// Sides that rise by less than this share of their length do not keep a direction out of a normal cone.
constexpr double kConeSlack = 1e-9;

int next_corner(int i) { return i == 2 ? 0 : i + 1; }

// The cells of a height field that a piece covers, and the planes of their triangles.
struct Cells {
  const HeightField& field;
  double dx, dy;             // m
  int row, col, rows, cols;  // the first cell, how many
  double flat_rise;          // m: corners this near a plane lie in it

  Cells(const HeightField& f, const Vec3& lower, const Vec3& upper) : field(f) {
    dx = 2.0 * f.size.radius_x / (f.cols - 1), dy = 2.0 * f.size.radius_y / (f.rows - 1);
    const auto cell = [](double x, double radius, double step, int count) {
      return static_cast<int>(
          std::clamp(std::floor((x + radius) / step), 0.0, static_cast<double>(count - 1)));
    };
    col = cell(lower.x(), f.size.radius_x, dx, f.cols - 1);
    row = cell(lower.y(), f.size.radius_y, dy, f.rows - 1);
    cols = cell(upper.x(), f.size.radius_x, dx, f.cols - 1) - col + 1;
    rows = cell(upper.y(), f.size.radius_y, dy, f.rows - 1) - row + 1;
    flat_rise =
        kFlatness * std::hypot(2.0 * f.size.radius_x, 2.0 * f.size.radius_y, f.size.elevation + f.size.base);
  }

  // The slopes of triangle k of a cell: 0 below the diagonal (larger x), 1 above it.
  Vec3 slope(int r, int c, int k) const {
    const double z00 = field.height(r, c), z11 = field.height(r + 1, c + 1);
    if (k == 0) {
      const double z01 = field.height(r, c + 1);
      return Vec3(-(z01 - z00) / dx, -(z11 - z01) / dy, 1.0);
    }
    const double z10 = field.height(r + 1, c);
    return Vec3(-(z11 - z10) / dx, -(z10 - z00) / dy, 1.0);
  }
};

// How the other triangle's plane lies to this one's, from the height of its far corner above it.
SideKind kind_of(double rise, const Vec3& n, const Vec3& other, double flat_rise) {
  if (std::abs(rise) <= flat_rise && n.cross(other).norm() <= kFlatAngle) return SideKind::flat;
  return rise < 0.0 ? SideKind::convex : SideKind::concave;
}

// The neighbour across side i of triangle k in cell (r, c): its cell and number; false outside the field.
bool neighbour_of(const HeightField& field, int i, int* r, int* c, int* k) {
  if (*k == 0) {
    if (i == 0) --*r;  // side along x at the lower row
    if (i == 1) ++*c;  // side along y at the upper column
    *k = 1;
  } else {
    if (i == 1) ++*r;
    if (i == 2) --*c;
    *k = 0;
  }
  return *r >= 0 && *c >= 0 && *r + 1 < field.rows && *c + 1 < field.cols;
}

int root_of(std::vector<int>* parent, int i) {
  while ((*parent)[i] != i) i = (*parent)[i] = (*parent)[(*parent)[i]];
  return i;
}

// A name for a plane that does not depend on which part of it was gathered.
int name_of_plane(const Vec3& normal, double offset) {
  std::uint64_t hash = 0;
  for (double x : {normal.x(), normal.y(), normal.z(), offset}) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<int>(hash >> 35);
}

PieceTriangle field_triangle(const Cells& cells, int r, int c, int k) {
  const HeightField& field = cells.field;
  PieceTriangle t;
  const std::array<std::array<int, 2>, 3> places =
      k == 0 ? std::array<std::array<int, 2>, 3>{{{r, c}, {r, c + 1}, {r + 1, c + 1}}}
             : std::array<std::array<int, 2>, 3>{{{r, c}, {r + 1, c + 1}, {r + 1, c}}};
  for (int i = 0; i < 3; ++i) {
    t.corners[i] = field.point(places[i][0], places[i][1]);
    t.vertices[i] = places[i][0] * field.cols + places[i][1];
  }
  // An edge is named by its lower end and direction: along x, along y, diagonal.
  const int here = r * field.cols + c;
  if (k == 0)
    t.edges = {3 * here, 3 * (here + 1) + 1, 3 * here + 2};
  else
    t.edges = {3 * here + 2, 3 * (here + field.cols), 3 * here + 1};
  t.id = 2 * (r * (field.cols - 1) + c) + k;
  const Vec3 slope = cells.slope(r, c, k), n = slope.normalized();
  for (int i = 0; i < 3; ++i) {
    int r2 = r, c2 = c, k2 = k;
    t.kinds[i] = SideKind::boundary;
    t.across[i] = Vec3::Zero();
    t.owner[i] = true;
    if (!neighbour_of(field, i, &r2, &c2, &k2)) continue;
    t.owner[i] = t.id < 2 * (r2 * (field.cols - 1) + c2) + k2;
    const Vec3 other = cells.slope(r2, c2, k2);
    if (other == slope) {
      t.kinds[i] = SideKind::flat;
      t.across[i] = n;
      continue;
    }
    t.across[i] = other.normalized();
    // The corner of the neighbour that is not on the side, as steps in row and column from its cell.
    constexpr int kFar[2][3][2] = {{{0, 0}, {1, 1}, {1, 0}}, {{0, 1}, {1, 1}, {0, 0}}};
    const Vec3 far = field.point(r2 + kFar[k][i][0], c2 + kFar[k][i][1]);
    t.kinds[i] = kind_of(n.dot(far - t.corners[0]), n, t.across[i], cells.flat_rise);
  }
  return t;
}

}  // namespace

void gather(const MeshTree& mesh, const Vec3& lower, const Vec3& upper, SurfacePiece* piece) {
  piece->mesh = &mesh, piece->field = nullptr;
  piece->size = mesh.size;
  piece->patches.clear();
  piece->triangles.clear();
  piece->found.clear();
  mesh.boxes.overlap(lower, upper, &piece->found);
  std::erase_if(piece->found, [&mesh](int t) { return mesh.patch_of[t] < 0; });
  std::sort(piece->found.begin(), piece->found.end(), [&mesh](int a, int b) {
    return mesh.patch_of[a] != mesh.patch_of[b] ? mesh.patch_of[a] < mesh.patch_of[b] : a < b;
  });
  piece->triangles.reserve(piece->found.size());
  for (const int t : piece->found) {
    const int id = mesh.patch_of[t];
    if (piece->patches.empty() || piece->patches.back().id != id) {
      const MeshPatch& plane = mesh.patches[id];
      const int begin = static_cast<int>(piece->triangles.size());
      piece->patches.push_back({plane.normal, plane.t1, plane.t2, plane.offset, id, begin, begin});
    }
    PieceTriangle& out = piece->triangles.emplace_back();
    out.id = t;
    out.patch = static_cast<int>(piece->patches.size()) - 1;
    piece->patches.back().end = static_cast<int>(piece->triangles.size());
    for (int i = 0; i < 3; ++i) {
      const MeshSide& side = mesh.sides[t][i];
      const int other = side.across >= 0 ? mesh.patch_of[side.across] : -1;
      out.vertices[i] = mesh.mesh.triangles[t][i];
      out.corners[i] = mesh.mesh.vertices[out.vertices[i]];
      out.edges[i] = side.edge;
      out.kinds[i] = side.kind;
      out.across[i] = other >= 0 ? mesh.patches[other].normal : Vec3::Zero();
      out.owner[i] = other < 0 || t < side.across;
    }
  }
}

void gather(const HeightField& field, const Vec3& lower, const Vec3& upper, SurfacePiece* piece) {
  piece->mesh = nullptr, piece->field = &field;
  piece->size = std::hypot(2.0 * field.size.radius_x, 2.0 * field.size.radius_y,
                           field.size.elevation + field.size.base);
  piece->patches.clear();
  piece->triangles.clear();
  const HeightFieldSize& size = field.size;
  if (lower.x() > size.radius_x || upper.x() < -size.radius_x || lower.y() > size.radius_y ||
      upper.y() < -size.radius_y || upper.z() < -size.base)
    return;
  const Cells cells(field, lower, upper);

  // The triangles that are not wholly below the box; cell by cell, then joined over flat sides.
  std::vector<int>&parent = piece->label, &place = piece->found;
  const int slots = 2 * cells.rows * cells.cols;
  parent.resize(slots);
  place.assign(slots, -1);
  std::iota(parent.begin(), parent.end(), 0);
  for (int r = 0; r < cells.rows; ++r) {
    for (int c = 0; c < cells.cols; ++c) {
      const int row = cells.row + r, col = cells.col + c;
      const double top = std::max({field.height(row, col), field.height(row, col + 1),
                                   field.height(row + 1, col), field.height(row + 1, col + 1)});
      if (top < lower.z()) continue;
      for (int k = 0; k < 2; ++k) {
        place[2 * (r * cells.cols + c) + k] = static_cast<int>(piece->triangles.size());
        piece->triangles.push_back(field_triangle(cells, row, col, k));
      }
    }
  }
  for (int slot = 0; slot < slots; ++slot) {
    if (place[slot] < 0) continue;
    const PieceTriangle& t = piece->triangles[place[slot]];
    for (int i = 0; i < 3; ++i) {
      if (t.kinds[i] != SideKind::flat) continue;
      int r = slot / 2 / cells.cols, c = slot / 2 % cells.cols, k = slot % 2;
      r += cells.row, c += cells.col;
      neighbour_of(field, i, &r, &c, &k);
      r -= cells.row, c -= cells.col;
      if (r < 0 || c < 0 || r >= cells.rows || c >= cells.cols) continue;
      const int other = 2 * (r * cells.cols + c) + k;
      if (place[other] < 0) continue;
      const int a = root_of(&parent, slot), b = root_of(&parent, other);
      parent[std::max(a, b)] = std::min(a, b);
    }
  }

  // Number the patches in the order of their first triangles and sort the triangles by them.
  for (int slot = 0; slot < slots; ++slot) {
    if (place[slot] < 0) continue;
    const int root = root_of(&parent, slot);
    PieceTriangle& t = piece->triangles[place[slot]];
    if (root == slot) {
      PiecePatch patch;
      patch.normal =
          cells.slope(cells.row + slot / 2 / cells.cols, cells.col + slot / 2 % cells.cols, slot % 2)
              .normalized();
      patch.offset = patch.normal.dot(t.corners[0]);
      const Tangents across = tangents(patch.normal);
      patch.t1 = across.t1, patch.t2 = across.t2;
      patch.id = name_of_plane(patch.normal, patch.offset);
      t.patch = static_cast<int>(piece->patches.size());
      piece->patches.push_back(patch);
    } else {
      t.patch = piece->triangles[place[root]].patch;
    }
  }
  std::stable_sort(piece->triangles.begin(), piece->triangles.end(),
                   [](const PieceTriangle& a, const PieceTriangle& b) { return a.patch < b.patch; });
  for (int t = 0; t < static_cast<int>(piece->triangles.size()); ++t) {
    PiecePatch& patch = piece->patches[piece->triangles[t].patch];
    if (patch.end == 0) patch.begin = t;
    patch.end = t + 1;
  }
}

bool covers(const SurfacePiece& piece, const PiecePatch& patch, const Vec3& p, double slack) {
  for (int t = patch.begin; t < patch.end; ++t) {
    const PieceTriangle& triangle = piece.triangles[t];
    bool inside = true;
    for (int i = 0; i < 3 && inside; ++i) {
      const Vec3 side = triangle.corners[next_corner(i)] - triangle.corners[i];
      inside = patch.normal.cross(side).dot(p - triangle.corners[i]) >= -slack * side.norm();
    }
    if (inside) return true;
  }
  return false;
}

bool is_peak(const SurfacePiece& piece, int vertex, const Vec3& v, const Vec3& m) {
  bool peak = true;
  for_each_neighbour(piece, vertex, v,
                     [&peak, &m](const Vec3& e) { peak = peak && m.dot(e) <= kConeSlack * e.norm(); });
  return peak;
}

}  // namespace stiction
