#include "stiction/geometry/primitive/half_space_pairs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stiction/geometry/polytope/polygon.h"
#include "stiction/geometry/polytope/polytope_manifold.h"

namespace stiction {
namespace {

constexpr double kCornerWeight = 0.25;
// Of the overlap: a vertex this far below the face has its full weight.
constexpr double kBelowWindow = 0.25;

struct Plane {
  Vec3 n;         // into the half-space, in A's frame
  double offset;  // m: the height of x above the plane is offset - n . x
  double height(const Vec3& x) const { return offset - n.dot(x); }
};

void add_vertex(const Polytope& P, int vertex, const Plane& plane, double weight, double bearing,
                double reach, bool merge, Manifold* manifold) {
  ManifoldPoint point;
  point.is_mixed = false;
  point.p_A = P.vertices[vertex];
  point.normal = plane.n;
  point.distance = plane.height(point.p_A);
  point.weight = weight;
  point.bearing = bearing;
  point.feature = pair_feature(FeatureKind::vertex, vertex, FeatureKind::face, 0);
  if (point.distance <= reach && weight > 0.0) manifold->add(point, merge);
}

// A corner of a face, or a vertex below all of them.
struct Corner {
  int vertex;
  double inside;  // 1 - (D - D_i)/window (polytope_manifold.h)
  double weight = 0.0, bearing = 0.0;
};

// Corners of a face by their share of its projected outline.
void list_corners(const Polytope& P, int face, const Plane& plane, const LeastTotal& total,
                  std::vector<Corner>* corners) {
  const PolytopeFace& f = P.faces[face];
  const int count = f.end - f.begin;
  corners->clear();
  for (int i = 0; i < count; ++i) {
    const int v = P.corner_vertex[f.begin + i];
    corners->push_back({v, 1.0 - (total.overlap + plane.height(P.vertices[v])) / total.window()});
  }
  double outline = 0.0, bears = 0.0;
  for (int i = 0; i < count; ++i) {
    Corner &here = (*corners)[i], &next = (*corners)[i + 1 < count ? i + 1 : 0];
    const Vec3 side = P.vertices[next.vertex] - P.vertices[here.vertex];
    const double along = plane.n.dot(side);
    const double length = std::sqrt(std::max(0.0, side.squaredNorm() - along * along));
    here.weight += length;
    next.weight += length;
    outline += length;
    const double overlapping = length * overlapping_part(here.inside, next.inside);
    here.bearing += overlapping;
    next.bearing += overlapping;
  }
  for (Corner& corner : *corners) {
    corner.weight = outline > 0.0 ? 0.5 * corner.weight / outline : 1.0 / count;
    corner.bearing *= std::max(0.0, corner.inside);
    bears += corner.bearing;
  }
  for (Corner& corner : *corners) corner.bearing /= bears > 0.0 ? bears : 1.0;
}

// Vertices of a hull below the corners of a face: found from the lowest vertex along edges that stay below.
// Their bearings are how far they are below, in windows, at most 1; returns the largest.
double list_vertices_below(const Polytope& P, const Plane& plane, int deepest, double lowest,
                           const LeastTotal& total, std::vector<Corner>* below) {
  below->clear();
  if (-total.overlap >= lowest - 1e-13 * P.size) return 0.0;
  const double by_window = 1.0 / (kBelowWindow * total.window());
  const auto add = [&](int v) {
    const double height = plane.height(P.vertices[v]);
    if (height >= lowest || below->size() >= Manifold::kCapacity / 2) return;
    for (const Corner& other : *below)
      if (other.vertex == v) return;
    below->push_back({v, 1.0 - (total.overlap + height) / total.window(), 0.0,
                      std::min(1.0, (lowest - height) * by_window)});
  };
  add(deepest);
  for (std::size_t i = 0; i < below->size(); ++i) {
    const int v = (*below)[i].vertex;
    for (int k = P.neighbour_begin[v]; k < P.neighbour_begin[v + 1]; ++k) add(P.neighbours[k]);
  }
  return below->empty() ? 0.0 : below->front().bearing;
}

// One face of a hull. Where its corners are not the lowest vertices, those take over from them (the witnesses
// of polytope_axes.cpp).
void add_face(const Polytope& P, int face, const Plane& plane, double share, int deepest, double reach,
              bool merge, Manifold* manifold) {
  static thread_local std::vector<Corner> corners, below;
  LeastTotal& total = manifold->total;
  list_corners(P, face, plane, total, &corners);
  double lowest = 1e300;
  for (const Corner& corner : corners) lowest = std::min(lowest, plane.height(P.vertices[corner.vertex]));
  const double blend = list_vertices_below(P, plane, deepest, lowest, total, &below);

  double lie_below = 0.0, bear_below = 0.0;
  for (const Corner& vertex : below) {
    lie_below += vertex.bearing;
    bear_below += vertex.bearing * std::max(0.0, vertex.inside);
  }
  const double weight_below = kCornerWeight * blend;
  for (Corner& vertex : below) {
    vertex.weight = weight_below * vertex.bearing / lie_below;
    vertex.bearing *= std::max(0.0, vertex.inside);
  }

  double used = 0.0, wanted = 0.0, inside = 0.0;
  for (const Corner& corner : corners) {
    used += (1.0 - weight_below) * corner.weight * std::max(0.0, corner.inside);
    wanted = std::max(wanted, corner.inside * P.least.of_vertex[corner.vertex]);
    inside = std::max(inside, corner.inside);
  }
  for (const Corner& vertex : below) {
    used += vertex.weight * std::max(0.0, vertex.inside);
    wanted = std::max(wanted, std::min(vertex.inside, blend) * P.least.of_vertex[vertex.vertex]);
  }
  const double mass = share * (blend + (1.0 - blend) * inside * inside * inside * inside);
  total.used += share * used;
  total.bearing += mass;
  total.wanted += mass * wanted;
  for (const Corner& corner : corners)
    add_vertex(P, corner.vertex, plane, share * (1.0 - weight_below) * corner.weight,
               mass * (1.0 - blend) * corner.bearing, reach, merge, manifold);
  for (const Corner& vertex : below)
    add_vertex(P, vertex.vertex, plane, share * vertex.weight, mass * blend * vertex.bearing / bear_below,
               reach, true, manifold);
}

}  // namespace

void collide_polytope_half_space(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                                 const Pose& X_WB, const CollideOptions& options, PairMemory*,
                                 ContactPoints* out) {
  const Polytope& P = *A.polytope;
  const Vec3 up = X_WB.R.col(2);
  const Plane plane{-(X_WA.R.transpose() * up), up.dot(X_WA.p - X_WB.p)};
  const double reach = options.margin + A.rounding + B.rounding;
  const int deepest = farthest_vertex(P, plane.n);
  if (plane.height(P.vertices[deepest]) > reach) return;

  Manifold manifold;
  manifold.total.overlap = -plane.height(P.vertices[deepest]);
  std::array<FaceShare, kMaxFacing> faces;
  const int count = facing_faces(P, plane.n, faces.data());
  for (int k = 0; k < count; ++k) {
    const PolytopeFace& face = P.faces[faces[k].face];
    if (P.is_box) {
      // The deepest corner is one of every face that looks down: 1/4 at least, as it should be.
      for (int i = face.begin; i < face.end; ++i)
        add_vertex(P, P.corner_vertex[i], plane, faces[k].share * kCornerWeight, 0.0, reach, count > 1,
                   &manifold);
    } else {
      add_face(P, faces[k].face, plane, faces[k].share, deepest, reach, count > 1, &manifold);
    }
  }
  manifold.raise(1.0);
  if (manifold.count > options.max_points) manifold.reduce(options.max_points, reach);

  const std::size_t begin = out->size();
  out->resize(begin + manifold.count);
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    ContactPoint& contact = (*out)[begin + i];
    contact.p_A = X_WA * point.p_A - A.rounding * up;
    contact.normal = -up;
    contact.distance = point.distance - A.rounding;
    contact.weight = point.weight;
    contact.feature = point.feature;
  }
}

}  // namespace stiction
