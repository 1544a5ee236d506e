#include "stiction/geometry/shape/tet_volume.h"

#include <algorithm>
#include <memory>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Of the cube of the longest edge: six times a volume that is less than this is round-off.
constexpr double kNoVolume = 1e-12;

bool has_corners_in_range(const TetVolume& volume, const Tet& tet) {
  const int n = static_cast<int>(volume.vertices.size());
  return std::all_of(tet.begin(), tet.end(), [n](int v) { return v >= 0 && v < n; });
}

bool is_finite(const TetVolume& volume, const Tet& tet) {
  return std::all_of(tet.begin(), tet.end(),
                     [&volume](int v) { return volume.vertices[static_cast<std::size_t>(v)].allFinite(); });
}

bool has_equal_corners(Tet tet) {
  std::sort(tet.begin(), tet.end());
  return std::adjacent_find(tet.begin(), tet.end()) != tet.end();
}

const Vec3& vertex(const std::vector<Vec3>& vertices, int v) { return vertices[static_cast<std::size_t>(v)]; }

int erase_unused_vertices(TetVolume* volume) {
  constexpr int kUnused = -1;
  std::vector<int> place(volume->vertices.size(), kUnused);
  for (const Tet& tet : volume->tets)
    for (const int v : tet) place[static_cast<std::size_t>(v)] = 0;
  int used = 0;
  for (std::size_t i = 0; i < place.size(); ++i) {
    if (place[i] == kUnused) continue;
    volume->vertices[static_cast<std::size_t>(used)] = volume->vertices[i];
    place[i] = used++;
  }
  const int removed = static_cast<int>(place.size()) - used;
  volume->vertices.resize(static_cast<std::size_t>(used));
  for (Tet& tet : volume->tets)
    for (int& v : tet) v = place[static_cast<std::size_t>(v)];
  return removed;
}

// By two triangles for each tetrahedron, which weld_equal_vertices renumbers.
int weld(TetVolume* volume) {
  TriangleMesh corners{std::move(volume->vertices), {}};
  corners.triangles.reserve(2 * volume->tets.size());
  for (const Tet& tet : volume->tets) {
    corners.triangles.push_back({tet[0], tet[1], tet[2]});
    corners.triangles.push_back({tet[3], tet[3], tet[3]});
  }
  const int welded = weld_equal_vertices(&corners);
  for (std::size_t i = 0; i < volume->tets.size(); ++i) {
    const Triangle &base = corners.triangles[2 * i], &tip = corners.triangles[2 * i + 1];
    volume->tets[i] = {base[0], base[1], base[2], tip[0]};
  }
  volume->vertices = std::move(corners.vertices);
  return welded;
}

}  // namespace

std::vector<TetSide> sides_of(const std::vector<Tet>& tets) {
  std::vector<TetSide> sides;
  sides.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (int i = 0; i < 4; ++i) {
      TetSide side;
      for (int k = 0; k < 3; ++k)
        side.corners[static_cast<std::size_t>(k)] = tets[t][static_cast<std::size_t>((i + k + 1) % 4)];
      std::sort(side.corners.begin(), side.corners.end());
      side.tet = static_cast<int>(t);
      side.opposite = i;
      sides.push_back(side);
    }
  }
  std::sort(sides.begin(), sides.end(), [](const TetSide& a, const TetSide& b) {
    return a.corners != b.corners ? a.corners < b.corners : a.tet < b.tet;
  });
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].corners == sides[begin].corners) ++end;
    for (std::size_t k = begin; k < end; ++k) sides[k].count = static_cast<int>(end - begin);
  }
  return sides;
}

Triangle outward_triangle(const TetVolume& volume, const TetSide& side) {
  const auto [i, j, k] = side.corners;
  const Vec3 &a = vertex(volume.vertices, i), &b = vertex(volume.vertices, j),
             &c = vertex(volume.vertices, k);
  const Tet& tet = volume.tets[static_cast<std::size_t>(side.tet)];
  const Vec3& tip = vertex(volume.vertices, tet[static_cast<std::size_t>(side.opposite)]);
  return (b - a).cross(c - a).dot(tip - a) < 0.0 ? Triangle{i, j, k} : Triangle{i, k, j};
}

double six_volumes(const std::vector<Vec3>& p, const Tet& tet) {
  const Vec3& o = vertex(p, tet[0]);
  return (vertex(p, tet[1]) - o).cross(vertex(p, tet[2]) - o).dot(vertex(p, tet[3]) - o);
}

bool is_flat(const std::vector<Vec3>& vertices, const Tet& tet) {
  double longest = 0.0;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < a; ++b)
      longest = std::max(longest, (vertex(vertices, tet[a]) - vertex(vertices, tet[b])).norm());
  return !(std::abs(six_volumes(vertices, tet)) > kNoVolume * longest * longest * longest);
}

void repair(TetVolume* volume, MeshReport* report) {
  const auto erase = [volume](const auto& is_bad) {
    return static_cast<int>(std::erase_if(volume->tets, is_bad));
  };
  report->out_of_range_tets +=
      erase([volume](const Tet& tet) { return !has_corners_in_range(*volume, tet); });
  report->nonfinite_tets += erase([volume](const Tet& tet) { return !is_finite(*volume, tet); });
  report->unused_vertices += erase_unused_vertices(volume);
  report->welded_vertices += weld(volume);
  // A tetrahedron that has collapsed onto a side or an edge may go: its neighbours meet there.
  report->degenerate_tets += erase(has_equal_corners);
  report->unused_vertices += erase_unused_vertices(volume);
}

void inspect(const TetVolume& volume, MeshReport* report) {
  report->tets = static_cast<int>(volume.tets.size());
  report->inverted_tets = report->flat_tets = report->crowded_sides = 0;
  for (const Tet& tet : volume.tets) {
    if (is_flat(volume.vertices, tet))
      ++report->flat_tets;
    else if (six_volumes(volume.vertices, tet) < 0.0)
      ++report->inverted_tets;
  }
  const std::vector<TetSide> sides = sides_of(volume.tets);
  for (std::size_t i = 0; i < sides.size(); i += static_cast<std::size_t>(sides[i].count))
    if (sides[i].count > 2) ++report->crowded_sides;
}

std::string tet_volume_defect(const TetVolume& volume) {
  if (volume.tets.empty()) return "has no tetrahedra";
  for (std::size_t i = 0; i < volume.vertices.size(); ++i)
    if (!volume.vertices[i].allFinite()) return format("has a vertex {} that is not finite", i);
  for (std::size_t i = 0; i < volume.tets.size(); ++i) {
    const Tet& tet = volume.tets[i];
    if (!has_corners_in_range(volume, tet))
      return format("has a tetrahedron {} ({}, {}, {}, {}) with a vertex that does not exist, of {}", i,
                    tet[0], tet[1], tet[2], tet[3], volume.vertices.size());
    if (is_flat(volume.vertices, tet))
      return format("has a tetrahedron {} ({}, {}, {}, {}) without volume", i, tet[0], tet[1], tet[2],
                    tet[3]);
  }
  for (const TetSide& side : sides_of(volume.tets))
    if (side.count > 2)
      return format("has a triangle ({}, {}, {}) that {} tetrahedra share", side.corners[0], side.corners[1],
                    side.corners[2], side.count);
  return "";
}

TriangleMesh mesh_of_tets(TetVolume volume, MeshReport* report) {
  MeshReport own;
  if (report == nullptr) report = &own;
  repair(&volume, report);
  STICTION_USER_CHECK(!volume.tets.empty(), "there are no tetrahedra: {}", describe(*report));
  inspect(volume, report);
  TriangleMesh mesh{volume.vertices, {}};
  for (const TetSide& side : sides_of(volume.tets))
    if (side.count == 1) mesh.triangles.push_back(outward_triangle(volume, side));
  MeshReport of_surface;
  repair(&mesh, &of_surface);  // drops the inner vertices
  report->flat_triangles = of_surface.flat_triangles;
  report->open_edges = of_surface.open_edges;
  report->nonmanifold_edges = of_surface.nonmanifold_edges;
  report->misoriented_edges = of_surface.misoriented_edges;
  report->components = of_surface.components;
  STICTION_USER_CHECK(!mesh.triangles.empty(), "the tetrahedra bound no surface: {}", describe(*report));
  mesh.tets = std::make_shared<const TetVolume>(std::move(volume));
  return mesh;
}

bool is_surface_of(const TriangleMesh& mesh, const TetVolume& volume) {
  Eigen::AlignedBox3d box;
  std::size_t count = 0;
  for (const TetSide& side : sides_of(volume.tets)) {
    if (side.count != 1) continue;
    ++count;
    for (const int v : side.corners) box.extend(vertex(volume.vertices, v));
  }
  Eigen::AlignedBox3d own;
  for (const Triangle& t : mesh.triangles)
    for (const int v : t) own.extend(vertex(mesh.vertices, v));
  return count == mesh.triangles.size() && own.min() == box.min() && own.max() == box.max();
}

}  // namespace stiction
