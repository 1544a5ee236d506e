#include "stiction/io/mjcf/builtin_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/math/single_precision.h"

namespace stiction {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kMaxSide = 1000;  // of grids of vertices; keeps meshes below a million vertices

double power(double x, double exponent) { return std::copysign(std::pow(std::abs(x), exponent), x); }

// The parameters of a mesh, by place.
class Parameters {
 public:
  Parameters(const MjcfValues& values, std::size_t min_count, std::size_t max_count)
      : values_(values), numbers_(values.numbers("params", min_count, max_count)) {}

  int integer(std::size_t place, int least, int most) const {
    const double number = real(place, least, most);
    if (number != std::floor(number))
      values_.fail("params", format("number {} is {}, not an integer", place + 1, number));
    return int(number);
  }
  double real(std::size_t place, double least, double most) const {
    const double number = numbers_[place];
    if (!(number >= least && number <= most))
      values_.fail("params", format("number {} is {}, not {} to {}", place + 1, number, least, most));
    return number;
  }
  std::size_t count() const { return numbers_.size(); }

 private:
  const MjcfValues& values_;
  std::vector<double> numbers_;
};

TriangleMesh icosphere(int subdivisions) {
  const double golden = (1.0 + std::sqrt(5.0)) / 2.0;
  TriangleMesh mesh;
  mesh.vertices = {Vec3(-1, golden, 0), Vec3(1, golden, 0), Vec3(-1, -golden, 0), Vec3(1, -golden, 0),
                   Vec3(0, -1, golden), Vec3(0, 1, golden), Vec3(0, -1, -golden), Vec3(0, 1, -golden),
                   Vec3(golden, 0, -1), Vec3(golden, 0, 1), Vec3(-golden, 0, -1), Vec3(-golden, 0, 1)};
  for (Vec3& vertex : mesh.vertices) vertex.normalize();
  mesh.triangles = surface_mesh(convex_hull(mesh.vertices)).triangles;
  for (int s = 0; s < subdivisions; ++s) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [place, is_new] = middles.insert({std::minmax(a, b), int(mesh.vertices.size())});
      if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
      return place->second;
    };
    std::vector<Triangle> finer;
    for (const Triangle& t : mesh.triangles) {
      const int ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
      for (const Triangle& part :
           {Triangle{t[0], ab, ca}, Triangle{t[1], bc, ab}, Triangle{t[2], ca, bc}, Triangle{ab, bc, ca}})
        finer.push_back(part);
    }
    mesh.triangles = std::move(finer);
  }
  return mesh;
}

TriangleMesh hemisphere(int resolution) {
  // Ring j of the octahedron has 4 j points (|x| + |y| = j, z = rings - j), beginning on the x axis.
  const int rings = resolution + 1;
  TriangleMesh mesh;
  mesh.vertices.push_back(Vec3::UnitZ());
  const auto place = [](int ring, int k) {
    return ring == 0 ? 0 : 1 + 2 * ring * (ring - 1) + k % (4 * ring);
  };
  for (int j = 1; j <= rings; ++j) {
    for (int k = 0; k < 4 * j; ++k) {
      const int quarter = k / j, along = k % j;
      Vec3 point(j - along, along, rings - j);
      for (int turn = 0; turn < quarter; ++turn) point = Vec3(-point.y(), point.x(), point.z());
      mesh.vertices.push_back(point.normalized());
    }
  }
  for (int j = 1; j <= rings; ++j) {
    for (int k = 0; k < 4 * j; ++k) {
      const int quarter = k / j, along = k % j, inner = quarter * (j - 1) + along;
      mesh.triangles.push_back({place(j - 1, inner), place(j, k), place(j, k + 1)});
      if (along + 1 < j)
        mesh.triangles.push_back({place(j - 1, inner), place(j, k + 1), place(j - 1, inner + 1)});
    }
  }
  const int centre = int(mesh.vertices.size());
  mesh.vertices.push_back(Vec3::Zero());
  for (int k = 0; k < 4 * rings; ++k)
    mesh.triangles.push_back({place(rings, k), centre, place(rings, k + 1)});
  return mesh;
}

TriangleMesh hull_mesh(const std::vector<Vec3>& points, const MjcfValues& values) {
  // In single precision, so that points of one face are joined as they are later.
  std::vector<Vec3> rounded = points;
  for (Vec3& point : rounded) point = rounded_to_single(point);
  try {
    return surface_mesh(convex_hull(rounded));
  } catch (const UserError& error) {
    values.fail("params", error.what());
  }
}

TriangleMesh cone(int corners, double radius, const MjcfValues& values) {
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * kPi * i / corners;
    points.push_back(Vec3(std::cos(angle), std::sin(angle), -1.0));
    if (radius > 0.0) points.push_back(Vec3(radius * std::cos(angle), radius * std::sin(angle), 1.0));
  }
  if (radius == 0.0) points.push_back(Vec3::UnitZ());
  return hull_mesh(points, values);
}

TriangleMesh supersphere(int steps, double e, double n) {
  TriangleMesh mesh;
  mesh.vertices.push_back(-Vec3::UnitZ());
  for (int i = 1; i < steps; ++i) {
    const double u = -kPi / 2.0 + kPi * i / steps;
    for (int k = 0; k < steps; ++k) {
      const double w = -kPi + 2.0 * kPi * k / steps;
      const double across = power(std::cos(u), n);
      mesh.vertices.push_back(
          Vec3(across * power(std::cos(w), e), across * power(std::sin(w), e), power(std::sin(u), n)));
    }
  }
  const int top = int(mesh.vertices.size());
  mesh.vertices.push_back(Vec3::UnitZ());
  const auto place = [&](int ring, int k) {
    return ring == 0 ? 0 : ring == steps ? top : 1 + (ring - 1) * steps + k % steps;
  };
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < steps; ++k) {
      if (i > 0) mesh.triangles.push_back({place(i, k), place(i, k + 1), place(i + 1, k)});
      if (i + 1 < steps) mesh.triangles.push_back({place(i, k + 1), place(i + 1, k + 1), place(i + 1, k)});
    }
  }
  return mesh;
}

TriangleMesh supertorus(int steps, double radius, double s, double t) {
  TriangleMesh mesh;
  for (int i = 0; i < steps; ++i) {
    const double w = 2.0 * kPi * i / steps;
    for (int k = 0; k < steps; ++k) {
      const double u = 2.0 * kPi * k / steps, reach = 1.0 + radius * power(std::cos(u), s);
      mesh.vertices.push_back(
          Vec3(reach * power(std::cos(w), t), reach * power(std::sin(w), t), radius * power(std::sin(u), s)));
    }
  }
  const auto place = [&](int i, int k) { return (i % steps) * steps + k % steps; };
  for (int i = 0; i < steps; ++i) {
    for (int k = 0; k < steps; ++k) {
      mesh.triangles.push_back({place(i, k), place(i + 1, k), place(i, k + 1)});
      mesh.triangles.push_back({place(i + 1, k), place(i + 1, k + 1), place(i, k + 1)});
    }
  }
  return mesh;
}

// The centre of cell `index` of `count` between -1 and 1.
double cell_centre(int index, int count, double gamma) {
  const auto edge = [&](int i) {
    const double x = 2.0 * i / count - 1.0;
    return (1.0 - gamma) * x + gamma * std::pow(x, 5);
  };
  return (edge(index) + edge(index + 1)) / 2.0;
}

TriangleMesh wedge(int n, int m, double a, double b, double gamma, const MjcfValues& values) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k) {
      const double w = a * cell_centre(i, n, gamma), u = b * cell_centre(k, m, gamma);
      points.push_back(Vec3(std::sin(w) * std::cos(u), std::sin(u), -std::cos(w) * std::cos(u)));
    }
  }
  return hull_mesh(points, values);
}

TriangleMesh plate(int n, int m) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < m; ++k)
      mesh.vertices.push_back(Vec3(cell_centre(i, n, 0.0), cell_centre(k, m, 0.0), -1.0));
  for (int i = 0; i + 1 < n; ++i) {
    for (int k = 0; k + 1 < m; ++k) {
      const int at = i * m + k;
      mesh.triangles.push_back({at, at + m, at + 1});
      mesh.triangles.push_back({at + m + 1, at + 1, at + m});
    }
  }
  return mesh;
}

TriangleMesh grid(const Parameters& numbers, const MjcfValues& values) {
  if (numbers.count() == 7 && numbers.integer(6, 2, 3) == 2)
    values.fail("params", "surfaces without volume are for deformable bodies, which are not simulated");
  std::vector<Vec3> points;
  Vec3 half;
  for (std::size_t i = 0; i < 3; ++i)
    half[Eigen::Index(i)] = (numbers.integer(i, 2, kMaxSide) - 1) * numbers.real(3 + i, 0.0, 1e6) / 2.0;
  for (int corner = 0; corner < 8; ++corner)
    points.push_back(
        half.cwiseProduct(Vec3(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0)));
  return hull_mesh(points, values);
}

}  // namespace

TriangleMesh built_in_mesh(const MjcfValues& values) {
  const std::string kind = values.word("builtin", "none",
                                       {"sphere", "hemisphere", "cone", "supersphere", "supertorus", "wedge",
                                        "plate", "grid", "box", "cylinder", "ellipsoid", "square", "disc"});
  constexpr double kAny = 1e6;
  TriangleMesh mesh;
  if (kind == "sphere") {
    mesh = icosphere(Parameters(values, 1, 1).integer(0, 0, 4));
  } else if (kind == "hemisphere") {
    mesh = hemisphere(Parameters(values, 1, 1).integer(0, 0, 10));
  } else if (kind == "cone") {
    const Parameters p(values, 2, 2);
    mesh = cone(p.integer(0, 3, kMaxSide), p.real(1, 0.0, 1.0), values);
  } else if (kind == "supersphere") {
    const Parameters p(values, 3, 3);
    mesh = supersphere(p.integer(0, 3, kMaxSide), p.real(1, 0.0, kAny), p.real(2, 0.0, kAny));
  } else if (kind == "supertorus") {
    const Parameters p(values, 4, 4);
    mesh = supertorus(p.integer(0, 3, kMaxSide), p.real(1, 0.0, 1.0), p.real(2, 0.0, kAny),
                      p.real(3, 0.0, kAny));
  } else if (kind == "wedge") {
    const Parameters p(values, 5, 5);
    mesh = wedge(p.integer(0, 0, kMaxSide), p.integer(1, 0, kMaxSide), p.real(2, 0.0, 180.0) * kPi / 180.0,
                 p.real(3, 0.0, 90.0) * kPi / 180.0, p.real(4, 0.0, 1.0), values);
  } else if (kind == "plate") {
    const Parameters p(values, 2, 2);
    mesh = plate(p.integer(0, 1, kMaxSide), p.integer(1, 1, kMaxSide));
  } else if (kind == "grid" || kind == "box") {
    mesh = grid(Parameters(values, 6, 7), values);
  } else {
    values.fail("builtin", format("meshes '{}' are for deformable bodies, which are not simulated", kind));
  }
  // As in files, vertices are kept in single precision.
  for (Vec3& vertex : mesh.vertices) vertex = rounded_to_single(vertex);
  return mesh;
}

}  // namespace stiction
