#include "stiction/geometry/surface/facet_outline.h"

#include <algorithm>
#include <cmath>

namespace stiction {
namespace {

using Interval = Outline::Interval;
using What = OutlineCorner::What;

constexpr int next_corner(int i) { return i == 2 ? 0 : i + 1; }

// Keeps the part of [t0, t1] where f, linear from f0 (t = 0) to f1 (t = 1), is >= -slack. Returns whether
// anything is left; `by` becomes `name` at an end that is cut.
bool cut(double f0, double f1, double slack, int name, double* t0, double* t1, int* by0, int* by1) {
  const double g0 = f0 + slack, g1 = f1 + slack;
  if (g0 >= 0.0 && g1 >= 0.0) return true;
  if (g0 < 0.0 && g1 < 0.0) return false;
  const double t = g0 / (g0 - g1);
  if (g0 < 0.0) {
    if (t > *t0) *t0 = t, *by0 = name;
  } else {
    if (t < *t1) *t1 = t, *by1 = name;
  }
  return *t0 < *t1;
}

// Distance of a point to the left of the line from (ax, ay) to (bx, by), m.
struct Line {
  double ax = 0.0, ay = 0.0, nx = 0.0, ny = 0.0;

  Line() = default;
  Line(double x0, double y0, double x1, double y1) : ax(x0), ay(y0) {
    const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    const double per_length = length2 > 0.0 ? 1.0 / std::sqrt(length2) : 0.0;
    nx = -dy * per_length, ny = dx * per_length;
  }
  double left(double x, double y) const { return (x - ax) * nx + (y - ay) * ny; }
};

// A triangle in the plane of its facet.
struct FlatTriangle {
  double x[3], y[3];
  Line sides[3];
  // A needle is also bounded by lines perpendicular to its longest side at both ends: beyond a tip the
  // tolerance bands of its sides overlap.
  bool is_needle = false;
  int longest = 0;
  Line ends[2];

  FlatTriangle(const CoplanarFacet& facet, const RegionTriangle& t) {
    for (int i = 0; i < 3; ++i) x[i] = facet.x(t.corners[i]), y[i] = facet.y(t.corners[i]);
  }
  void find_sides() {
    constexpr double kNeedle = 0.01;  // height over the longest side
    double most = -1.0;
    for (int i = 0; i < 3; ++i) {
      const int j = next_corner(i);
      sides[i] = Line(x[i], y[i], x[j], y[j]);
      const double dx = x[j] - x[i], dy = y[j] - y[i], length2 = dx * dx + dy * dy;
      if (length2 > most) most = length2, longest = i;
    }
    const int j = next_corner(longest), k = next_corner(j);
    const double height = sides[longest].left(x[k], y[k]);
    is_needle = height * height < kNeedle * kNeedle * most;
    if (!is_needle) return;
    const Line& side = sides[longest];
    ends[0].ax = x[longest], ends[0].ay = y[longest], ends[0].nx = side.ny, ends[0].ny = -side.nx;
    ends[1].ax = x[j], ends[1].ay = y[j], ends[1].nx = -side.ny, ends[1].ny = side.nx;
  }
  // Keeps the part of the segment from (x0, y0) to (x1, y1) in the triangle, up to `band` m outside it.
  bool clip(double x0, double y0, double x1, double y1, double band, Interval* part) const {
    const auto keep = [&](const Line& line, int name) {
      return cut(line.left(x0, y0), line.left(x1, y1), band, name, &part->begin, &part->end,
                 &part->begin_side, &part->end_side);
    };
    for (int k = 0; k < 3; ++k)
      if (!keep(sides[k], k)) return false;
    return !is_needle || (keep(ends[0], longest) && keep(ends[1], longest));
  }
};

struct Scratch {
  std::vector<FlatTriangle> triangles;  // that the polygon may overlap
  std::vector<int> numbers;             // their indices in the region
  std::vector<Line> lines;              // of the polygon
};

// Joins intervals that abut or overlap; the list stays sorted.
void join(std::vector<Interval>* list) {
  if (list->size() < 2) return;
  std::sort(list->begin(), list->end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < list->size(); ++i) {
    const Interval next = (*list)[i];
    Interval& open = (*list)[last];
    if (next.begin <= open.end + kBand) {
      if (next.end > open.end)
        open.end = next.end, open.end_triangle = next.end_triangle, open.end_side = next.end_side;
    } else {
      (*list)[++last] = next;
    }
  }
  list->resize(last + 1);
}

// Collects corners by feature, so that two ends at one corner become one.
class CornerList {
 public:
  CornerList(const MeshRegion& region, const ProjectedFace& projected, Outline* outline)
      : region_(region), projected_(projected), outline_(outline) {}

  // Adds a part of the outline between two corners.
  void add(OutlineCorner a, OutlineCorner b) {
    const double dx = b.x - a.x, dy = b.y - a.y, dz = projected_.rise_x * dx + projected_.rise_y * dy;
    const double length = std::sqrt(dx * dx + dy * dy + dz * dz);
    a.length = b.length = 0.5 * length;
    outline_->length += length;
    const double x0 = projected_.x[0], y0 = projected_.y[0];
    outline_->area += 0.5 * ((a.x - x0) * (b.y - y0) - (b.x - x0) * (a.y - y0));
    put(a);
    put(b);
  }

 private:
  int vertex_of(const OutlineCorner& c) const {
    return region_.triangles[c.triangle[0]].vertices[c.border_side[0]];
  }
  int edge_of(const OutlineCorner& c) const {
    return region_.triangles[c.triangle[0]].edges[c.border_side[0]];
  }

  bool is_same(const OutlineCorner& a, const OutlineCorner& b) const {
    if (a.what != b.what) return false;
    switch (a.what) {
      case What::corner:
        return a.side == b.side;
      case What::crossing:
        return a.side == b.side && edge_of(a) == edge_of(b);
      case What::vertex:
        return a.side == b.side;  // for vertices `side` is the vertex
    }
    return false;
  }

  void put(const OutlineCorner& corner) {
    for (OutlineCorner& old : outline_->corners) {
      if (!is_same(old, corner)) continue;
      old.length += corner.length;
      for (int k = 0; k < corner.borders && old.borders < 2; ++k) {
        if (old.borders == 1 && old.triangle[0] == corner.triangle[k] &&
            old.border_side[0] == corner.border_side[k])
          continue;
        old.triangle[old.borders] = corner.triangle[k];
        old.border_side[old.borders++] = corner.border_side[k];
      }
      return;
    }
    outline_->corners.push_back(corner);
  }

  const MeshRegion& region_;
  const ProjectedFace& projected_;
  Outline* outline_;
};

OutlineCorner corner_of(const ProjectedFace& q, int i) {
  OutlineCorner c;
  c.side = i == q.size() ? 0 : i;
  c.x = q.x[c.side], c.y = q.y[c.side];
  return c;
}

OutlineCorner crossing(int side, int triangle, int border_side, double x, double y) {
  OutlineCorner c;
  c.what = What::crossing;
  c.side = side, c.x = x, c.y = y;
  c.borders = 1, c.triangle[0] = triangle, c.border_side[0] = border_side;
  return c;
}

OutlineCorner vertex_corner(const RegionTriangle& t, int triangle, int border_side, int corner, double x,
                            double y) {
  OutlineCorner c;
  c.what = What::vertex;
  c.side = t.vertices[corner], c.x = x, c.y = y;
  c.borders = 1, c.triangle[0] = triangle, c.border_side[0] = border_side;
  return c;
}

}  // namespace

void intersect(const MeshRegion& region, const CoplanarFacet& facet, const ProjectedFace& q,
               Outline* outline) {
  outline->corners.clear();
  outline->length = outline->area = 0.0;
  CornerList corners(region, q, outline);
  const int n = q.size();
  double x_min = q.x[0], x_max = x_min, y_min = q.y[0], y_max = y_min;
  for (int i = 1; i < n; ++i) {
    x_min = std::min(x_min, q.x[i]), x_max = std::max(x_max, q.x[i]);
    y_min = std::min(y_min, q.y[i]), y_max = std::max(y_max, q.y[i]);
  }
  const double band = kBand * std::max({std::abs(x_min), std::abs(x_max), std::abs(y_min), std::abs(y_max)});
  const auto misses = [&](const FlatTriangle& t) {
    return std::min({t.x[0], t.x[1], t.x[2]}) > x_max + band ||
           std::max({t.x[0], t.x[1], t.x[2]}) < x_min - band ||
           std::min({t.y[0], t.y[1], t.y[2]}) > y_max + band ||
           std::max({t.y[0], t.y[1], t.y[2]}) < y_min - band;
  };

  // The triangles within reach; if the whole polygon lies in one of them, nothing is cut.
  thread_local Scratch scratch;
  scratch.triangles.clear(), scratch.numbers.clear(), scratch.lines.clear();
  for (int t = facet.begin; t < facet.end; ++t) {
    FlatTriangle flat(facet, region.triangles[t]);
    if (misses(flat)) continue;
    flat.find_sides();
    bool inside = true;
    for (int k = 0; k < 3 && inside; ++k)
      for (int i = 0; i < n && inside; ++i) inside = flat.sides[k].left(q.x[i], q.y[i]) >= 0.0;
    if (inside) {
      for (int i = 0; i < n; ++i) corners.add(corner_of(q, i), corner_of(q, i + 1));
      return;
    }
    scratch.triangles.push_back(flat);
    scratch.numbers.push_back(t);
  }
  const int count = static_cast<int>(scratch.triangles.size());
  if (count == 0) return;
  for (int s = 0; s < n; ++s) {
    const int e = s + 1 == n ? 0 : s + 1;
    scratch.lines.emplace_back(q.x[s], q.y[s], q.x[e], q.y[e]);
  }

  // The sides of the polygon inside the facet.
  for (int s = 0; s < n; ++s) {
    const int e = s + 1 == n ? 0 : s + 1;
    outline->intervals.clear();
    for (int i = 0; i < count; ++i) {
      const FlatTriangle& flat = scratch.triangles[i];
      Interval part{0.0, 1.0, -1, -1, -1, -1};
      if (!flat.clip(q.x[s], q.y[s], q.x[e], q.y[e], band, &part)) continue;
      part.begin_triangle = part.end_triangle = scratch.numbers[i];
      outline->intervals.push_back(part);
    }
    join(&outline->intervals);
    for (const Interval& part : outline->intervals) {
      const auto at = [&](double t, int triangle, int side, int corner) {
        if (side < 0) return corner_of(q, corner);
        return crossing(s, triangle, side, q.x[s] + t * (q.x[e] - q.x[s]), q.y[s] + t * (q.y[e] - q.y[s]));
      };
      corners.add(at(part.begin, part.begin_triangle, part.begin_side, s),
                  at(part.end, part.end_triangle, part.end_side, e));
    }
  }

  // The border of the facet inside the polygon.
  for (int i = 0; i < count; ++i) {
    const FlatTriangle& flat = scratch.triangles[i];
    const RegionTriangle& triangle = region.triangles[scratch.numbers[i]];
    for (int k = 0; k < 3; ++k) {
      if (triangle.kinds[k] == SideKind::flat) continue;
      const int l = next_corner(k);
      double t0 = 0.0, t1 = 1.0;
      int by0 = -1, by1 = -1;
      bool left = true;
      for (int s = 0; s < n && left; ++s) {
        left = cut(scratch.lines[s].left(flat.x[k], flat.y[k]), scratch.lines[s].left(flat.x[l], flat.y[l]),
                   -band, s, &t0, &t1, &by0, &by1);
      }
      if (!left) continue;
      const auto at = [&](double u, int by, int corner) {
        const double x = flat.x[k] + u * (flat.x[l] - flat.x[k]), y = flat.y[k] + u * (flat.y[l] - flat.y[k]);
        return by < 0 ? vertex_corner(triangle, scratch.numbers[i], k, corner, x, y)
                      : crossing(by, scratch.numbers[i], k, x, y);
      };
      corners.add(at(t0, by0, k), at(t1, by1, l));
    }
  }
  outline->area = std::max(outline->area, 0.0);
}

void intersect(const MeshRegion& region, const CoplanarFacet& facet, const Vec3& a, const Vec3& b,
               std::vector<Interval>* parts) {
  parts->clear();
  const double ax = facet.x(a), ay = facet.y(a), bx = facet.x(b), by = facet.y(b);
  const double band = kBand * std::max({std::abs(ax), std::abs(ay), std::abs(bx), std::abs(by)});
  for (int t = facet.begin; t < facet.end; ++t) {
    FlatTriangle flat(facet, region.triangles[t]);
    flat.find_sides();
    Interval part{0.0, 1.0, -1, -1, -1, -1};
    if (!flat.clip(ax, ay, bx, by, band, &part)) continue;
    part.begin_triangle = part.end_triangle = t;
    parts->push_back(part);
  }
  join(parts);
}

}  // namespace stiction
