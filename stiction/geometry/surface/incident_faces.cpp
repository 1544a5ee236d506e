#include "stiction/geometry/surface/incident_faces.h"

#include <algorithm>
#include <cmath>

#include "stiction/geometry/simd/pose_packs.h"

namespace stiction {
namespace {

// Faces share a facet while their alignments differ by less than this fraction of the difference made by a
// rotation from one normal to the other.
constexpr double kFaceWindow = 0.1;

}  // namespace

void fill_face(const Polytope& P, const Pose& X_SA, int f, IncidentFace* out) {
  const PolytopeFace& face = P.faces[f];
  out->id = f;
  out->corner_kind = FeatureKind::vertex;
  out->normal = X_SA.R * face.normal;
  out->corners.clear(), out->vertices.clear(), out->edges.clear(), out->across.clear();
  for (int k = face.begin; k < face.end; ++k) {
    out->corners.push_back(X_SA * P.vertices[P.corner_vertex[k]]);
    out->vertices.push_back(P.corner_vertex[k]);
    out->edges.push_back(P.corner_edge[k]);
    out->across.push_back(X_SA.R * P.faces[P.corner_across[k]].normal);
  }
  out->offset = face.offset + out->normal.dot(X_SA.p);
  Vec3 area = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < out->corners.size(); ++k)
    area += (out->corners[k] - out->corners[0]).cross(out->corners[k + 1] - out->corners[0]);
  out->area = 0.5 * area.norm();
  out->length = 0.0;
  for (std::size_t k = 0; k < out->corners.size(); ++k)
    out->length += (out->corners[k + 1 == out->corners.size() ? 0 : k + 1] - out->corners[k]).norm();
}

void find_incident_faces(const Polytope& P, const Mat3& R_SA, const Vec3& n,
                         std::vector<IncidentShare>* out) {
  const Vec3 down = -(R_SA.transpose() * n);
  const int best = most_aligned_face(P, down);
  const Vec3& normal = P.faces[best].normal;
  const double alignment = normal.dot(down);
  out->assign(1, {best, 1.0});
  double sum = 1.0;
  for (int k = P.faces[best].begin; k < P.faces[best].end; ++k) {
    const int other = P.corner_across[k];
    const Vec3& m = P.faces[other].normal;
    const double window = kFaceWindow * (1.0 - normal.dot(m));
    const double blend = 1.0 - (alignment - m.dot(down)) / window;
    if (!(blend > 0.0) || !(m.dot(down) > 0.0)) continue;
    out->push_back({other, blend});
    sum += blend;
  }
  for (IncidentShare& share : *out) share.blend /= sum;
}

void fill_disc(const CollisionShape& shape, const Pose& X_SA, const Vec3& n, IncidentFace* out) {
  const Vec3 axis = X_SA.R.col(2);
  const int disc = axis.dot(n) < 0.0 ? 1 : 0;  // the one that faces down: 1 is the upper
  IncidentFace& face = *out;
  face.id = disc;
  face.normal = disc == 1 ? axis : Vec3(-axis);
  const Vec3 middle = X_SA.p + shape.size[1] * face.normal;
  face.offset = face.normal.dot(middle);
  face.area = 2.0 * shape.size[0] * shape.size[0];
  face.length = 4.0 * std::sqrt(2.0) * shape.size[0];
  const Vec3 low = lowest_across(axis, n, X_SA.R.col(0));
  const Vec3 side = face.normal.cross(low);
  face.corner_kind = FeatureKind::edge;
  face.corners.clear(), face.vertices.clear(), face.edges.clear(), face.across.clear();
  for (int k = 0; k < 4; ++k) {
    const Vec3 d = k == 0 ? low : k == 1 ? side : k == 2 ? Vec3(-low) : Vec3(-side);
    face.corners.push_back(middle + shape.size[0] * d);
    face.vertices.push_back(4 * disc + k);
    face.edges.push_back(8 + 4 * disc + k);
    face.across.push_back(Vec3::Zero());
  }
}

bool box_misses(const ConvexOnSurface& body, const MeshRegion& region, const CoplanarFacet& facet) {
  using simd::Pack;
  constexpr int kMostTriangles = 4;  // larger facets are mostly in contact
  constexpr double kSlack = 1e-11;   // of the size: ten times the band of facet_outline.h
  const Pose& X = body.X_SA;
  const Vec3& b = body.shape.size;
  const Vec3 n = (X.R.transpose() * facet.normal).cwiseAbs();
  const double lowest = facet.height(X.p) - b.dot(n);
  if (lowest > body.margin) return true;
  if (facet.end - facet.begin > kMostTriangles) return false;
  const double farthest = std::max(body.margin, -lowest);
  const Vec3 limit = b + farthest * n + Vec3::Constant(kSlack * (region.size + X.p.norm()));
  for (int t = facet.begin; t < facet.end; ++t) {
    const std::array<Vec3, 3>& c = region.triangles[t].corners;
    const Pack x = Pack{c[0].x(), c[1].x(), c[2].x(), c[2].x()} - X.p.x(),
               y = Pack{c[0].y(), c[1].y(), c[2].y(), c[2].y()} - X.p.y(),
               z = Pack{c[0].z(), c[1].z(), c[2].z(), c[2].z()} - X.p.z();
    bool misses = false;
    for (int k = 0; k < 3; ++k) {
      const Pack at = X.R(0, k) * x + X.R(1, k) * y + X.R(2, k) * z;
      misses |= simd::lane_bits(at > simd::broadcast(limit[k])) == 0xfu ||
                simd::lane_bits(at < simd::broadcast(-limit[k])) == 0xfu;
    }
    if (!misses) return false;
  }
  return true;
}

}  // namespace stiction
