#include "stiction/geometry/convex/epa.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stiction {
namespace {

constexpr int kMaxVertices = 96;
constexpr int kMaxFaces = 2 * kMaxVertices;  // a closed surface of V vertices has 2 V - 4 triangles
constexpr int kMaxHorizon = kMaxVertices;
// Relative to the sizes: a point this close to the plane of a face lies on it (round-off of a product).
constexpr double kPlaneError = 1e-14;

struct Face {
  std::array<int, 3> v{};
  Vec3 m = Vec3::Zero();  // unit, outward
  double t = 0.0;         // m . x of its plane
};

struct Growing {
  std::array<GjkVertex, kMaxVertices> vertices;
  std::array<Vec3, kMaxVertices> w;
  std::array<Face, kMaxFaces> faces;
  int num_vertices = 0, num_faces = 0;

  void add(const GjkVertex& vertex) {
    vertices[num_vertices] = vertex;
    w[num_vertices++] = vertex.b - vertex.a;
  }

  bool add_face(int a, int b, int c) {
    if (num_faces == kMaxFaces) return false;
    Face& face = faces[num_faces];
    face.v = {a, b, c};
    face.m = (w[b] - w[a]).cross(w[c] - w[a]);
    const double area = face.m.norm();
    if (!(area > 0.0)) return false;
    face.m /= area;
    // The origin is inside: a slightly negative distance is round-off and becomes zero.
    face.t = std::max(0.0, face.m.dot(w[a]));
    ++num_faces;
    return true;
  }

  int nearest_face() const {
    int best = 0;
    for (int f = 1; f < num_faces; ++f)
      if (faces[f].t < faces[best].t) best = f;
    return best;
  }

  // Among the faces nearer than the depth, those along whose normals the support is least, with normals that
  // differ. `support`: the support difference along a normal.
  template <class Support>
  void add_others(const Support& support, EpaResult* result) const {
    constexpr double kApart = 0.005;  // 1 - cosine of 0.1 rad
    struct Candidate {
      double reach;  // m
      int face;
    };
    std::array<Candidate, kMaxFaces> candidates;
    int count = 0;
    for (int f = 0; f < num_faces; ++f) {
      if (!(faces[f].t < result->depth)) continue;
      const GjkVertex farthest = support(faces[f].m, vertices[faces[f].v[0]]);
      candidates[count++] = {faces[f].m.dot(farthest.b - farthest.a), f};
    }
    std::sort(candidates.begin(), candidates.begin() + count, [](const Candidate& x, const Candidate& y) {
      return x.reach != y.reach ? x.reach < y.reach : x.face < y.face;
    });
    const auto is_new = [&](const Vec3& n) {
      bool near = n.dot(result->normal) > 1.0 - kApart;
      for (int i = 0; i < result->num_others; ++i) near = near || n.dot(result->others[i]) > 1.0 - kApart;
      return !near;
    };
    for (int i = 0; i < count && result->num_others < EpaResult::kMaxOthers; ++i) {
      const Vec3 n = -faces[candidates[i].face].m;
      if (is_new(n)) result->others[result->num_others++] = n;
    }
  }

  // Replaces all faces visible from the last vertex by the cone from it to their outline (horizon). False if
  // round-off leaves no outline.
  bool expand(double plane_error) {
    const int apex = num_vertices - 1;
    std::array<std::array<int, 2>, kMaxHorizon> horizon;
    int sides = 0;
    for (int f = 0; f < num_faces;) {
      const Face face = faces[f];
      if (face.m.dot(w[apex] - w[face.v[0]]) <= plane_error) {
        ++f;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        const int a = face.v[k], b = face.v[(k + 1) % 3];
        // A side between two removed faces is not part of the outline.
        int same = -1;
        for (int i = 0; i < sides && same < 0; ++i)
          if (horizon[i][0] == b && horizon[i][1] == a) same = i;
        if (same >= 0) {
          horizon[same] = horizon[--sides];
        } else if (sides < kMaxHorizon) {
          horizon[sides++] = {a, b};
        } else {
          return false;
        }
      }
      faces[f] = faces[--num_faces];
    }
    if (sides < 3) return false;
    for (int i = 0; i < sides; ++i)
      if (!add_face(horizon[i][0], horizon[i][1], apex)) return false;
    return true;
  }
};

}  // namespace

EpaResult epa_depth(const CollisionShape& A, const CollisionShape& B, const Pose& X_AB,
                    const GjkResult& start, double tolerance) {
  const double size = core_extent(A) + core_extent(B);
  const double plane_error = kPlaneError * size;
  const auto support = [&](const Vec3& m, const GjkVertex& hint) {
    return support_difference(A, B, X_AB, -m, hint);
  };
  Growing polytope;
  for (int i = 0; i < start.size; ++i) polytope.add(start.simplex[i]);

  // A simplex of fewer than four corners already contains the origin: grow it to a tetrahedron.
  const auto try_add = [&](const Vec3& m, const auto& is_new) {
    const GjkVertex vertex = support(m, polytope.vertices[0]);
    if (!is_new(Vec3(vertex.b - vertex.a))) return false;
    polytope.add(vertex);
    return true;
  };
  const double least = 1e-9 * size;  // a corner that adds less than this adds nothing
  const auto& w = polytope.w;
  for (int i = 0; i < 6 && polytope.num_vertices == 1; ++i)
    try_add((i % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(i / 2),
            [&](const Vec3& x) { return (x - w[0]).norm() > least; });
  if (polytope.num_vertices == 2) {
    const Vec3 edge = (w[1] - w[0]).normalized();
    const Mat3 frame = frame_with_z(edge);
    for (int i = 0; i < 4 && polytope.num_vertices == 2; ++i)
      try_add((i < 2 ? 1.0 : -1.0) * frame.col(i % 2),
              [&](const Vec3& x) { return (x - w[0]).cross(edge).norm() > least; });
  }
  if (polytope.num_vertices == 3) {
    const Vec3 m = (w[1] - w[0]).cross(w[2] - w[0]).normalized();
    for (const double sign : {1.0, -1.0}) {
      if (polytope.num_vertices == 3)
        try_add(sign * m, [&](const Vec3& x) { return std::abs(m.dot(x - w[0])) > least; });
    }
  }
  EpaResult result;
  result.depth = std::numeric_limits<double>::infinity();
  bool is_closed = polytope.num_vertices == 4;
  if (is_closed) {
    const double volume = (w[1] - w[0]).dot((w[2] - w[0]).cross(w[3] - w[0]));
    const bool right = volume > 0.0;  // seen from corner 3, the triangle 0 1 2 is clockwise
    is_closed = polytope.add_face(0, right ? 2 : 1, right ? 1 : 2) &&
                polytope.add_face(0, right ? 1 : 3, right ? 3 : 1) &&
                polytope.add_face(1, right ? 2 : 3, right ? 3 : 2) &&
                polytope.add_face(2, right ? 0 : 3, right ? 3 : 0);
  }
  if (!is_closed) {
    // The Minkowski difference has no volume: any direction will do.
    result.depth = 0.0;
    result.normal = start.normal;
    return result;
  }

  for (;; ++result.iterations) {
    const Face face = polytope.faces[polytope.nearest_face()];
    result.lower_bound = face.t;
    const GjkVertex next = support(face.m, polytope.vertices[face.v[0]]);
    const double reach = face.m.dot(next.b - next.a);
    if (reach < result.depth) {
      result.depth = reach;
      result.normal = -face.m;
      for (int i = 0; i < 3; ++i) result.face[i] = polytope.vertices[face.v[i]];
    }
    if (result.depth - face.t <= tolerance * result.depth || polytope.num_vertices == kMaxVertices) break;
    if (reach - face.t <= plane_error) break;
    polytope.add(next);
    if (!polytope.expand(plane_error)) break;
  }
  polytope.add_others(support, &result);
  return result;
}

}  // namespace stiction
