#include "stiction/geometry/polytope/polytope_manifold.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "stiction/geometry/contact_point.h"
#include "stiction/geometry/polytope/polygon.h"
#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

using simd::Pack;

constexpr double kLeastAlignment = 1e-3;  // cos: the projection of a face seen edge-on is only round-off
constexpr std::uint64_t kOtherDirection = std::uint64_t{1} << 61;
constexpr double kNoWeight = 1e-14;  // of the outline: a corner with less duplicates another one
constexpr double kNoExtent = 1e-13;  // of the mean size: an outline this short is a single point

// Faces of a box nearly as aligned as the best; the chord between two of them is sqrt(2).
int facing_faces_of_box(const Vec3& d, FaceShare* faces) {
  const Vec3 a = d.cwiseAbs();
  int k = a[1] > a[0] ? 1 : 0;
  if (a[2] > a[k]) k = 2;
  const auto face_of = [&](int axis) { return 2 * axis + (d[axis] > 0.0 ? 1 : 0); };
  faces[0] = {face_of(k), 1.0};
  constexpr double kWindow = kAlignmentWindow * 1.4142135623730951;
  if (a.sum() - a[k] < a[k] - kWindow) return 1;
  int count = 1;
  for (int i = 1; i < 3; ++i) {
    const int axis = (k + i) % 3;
    const double share = 1.0 - (a[k] - a[axis]) / kWindow;
    if (share > 0.0) faces[count++] = {face_of(axis), share};
  }
  return count;
}

int facing_faces_of_hull(const Polytope& P, const Vec3& d, FaceShare* faces) {
  static thread_local std::vector<int> near;
  static thread_local std::vector<double> cosines;
  if (near.size() < P.faces.size()) {
    near.resize(P.faces.size());
    cosines.resize(P.faces.size());
  }
  const int found = aligned_faces(P, d, near.data(), cosines.data());
  const int best = near[0];
  const Vec3 n_best = P.faces[best].normal;
  faces[0] = {best, 1.0};
  int count = 1;
  for (int i = 1; i < found; ++i) {
    const double chord2 = (P.faces[near[i]].normal - n_best).squaredNorm(), below = cosines[0] - cosines[i];
    if (below * below >= kAlignmentWindow * kAlignmentWindow * chord2) continue;
    const FaceShare face{near[i], 1.0 - below / (kAlignmentWindow * std::sqrt(chord2))};
    // In the order of their indices.
    int at = count;
    for (; at > 1 && faces[at - 1].face > face.face; --at)
      if (at < kMaxFacing) faces[at] = faces[at - 1];
    if (at < kMaxFacing) faces[at] = face;
    count = std::min(count + 1, kMaxFacing);
  }
  return count;
}

// From the frame of one of the polytopes to (u, v, n): p -> origin + by_x p_x + by_y p_y + by_z p_z.
struct Projection {
  Pack by_x, by_y, by_z, origin;
  Pack turned(const Vec3& v) const { return by_x * v.x() + by_y * v.y() + by_z * v.z(); }
};

// Of A, with u and v as in frame_with_z().
Projection projection_along(const Vec3& n) {
  const double x = n.x(), y = n.y(), z = n.z(), across = y * y + z * z;
  const double s = x > 0.0 ? 1.0 / (1.0 + x) : across > 0.0 ? (1.0 - x) / across : 0.0;
  const double turn = s == 0.0 ? -1.0 : 1.0, syz = -s * y * z;
  return {Pack{-y, -turn * z, x, 0.0}, Pack{1.0 - s * y * y, turn * syz, y, 0.0},
          Pack{syz, turn * (1.0 - s * z * z), z, 0.0}, simd::zero()};
}

// Of B.
Projection seen_from(const Projection& of_A, const Pose& X_AB) {
  const auto column = [&](int j) {
    return of_A.by_x * X_AB.R(0, j) + of_A.by_y * X_AB.R(1, j) + of_A.by_z * X_AB.R(2, j);
  };
  return {column(0), column(1), column(2), of_A.turned(X_AB.p)};
}

// A face projected along n. Labels of sides are index + 1 for A, and minus that for B, whose outline is
// traversed backwards so that it too is counter-clockwise seen from the tip of n.
struct ProjectedFace {
  const Polytope* polytope = nullptr;
  int face = 0, begin = 0, count = 0;
  double slope_x = 0.0, slope_y = 0.0, height = 0.0;  // the plane above (x, y): height + slope . (x, y)
  std::vector<PolygonCorner> outline;
  std::vector<double> z;  // m, of its corners

  // The corner of the outline that is corner i of the face.
  int place(int i, bool is_b) const { return is_b ? count - 1 - i : i; }
  double plane(double x_at, double y_at) const { return height + slope_x * x_at + slope_y * y_at; }
};

// False if the face is seen edge-on.
bool project(const Polytope& P, int face, const Projection& along, bool is_b, ProjectedFace* out) {
  const PolytopeFace& f = P.faces[face];
  const Pack normal = along.turned(f.normal);
  const double cosine = normal[2];
  if ((is_b ? -cosine : cosine) < kLeastAlignment) return false;
  const double inverse = 1.0 / cosine;
  out->polytope = &P;
  out->face = face;
  out->begin = f.begin;
  out->count = f.end - f.begin;
  out->slope_x = -normal[0] * inverse;
  out->slope_y = -normal[1] * inverse;
  out->height =
      f.offset * inverse + along.origin[2] - out->slope_x * along.origin[0] - out->slope_y * along.origin[1];
  if (int(out->z.size()) < out->count) {
    out->outline.resize(out->count);
    out->z.resize(out->count);
  }
  PolygonCorner* outline = out->outline.data();
  double* z = out->z.data();
  for (int i = 0; i < out->count; ++i) {
    const Pack p = along.origin + along.turned(P.vertices[P.corner_vertex[f.begin + i]]);
    const int at = out->place(i, is_b);
    // From corner i of B the outline continues along the side before it.
    outline[at] = {p[0], p[1], is_b ? -(i > 0 ? i : out->count) : i + 1};
    z[at] = p[2];
  }
  return true;
}

struct Scratch {
  ProjectedFace a, b;
  std::vector<PolygonCorner> spare, corners;
  std::vector<double> weights;
};

Scratch& scratch() {
  static thread_local Scratch buffers;
  return buffers;
}

// The height along n of a side of a face at its point (x, y).
double side_height(const ProjectedFace& face, int side, bool is_b, double x, double y) {
  const int from = face.place(side, is_b), to = face.place(side + 1 < face.count ? side + 1 : 0, is_b);
  const PolygonCorner &p = face.outline[from], &q = face.outline[to];
  const double ex = q.x - p.x, ey = q.y - p.y, length2 = ex * ex + ey * ey;
  const double t = length2 > 0.0 ? ((x - p.x) * ex + (y - p.y) * ey) / length2 : 0.0;
  return face.z[from] + std::clamp(t, 0.0, 1.0) * (face.z[to] - face.z[from]);
}

// A corner of the intersection: the heights of the two faces there, and the feature.
struct CornerHeights {
  double a, b;
  std::uint64_t feature;
};
CornerHeights heights_at_corner(const ProjectedFace& a, const ProjectedFace& b, const PolygonCorner& corner,
                                int side_before) {
  const double x = corner.x, y = corner.y;
  const int side = corner.side;
  CornerHeights out{a.plane(x, y), b.plane(x, y), 0};
  // A very thin intersection may, by round-off, have corners whose sides do not share the vertex between
  // them.
  const auto is_at = [&](const PolygonCorner& vertex) {
    const double dx = vertex.x - x, dy = vertex.y - y;
    return dx * dx + dy * dy <= kSamePlace * kSamePlace * a.polytope->size * b.polytope->size;
  };
  if (side > 0 && side_before > 0) {  // a vertex of A
    if (is_at(a.outline[side - 1])) out.a = a.z[side - 1];
    out.feature = pair_feature(FeatureKind::vertex, a.polytope->corner_vertex[a.begin + side - 1],
                               FeatureKind::face, b.face);
  } else if (side < 0 && side_before < 0) {  // a vertex of B, where the outline is reversed
    const int i = -side < b.count ? -side : 0, at = b.place(i, true);
    if (is_at(b.outline[at])) out.b = b.z[at];
    out.feature =
        pair_feature(FeatureKind::face, a.face, FeatureKind::vertex, b.polytope->corner_vertex[b.begin + i]);
  } else {
    const int side_a = (side > 0 ? side : side_before) - 1, side_b = -(side < 0 ? side : side_before) - 1;
    if (!a.polytope->is_box) out.a = side_height(a, side_a, false, x, y);
    if (!b.polytope->is_box) out.b = side_height(b, side_b, true, x, y);
    out.feature = pair_feature(FeatureKind::edge, a.polytope->corner_edge[a.begin + side_a],
                               FeatureKind::edge, b.polytope->corner_edge[b.begin + side_b]);
  }
  return out;
}

void add_face_pair(const Projection& frame, double share, double least, double reach, bool merge, Scratch* s,
                   Manifold* manifold) {
  const ProjectedFace &a = s->a, &b = s->b;
  const std::size_t room = a.count + b.count;
  if (s->corners.size() < room) {
    s->spare.resize(room);
    s->corners.resize(room);
    s->weights.resize(room);
  }
  const int count = intersect_polygons(a.outline.data(), a.count, b.outline.data(), b.count, s->spare.data(),
                                       s->corners.data());
  if (count == 0) return;
  const double length = corner_weights(s->corners.data(), count, s->weights.data());
  if (length < kNoExtent * std::sqrt(a.polytope->size * b.polytope->size)) return;
  const double depth = std::max(0.0, -least);
  if (length < depth) {
    const double full = std::min(
        {depth, outline_length(a.outline.data(), a.count), outline_length(b.outline.data(), b.count)});
    if (length < full) share *= length / full;
  }
  const double lowest = least - kSamePlace * (a.polytope->size + b.polytope->size);
  const Pack u{frame.by_x[0], frame.by_y[0], frame.by_z[0], 0.0};
  const Pack v{frame.by_x[1], frame.by_y[1], frame.by_z[1], 0.0};
  const Pack n{frame.by_x[2], frame.by_y[2], frame.by_z[2], 0.0};
  int side_before = s->corners[count - 1].side;
  for (int i = 0; i < count; ++i) {
    const PolygonCorner& corner = s->corners[i];
    const CornerHeights heights = heights_at_corner(a, b, corner, side_before);
    side_before = corner.side;
    const double weight = share * s->weights[i];
    const double distance = heights.b - heights.a;
    if (!(distance <= reach && distance >= lowest && weight > kNoWeight * share)) continue;
    ManifoldPoint apart;
    const bool is_new = !merge && manifold->count < Manifold::kCapacity;
    ManifoldPoint& point = is_new ? manifold->points[manifold->count++] : apart;
    simd::write_before(corner.x * u + corner.y * v + heights.a * n, point.p_A.data());
    simd::write_before(n, point.normal.data());
    point.distance = distance;
    point.weight = weight;
    point.feature = heights.feature;
    point.is_mixed = false;
    if (!is_new) manifold->add(point, merge);
  }
}

// Where the normals differ their weighted mean is kept in `normal` until finish().
void take_in(const ManifoldPoint& other, ManifoldPoint* point) {
  const double weight = point->weight + other.weight;
  const double s = point->weight / weight, t = other.weight / weight;
  point->weight = weight;
  if (!point->is_mixed && point->normal == other.normal) {
    point->p_A = s * point->p_A + t * other.p_A;
    point->distance = s * point->distance + t * other.distance;
    return;
  }
  if (!point->is_mixed) point->gap = point->distance * point->normal;
  point->is_mixed = true;
  point->gap = s * point->gap + t * other.distance * other.normal;
  point->p_A = s * point->p_A + t * other.p_A;
  point->normal = s * point->normal + t * other.normal;
  point->distance = s * point->distance + t * other.distance;
}

}  // namespace

int facing_faces(const Polytope& P, const Vec3& d, FaceShare* faces) {
  const int count = P.is_box ? facing_faces_of_box(d, faces) : facing_faces_of_hull(P, d, faces);
  if (count == 1) return 1;
  double sum = 0.0;
  for (int i = 0; i < count; ++i) sum += faces[i].share;
  for (int i = 0; i < count; ++i) faces[i].share /= sum;
  return count;
}

void Manifold::add(const ManifoldPoint& point, bool merge) {
  std::uint64_t feature = point.feature;
  for (int i = 0; merge && i < count; ++i) {
    ManifoldPoint& other = points[i];
    if (other.feature != feature) continue;
    const bool same_normal = !other.is_mixed && other.normal == point.normal;
    const bool both_overlap = other.distance < 0.0 && point.distance < 0.0;
    if (same_normal || (both_overlap && other.normal.dot(point.normal) > 0.5 * other.normal.norm())) {
      take_in(point, &other);
      return;
    }
    // Very different normals: one without force is replaced, two with force stay two points.
    if (point.distance >= 0.0) return;
    if (other.distance >= 0.0) {
      other = point;
      other.is_mixed = false;
      return;
    }
    feature ^= kOtherDirection;
  }
  if (count == kCapacity) reduce(kCapacity / 2, point.distance);
  points[count] = point;
  points[count].feature = feature;
  points[count++].is_mixed = false;
}

void Manifold::finish() {
  for (int i = 0; i < count; ++i) {
    ManifoldPoint& point = points[i];
    if (!point.is_mixed) continue;
    // The gaps lie within 60 degrees of each other, so that their mean has at least half the mean length.
    point.distance = -point.gap.norm();
    point.normal = point.gap / point.distance;
    point.is_mixed = false;
  }
}

void Manifold::reduce(int max_points, double reach) {
  while (count > max_points) {
    // The point with the least force, but not the deepest.
    int deepest = 0;
    for (int i = 1; i < count; ++i)
      if (points[i].distance < points[deepest].distance) deepest = i;
    const double top = std::max(reach, points[deepest].distance);
    int least = -1;
    double least_value = std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; ++i) {
      const double value = points[i].weight * (top - points[i].distance);
      if (i == deepest || value >= least_value) continue;
      least = i;
      least_value = value;
    }
    if (least < 0) least = deepest == count - 1 ? 0 : count - 1;

    // Its weight goes to the two nearest.
    const auto place = [this](int i) -> Vec3 {
      return points[i].p_A + 0.5 * points[i].distance * points[i].normal;
    };
    const Vec3 p = place(least);
    int near = -1, second = -1;
    double near2 = 0.0, second2 = 0.0;
    for (int i = 0; i < count; ++i) {
      if (i == least) continue;
      const double distance2 = (place(i) - p).squaredNorm();
      if (near < 0 || distance2 < near2) {
        second = near;
        second2 = near2;
        near = i;
        near2 = distance2;
      } else if (second < 0 || distance2 < second2) {
        second = i;
        second2 = distance2;
      }
    }
    const double d1 = std::sqrt(near2), d2 = std::sqrt(second2);
    const double to_near = second < 0 ? 1.0 : d1 + d2 > 0.0 ? d2 / (d1 + d2) : 0.5;
    points[near].weight += to_near * points[least].weight;
    if (second >= 0) points[second].weight += (1.0 - to_near) * points[least].weight;
    for (int i = least; i + 1 < count; ++i) points[i] = points[i + 1];
    --count;
  }
}

void add_manifold(const Polytope& A, const Polytope& B, const Pose& X_AB, const Vec3& n, double share,
                  double least, double reach, bool merge, Manifold* manifold) {
  const Projection of_A = projection_along(n), of_B = seen_from(of_A, X_AB);
  std::array<FaceShare, kMaxFacing> of_a, of_b;
  const int count_a = facing_faces(A, n, of_a.data());
  const int count_b = facing_faces(B, -Vec3(of_B.by_x[2], of_B.by_y[2], of_B.by_z[2]), of_b.data());
  Scratch& s = scratch();
  const bool several = merge || count_a * count_b > 1;
  for (int i = 0; i < count_a; ++i) {
    if (!project(A, of_a[i].face, of_A, false, &s.a)) continue;
    for (int j = 0; j < count_b; ++j) {
      if (!project(B, of_b[j].face, of_B, true, &s.b)) continue;
      add_face_pair(of_A, share * of_a[i].share * of_b[j].share, least, reach, several, &s, manifold);
    }
  }
}

}  // namespace stiction
