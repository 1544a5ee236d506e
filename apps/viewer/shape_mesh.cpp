#include "apps/viewer/shape_mesh.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/triangle_mesh.h"

namespace stiction::viewer {
namespace {

constexpr int kAround = 40;  // facets of a round shape
constexpr double kPi = std::numbers::pi;

Eigen::Vector3f to_float(const Vec3& x) { return x.cast<float>(); }

// Normals by corner of triangles that share points: see kCrease.
ShapeMesh creased(const std::vector<Vec3>& points, const std::vector<Triangle>& triangles) {
  ShapeMesh out;
  const std::size_t count = triangles.size();
  std::vector<Vec3> normals(count);  // times twice the area
  // Points at one place are one point.
  std::vector<int> order(points.size()), place(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](int i) -> const Vec3& { return points[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::lexicographical_compare(at(i).begin(), at(i).end(), at(j).begin(), at(j).end());
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    const bool is_same = k > 0 && at(order[k]) == at(order[k - 1]);
    place[static_cast<std::size_t>(order[k])] =
        is_same ? place[static_cast<std::size_t>(order[k - 1])] : order[k];
  }
  std::vector<int> begin(points.size() + 1, 0), around(3 * count);
  const auto place_of = [&](int corner) {
    return static_cast<std::size_t>(place[static_cast<std::size_t>(corner)]);
  };
  for (std::size_t t = 0; t < count; ++t) {
    const auto& [a, b, c] = triangles[t];
    normals[t] = (at(b) - at(a)).cross(at(c) - at(a));
    for (const int corner : triangles[t]) ++begin[place_of(corner) + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < count; ++t)
    for (const int corner : triangles[t])
      around[static_cast<std::size_t>(next[place_of(corner)]++)] = static_cast<int>(t);

  const double least_cosine = std::cos(kCrease);
  for (std::size_t t = 0; t < count; ++t) {
    const double length = normals[t].norm();
    if (length == 0.0) continue;
    const Vec3 own = normals[t] / length;
    std::array<int, 3> corners;
    for (std::size_t k = 0; k < 3; ++k) {
      const int corner = triangles[t][k];
      Vec3 sum = Vec3::Zero();
      for (int i = begin[place_of(corner)]; i < begin[place_of(corner) + 1]; ++i) {
        const Vec3& other = normals[static_cast<std::size_t>(around[static_cast<std::size_t>(i)])];
        if (other.dot(own) >= least_cosine * other.norm()) sum += other;
      }
      corners[k] = static_cast<int>(out.points.size());
      out.points.push_back(to_float(at(corner)));
      out.normals.push_back(to_float(sum.normalized()));
    }
    out.triangles.push_back(corners);
  }
  return out;
}

// A grid of points of a closed surface of revolution or the like: rows from the south to the north, each once
// around; `point` and `normal` of (latitude, longitude).
template <class Point, class Normal>
ShapeMesh round_mesh(int rows, const Point& point, const Normal& normal) {
  ShapeMesh out;
  out.is_closed = true;
  for (int row = 0; row <= rows; ++row) {
    for (int k = 0; k <= kAround; ++k) {
      const double angle = 2.0 * kPi * k / kAround;
      out.points.push_back(to_float(point(row, angle)));
      out.normals.push_back(to_float(normal(row, angle)));
      if (row == rows || k == kAround) continue;
      const int here = row * (kAround + 1) + k, above = here + kAround + 1;
      out.triangles.push_back({here, here + 1, above + 1});
      out.triangles.push_back({here, above + 1, above});
    }
  }
  return out;
}

double latitude(int row, int rows) { return kPi * (static_cast<double>(row) / rows - 0.5); }

Vec3 on_sphere(double lat, double angle) {
  return {std::cos(lat) * std::cos(angle), std::cos(lat) * std::sin(angle), std::sin(lat)};
}

ShapeMesh ellipsoid(const Vec3& radii) {
  constexpr int kRows = kAround / 2;
  return round_mesh(
      kRows,
      [&](int row, double angle) { return Vec3(radii.cwiseProduct(on_sphere(latitude(row, kRows), angle))); },
      [&](int row, double angle) {
        return Vec3(on_sphere(latitude(row, kRows), angle).cwiseQuotient(radii).normalized());
      });
}

// |x|^e with the sign of x.
double power(double x, double e) { return std::copysign(std::pow(std::abs(x), e), x); }

ShapeMesh superellipsoid(const Superellipsoid& s) {
  constexpr int kRows = kAround / 2;
  const auto point_of = [&](double lat, double angle, double e1, double e2, const Vec3& radii) {
    const double c = power(std::cos(lat), e1);
    return Vec3(radii[0] * c * power(std::cos(angle), e2), radii[1] * c * power(std::sin(angle), e2),
                radii[2] * power(std::sin(lat), e1));
  };
  return round_mesh(
      kRows,
      [&](int row, double angle) { return point_of(latitude(row, kRows), angle, s.e1, s.e2, s.radii); },
      [&](int row, double angle) {
        return Vec3(point_of(latitude(row, kRows), angle, 2.0 - s.e1, 2.0 - s.e2, s.radii.cwiseInverse())
                        .normalized());
      });
}

// Two half spheres, apart by the length.
ShapeMesh capsule(double radius, double length) {
  constexpr int kRows = kAround / 2 + 1;  // the equator twice
  const auto lat = [](int row) {
    const int half = kRows / 2;
    return row <= half ? latitude(row, kRows - 1) : latitude(row - 1, kRows - 1);
  };
  return round_mesh(
      kRows,
      [&](int row, double angle) {
        const double z = row <= kRows / 2 ? -0.5 * length : 0.5 * length;
        return Vec3(radius * on_sphere(lat(row), angle) + Vec3(0.0, 0.0, z));
      },
      [&](int row, double angle) { return on_sphere(lat(row), angle); });
}

ShapeMesh cylinder(double radius, double length) {
  // Bottom, side and top, each with normals of its own: six rows, of which the first and the last are points.
  const auto radius_of = [&](int row) { return row == 0 || row == 5 ? 0.0 : radius; };
  return round_mesh(
      5,
      [&](int row, double angle) {
        const double r = radius_of(row), z = row < 3 ? -0.5 * length : 0.5 * length;
        return Vec3(r * std::cos(angle), r * std::sin(angle), z);
      },
      [&](int row, double angle) {
        if (row < 2) return Vec3(0.0, 0.0, -1.0);
        return row > 3 ? Vec3(0.0, 0.0, 1.0) : Vec3(std::cos(angle), std::sin(angle), 0.0);
      });
}

ShapeMesh box(const Vec3& half) {
  ShapeMesh out;
  out.is_closed = true;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const int first = static_cast<int>(out.points.size());
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3 normal = Vec3::Zero();
      normal[axis] = side;
      for (int corner = 0; corner < 4; ++corner) {
        Vec3 p = side * half;
        p[u] = (corner == 1 || corner == 2 ? 1.0 : -1.0) * half[u];
        p[v] = (corner >= 2 ? 1.0 : -1.0) * half[v];
        out.points.push_back(to_float(p));
        out.normals.push_back(to_float(normal));
      }
      if (side > 0.0) {
        out.triangles.push_back({first, first + 1, first + 2});
        out.triangles.push_back({first, first + 2, first + 3});
      } else {
        out.triangles.push_back({first, first + 2, first + 1});
        out.triangles.push_back({first, first + 3, first + 2});
      }
    }
  }
  return out;
}

ShapeMesh terrain(const HeightField& field) {
  std::vector<Vec3> points;
  std::vector<Triangle> cells;
  for (int row = 0; row < field.rows; ++row) {
    for (int col = 0; col < field.cols; ++col) {
      points.push_back(field.point(row, col));
      if (row + 1 == field.rows || col + 1 == field.cols) continue;
      const int here = row * field.cols + col, above = here + field.cols;
      cells.push_back({here, here + 1, above + 1});
      cells.push_back({here, above + 1, above});
    }
  }
  return creased(points, cells);
}

class Mesher {
 public:
  explicit Mesher(double rounding) : rounding_(rounding) {}
  ShapeMesh operator()(const Sphere& s) const { return ellipsoid(Vec3::Constant(s.radius + rounding_)); }
  ShapeMesh operator()(const Box& b) const { return box(b.half_extents + Vec3::Constant(rounding_)); }
  ShapeMesh operator()(const Cylinder& c) const {
    return cylinder(c.radius + rounding_, c.length + 2.0 * rounding_);
  }
  ShapeMesh operator()(const Capsule& c) const { return capsule(c.radius + rounding_, c.length); }
  ShapeMesh operator()(const Ellipsoid& e) const { return ellipsoid(e.radii); }
  ShapeMesh operator()(const Superellipsoid& e) const { return superellipsoid(e); }
  ShapeMesh operator()(const HalfSpace&) const { return {}; }
  ShapeMesh operator()(const SharedHull& hull) const { return creased(hull->vertices, hull->triangles); }
  ShapeMesh operator()(const SharedMesh& mesh) const { return creased(mesh->vertices, mesh->triangles); }
  ShapeMesh operator()(const SharedHeightField& field) const { return terrain(*field); }

 private:
  double rounding_;  // m
};

// The data that shapes share; null: they share none.
struct SharedData {
  std::shared_ptr<const void> operator()(const SharedHull& hull) const { return hull; }
  std::shared_ptr<const void> operator()(const SharedMesh& mesh) const { return mesh; }
  std::shared_ptr<const void> operator()(const SharedHeightField& field) const { return field; }
  template <class Other>
  std::shared_ptr<const void> operator()(const Other&) const {
    return nullptr;
  }
};

}  // namespace

ShapeMesh shape_mesh(const Shape& shape, double rounding) { return std::visit(Mesher(rounding), shape); }

std::shared_ptr<const ShapeMesh> ShapeMeshes::of(const Shape& shape, double rounding) {
  const std::shared_ptr<const void> source = std::visit(SharedData(), shape);
  if (!source) return std::make_shared<const ShapeMesh>(shape_mesh(shape, rounding));
  constexpr std::size_t kMost = 2000;
  constexpr long kLately = 5000;
  if (entries_.size() > kMost)
    std::erase_if(entries_, [&](const auto& entry) { return entry.second.used < clock_ - kLately; });
  Entry& entry = entries_[source.get()];
  if (!entry.mesh) entry = {source, std::make_shared<const ShapeMesh>(shape_mesh(shape, rounding)), 0};
  entry.used = ++clock_;
  return entry.mesh;
}

}  // namespace stiction::viewer
