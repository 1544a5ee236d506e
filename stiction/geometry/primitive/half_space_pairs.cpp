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

void add_vertex(const Polytope& P, int vertex, const Plane& plane, double weight, double reach, bool merge,
                Manifold* manifold) {
  ManifoldPoint point;
  point.is_mixed = false;
  point.p_A = P.vertices[vertex];
  point.normal = plane.n;
  point.distance = plane.height(point.p_A);
  point.weight = weight;
  point.bearing = 0.0;
  point.feature = pair_feature(FeatureKind::vertex, vertex, FeatureKind::face, 0);
  if (point.distance <= reach && weight > 0.0) manifold->add(point, merge);
}

// Corners of one face of a hull by their share of the projected outline; returns the height of the lowest.
double add_face(const Polytope& P, int face, const Plane& plane, double share, double reach, bool merge,
                Manifold* manifold) {
  static thread_local std::vector<double> weights;
  const PolytopeFace& f = P.faces[face];
  const int count = f.end - f.begin;
  weights.assign(count, 0.0);
  const auto vertex = [&](int i) -> const Vec3& { return P.vertices[P.corner_vertex[f.begin + i]]; };
  double outline = 0.0, lowest = 1e300;
  for (int i = 0; i < count; ++i) {
    const int next = i + 1 < count ? i + 1 : 0;
    const Vec3 side = vertex(next) - vertex(i);
    const double along = plane.n.dot(side);
    const double length = std::sqrt(std::max(0.0, side.squaredNorm() - along * along));
    weights[i] += length;
    weights[next] += length;
    outline += length;
    lowest = std::min(lowest, plane.height(vertex(i)));
  }
  for (int i = 0; i < count; ++i) {
    const double weight = outline > 0.0 ? 0.5 * weights[i] / outline : 1.0 / count;
    add_vertex(P, P.corner_vertex[f.begin + i], plane, share * weight, reach, merge, manifold);
  }
  return lowest;
}

// Vertices of a hull below the corners of the face: found from the lowest vertex along edges that stay below.
void add_vertices_below(const Polytope& P, const Plane& plane, int deepest, double lowest_of_face,
                        double share, double reach, Manifold* manifold) {
  const double bottom = plane.height(P.vertices[deepest]);
  if (bottom >= lowest_of_face - 1e-13 * P.size) return;
  static thread_local std::vector<int> open;
  open.assign(1, deepest);
  const double window = kBelowWindow * std::abs(bottom);
  for (std::size_t i = 0; i < open.size() && open.size() < Manifold::kCapacity / 2; ++i) {
    const int v = open[i];
    const double below = lowest_of_face - plane.height(P.vertices[v]);
    add_vertex(P, v, plane, share * kCornerWeight * std::min(1.0, window > 0.0 ? below / window : 1.0), reach,
               true, manifold);
    for (int k = P.neighbour_begin[v]; k < P.neighbour_begin[v + 1]; ++k) {
      const int other = P.neighbours[k];
      if (plane.height(P.vertices[other]) < lowest_of_face &&
          std::find(open.begin(), open.end(), other) == open.end())
        open.push_back(other);
    }
  }
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
  std::array<FaceShare, kMaxFacing> faces;
  const int count = facing_faces(P, plane.n, faces.data());
  for (int k = 0; k < count; ++k) {
    const PolytopeFace& face = P.faces[faces[k].face];
    if (P.is_box) {
      for (int i = face.begin; i < face.end; ++i)
        add_vertex(P, P.corner_vertex[i], plane, faces[k].share * kCornerWeight, reach, count > 1, &manifold);
    } else {
      const double lowest = add_face(P, faces[k].face, plane, faces[k].share, reach, count > 1, &manifold);
      add_vertices_below(P, plane, deepest, lowest, faces[k].share, reach, &manifold);
    }
  }
  // Many vertices below the face have no more total weight than a face.
  double total = 0.0;
  for (int i = 0; i < manifold.count; ++i) total += manifold.points[i].weight;
  if (total > 1.0)
    for (int i = 0; i < manifold.count; ++i) manifold.points[i].weight /= total;
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
