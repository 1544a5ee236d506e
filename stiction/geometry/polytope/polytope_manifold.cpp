// Longer than most files: clipping, weights and their least total share the projected faces, which nothing else
// needs to see.

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
  faces[0] = {near[0], 1.0};
  int count = 1;
  double dropped = 0.0;  // the largest share for which there is no room
  for (int i = 1; i < found; ++i) {
    FaceShare face{near[i], 1.0};
    for (int j = 0; j < found && face.share > 0.0; ++j) {
      const double below = cosines[j] - cosines[i];
      if (below <= 0.0) continue;
      const double chord2 = (P.faces[near[i]].normal - P.faces[near[j]].normal).squaredNorm();
      const double beyond = below / kAlignmentWindow;
      face.share = beyond * beyond < chord2 ? std::min(face.share, 1.0 - beyond / std::sqrt(chord2)) : 0.0;
    }
    if (!(face.share > 0.0)) continue;
    if (count == kMaxFacing) {
      int least = 1;
      for (int k = 2; k < count; ++k)
        if (faces[k].share < faces[least].share) least = k;
      if (face.share > faces[least].share) std::swap(face, faces[least]);
      dropped = std::max(dropped, face.share);
    } else {
      faces[count++] = face;
    }
  }
  // In the order of their indices; the shares of all are less by that of the best one left out, so that none
  // comes or goes with a jump.
  std::sort(faces + 1, faces + count, [](const FaceShare& x, const FaceShare& y) { return x.face < y.face; });
  int kept = 0;
  for (int i = 0; i < count; ++i)
    if (faces[i].share > dropped) faces[kept++] = {faces[i].face, faces[i].share - dropped};
  if (kept == 0) kept = 1;  // six others are as well aligned
  return kept;
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

// A corner of the intersection: the heights of the two faces there, and the feature.
struct CornerHeights {
  double a, b;
  std::uint64_t feature;
  int vertex;             // the corner of A's outline (1, 2, ...) or of B's (-1, -2, ...) that it is; 0: none
  double least, bearing;  // T_i and p_i
};

struct Scratch {
  ProjectedFace a, b;
  std::vector<PolygonCorner> spare, corners;
  std::vector<double> weights;
  std::vector<CornerHeights> heights;
  std::vector<double> inside;  // 1 - (D - D_i)/window: b before it is cut off at 0
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

CornerHeights heights_at_corner(const ProjectedFace& a, const ProjectedFace& b, const PolygonCorner& corner,
                                int side_before) {
  const double x = corner.x, y = corner.y;
  const int side = corner.side;
  CornerHeights out{a.plane(x, y), b.plane(x, y), 0, 0, 0.0, 0.0};
  // A very thin intersection may, by round-off, have corners whose sides do not share the vertex between
  // them.
  const auto is_at = [&](const PolygonCorner& vertex) {
    const double dx = vertex.x - x, dy = vertex.y - y;
    return dx * dx + dy * dy <= kSamePlace * kSamePlace * a.polytope->size * b.polytope->size;
  };
  if (side > 0 && side_before > 0) {  // a vertex of A
    if (is_at(a.outline[side - 1])) out.a = a.z[side - 1];
    const int v = a.polytope->corner_vertex[a.begin + side - 1];
    out.feature = pair_feature(FeatureKind::vertex, v, FeatureKind::face, b.face);
    out.vertex = side;
    out.least = a.polytope->least.of_vertex[v];
  } else if (side < 0 && side_before < 0) {  // a vertex of B, where the outline is reversed
    const int i = -side < b.count ? -side : 0, at = b.place(i, true);
    if (is_at(b.outline[at])) out.b = b.z[at];
    const int v = b.polytope->corner_vertex[b.begin + i];
    out.feature = pair_feature(FeatureKind::face, a.face, FeatureKind::vertex, v);
    out.vertex = -1 - at;
    out.least = b.polytope->least.of_vertex[v];
  } else {
    const int side_a = (side > 0 ? side : side_before) - 1, side_b = -(side < 0 ? side : side_before) - 1;
    if (!a.polytope->is_box) out.a = side_height(a, side_a, false, x, y);
    if (!b.polytope->is_box) out.b = side_height(b, side_b, true, x, y);
    const int edge_a = a.polytope->corner_edge[a.begin + side_a],
              edge_b = b.polytope->corner_edge[b.begin + side_b];
    out.feature = pair_feature(FeatureKind::edge, edge_a, FeatureKind::edge, edge_b);
    out.least = std::min(a.polytope->least.of_edge[edge_a], b.polytope->least.of_edge[edge_b]);
  }
  return out;
}

// The largest T' of a vertex of a face less its distance from the point in windows; without corner `own`.
double least_near_vertices(const ProjectedFace& face, bool is_b, int own, double x, double y, double window) {
  double most = 0.0;
  for (int i = 0; i < face.count; ++i) {
    if (i == own) continue;
    const double dx = face.outline[i].x - x, dy = face.outline[i].y - y, distance2 = dx * dx + dy * dy;
    if (distance2 >= window * window) continue;
    // Corner i of B's outline begins with the side before its own (project()).
    const int corner = is_b ? face.count - 1 - i : i;
    const double there = face.polytope->least.near_vertex[face.polytope->corner_vertex[face.begin + corner]];
    most = std::max(most, there - std::sqrt(distance2) / window);
  }
  return most;
}

// The distance of a point within a face from its border.
double distance_from_border(const ProjectedFace& face, double x, double y) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < face.count; ++i) {
    const PolygonCorner &p = face.outline[i], &q = face.outline[i + 1 < face.count ? i + 1 : 0];
    const double ex = q.x - p.x, ey = q.y - p.y, length2 = ex * ex + ey * ey;
    if (length2 > 0.0) least = std::min(least, (ex * (y - p.y) - ey * (x - p.x)) / std::sqrt(length2));
  }
  return std::max(0.0, least);
}

// T^ of a corner of the intersection.
double least_at(const ProjectedFace& a, const ProjectedFace& b, const PolygonCorner& corner,
                const CornerHeights& heights, double window) {
  const double x = corner.x, y = corner.y;
  const int own_a = heights.vertex - 1, own_b = -heights.vertex - 1;
  double most = std::max({heights.least, least_near_vertices(a, false, own_a, x, y, window),
                          least_near_vertices(b, true, own_b, x, y, window)});
  if (heights.vertex == 0) return most;
  const bool is_b = heights.vertex < 0;
  const ProjectedFace &mine = is_b ? b : a, &other = is_b ? a : b;
  const int v = mine.polytope->corner_vertex[mine.begin + mine.place(is_b ? own_b : own_a, is_b)];
  const double there = mine.polytope->least.near_vertex[v];
  return there > most ? std::max(most, there - distance_from_border(other, x, y) / window) : most;
}

// Adds what a face pair says about the least total weight, and writes its p; returns the factor of these.
double add_to_least(int count, double share, double lowest, bool is_sole, Scratch* s, LeastTotal* total) {
  const double window = total->window(), by_window = 1.0 / window;
  double used = 0.0, most_inside = 0.0, most_certain = 0.0;
  for (int i = 0; i < count; ++i) {
    const double distance = s->heights[i].b - s->heights[i].a;
    const double inside =
        distance >= lowest ? std::min(1.0, 1.0 - (total->overlap + distance) * by_window) : -1.0;
    s->inside[i] = inside;
    if (!(inside > 0.0)) continue;
    used += s->weights[i] * inside;
    most_inside = std::max(most_inside, inside);
    most_certain = std::max(most_certain, s->heights[i].least * inside);
  }
  total->used += share * used;
  const double most2 = most_inside * most_inside, mass = share * most2 * most2;
  total->bearing += mass;
  double wanted = most_certain;
  // A sole pair of faces whose weights suffice, and that needs no witness, mostly.
  const double most_wanted = std::max(s->a.polytope->least.most, s->b.polytope->least.most);
  if (is_sole && used >= most_wanted && most_inside > 1.0 - kSamePlace) {
    total->wanted += mass * wanted;
    return 0.0;
  }
  for (int i = 0; i < count; ++i)
    if (s->inside[i] > wanted)
      wanted = std::max(wanted, s->inside[i] * least_at(s->a, s->b, s->corners[i], s->heights[i], window));

  total->wanted += mass * wanted;

  double sum = 0.0;
  const auto overlapping_length = [&](int i) {
    const int next = i + 1 < count ? i + 1 : 0;
    const double from = s->inside[i], to = s->inside[next];
    if (!(from > 0.0 || to > 0.0)) return 0.0;
    const double dx = s->corners[next].x - s->corners[i].x, dy = s->corners[next].y - s->corners[i].y;
    return std::sqrt(dx * dx + dy * dy) * overlapping_part(from, to);
  };
  double length_before = overlapping_length(count - 1);
  for (int i = 0; i < count; ++i) {
    const double length = overlapping_length(i);
    s->heights[i].bearing = s->inside[i] > 0.0 ? s->inside[i] * (length_before + length) : 0.0;
    sum += s->heights[i].bearing;
    length_before = length;
  }
  return sum > 0.0 ? mass / sum : 0.0;
}

void add_face_pair(const Projection& frame, double share, double least, double reach, bool merge, Scratch* s,
                   Manifold* manifold) {
  const ProjectedFace &a = s->a, &b = s->b;
  const std::size_t room = a.count + b.count;
  if (s->corners.size() < room) {
    s->spare.resize(room);
    s->corners.resize(room);
    s->weights.resize(room);
    s->heights.resize(room);
    s->inside.resize(room);
  }
  const int count = intersect_polygons(a.outline.data(), a.count, b.outline.data(), b.count, s->spare.data(),
                                       s->corners.data());
  if (count == 0) return;
  const double length = corner_weights(s->corners.data(), count, s->weights.data());
  if (length < kNoExtent * std::sqrt(a.polytope->size * b.polytope->size)) return;
  const double whole_share = share, depth = std::max(0.0, manifold->total.overlap);
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
    s->heights[i] = heights_at_corner(a, b, s->corners[i], side_before);
    side_before = s->corners[i].side;
  }
  const double bearing =
      add_to_least(count, share, lowest, !merge && share == whole_share, s, &manifold->total);
  for (int i = 0; i < count; ++i) {
    const PolygonCorner& corner = s->corners[i];
    const CornerHeights& heights = s->heights[i];
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
    point.bearing = bearing * heights.bearing;
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
  point->bearing += other.bearing;
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

void Manifold::raise(double share) {
  if (!(total.bearing > 0.0)) return;
  const double wanted = total.wanted / total.bearing, used = total.used / share;
  if (used >= wanted || !(used < 1.0)) return;
  const double given = (wanted - used) / (1.0 - used), scale = given * share / total.bearing;
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    points[i].weight = (1.0 - given) * points[i].weight + scale * points[i].bearing;
    if (!(points[i].weight > kNoWeight * share)) continue;
    if (kept != i) points[kept] = points[i];
    ++kept;
  }
  count = kept;
}

double Manifold::scale_by_bearing(double share) {
  for (int i = 0; i < count; ++i) points[i].weight *= total.bearing / share;
  return total.bearing;
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
    points[near].bearing += to_near * points[least].bearing;
    if (second >= 0) {
      points[second].weight += (1.0 - to_near) * points[least].weight;
      points[second].bearing += (1.0 - to_near) * points[least].bearing;
    }
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
