#include "stiction/geometry/field/tet_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/mesh_tree.h"

namespace stiction {
namespace {

using Index = std::size_t;

std::vector<bool> on_surface(std::size_t vertices, const std::vector<TetSide>& sides) {
  std::vector<bool> is_on(vertices, false);
  for (const TetSide& side : sides)
    if (side.count == 1)
      for (const int v : side.corners) is_on[Index(v)] = true;
  return is_on;
}

// New vertices in tetrahedra and inner triangles whose corners all lie on the surface.
void divide_flat_parts(TetVolume* volume) {
  std::vector<Vec3>& vertices = volume->vertices;
  const std::vector<TetSide> sides = sides_of(volume->tets);
  const std::vector<bool> is_on = on_surface(vertices.size(), sides);
  // A new vertex for each inner triangle of this kind, which both of its tetrahedra share.
  std::vector<std::array<int, 4>> middles(volume->tets.size(), {-1, -1, -1, -1});
  int middle_of_last = -1;
  for (Index i = 0; i < sides.size(); ++i) {
    const TetSide& side = sides[i];
    const auto& v = side.corners;
    if (side.count != 2 || !is_on[Index(v[0])] || !is_on[Index(v[1])] || !is_on[Index(v[2])]) continue;
    if (i == 0 || sides[i - 1].corners != v) {
      middle_of_last = static_cast<int>(vertices.size());
      const Vec3 sum = vertices[Index(v[0])] + vertices[Index(v[1])] + vertices[Index(v[2])];
      vertices.push_back(sum / 3.0);
    }
    middles[Index(side.tet)][Index(side.opposite)] = middle_of_last;
  }
  std::vector<Tet> divided;
  divided.reserve(volume->tets.size());
  for (Index t = 0; t < volume->tets.size(); ++t) {
    const Tet& tet = volume->tets[t];
    const bool is_flat = std::all_of(tet.begin(), tet.end(), [&](int v) { return is_on[Index(v)]; });
    const bool has_middle =
        std::any_of(middles[t].begin(), middles[t].end(), [](int middle) { return middle >= 0; });
    if (!is_flat && !has_middle) {
      divided.push_back(tet);
      continue;
    }
    // Around its own middle: each side, divided or not, makes tetrahedra with it.
    const int middle = static_cast<int>(vertices.size());
    Vec3 centre = Vec3::Zero();
    for (const int v : tet) centre += 0.25 * vertices[Index(v)];
    vertices.push_back(centre);
    for (Index i = 0; i < 4; ++i) {
      const std::array<int, 3> side = {tet[(i + 1) % 4], tet[(i + 2) % 4], tet[(i + 3) % 4]};
      if (middles[t][i] < 0) {
        divided.push_back({side[0], side[1], side[2], middle});
        continue;
      }
      for (Index k = 0; k < 3; ++k) divided.push_back({side[k], side[(k + 1) % 3], middles[t][i], middle});
    }
  }
  volume->tets = std::move(divided);
}

double distance_to_triangle(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double square = n.squaredNorm();
  if (square > 0.0) {
    const double u = (c - b).cross(x - b).dot(n), v = (a - c).cross(x - c).dot(n),
                 w = (b - a).cross(x - a).dot(n);
    if (u >= 0.0 && v >= 0.0 && w >= 0.0) return std::abs(n.dot(x - a)) / std::sqrt(square);
  }
  const auto to_segment = [&x](const Vec3& p, const Vec3& q) {
    const Vec3 d = q - p;
    const double length = d.squaredNorm();
    const double t = length > 0.0 ? std::clamp(d.dot(x - p) / length, 0.0, 1.0) : 0.0;
    return (x - p - t * d).norm();
  };
  return std::min({to_segment(a, b), to_segment(b, c), to_segment(c, a)});
}

// The distance of every vertex from the surface, 0 for those on it.
std::vector<double> depths_of(const TetVolume& volume, const TriangleMesh& surface,
                              const std::vector<bool>& is_on) {
  const std::vector<Vec3>& x = volume.vertices;
  const auto corner = [&](const Triangle& t, Index i) -> const Vec3& { return x[Index(t[i])]; };
  std::vector<Eigen::AlignedBox3d> boxes(surface.triangles.size());
  for (Index t = 0; t < boxes.size(); ++t)
    for (Index i = 0; i < 3; ++i) boxes[t].extend(corner(surface.triangles[t], i));
  const BoxTree tree(boxes);

  // The tetrahedra of each vertex.
  std::vector<int> begin(x.size() + 1, 0), of_vertex(4 * volume.tets.size());
  for (const Tet& tet : volume.tets)
    for (const int v : tet) ++begin[Index(v) + 1];
  for (Index v = 0; v < x.size(); ++v) begin[v + 1] += begin[v];
  std::vector<int> place(begin.begin(), begin.end() - 1);
  for (Index t = 0; t < volume.tets.size(); ++t)
    for (const int v : volume.tets[t]) of_vertex[Index(place[Index(v)]++)] = static_cast<int>(t);

  // From the surface inwards, so that a neighbour's distance bounds the next one's.
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  std::vector<double> depth(x.size(), kUnknown);
  std::vector<int> front, found;
  for (Index v = 0; v < x.size(); ++v) {
    if (!is_on[v]) continue;
    depth[v] = 0.0;
    front.push_back(static_cast<int>(v));
  }
  for (Index next = 0; next < front.size(); ++next) {
    const Index from = Index(front[next]);
    for (int k = begin[from]; k < begin[from + 1]; ++k) {
      for (const int v : volume.tets[Index(of_vertex[Index(k)])]) {
        if (depth[Index(v)] < kUnknown) continue;
        const Vec3& p = x[Index(v)];
        const double most = depth[from] + (p - x[from]).norm();
        found.clear();
        tree.overlap(p - Vec3::Constant(most), p + Vec3::Constant(most), &found);
        double least = most;
        for (const int t : found) {
          const Triangle& triangle = surface.triangles[Index(t)];
          least = std::min(
              least, distance_to_triangle(p, corner(triangle, 0), corner(triangle, 1), corner(triangle, 2)));
        }
        depth[Index(v)] = least;
        front.push_back(v);
      }
    }
  }
  // What is in no tetrahedron has none.
  for (double& d : depth)
    if (d == kUnknown) d = 0.0;
  return depth;
}

// The hull of a volume that fills it, null of others.
std::shared_ptr<const PressureField> hull_if_convex(const TetVolume& volume, double own_volume) {
  constexpr double kFills = 1e-9;
  std::shared_ptr<const ConvexHull> hull;
  try {
    hull = std::make_shared<const ConvexHull>(convex_hull(volume.vertices));
  } catch (const UserError&) {
    return nullptr;  // too thin to tell
  }
  double six_times = 0.0;
  for (const Triangle& t : hull->triangles) {
    const auto from_centre = [&](Index i) { return Vec3(hull->vertices[Index(t[i])] - hull->centre); };
    six_times += from_centre(0).dot(from_centre(1).cross(from_centre(2)));
  }
  if (!(own_volume >= (1.0 - kFills) * six_times / 6.0)) return nullptr;
  return std::make_shared<const PressureField>(rigid_field(collision_shape(hull)));
}

}  // namespace

TetMesh tet_mesh(const TetVolume& volume) {
  const std::string defect = tet_volume_defect(volume);
  STICTION_USER_CHECK(defect.empty(), "a volume of tetrahedra {}", defect);
  TetVolume divided = volume;
  divide_flat_parts(&divided);
  const std::vector<Vec3>& vertices = divided.vertices;
  const std::vector<Tet>& tets = divided.tets;

  TetMesh mesh;
  const std::vector<TetSide> sides = sides_of(tets);
  const std::vector<bool> is_on = on_surface(vertices.size(), sides);
  mesh.surface.vertices = vertices;
  // By tetrahedron: which sides are shared.
  std::vector<std::array<bool, 4>> is_shared(tets.size());
  for (const TetSide& side : sides) {
    is_shared[Index(side.tet)][Index(side.opposite)] = side.count > 1;
    if (side.count == 1) mesh.surface.triangles.push_back(outward_triangle(divided, side));
  }
  for (const Tet& tet : tets) mesh.volume += std::abs(six_volumes(vertices, tet)) / 6.0;
  const std::vector<double> depth = depths_of(divided, mesh.surface, is_on);
  mesh.depth = *std::max_element(depth.begin(), depth.end());
  STICTION_USER_CHECK(mesh.depth > 0.0, "a volume of tetrahedra has no depth: it is too thin");

  std::vector<Eigen::AlignedBox3d> boxes;
  for (const Tet& tet : tets) {
    TetCell cell;
    // The linear function through the depths of the corners: value - slope . x.
    const Vec3& x0 = vertices[tet[0]];
    Mat3 edges;
    Vec3 rises;
    Eigen::AlignedBox3d box(x0);
    for (int i = 0; i < 3; ++i) {
      edges.row(i) = (vertices[tet[i + 1]] - x0).transpose();
      rises[i] = depth[tet[i + 1]] - depth[tet[0]];
      box.extend(vertices[tet[i + 1]]);
    }
    cell.pressure.slope = -edges.inverse() * rises;
    cell.pressure.value = depth[tet[0]] + cell.pressure.slope.dot(x0);
    cell.pressure.id = static_cast<int>(mesh.cells.size());
    for (int i = 0; i < 4; ++i) {
      if (!is_shared[mesh.cells.size()][Index(i)]) continue;
      // In ascending order, so that both tetrahedra have the plane with the same bits.
      std::array<int, 3> side = {tet[Index(i + 1) % 4], tet[Index(i + 2) % 4], tet[Index(i + 3) % 4]};
      std::sort(side.begin(), side.end());
      const Vec3 &a = vertices[Index(side[0])], &b = vertices[Index(side[1])], &c = vertices[Index(side[2])];
      Vec3 n = (b - a).cross(c - a).normalized();
      if (n.dot(vertices[Index(tet[Index(i)])] - a) > 0.0) n = -n;
      cell.sides[Index(cell.num_sides++)] = {n, n.dot(a), i};
    }
    for (const int v : tet) cell.centre += 0.25 * vertices[v];
    for (const int v : tet) cell.radius = std::max(cell.radius, (vertices[v] - cell.centre).norm());
    cell.box_centre = box.center();
    cell.box_half = 0.5 * box.sizes();
    boxes.push_back(box);
    mesh.cells.push_back(cell);
  }
  mesh.boxes.assign(boxes);
  mesh.hull = hull_if_convex(divided, mesh.volume);
  return mesh;
}

std::shared_ptr<const TetMesh> tets_of(const MeshTree& tree) {
  if (tree.tets == nullptr) return nullptr;
  std::call_once(tree.tets->once,
                 [&tree] { tree.tets->tets = std::make_shared<const TetMesh>(tet_mesh(*tree.mesh.tets)); });
  return tree.tets->tets;
}

}  // namespace stiction
