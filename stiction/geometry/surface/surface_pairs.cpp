#include "stiction/geometry/surface/surface_pairs.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/surface/surface_contact.h"

namespace stiction {
namespace {

constexpr double kConeSlack = 1e-9;
// Of the size of the surface: vertices this far outside a triangle still count as above it.
constexpr double kOnSide = 1e-12;
// Round-off of the overlap of two boxes, relative to that and to the size.
constexpr double kDepthSlack = 1e-6;

int next_corner(int i) { return i == 2 ? 0 : i + 1; }

// Finds the triangles of a region that overlap a box: by the tree of the mesh, or by a tree built for the
// region of a height field. Its memory is reused by later calls.
class Finder {
 public:
  void prepare(const MeshRegion& region) {
    region_ = &region;
    if (region.mesh != nullptr) {
      // Entries of earlier regions are not cleared; they are recognised by the triangle they point to.
      if (index_.size() < region.mesh->facet_of.size()) index_.resize(region.mesh->facet_of.size(), 0);
      for (std::size_t t = 0; t < region.triangles.size(); ++t)
        index_[region.triangles[t].id] = static_cast<int>(t);
      return;
    }
    boxes_.assign(region.triangles.size(), {});
    for (std::size_t t = 0; t < boxes_.size(); ++t)
      for (const Vec3& corner : region.triangles[t].corners) boxes_[t].extend(corner);
    tree_.assign(boxes_);
  }

  void find(const Vec3& lower, const Vec3& upper, std::vector<int>* near) const {
    near->clear();
    if (region_->mesh == nullptr) {
      tree_.overlap(lower, upper, near);
      return;
    }
    region_->mesh->boxes.overlap(lower, upper, near);
    std::size_t kept = 0;
    for (const int id : *near) {
      const int t = index_[id];
      if (t < static_cast<int>(region_->triangles.size()) && region_->triangles[t].id == id)
        (*near)[kept++] = t;
    }
    near->resize(kept);
  }

 private:
  const MeshRegion* region_ = nullptr;
  std::vector<int> index_;  // of the triangles of the mesh in the region
  std::vector<Eigen::AlignedBox3d> boxes_;
  BoxTree tree_;
};

struct Scratch {
  Finder in_a, in_b;
  std::vector<int> seen, near;
  std::vector<char> done;
  std::vector<double> weights;
  std::vector<SurfacePoint> points, reverse;
};
Scratch* scratch_of_thread() {
  thread_local Scratch scratch;
  scratch.points.clear(), scratch.reverse.clear();
  return &scratch;
}

void share_by_depth(std::vector<double>* weights, std::vector<SurfacePoint>* points) {
  double deepest = 0.0;
  for (const SurfacePoint& p : *points) deepest = std::max(deepest, -p.distance);
  const double least = 1e-14 * deepest + 1e-300;
  weights->resize(points->size());
  for (std::size_t i = 0; i < points->size(); ++i) {
    const double d = std::max(-(*points)[i].distance, least);
    double sum = 0.0;
    for (const SurfacePoint& other : *points) sum += std::min(1.0, std::max(-other.distance, least) / d);
    (*weights)[i] = 1.0 / sum;
  }
  for (std::size_t i = 0; i < points->size(); ++i) (*points)[i].weight = (*weights)[i];
}

// Reduces a large set to the deepest points before the shares are computed, whose cost is quadratic.
void keep_deepest(std::size_t most, std::vector<SurfacePoint>* points) {
  if (points->size() <= most) return;
  std::nth_element(points->begin(), points->begin() + static_cast<std::ptrdiff_t>(most), points->end(),
                   [](const SurfacePoint& a, const SurfacePoint& b) {
                     return a.distance != b.distance ? a.distance < b.distance : a.feature < b.feature;
                   });
  points->resize(most);
}
constexpr std::size_t kMostShared = 512;

Eigen::AlignedBox3d bounds_of(const MeshRegion& region) {
  if (region.mesh != nullptr) return region.mesh->bounds;
  const HeightFieldSize& size = region.field->size;
  return {Vec3(-size.radius_x, -size.radius_y, -size.base),
          Vec3(size.radius_x, size.radius_y, size.elevation)};
}

// How far the box of A must move along an axis of B to leave the box of B, m; negative: they are apart. An
// upper bound of how deep any point of A is in B.
double box_penetration(const MeshRegion& A, const Pose& X_BA, const MeshRegion& B) {
  const Eigen::AlignedBox3d a = bounds_of(A), b = bounds_of(B);
  const Vec3 centre = X_BA * Vec3(a.center()), half = X_BA.R.cwiseAbs() * (0.5 * a.sizes());
  return (b.max() - (centre - half)).cwiseMin((centre + half) - b.min()).minCoeff();
}

// The vertices of A on the facets of B; everything in B's frame. `flipped`: B's feature comes first.
void vertices_in_facets(const MeshRegion& A, const Pose& X_BA, const MeshRegion& B, const Finder& in_b,
                        double depth, double margin, bool flipped, Scratch* scratch,
                        std::vector<SurfacePoint>* out) {
  std::vector<int>&seen = scratch->seen, &near = scratch->near;
  seen.clear();
  for (const RegionTriangle& t : A.triangles) {
    for (int i = 0; i < 3; ++i) {
      // Only vertices with a convex or boundary side.
      const SideKind after = t.kinds[i], before = t.kinds[i == 0 ? 2 : i - 1];
      if (after != SideKind::convex && before != SideKind::convex && after != SideKind::boundary &&
          before != SideKind::boundary)
        continue;
      seen.push_back(t.vertices[i]);
    }
  }
  std::sort(seen.begin(), seen.end());
  seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
  std::vector<char>& done = scratch->done;
  done.assign(seen.size(), 0);
  for (const RegionTriangle& t : A.triangles) {
    for (int i = 0; i < 3; ++i) {
      const auto place = std::lower_bound(seen.begin(), seen.end(), t.vertices[i]);
      if (place == seen.end() || *place != t.vertices[i] || done[place - seen.begin()] != 0) continue;
      done[place - seen.begin()] = 1;
      const Vec3 v = X_BA * t.corners[i];
      const Vec3 reach = Vec3::Constant(std::max(depth, margin));
      in_b.find(v - reach, v + reach, &near);
      SurfacePoint best;
      best.distance = -std::numeric_limits<double>::infinity();
      for (const int k : near) {
        const RegionTriangle& other = B.triangles[k];
        const CoplanarFacet& facet = B.facets[other.facet];
        const double height = facet.height(v);
        if (height > margin || height < -depth || !is_above(other, facet.normal, v, kOnSide * B.size))
          continue;
        if (!is_peak(A, t.vertices[i], t.corners[i], -(X_BA.R.transpose() * facet.normal))) continue;
        if (height > best.distance)
          best = {v, facet.normal, height, 1.0,
                  pair_feature(FeatureKind::vertex, t.vertices[i], FeatureKind::face, facet.id)};
      }
      if (best.weight == 0.0) continue;
      if (flipped) best.feature = swapped_feature(best.feature);
      out->push_back(best);
    }
  }
}

// The convex edges of A that cross convex edges of B; in B's frame.
void crossing_edges(const MeshRegion& A, const Pose& X_BA, const MeshRegion& B, const Finder& in_b,
                    double depth, double margin, std::vector<int>* near, std::vector<SurfacePoint>* out) {
  for (const RegionTriangle& t : A.triangles) {
    for (int i = 0; i < 3; ++i) {
      if (t.kinds[i] != SideKind::convex || !t.owns_edge(i)) continue;
      const Vec3 a = X_BA * t.corners[i], b = X_BA * t.corners[next_corner(i)];
      const Vec3 d = b - a, n1 = X_BA.R * A.facets[t.facet].normal, n2 = X_BA.R * t.across[i];
      const Vec3 into_1 = n1.cross(d), into_2 = d.cross(n2);
      // The other edge lies behind this one by at most the depth.
      const Vec3 reach = Vec3::Constant(std::max(margin, depth));
      in_b.find(a.cwiseMin(b) - reach, a.cwiseMax(b) + reach, near);
      for (const int k : *near) {
        const RegionTriangle& other = B.triangles[k];
        for (int j = 0; j < 3; ++j) {
          if (other.kinds[j] != SideKind::convex || !other.owns_edge(j)) continue;
          const Vec3 &v = other.corners[j], e = other.corners[next_corner(j)] - v;
          Vec3 m = e.cross(d);
          const double sine = m.norm();
          if (!(sine > 1e-6 * e.norm() * d.norm())) continue;
          m /= sine;
          const Vec3 &m1 = B.facets[other.facet].normal, &m2 = other.across[j];
          if (m.dot(m1 + m2) < 0.0) m = -m;
          const double slack_e = kConeSlack * e.norm(), slack_d = kConeSlack * d.norm();
          if (m.dot(m1.cross(e)) > slack_e || m.dot(e.cross(m2)) > slack_e || -m.dot(into_1) > slack_d ||
              -m.dot(into_2) > slack_d)
            continue;
          const Vec3 w = a - v;
          const double ee = e.squaredNorm(), dd = d.squaredNorm(), ed = e.dot(d), det = ee * dd - ed * ed;
          const double s = (w.dot(e) * dd - w.dot(d) * ed) / det, u = (w.dot(e) * ed - w.dot(d) * ee) / det;
          if (s < 0.0 || s > 1.0 || u < 0.0 || u > 1.0) continue;
          const double distance = m.dot(w);
          if (distance > margin || distance < -depth) continue;
          out->push_back({a + u * d, m, distance, 1.0,
                          pair_feature(FeatureKind::edge, t.edges[i], FeatureKind::edge, other.edges[j])});
        }
      }
    }
  }
}

}  // namespace

void collide_regions(const MeshRegion& A, const Pose& X_WA, const MeshRegion& B, const Pose& X_WB,
                     const CollideOptions& options, ContactPoints* out) {
  if (A.triangles.empty() || B.triangles.empty()) return;
  const Pose X_BA{X_WB.R.transpose() * X_WA.R, X_WB.R.transpose() * (X_WA.p - X_WB.p)};
  const Pose X_AB = X_BA.inverse();
  const double size = std::min(A.size, B.size);
  const double way = std::min(box_penetration(A, X_BA, B), box_penetration(B, X_AB, A));
  const double depth = std::clamp((1.0 + kDepthSlack) * way, kDepthSlack * size, kMeshDepth * size);
  Scratch& scratch = *scratch_of_thread();
  scratch.in_a.prepare(A), scratch.in_b.prepare(B);
  std::vector<SurfacePoint>& points = scratch.points;
  vertices_in_facets(A, X_BA, B, scratch.in_b, depth, options.margin, false, &scratch, &points);
  vertices_in_facets(B, X_AB, A, scratch.in_a, depth, options.margin, true, &scratch, &scratch.reverse);
  // For a point found from the other side, swap the points and negate the normal.
  for (SurfacePoint p : scratch.reverse) {
    const Vec3 on_surface = p.p - p.distance * p.normal;
    p.p = X_BA * on_surface;
    p.normal = -(X_BA.R * p.normal);
    points.push_back(p);
  }
  crossing_edges(A, X_BA, B, scratch.in_b, depth, options.margin, &scratch.near, &points);
  keep_deepest(kMostShared, &points);
  share_by_depth(&scratch.weights, &points);
  std::sort(points.begin(), points.end(),
            [](const SurfacePoint& a, const SurfacePoint& b) { return a.feature < b.feature; });
  reduce(0, kMaxSurfacePoints, &points);
  for (const SurfacePoint& p : points)
    out->push_back({X_WB.p + X_WB.R * p.p, -(X_WB.R * p.normal), p.distance, p.weight, p.feature});
}

void collide_half_space_vertices(const Pose& X_WA, const Pose& X_WB, const std::vector<Vec3>& vertices,
                                 const CollideOptions& options, ContactPoints* out) {
  const Vec3 up = X_WA.R.col(2), up_B = X_WB.R.transpose() * up;
  const double offset = up.dot(X_WA.p - X_WB.p);
  Scratch& scratch = *scratch_of_thread();
  std::vector<SurfacePoint>& points = scratch.points;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const double height = up_B.dot(vertices[i]) - offset;
    if (height > options.margin) continue;
    points.push_back({vertices[i], up, height, 1.0,
                      pair_feature(FeatureKind::smooth, 0, FeatureKind::vertex, static_cast<int>(i))});
  }
  keep_deepest(kMostShared, &points);
  share_by_depth(&scratch.weights, &points);
  std::sort(points.begin(), points.end(),
            [](const SurfacePoint& a, const SurfacePoint& b) { return a.feature < b.feature; });
  reduce(0, static_cast<std::size_t>(options.max_points), &points);
  for (const SurfacePoint& p : points)
    out->push_back(
        {X_WB.p + X_WB.R * p.p - p.distance * up, up, p.distance, std::min(p.weight, 1.0), p.feature});
}

}  // namespace stiction
