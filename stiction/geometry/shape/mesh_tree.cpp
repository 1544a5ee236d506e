#include "stiction/geometry/shape/mesh_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/collision_shape.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/simd/tangents.h"

namespace stiction {
namespace {

// Relative to the square of its longest side: if twice a triangle's area is less than this it is round-off.
constexpr double kNoArea = 1e-14;

int next_corner(int i) { return i == 2 ? 0 : i + 1; }

std::vector<Vec3> normals_of(const TriangleMesh& mesh) {
  std::vector<Vec3> normals(mesh.triangles.size());
  for (std::size_t t = 0; t < normals.size(); ++t) {
    const Triangle& corners = mesh.triangles[t];
    const Vec3 area = doubled_area(mesh, corners);
    double longest = 0.0;
    for (int i = 0; i < 3; ++i)
      longest = std::max(longest,
                         (mesh.vertices[corners[i]] - mesh.vertices[corners[next_corner(i)]]).squaredNorm());
    const double length = area.norm();
    normals[t] = length > kNoArea * longest ? Vec3(area / length) : Vec3::Zero();
  }
  return normals;
}

// Finds the triangle across each side: sides are sorted by their lower vertex and matched there.
void join_sides(MeshTree* tree) {
  const TriangleMesh& mesh = tree->mesh;
  struct Half {
    int upper, triangle;
    std::int8_t side;
    bool runs_up;
  };
  std::vector<int> begin(mesh.vertices.size() + 1, 0);
  for (const Triangle& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) ++begin[std::min(t[i], t[next_corner(i)]) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Half> halves(3 * mesh.triangles.size());
  std::vector<int> place(begin.begin(), begin.end() - 1);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const int a = mesh.triangles[t][i], b = mesh.triangles[t][next_corner(i)];
      halves[place[std::min(a, b)]++] = {std::max(a, b), static_cast<int>(t), static_cast<std::int8_t>(i),
                                         a < b};
    }
  }
  tree->sides.assign(mesh.triangles.size(), {});
  int edges = 0;
  for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
    const auto first = halves.begin() + begin[v], last = halves.begin() + begin[v + 1];
    std::sort(first, last, [](const Half& a, const Half& b) {
      return a.upper != b.upper ? a.upper < b.upper : a.triangle < b.triangle;
    });
    for (auto one = first; one != last;) {
      auto end = one;
      while (end != last && end->upper == one->upper) ++end;
      const auto two = one + 1;
      const bool is_pair = end - one == 2 && one->runs_up != two->runs_up;
      for (auto half = one; half != end; ++half) {
        MeshSide& side = tree->sides[half->triangle][half->side];
        side.edge = edges;
        side.across = !is_pair ? -1 : half == one ? two->triangle : one->triangle;
      }
      ++edges;
      one = end;
    }
  }
}

// Grows each facet from its first triangle across flat sides.
void join_facets(const std::vector<Vec3>& normals, MeshTree* tree) {
  const TriangleMesh& mesh = tree->mesh;
  const double near_plane = kFlatness * tree->size;
  tree->facet_of.assign(mesh.triangles.size(), -1);
  std::vector<int> front;
  for (std::size_t first = 0; first < mesh.triangles.size(); ++first) {
    if (tree->facet_of[first] >= 0 || normals[first].isZero(0.0)) continue;
    const int facet = static_cast<int>(tree->facets.size());
    const Vec3 &normal = normals[first], &origin = mesh.vertices[mesh.triangles[first][0]];
    Vec3 area = Vec3::Zero();
    tree->facet_of[first] = facet;
    front.assign(1, static_cast<int>(first));
    std::vector<int>& members = front;  // grows behind the front
    for (std::size_t k = 0; k < front.size(); ++k) {
      const int t = front[k];
      area += doubled_area(mesh, mesh.triangles[t]);
      for (const MeshSide& side : tree->sides[t]) {
        const int next = side.across;
        if (next < 0 || tree->facet_of[next] >= 0 || normals[next].dot(normal) <= 0.0) continue;
        if (normals[next].cross(normal).norm() > kFlatAngle) continue;
        const Triangle& corners = mesh.triangles[next];
        if (std::any_of(corners.begin(), corners.end(),
                        [&](int v) { return std::abs(normal.dot(mesh.vertices[v] - origin)) > near_plane; }))
          continue;
        tree->facet_of[next] = facet;
        front.push_back(next);
      }
    }
    MeshFacet plane;
    plane.normal = area.normalized();
    plane.offset = -std::numeric_limits<double>::infinity();
    for (int t : members)
      for (int v : mesh.triangles[t])
        plane.offset = std::max(plane.offset, plane.normal.dot(mesh.vertices[v]));
    const Tangents across = tangents(plane.normal);
    plane.t1 = across.t1, plane.t2 = across.t2;
    tree->facets.push_back(plane);
  }
}

void classify_sides(MeshTree* tree) {
  const TriangleMesh& mesh = tree->mesh;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int facet = tree->facet_of[t];
    if (facet < 0) continue;
    for (int i = 0; i < 3; ++i) {
      MeshSide& side = tree->sides[t][i];
      const int other = side.across >= 0 ? tree->facet_of[side.across] : -1;
      if (other < 0) continue;
      if (other == facet) {
        side.kind = SideKind::flat;
        continue;
      }
      // At a convex edge, n x n_neighbour points along the side.
      const Vec3 along =
          mesh.vertices[mesh.triangles[t][next_corner(i)]] - mesh.vertices[mesh.triangles[t][i]];
      const Vec3 turn = tree->facets[facet].normal.cross(tree->facets[other].normal);
      side.kind = turn.dot(along) >= 0.0 ? SideKind::convex : SideKind::concave;
    }
  }
}

void list_neighbours(MeshTree* tree) {
  const TriangleMesh& mesh = tree->mesh;
  std::vector<std::array<int, 2>> pairs;
  pairs.reserve(6 * mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    for (int i = 0; i < 3; ++i) {
      pairs.push_back({t[i], t[next_corner(i)]});
      pairs.push_back({t[next_corner(i)], t[i]});
    }
  }
  std::vector<int>& begin = tree->neighbour_begin;
  begin.assign(mesh.vertices.size() + 1, 0);
  for (const auto& pair : pairs) ++begin[pair[0] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<int> all(pairs.size()), place(begin.begin(), begin.end() - 1);
  for (const auto& pair : pairs) all[place[pair[0]]++] = pair[1];
  tree->neighbours.reserve(pairs.size() / 2);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto first = all.begin() + begin[v], last = all.begin() + begin[v + 1];
    std::sort(first, last);
    begin[v] = static_cast<int>(tree->neighbours.size());
    std::unique_copy(first, last, std::back_inserter(tree->neighbours));
  }
  begin.back() = static_cast<int>(tree->neighbours.size());
}

}  // namespace

const CollisionShape* hull_of(const MeshTree& tree) {
  std::call_once(tree.hull->once, [&tree] {
    // A mesh in one plane has no hull, and needs none.
    try {
      tree.hull->shape = std::make_shared<CollisionShape>(
          collision_shape(std::make_shared<const ConvexHull>(convex_hull(tree.mesh.vertices))));
    } catch (const UserError&) {
      tree.hull->shape = nullptr;
    }
  });
  return tree.hull->shape.get();
}

MeshTree mesh_tree(TriangleMesh mesh) {
  const std::string defect = mesh_defect(mesh);
  STICTION_USER_CHECK(defect.empty(), "the mesh {}", defect);
  MeshTree tree;
  tree.mesh = std::move(mesh);
  tree.bounds = bounding_box(tree.mesh.vertices);
  tree.size = tree.bounds.diagonal().norm();
  join_sides(&tree);
  join_facets(normals_of(tree.mesh), &tree);
  classify_sides(&tree);
  list_neighbours(&tree);
  std::vector<Eigen::AlignedBox3d> boxes(tree.mesh.triangles.size());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (int v : tree.mesh.triangles[t]) boxes[t].extend(tree.mesh.vertices[v]);
  tree.boxes = BoxTree(boxes);
  tree.hull = std::make_shared<MeshHull>();
  if (tree.mesh.tets != nullptr) tree.tets = std::make_shared<MeshTets>();
  return tree;
}

}  // namespace stiction
