#include "stiction/geometry/shape/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/hull_triangles.h"

namespace stiction {
namespace {

// Tolerance for joining triangles, relative to the hull's thickness. Joining them moves the boundary of the
// hull by up to the tolerance: relative to the size alone it would be a hundredth of the thickness for a
// plate of 1e4 : 1.
constexpr double kOfThickness = 1e-4;

// Side s belongs to triangle s / 3 and runs from its corner s % 3 to the next one.
struct Surface {
  const ConvexHull& hull;
  std::vector<int> twin;           // side s runs back as side twin[s] of the neighbour
  std::vector<int> region;         // triangle -> face
  std::vector<Vec3> doubled_area;  // per triangle, outward

  int from(int side) const { return hull.triangles[side / 3][side % 3]; }
  int to(int side) const { return hull.triangles[side / 3][(side % 3 + 1) % 3]; }
  int region_across(int side) const { return region[twin[side] / 3]; }
};

// Keeps the points that are corners, in their original order.
void take_vertices(const std::vector<Vec3>& points, ConvexHull* hull) {
  constexpr int kUnused = -1;
  std::vector<int> place(points.size(), kUnused);
  for (const Triangle& t : hull->triangles)
    for (int v : t) place[v] = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (place[i] == kUnused) continue;
    place[i] = static_cast<int>(hull->vertices.size());
    hull->vertices.push_back(points[i]);
  }
  for (Triangle& t : hull->triangles)
    for (int& v : t) v = place[v];
}

std::vector<int> twins_of(const std::vector<Triangle>& triangles) {
  struct Side {
    std::uint64_t ends;  // lower vertex, then upper vertex
    int side;
  };
  std::vector<Side> sides;
  for (int s = 0; s < 3 * int(triangles.size()); ++s) {
    const auto a = static_cast<std::uint64_t>(triangles[s / 3][s % 3]);
    const auto b = static_cast<std::uint64_t>(triangles[s / 3][(s % 3 + 1) % 3]);
    sides.push_back({std::min(a, b) << 32 | std::max(a, b), s});
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) { return x.ends < y.ends; });
  std::vector<int> twin(sides.size());
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    twin[sides[i].side] = sides[i + 1].side;
    twin[sides[i + 1].side] = sides[i].side;
  }
  return twin;
}

void find_neighbours(const Surface& surface, ConvexHull* hull) {
  // Every edge runs once in each direction, so the sides that leave a vertex are all its neighbours.
  hull->neighbour_begin.assign(hull->vertices.size() + 1, 0);
  const int sides = static_cast<int>(surface.twin.size());
  for (int s = 0; s < sides; ++s) ++hull->neighbour_begin[surface.from(s) + 1];
  std::partial_sum(hull->neighbour_begin.begin(), hull->neighbour_begin.end(), hull->neighbour_begin.begin());
  hull->neighbours.resize(surface.twin.size());
  std::vector<int> next(hull->neighbour_begin.begin(), hull->neighbour_begin.end() - 1);
  for (int s = 0; s < sides; ++s) hull->neighbours[next[surface.from(s)]++] = surface.to(s);
}

// Triangles that form one face.
struct Region {
  std::vector<int> members;
  Vec3 normal = Vec3::Zero();  // area-weighted mean
};

// Joins triangles to regions around the largest ones: all whose corners lie within `tolerance` (m) of the
// plane of the first.
std::vector<Region> grow_regions(double tolerance, Surface* surface) {
  constexpr int kFree = -1;
  constexpr double kSameSide = 0.5;  // cosine; keeps the two sides of a thin plate apart
  const ConvexHull& hull = surface->hull;
  const int count = static_cast<int>(hull.triangles.size());
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return surface->doubled_area[a].squaredNorm() > surface->doubled_area[b].squaredNorm();
  });

  std::vector<Region> regions;
  surface->region.assign(count, kFree);
  for (int seed : order) {
    if (surface->region[seed] != kFree) continue;
    const int id = static_cast<int>(regions.size());
    const Vec3 n = surface->doubled_area[seed].normalized();
    const Vec3 o = hull.vertices[hull.triangles[seed][0]];
    const auto belongs = [&](int triangle) {
      const Triangle& t = hull.triangles[triangle];
      double longest = 0.0;
      for (int i = 0; i < 3; ++i) {
        const Vec3& p = hull.vertices[t[i]];
        if (std::abs(n.dot(p - o)) > tolerance) return false;
        longest = std::max(longest, (hull.vertices[t[(i + 1) % 3]] - p).norm());
      }
      // The normal of a sliver is only round-off.
      const Vec3& area = surface->doubled_area[triangle];
      return area.norm() <= tolerance * longest || n.dot(area) > kSameSide * area.norm();
    };
    Vec3 area = Vec3::Zero();
    std::vector<int> members = {seed};
    surface->region[seed] = id;
    for (std::size_t i = 0; i < members.size(); ++i) {
      area += surface->doubled_area[members[i]];
      for (int s = 3 * members[i]; s < 3 * members[i] + 3; ++s) {
        const int other = surface->twin[s] / 3;
        if (surface->region[other] != kFree || !belongs(other)) continue;
        surface->region[other] = id;
        members.push_back(other);
      }
    }
    regions.push_back({std::move(members), area.normalized()});
  }
  return regions;
}

// The sides around a region, in order; empty if they are not one loop that passes each vertex once.
std::vector<int> boundary_of(const Surface& surface, const std::vector<int>& members,
                             std::vector<int>* side_from) {
  std::vector<int> sides;
  bool is_simple = true;
  for (int triangle : members) {
    for (int s = 3 * triangle; s < 3 * triangle + 3; ++s) {
      if (surface.region_across(s) == surface.region[triangle]) continue;
      int& slot = (*side_from)[surface.from(s)];
      is_simple = is_simple && slot < 0;
      slot = s;
      sides.push_back(s);
    }
  }
  std::vector<int> loop;
  if (is_simple && sides.size() >= 3) {
    int s = sides.front();
    do {
      loop.push_back(s);
      s = (*side_from)[surface.to(s)];
    } while (s >= 0 && s != sides.front() && loop.size() <= sides.size());
    if (s != sides.front() || loop.size() != sides.size()) loop.clear();
  }
  for (int s : sides) (*side_from)[surface.from(s)] = -1;
  return loop;
}

// Splits the regions whose boundary is not one loop back into triangles; every region is then a polygon,
// whose sides are returned. A triangle without area keeps the normal of the region.
std::vector<std::vector<int>> polygons_of(std::vector<Region>* regions, Surface* surface) {
  std::vector<std::vector<int>> loops;
  std::vector<int> side_from(surface->hull.vertices.size(), -1);
  for (std::size_t id = 0; id < regions->size(); ++id) {
    std::vector<int> loop = boundary_of(*surface, (*regions)[id].members, &side_from);
    if (loop.empty()) {
      const Region whole = std::move((*regions)[id]);
      for (std::size_t i = 0; i < whole.members.size(); ++i) {
        const int triangle = whole.members[i];
        const Vec3 own = surface->doubled_area[triangle].normalized();
        const Region part = {{triangle}, own.dot(whole.normal) > 0.0 ? own : whole.normal};
        if (i > 0) surface->region[triangle] = static_cast<int>(regions->size());
        if (i > 0) regions->push_back(part);
        if (i == 0) (*regions)[id] = part;
      }
      const int first = 3 * whole.members.front();
      loop = {first, first + 1, first + 2};
    }
    loops.push_back(std::move(loop));
  }
  return loops;
}

// Climbs along the edges to the vertex farthest in direction d: on a convex body a vertex without a farther
// neighbour is the farthest.
int climb(const ConvexHull& hull, const Vec3& d, int vertex) {
  double best = d.dot(hull.vertices[vertex]);
  for (bool climbs = true; climbs;) {
    climbs = false;
    const int begin = hull.neighbour_begin[vertex], end = hull.neighbour_begin[vertex + 1];
    for (int i = begin; i < end; ++i) {
      const double value = d.dot(hull.vertices[hull.neighbours[i]]);
      if (!(value > best)) continue;  // also where it is not a number
      best = value;
      vertex = hull.neighbours[i];
      climbs = true;
    }
  }
  return vertex;
}

// How thick the hull is, m: the least width across a triangle.
double thickness(const Surface& surface) {
  const ConvexHull& hull = surface.hull;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t t = 0; t < hull.triangles.size(); ++t) {
    const Vec3 n = surface.doubled_area[t].normalized();
    const int top = hull.triangles[t][0], bottom = climb(hull, -n, top);
    least = std::min(least, n.dot(hull.vertices[top] - hull.vertices[bottom]));
  }
  return least;
}

void make_faces(const Surface& surface, const std::vector<Region>& regions,
                const std::vector<std::vector<int>>& loops, ConvexHull* hull) {
  constexpr int kNone = -1;
  std::vector<int> edge_of(surface.twin.size(), kNone);
  for (std::size_t id = 0; id < regions.size(); ++id) {
    HullFace face;
    face.normal = regions[id].normal;
    face.begin = static_cast<int>(hull->corners.size());
    for (int side : loops[id]) {
      int& edge = edge_of[side];
      if (edge == kNone) {
        edge = edge_of[surface.twin[side]] = static_cast<int>(hull->edges.size());
        hull->edges.push_back(
            {{surface.from(side), surface.to(side)}, {static_cast<int>(id), surface.region_across(side)}});
      }
      hull->corners.push_back({surface.from(side), edge, surface.region_across(side)});
    }
    face.end = static_cast<int>(hull->corners.size());
    const int top = climb(*hull, face.normal, hull->corners[face.begin].vertex);
    face.offset = face.normal.dot(hull->vertices[top]);
    hull->faces.push_back(face);
  }
}

}  // namespace

ConvexHull convex_hull(const std::vector<Vec3>& points, const HullOptions& options) {
  STICTION_USER_CHECK(options.flatness >= 0.0 && options.flatness < 0.1,
                      "a convex hull with flatness {}, which must be in [0, 0.1)", options.flatness);
  constexpr double kLargestCoordinate = 1e100;  // m; products of three stay finite
  for (const Vec3& p : points)
    STICTION_USER_CHECK(p.cwiseAbs().maxCoeff() <= kLargestCoordinate,
                        "a convex hull with a point at ({}, {}, {}), farther away than {} m", p[0], p[1],
                        p[2], kLargestCoordinate);
  ConvexHull hull;
  hull.triangles = hull_triangles(points, options.max_vertices);
  take_vertices(points, &hull);
  for (const Vec3& p : hull.vertices) hull.centre += p / static_cast<double>(hull.vertices.size());

  // Adjacency of the triangles.
  Surface surface{hull, twins_of(hull.triangles), {}, {}};
  for (const Triangle& t : hull.triangles) {
    const Vec3& a = hull.vertices[t[0]];
    surface.doubled_area.push_back((hull.vertices[t[1]] - a).cross(hull.vertices[t[2]] - a));
  }
  find_neighbours(surface, &hull);

  // Triangles in one plane are one face.
  const double size = bounding_box(hull.vertices).sizes().norm();
  const double tolerance = std::min(options.flatness * size, kOfThickness * thickness(surface));
  std::vector<Region> regions = grow_regions(tolerance, &surface);
  const std::vector<std::vector<int>> loops = polygons_of(&regions, &surface);
  make_faces(surface, regions, loops, &hull);
  return hull;
}

TriangleMesh surface_mesh(const ConvexHull& hull) { return {hull.vertices, hull.triangles}; }

}  // namespace stiction
