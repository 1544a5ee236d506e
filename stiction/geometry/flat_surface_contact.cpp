// Boxes, hulls and the discs of cylinders on a surface of triangles.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stiction/geometry/patch_outline.h"
#include "stiction/geometry/polytope.h"
#include "stiction/geometry/support.h"
#include "stiction/geometry/surface_contact.h"

namespace stiction {
namespace {

// Of an edge: how far beyond its ends two edges may still meet.
constexpr double kBeyondEnd = 0.1;

// Faces share a patch while their alignments differ by less than this share of the difference that a turn
// from one normal to the other makes.
constexpr double kFaceWindow = 0.1;
// How far from its deepest corner towards its middle a face is probed for what is above it.
constexpr double kInward = 0.2;
// Outlines narrower than this share of the face and of the depth fade.
constexpr double kStrip = 0.1;
// Directions this near to the border of a normal cone belong to it.
constexpr double kConeSlack = 1e-9;

// A face of the shape in S.
struct IncidentFace {
  int id = 0;
  double blend = 1.0;
  Vec3 normal = Vec3::Zero();
  double offset = 0.0, area = 0.0;
  FeatureKind corner_kind = FeatureKind::vertex;
  std::vector<Vec3> corners;         // counter-clockwise seen from outside
  std::vector<int> vertices, edges;  // names
  std::vector<Vec3> across;          // normals of the faces beyond the sides; zero: none

  double height_along(const Vec3& x, const Vec3& m) const { return (offset - normal.dot(x)) / normal.dot(m); }
};

// All faces that look along -n, with blends that sum to one.
struct IncidentFaces {
  std::vector<IncidentFace> faces;
  int count = 0;

  IncidentFace& add() {
    if (count == static_cast<int>(faces.size())) faces.emplace_back();
    return faces[count++];
  }
};

void fill(const Polytope& P, const Pose& X_SA, int f, double blend, IncidentFace* out) {
  const PolytopeFace& face = P.faces[f];
  out->id = f;
  out->blend = blend;
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
}

void polytope_faces(const Polytope& P, const Pose& X_SA, const Vec3& n, IncidentFaces* out) {
  const Vec3 down = -(X_SA.R.transpose() * n);
  const int best = most_aligned_face(P, down);
  const Vec3& normal = P.faces[best].normal;
  const double alignment = normal.dot(down);
  fill(P, X_SA, best, 1.0, &out->add());
  double sum = 1.0;
  for (int k = P.faces[best].begin; k < P.faces[best].end; ++k) {
    const int other = P.corner_across[k];
    const Vec3& m = P.faces[other].normal;
    const double window = kFaceWindow * (1.0 - normal.dot(m));
    const double blend = 1.0 - (alignment - m.dot(down)) / window;
    if (!(blend > 0.0) || !(m.dot(down) > 0.0)) continue;
    fill(P, X_SA, other, blend, &out->add());
    sum += blend;
  }
  for (int i = 0; i < out->count; ++i) out->faces[i].blend /= sum;
}

// The square of four rim points: the lowest, its opposite and the two across.
void disc_face(const CollisionShape& shape, const Pose& X_SA, const Vec3& n, IncidentFaces* out) {
  const Vec3 axis = X_SA.R.col(2);
  const double c = axis.dot(n);
  const double blend = std::clamp((std::abs(c) - kDiscBegin) / kDiscWidth, 0.0, 1.0);
  if (blend == 0.0) return;
  const int disc = c < 0.0 ? 1 : 0;  // the one that looks down: 1 is the upper
  IncidentFace& face = out->add();
  face.id = disc;
  face.blend = blend;
  face.normal = disc == 1 ? axis : Vec3(-axis);
  const Vec3 middle = X_SA.p + shape.size[1] * face.normal;
  face.offset = face.normal.dot(middle);
  face.area = 2.0 * shape.size[0] * shape.size[0];
  Vec3 low = -(n - c * axis);
  const double length = low.norm();
  low = length > 1e-12 ? Vec3(low / length) : Vec3(X_SA.R.col(0));
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

// The points of one face and one patch.
struct Contribution {
  int patch = 0, face = 0;
  double blend = 1.0, area = 0.0, depth = 0.0;  // area: the part of the face above the patch
  std::size_t begin = 0, end = 0;
};

// A better axis at a corner of the outline that lies on the border of the patch.
struct Axis {
  bool exists = false;
  SurfacePoint point;
};

struct Scratch {
  IncidentFaces faces;
  Shadow shadow;
  Outline outline;
  std::vector<Contribution> contributions;
  std::vector<SurfacePoint> points;
};

class FlatContact {
 public:
  FlatContact(const Visitor& visitor, const SurfacePiece& piece, Scratch* scratch)
      : visitor_(visitor),
        piece_(piece),
        radius_(core_radius(visitor.shape)),
        faces_(scratch->faces),
        shadow_(scratch->shadow),
        outline_(scratch->outline),
        contributions_(scratch->contributions),
        points_(scratch->points) {}

  void collide() {
    contributions_.clear();
    points_.clear();
    for (std::size_t i = 0; i < piece_.patches.size(); ++i) {
      const PiecePatch& patch = piece_.patches[i];
      if (visitor_.lowest(patch) > visitor_.margin || !acts_on(piece_, patch, visitor_)) continue;
      faces_.count = 0;
      if (visitor_.shape.kind == ShapeKind::cylinder)
        disc_face(visitor_.shape, visitor_.X_SA, patch.normal, &faces_);
      else
        polytope_faces(*visitor_.shape.polytope, visitor_.X_SA, patch.normal, &faces_);
      for (int f = 0; f < faces_.count; ++f) add(static_cast<int>(i), faces_.faces[f]);
    }
    share();
  }

 private:
  void add(int index, const IncidentFace& face) {
    const PiecePatch& patch = piece_.patches[index];
    const double slope = face.normal.dot(patch.normal);  // negative
    if (!(slope < 0.0)) return;
    // Seen along the patch's normal, a face that looks down runs clockwise: take its corners backwards.
    const int n = static_cast<int>(face.corners.size());
    shadow_.x.resize(n), shadow_.y.resize(n);
    for (int i = 0; i < n; ++i) {
      shadow_.x[i] = patch.x(face.corners[n - 1 - i]);
      shadow_.y[i] = patch.y(face.corners[n - 1 - i]);
    }
    shadow_.rise_x = -face.normal.dot(patch.t1) / slope, shadow_.rise_y = -face.normal.dot(patch.t2) / slope;
    intersect(piece_, patch, shadow_, &outline_);
    if (outline_.corners.empty() || !(outline_.length > 0.0)) return;

    Contribution c{index, face.id, face.blend, outline_.area / -slope, 0.0, points_.size(), 0};
    double lowest = std::numeric_limits<double>::infinity();
    for (const OutlineCorner& corner : outline_.corners) {
      const double weight = corner.length / outline_.length;
      SurfacePoint point = face_point(patch, face, corner);
      lowest = std::min(lowest, point.distance);
      if (!(point.distance <= visitor_.margin)) continue;
      point.weight = weight;
      if (point.distance < 0.0 && corner.borders > 0) {
        Axis axis = better_axis(patch, face, corner);
        if (axis.exists) {
          const double keeps = ramp_share(-point.distance, -axis.point.distance);
          axis.point.weight = (1.0 - keeps) * weight;
          point.weight = keeps * weight;
          if (axis.point.weight > 0.0) points_.push_back(axis.point);
        }
      }
      if (point.weight > 0.0) points_.push_back(point);
    }
    c.end = points_.size();
    c.depth = -lowest;
    const double keeps =
        ramp_share(c.depth, way_over_boundary(patch)) * strip_share(face, c) * chord_share(patch, face, c);
    for (std::size_t i = c.begin; i < c.end; ++i) points_[i].weight *= keeps;
    if (!(keeps > 0.0)) points_.resize(c.begin);
    if (points_.size() > c.begin) {
      reduce(c.begin, static_cast<std::size_t>(visitor_.max_points), &points_);
      c.end = points_.size();
      contributions_.push_back(c);
    }
  }

  // A shape that passes under the patch, beside the body, is not in it: its extent along the normal, seen
  // from near its deepest point, must reach up to the patch. A height field has no underside.
  double chord_share(const PiecePatch& patch, const IncidentFace& face, const Contribution& c) const {
    if (piece_.field != nullptr || !(c.depth > 0.0) || visitor_.shape.polytope == nullptr) return 1.0;
    Vec3 deepest = Vec3::Zero(), middle = Vec3::Zero();
    double lowest = std::numeric_limits<double>::infinity();
    for (const OutlineCorner& corner : outline_.corners) {
      const SurfacePoint point = face_point(patch, face, corner);
      if (point.distance < lowest) lowest = point.distance, deepest = point.p + radius_ * patch.normal;
    }
    for (const Vec3& corner : face.corners) middle += corner / static_cast<double>(face.corners.size());
    const Mat3 R_AS = visitor_.X_SA.R.transpose();
    const Vec3 p = R_AS * (deepest + kInward * (middle - deepest) - visitor_.X_SA.p), n = R_AS * patch.normal;
    double chord = std::numeric_limits<double>::infinity();
    for (const PolytopeFace& f : visitor_.shape.polytope->faces) {
      const double rate = f.normal.dot(n);
      if (rate > 0.0) chord = std::min(chord, (f.offset - f.normal.dot(p)) / rate);
    }
    return std::clamp(2.0 * (chord + 2.0 * radius_) / c.depth - 1.0, 0.0, 1.0);
  }

  // An outline that has shrunk to a strip, much narrower than the face and than the depth, is about to be
  // left sideways: its weight ends with its width.
  double strip_share(const IncidentFace& face, const Contribution& c) const {
    double length = 0.0;
    for (std::size_t i = 0; i < face.corners.size(); ++i)
      length += (face.corners[(i + 1) % face.corners.size()] - face.corners[i]).norm();
    const double width = 2.0 * c.area / outline_.length, whole = 2.0 * face.area / length;
    const double narrow = kStrip * std::min(whole, c.depth);
    return narrow > 0.0 ? std::clamp(width / narrow, 0.0, 1.0) : 1.0;
  }

  // How far the shadow must move to leave the patch over a boundary of the surface, where nothing is beyond.
  double way_over_boundary(const PiecePatch& patch) const {
    double least = std::numeric_limits<double>::infinity();
    for (const OutlineCorner& corner : outline_.corners) {
      for (int k = 0; k < corner.borders; ++k) {
        const PieceTriangle& t = piece_.triangles[corner.triangle[k]];
        const int i = corner.border_side[k];
        if (t.kinds[i] != SideKind::boundary) continue;
        const Vec3& v = t.corners[i];
        const Vec3 inward = patch.normal.cross(t.corners[i == 2 ? 0 : i + 1] - v).normalized();
        const double x = patch.x(inward), y = patch.y(inward), at = inward.dot(v);
        double way = 0.0;
        for (int j = 0; j < shadow_.size(); ++j)
          way = std::max(way, x * shadow_.x[j] + y * shadow_.y[j] - at);
        least = std::min(least, way);
      }
    }
    return least;
  }

  SurfacePoint face_point(const PiecePatch& patch, const IncidentFace& face,
                          const OutlineCorner& corner) const {
    SurfacePoint point;
    point.normal = patch.normal;
    point.patch = static_cast<int>(&patch - piece_.patches.data());
    const int n = static_cast<int>(face.corners.size());
    if (corner.what == OutlineCorner::What::corner) {
      const int i = n - 1 - corner.side;
      const double height = patch.height(face.corners[i]);
      point.p = face.corners[i] - radius_ * patch.normal;
      point.distance = height - radius_;
      point.feature = pair_feature(face.corner_kind, face.vertices[i], FeatureKind::face, patch.id);
      return point;
    }
    const Vec3 x = patch.offset * patch.normal + corner.x * patch.t1 + corner.y * patch.t2;
    const double height = face.height_along(x, patch.normal);
    point.p = x + (height - radius_) * patch.normal;
    point.distance = height - radius_;
    const PieceTriangle& t = piece_.triangles[corner.triangle[0]];
    if (corner.what == OutlineCorner::What::crossing) {
      const int edge = 2 * t.edges[corner.border_side[0]] + (t.names_side(corner.border_side[0]) ? 0 : 1);
      point.feature =
          pair_feature(FeatureKind::edge, face.edges[edge_of(face, corner.side)], FeatureKind::face, edge);
    } else {
      // A vertex and a patch in one name of 30 bits.
      const std::uint64_t both =
          static_cast<std::uint64_t>(corner.side) << 32 | static_cast<std::uint32_t>(patch.id);
      const auto mixed = static_cast<int>((both ^ both >> 29) * 0x9e3779b97f4a7c15u >> 34);
      point.feature = pair_feature(FeatureKind::face, face.id, FeatureKind::face, mixed);
    }
    return point;
  }

  // Side s of the shadow is the side of the face that begins at its corner n - 2 - s.
  static int edge_of(const IncidentFace& face, int side) {
    const int n = static_cast<int>(face.corners.size());
    return (2 * n - 2 - side) % n;
  }

  Axis better_axis(const PiecePatch& patch, const IncidentFace& face, const OutlineCorner& corner) const {
    const PieceTriangle& t = piece_.triangles[corner.triangle[0]];
    if (corner.what == OutlineCorner::What::vertex) {
      const Vec3 m = -face.normal;
      const int place = t.vertices[0] == corner.side ? 0 : t.vertices[1] == corner.side ? 1 : 2;
      const Vec3& v = t.corners[place];
      Axis axis;
      if (is_peak(piece_, corner.side, v, m)) {
        axis.exists = true;
        axis.point.normal = m;
        axis.point.distance = face.normal.dot(v) - face.offset - radius_;
        axis.point.p = v + axis.point.distance * m;
        axis.point.feature = pair_feature(FeatureKind::face, face.id, FeatureKind::vertex, corner.side);
        return axis;
      }
      for (int k = 0; k < corner.borders; ++k) {
        const Axis other = edge_axis(patch, face, corner, k);
        if (other.exists && (!axis.exists || other.point.distance > axis.point.distance)) axis = other;
      }
      return axis;
    }
    return edge_axis(patch, face, corner, 0);
  }

  // The axis across border side k of the corner: across an edge of the shape as well, or the face's own.
  Axis edge_axis(const PiecePatch& patch, const IncidentFace& face, const OutlineCorner& corner,
                 int k) const {
    Axis axis;
    const PieceTriangle& t = piece_.triangles[corner.triangle[k]];
    const int i = corner.border_side[k];
    if (t.kinds[i] != SideKind::convex) return axis;
    const Vec3& v = t.corners[i];
    const Vec3 e = (t.corners[i == 2 ? 0 : i + 1] - v).normalized();
    const Vec3 into_this = patch.normal.cross(e), into_other = e.cross(t.across[i]);
    const auto is_between = [&](const Vec3& m) {
      return m.dot(into_this) <= kConeSlack && m.dot(into_other) <= kConeSlack;
    };
    const bool crosses = corner.what == OutlineCorner::What::crossing;
    const int side = crosses ? edge_of(face, corner.side) : 0;
    if (crosses && !face.across[side].isZero(0.0)) {
      const int n = static_cast<int>(face.corners.size());
      const Vec3 &a = face.corners[side], &b = face.corners[(side + 1) % n];
      const Vec3 d = (b - a).normalized();
      Vec3 m = e.cross(d);
      const double sine = m.norm();
      if (sine > 1e-6) {
        m /= sine;
        if (m.dot(face.normal + face.across[side]) > 0.0) m = -m;
        const Vec3 into_face = face.normal.cross(d), into_across = d.cross(face.across[side]);
        if (is_between(m) && -m.dot(into_face) <= kConeSlack && -m.dot(into_across) <= kConeSlack) {
          // The nearest points of the two lines v + s e and a + u d; their way is along m.
          const Vec3 w = a - v;
          const double ed = e.dot(d), we = w.dot(e), wd = w.dot(d);
          const double s = (we - ed * wd) / (1.0 - ed * ed), u = (ed * we - wd) / (1.0 - ed * ed);
          // Nearly parallel edges may meet far beyond their ends.
          const double length_e = (t.corners[i == 2 ? 0 : i + 1] - v).norm(), length_d = (b - a).norm();
          const auto is_on = [](double at, double length) {
            return at >= -kBeyondEnd * length && at <= (1.0 + kBeyondEnd) * length;
          };
          if (!is_on(s, length_e) || !is_on(u, length_d)) return axis;
          const Vec3 x = v + s * e;
          axis.exists = true;
          axis.point.normal = m;
          axis.point.distance = m.dot(w) - radius_;
          axis.point.p = x + axis.point.distance * m;
          axis.point.feature =
              pair_feature(FeatureKind::edge, face.edges[side], FeatureKind::edge, t.edges[i]);
          return axis;
        }
      }
    }
    Vec3 m = -face.normal + face.normal.dot(e) * e;
    const double length = m.norm();
    if (!(length > 1e-6)) return axis;
    m /= length;
    if (!is_between(m)) return axis;
    const Vec3 x = patch.offset * patch.normal + corner.x * patch.t1 + corner.y * patch.t2;
    axis.exists = true;
    axis.point.normal = m;
    axis.point.distance = face.height_along(x, m) - radius_;
    axis.point.p = x + axis.point.distance * m;
    const int name = crosses ? face.edges[side] : corner.side;
    axis.point.feature =
        pair_feature(crosses ? FeatureKind::edge : FeatureKind::smooth, name, FeatureKind::edge, t.edges[i]);
    return axis;
  }

  // The share of each patch under a face.
  void share() {
    const double least = 1e-14 * piece_.size;
    for (const Contribution& c : contributions_) {
      double sum = 0.0;
      for (const Contribution& other : contributions_) {
        if (other.face != c.face) continue;
        sum += other.area * std::min(1.0, other.blend / c.blend) *
               std::min(1.0, std::max(other.depth, least) / std::max(c.depth, least));
      }
      const double s = c.blend * (sum > 0.0 ? c.area / sum : 1.0);
      for (std::size_t i = c.begin; i < c.end; ++i) points_[i].weight *= s;
    }
  }

  const Visitor& visitor_;
  const SurfacePiece& piece_;
  double radius_;
  IncidentFaces& faces_;
  Shadow& shadow_;
  Outline& outline_;
  std::vector<Contribution>& contributions_;
  std::vector<SurfacePoint>& points_;
};

}  // namespace

void collide_flat_faces(const Visitor& visitor, const SurfacePiece& piece, std::vector<SurfacePoint>* out) {
  thread_local Scratch scratch;
  FlatContact(visitor, piece, &scratch).collide();
  out->insert(out->end(), scratch.points.begin(), scratch.points.end());
}

}  // namespace stiction
