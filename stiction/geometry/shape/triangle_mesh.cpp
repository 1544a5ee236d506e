#include "stiction/geometry/shape/triangle_mesh.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/tet_volume.h"

namespace stiction {
namespace {

// Relative to the square of its longest side: if twice a triangle's area is less than this it is round-off.
constexpr double kNoArea = 1e-14;

bool has_corners_in_range(const TriangleMesh& mesh, const Triangle& t) {
  const int n = static_cast<int>(mesh.vertices.size());
  return std::all_of(t.begin(), t.end(), [n](int v) { return v >= 0 && v < n; });
}

bool is_finite(const TriangleMesh& mesh, const Triangle& t) {
  return std::all_of(t.begin(), t.end(), [&mesh](int v) { return mesh.vertices[v].allFinite(); });
}

bool is_degenerate(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

bool is_flat(const TriangleMesh& mesh, const Triangle& t) {
  const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return !(doubled_area(mesh, t).squaredNorm() > kNoArea * kNoArea * longest * longest);
}

// Erases the triangles for which `is_bad` holds; returns how many.
template <class IsBad>
int erase_triangles(TriangleMesh* mesh, const IsBad& is_bad) {
  return static_cast<int>(std::erase_if(mesh->triangles, is_bad));
}

std::uint64_t hash_of(const Vec3& p) {
  std::uint64_t hash = 0;
  for (int i = 0; i < 3; ++i) {
    const double value = p[i] == 0.0 ? 0.0 : p[i];  // -0 and 0 are one place
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return hash;
}

int erase_unused_vertices(TriangleMesh* mesh) {
  constexpr int kUnused = -1;
  std::vector<int> place(mesh->vertices.size(), kUnused);
  for (const Triangle& t : mesh->triangles)
    for (int v : t) place[v] = 0;
  int used = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] == kUnused) continue;
    mesh->vertices[used] = mesh->vertices[i];
    place[i] = used++;
  }
  const int removed = static_cast<int>(place.size()) - used;
  mesh->vertices.resize(used);
  for (Triangle& t : mesh->triangles)
    for (int& v : t) v = place[v];
  return removed;
}

// Sides of triangles, sorted by their lower vertex.
struct Sides {
  std::vector<int> begin;           // sides with lower vertex i are ends[begin[i]], ..., ends[begin[i + 1]]
  std::vector<std::uint32_t> ends;  // 2 * upper vertex + (1 if the side runs down), sorted
};

Sides sides_of(const TriangleMesh& mesh) {
  Sides sides;
  sides.begin.assign(mesh.vertices.size() + 1, 0);
  for (const Triangle& t : mesh.triangles)
    for (std::size_t i = 0; i < 3; ++i) ++sides.begin[std::min(t[i], t[(i + 1) % 3]) + 1];
  std::partial_sum(sides.begin.begin(), sides.begin.end(), sides.begin.begin());
  sides.ends.resize(3 * mesh.triangles.size());
  std::vector<int> next(sides.begin.begin(), sides.begin.end() - 1);
  for (const Triangle& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const int from = t[i], to = t[(i + 1) % 3];
      const std::uint32_t end = 2 * static_cast<std::uint32_t>(std::max(from, to)) + (from > to ? 1 : 0);
      sides.ends[next[std::min(from, to)]++] = end;
    }
  }
  for (std::size_t v = 0; v + 1 < sides.begin.size(); ++v)
    std::sort(sides.ends.begin() + sides.begin[v], sides.ends.begin() + sides.begin[v + 1]);
  return sides;
}

void count_edges(const TriangleMesh& mesh, MeshReport* report) {
  const Sides sides = sides_of(mesh);
  for (std::size_t v = 0; v + 1 < sides.begin.size(); ++v) {
    for (int i = sides.begin[v]; i < sides.begin[v + 1];) {
      const std::uint32_t upper = sides.ends[i] / 2;
      int up = 0, down = 0;
      for (; i < sides.begin[v + 1] && sides.ends[i] / 2 == upper; ++i)
        ++(sides.ends[i] % 2 == 0 ? up : down);
      if (up + down == 1) ++report->open_edges;
      if (up + down == 2 && up != down) ++report->misoriented_edges;
      if (up + down > 2) ++report->nonmanifold_edges;
    }
  }
}

// Sets of vertices joined by triangles; vertices without triangles do not count.
int count_components(const TriangleMesh& mesh) {
  std::vector<int> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root_of = [&parent](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const Triangle& t : mesh.triangles) {
    for (int v : t) used[v] = true;
    parent[root_of(t[1])] = root_of(t[0]);
    parent[root_of(t[2])] = root_of(t[0]);
  }
  int components = 0;
  for (std::size_t v = 0; v < parent.size(); ++v)
    components += used[v] && parent[v] == static_cast<int>(v) ? 1 : 0;
  return components;
}

void turn(TriangleMesh* mesh) {
  for (Triangle& t : mesh->triangles) std::swap(t[1], t[2]);
}

}  // namespace

int weld_equal_vertices(TriangleMesh* mesh) {
  constexpr int kFree = -1;
  // Open addressing in a table at most half full.
  const std::size_t slots = std::bit_ceil(2 * mesh->vertices.size() + 1);
  std::vector<int> table(slots, kFree);
  std::vector<int> place(mesh->vertices.size());
  int kept = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    const Vec3 p = mesh->vertices[i];
    std::size_t slot = hash_of(p) & (slots - 1);
    while (table[slot] != kFree && mesh->vertices[table[slot]] != p) slot = (slot + 1) & (slots - 1);
    if (table[slot] == kFree) {
      table[slot] = kept;
      mesh->vertices[kept++] = p;
    }
    place[i] = table[slot];
  }
  mesh->vertices.resize(kept);
  for (Triangle& t : mesh->triangles)
    for (int& v : t) v = place[v];
  return static_cast<int>(place.size()) - kept;
}

void repair(TriangleMesh* mesh, MeshReport* report) {
  const bool is_cloud = mesh->triangles.empty();

  // Remove what has no meaning.
  report->out_of_range_triangles +=
      erase_triangles(mesh, [mesh](const Triangle& t) { return !has_corners_in_range(*mesh, t); });
  const auto is_finite_point = [](const Vec3& p) { return p.allFinite(); };
  if (!std::all_of(mesh->vertices.begin(), mesh->vertices.end(), is_finite_point))
    report->nonfinite_triangles +=
        erase_triangles(mesh, [mesh](const Triangle& t) { return !is_finite(*mesh, t); });
  if (is_cloud) {
    report->unused_vertices += static_cast<int>(std::erase_if(mesh->vertices, std::not_fn(is_finite_point)));
  } else {
    report->unused_vertices += erase_unused_vertices(mesh);
  }

  // Weld equal vertices first: only then is it known which triangles have two corners in one place.
  report->welded_vertices += weld_equal_vertices(mesh);
  report->degenerate_triangles += erase_triangles(mesh, is_degenerate);
  if (!is_cloud) report->unused_vertices += erase_unused_vertices(mesh);
  if (mesh->triangles.empty()) return;

  // A closed surface has an outside: reverse it if its volume is negative.
  inspect(*mesh, report);
  if (report->is_watertight() && signed_volume(*mesh) < 0.0) {
    turn(mesh);
    report->turned_inside_out = !report->turned_inside_out;
  }
}

void inspect(const TriangleMesh& mesh, MeshReport* report) {
  report->open_edges = report->nonmanifold_edges = report->misoriented_edges = 0;
  count_edges(mesh, report);
  report->components = count_components(mesh);
  report->flat_triangles = static_cast<int>(std::count_if(
      mesh.triangles.begin(), mesh.triangles.end(), [&mesh](const Triangle& t) { return is_flat(mesh, t); }));
}

std::string describe(const MeshReport& report) {
  std::string text;
  const auto say = [&text](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  const auto count = [&say](int n, const char* what) {
    if (n > 0) say(format(what, n));
  };
  if (report.made_from_hull) say("made triangles from the convex hull of the vertices");
  count(report.nonfinite_triangles, "removed {} triangles with numbers that are not finite");
  count(report.out_of_range_triangles, "removed {} triangles with corners that do not exist");
  count(report.degenerate_triangles, "removed {} triangles with two corners in one place");
  count(report.unused_vertices, "removed {} vertices without triangles");
  count(report.welded_vertices, "welded {} vertices to equal ones");
  if (report.turned_inside_out) say("turned all triangles because the surface was inside out");
  count(report.flat_triangles, "found {} triangles without area");
  count(report.open_edges, "found {} edges of holes");
  count(report.nonmanifold_edges, "found {} edges of more than two triangles");
  count(report.misoriented_edges, "found {} edges whose triangles disagree about what is outside");
  if (report.components > 1) say(format("found {} parts", report.components));
  count(report.nonfinite_tets, "removed {} tetrahedra with numbers that are not finite");
  count(report.out_of_range_tets, "removed {} tetrahedra with corners that do not exist");
  count(report.degenerate_tets, "removed {} tetrahedra with two corners in one place");
  count(report.flat_tets, "found {} tetrahedra without volume");
  count(report.crowded_sides, "found {} triangles of more than two tetrahedra");
  count(report.inverted_tets, "found {} tetrahedra with corners in the other order");
  count(report.ignored_cells, "left out {} elements that are no tetrahedra");
  return text;
}

std::string mesh_defect(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return "has no triangles";
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (!has_corners_in_range(mesh, mesh.triangles[i]))
      return format("has a corner that does not exist in triangle {}", i);
    if (!is_finite(mesh, mesh.triangles[i])) return format("is not finite at triangle {}", i);
  }
  return {};
}

double signed_volume(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return 0.0;
  const Vec3 o = mesh.vertices.front();
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) sum += (mesh.vertices[t[0]] - o).dot(doubled_area(mesh, t));
  return sum / 6.0;
}

TriangleMesh transformed(TriangleMesh mesh, const Mat3& A, const Vec3& b) {
  const bool mirrors = A.determinant() < 0.0;
  for (Vec3& p : mesh.vertices) p = A * p + b;
  if (mirrors) turn(&mesh);
  if (mesh.tets != nullptr) {
    TetVolume moved = *mesh.tets;
    for (Vec3& p : moved.vertices) p = A * p + b;
    if (mirrors)
      for (Tet& tet : moved.tets) std::swap(tet[2], tet[3]);
    mesh.tets = std::make_shared<const TetVolume>(std::move(moved));
  }
  return mesh;
}

Eigen::AlignedBox3d bounding_box(const std::vector<Vec3>& points) {
  Eigen::AlignedBox3d box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

}  // namespace stiction
