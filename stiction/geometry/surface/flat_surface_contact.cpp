// Boxes, hulls and the discs of cylinders on a surface of triangles.

#include <algorithm>
#include <cmath>
#include <limits>

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/polytope/raise_weights.h"
#include "stiction/geometry/surface/facet_outline.h"
#include "stiction/geometry/surface/incident_faces.h"
#include "stiction/geometry/surface/surface_contact.h"

namespace stiction {
namespace {

// Of an edge: how far beyond their ends two edges may cross; the weight of their axis fades out over it.
constexpr double kBeyondEnd = 0.1;

// Where the thickness above a face is probed: fraction of the distance from its deepest corner to its centre.
constexpr double kInward = 0.2;
// Outlines narrower than this share of the face and of the depth fade.
constexpr double kStrip = 0.1;
// Faces with a smaller cosine to the facet are steep: as they are flat only to 1e-6 of the size
// (convex_hull.h), their heights along the normal are uncertain by more than that.
constexpr double kSteep = 0.5;
// Facets with more triangles than this are not tested for being out of reach.
constexpr int kFewTriangles = 4;
// Directions this close to the boundary of a normal cone belong to it.
constexpr double kConeSlack = 1e-9;

// The contact points of one face and one facet.
struct Contribution {
  int facet = 0, face = 0;
  double blend = 1.0, area = 0.0, depth = 0.0;  // area: the part of the face above the facet
  std::size_t begin = 0, end = 0;
};

// A better axis at a corner of the outline that lies on the border of the facet.
struct Axis {
  double strength = 0.0;  // 0: none
  SurfacePoint point;
};

struct Scratch {
  std::vector<IncidentFace> faces;  // of the shape; of a cylinder one disc
  std::uint64_t call = 0;
  std::vector<IncidentShare> shares;
  ProjectedFace projected;
  Outline outline;
  std::vector<Contribution> contributions;
  std::vector<SurfacePoint> points;
  std::vector<SurfacePoint> places;  // of the corners of the outline
  std::vector<WeighedCorner> weights;
};

class FlatContact {
 public:
  FlatContact(const ConvexOnSurface& body, const MeshRegion& region, Scratch* scratch)
      : body_(body),
        region_(region),
        radius_(core_radius(body.shape)),
        faces_(scratch->faces),
        call_(++scratch->call),
        shares_(scratch->shares),
        projected_(scratch->projected),
        outline_(scratch->outline),
        contributions_(scratch->contributions),
        points_(scratch->points),
        places_(scratch->places),
        weights_(scratch->weights) {}

  void collide() {
    contributions_.clear();
    points_.clear();
    const std::size_t count = body_.shape.polytope ? body_.shape.polytope->faces.size() : 1;
    if (faces_.size() < count) faces_.resize(count);
    const bool is_box = body_.shape.kind == ShapeKind::box && radius_ == 0.0;
    for (std::size_t i = 0; i < region_.facets.size(); ++i) {
      const CoplanarFacet& facet = region_.facets[i];
      const bool misses = is_box ? box_misses(body_, region_, facet) : body_.lowest(facet) > body_.margin;
      if (misses) continue;
      is_checked_ = false;
      if (body_.shape.kind == ShapeKind::cylinder) {
        const double c = std::abs(body_.X_SA.R.col(2).dot(facet.normal));
        if (!(c > kDiscBegin)) continue;
        fill_disc(body_.shape, body_.X_SA, facet.normal, &faces_[0]);
        add(static_cast<int>(i), faces_[0], std::min(1.0, (c - kDiscBegin) / kDiscWidth));
        continue;
      }
      find_incident_faces(*body_.shape.polytope, body_.X_SA.R, facet.normal, &shares_);
      for (const IncidentShare& share : shares_) add(static_cast<int>(i), face_of(share.face), share.blend);
    }
    share();
  }

 private:
  const IncidentFace& face_of(int f) {
    IncidentFace& face = faces_[f];
    if (face.call != call_) fill_face(*body_.shape.polytope, body_.X_SA, f, &face);
    face.call = call_;
    return face;
  }

  // Whether the facet acts on the shape; evaluated at most once, when first needed.
  bool acts(const CoplanarFacet& facet) {
    if (!is_checked_) acts_ = acts_on(region_, facet, body_);
    is_checked_ = true;
    return acts_;
  }

  // Whether the plane of the face is beyond the margin above the whole facet.
  bool is_out_of_reach(const CoplanarFacet& facet, const IncidentFace& face, double slope) const {
    if (facet.end - facet.begin > kFewTriangles) return false;
    // (offset + radius - normal . x)/slope <= margin at some corner x; the slope is negative.
    const double least = face.offset + radius_ - slope * body_.margin;
    for (int t = facet.begin; t < facet.end; ++t)
      for (const Vec3& x : region_.triangles[t].corners)
        if (face.normal.dot(x) <= least) return false;
    return true;
  }

  void add(int index, const IncidentFace& face, double blend) {
    const CoplanarFacet& facet = region_.facets[index];
    const double slope = face.normal.dot(facet.normal);  // negative
    if (!(slope < 0.0) || is_out_of_reach(facet, face, slope)) return;
    // Seen along the facet's normal, a face that faces down is clockwise: take its corners in reverse.
    const int n = static_cast<int>(face.corners.size());
    projected_.x.resize(n), projected_.y.resize(n);
    for (int i = 0; i < n; ++i) {
      projected_.x[i] = facet.x(face.corners[n - 1 - i]);
      projected_.y[i] = facet.y(face.corners[n - 1 - i]);
    }
    projected_.rise_x = -face.normal.dot(facet.t1) / slope,
    projected_.rise_y = -face.normal.dot(facet.t2) / slope;
    intersect(region_, facet, projected_, &outline_);
    if (outline_.corners.empty() || !(outline_.length > 0.0) || !acts(facet)) return;

    Contribution c{index, face.id, blend, outline_.area / -slope, 0.0, points_.size(), 0};
    SurfacePoint lowest;
    lowest.distance = std::numeric_limits<double>::infinity();
    const std::size_t corners = outline_.corners.size();
    places_.resize(corners), weights_.resize(corners);
    for (std::size_t i = 0; i < corners; ++i) {
      places_[i] = face_point(facet, face, outline_.corners[i]);
      weights_[i] = {outline_.corners[i].length / outline_.length, 0.0, 0.0};
      if (places_[i].distance < lowest.distance) lowest = places_[i];
    }
    raise(face, lowest.distance);
    for (std::size_t i = 0; i < corners; ++i) {
      const OutlineCorner& corner = outline_.corners[i];
      const double weight = weights_[i].weight;
      SurfacePoint point = places_[i];
      if (!(point.distance <= body_.margin)) continue;
      point.weight = weight;
      if (point.distance < 0.0 && corner.borders > 0) {
        Axis axis = better_axis(facet, face, corner);
        if (axis.strength > 0.0) {
          const double gives = axis.strength * (1.0 - ramp_share(-point.distance, -axis.point.distance));
          axis.point.weight = gives * weight;
          point.weight = (1.0 - gives) * weight;
          if (axis.point.weight > 0.0) points_.push_back(axis.point);
        }
      }
      if (point.weight > 0.0) points_.push_back(point);
    }
    c.end = points_.size();
    c.depth = -lowest.distance;
    const double keeps = ramp_share(c.depth, distance_over_boundary(facet)) * strip_share(face, c) *
                         chord_share(facet, face, lowest.p);
    for (std::size_t i = c.begin; i < c.end; ++i) points_[i].weight *= keeps;
    if (!(keeps > 0.0)) points_.resize(c.begin);
    if (points_.size() > c.begin) {
      reduce(c.begin, static_cast<std::size_t>(body_.max_points), &points_);
      c.end = points_.size();
      contributions_.push_back(c);
    }
  }

  // The least total weight of the corners of the outline, that of the shape's deepest vertex: raise_weights.h.
  void raise(const IncidentFace& face, double lowest) {
    if (body_.shape.polytope == nullptr) return;
    const Polytope& P = *body_.shape.polytope;
    const double window = std::max(-lowest, kLeastWindow);
    const int n = projected_.size();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const OutlineCorner& corner = outline_.corners[i];
      double& least = weights_[i].least;
      weights_[i].inside = 1.0 - (places_[i].distance - lowest) / window;
      if (!(weights_[i].inside > 0.0)) continue;
      if (corner.what == OutlineCorner::What::corner) {
        least = P.least.of_vertex[face.vertices[n - 1 - corner.side]];
        continue;
      }
      for (int k = 0; k < n; ++k) {
        const double distance = std::hypot(projected_.x[k] - corner.x, projected_.y[k] - corner.y);
        if (distance < window)
          least = std::max(least, least_beside(P, face.vertices[n - 1 - k], distance, window));
      }
    }
    raise_weights(weights_.data(), static_cast<int>(weights_.size()));
  }

  // A shape that passes below the facet outside of the solid does not touch it: from near its deepest point,
  // its extent along the normal must reach up to the facet. A height field has no underside.
  double chord_share(const CoplanarFacet& facet, const IncidentFace& face, const Vec3& lowest) const {
    const double depth = -facet.height(lowest);
    if (region_.field != nullptr || !(depth > 0.0) || body_.shape.polytope == nullptr) return 1.0;
    const Vec3 deepest = lowest + radius_ * facet.normal;
    Vec3 middle = Vec3::Zero();
    for (const Vec3& corner : face.corners) middle += corner / static_cast<double>(face.corners.size());
    const Mat3 R_AS = body_.X_SA.R.transpose();
    const Vec3 p = R_AS * (deepest + kInward * (middle - deepest) - body_.X_SA.p), n = R_AS * facet.normal;
    double chord = std::numeric_limits<double>::infinity();
    for (const PolytopeFace& f : body_.shape.polytope->faces) {
      const double rate = f.normal.dot(n);
      if (rate > 0.0) chord = std::min(chord, (f.offset - f.normal.dot(p)) / rate);
    }
    return std::clamp(2.0 * (chord + 2.0 * radius_) / depth - 1.0, 0.0, 1.0);
  }

  // An outline that is a strip, much narrower than the face and than the depth, is about to vanish sideways:
  // its weight goes to zero with its width.
  double strip_share(const IncidentFace& face, const Contribution& c) const {
    const double width = 2.0 * c.area / outline_.length, whole = 2.0 * face.area / face.length;
    const double narrow = kStrip * std::min(whole, c.depth);
    return narrow > 0.0 ? std::clamp(width / narrow, 0.0, 1.0) : 1.0;
  }

  // How far the projected face must move to leave the facet over a boundary of the surface.
  double distance_over_boundary(const CoplanarFacet& facet) const {
    double least = std::numeric_limits<double>::infinity();
    for (const OutlineCorner& corner : outline_.corners) {
      for (int k = 0; k < corner.borders; ++k) {
        const RegionTriangle& t = region_.triangles[corner.triangle[k]];
        const int i = corner.border_side[k];
        if (t.kinds[i] != SideKind::boundary) continue;
        const Vec3& v = t.corners[i];
        const Vec3 inward = facet.normal.cross(t.corners[i == 2 ? 0 : i + 1] - v).normalized();
        const double x = facet.x(inward), y = facet.y(inward), at = inward.dot(v);
        double way = 0.0;
        for (int j = 0; j < projected_.size(); ++j)
          way = std::max(way, x * projected_.x[j] + y * projected_.y[j] - at);
        least = std::min(least, way);
      }
    }
    return least;
  }

  SurfacePoint face_point(const CoplanarFacet& facet, const IncidentFace& face,
                          const OutlineCorner& corner) const {
    SurfacePoint point;
    point.normal = facet.normal;
    point.facet = static_cast<int>(&facet - region_.facets.data());
    const int n = static_cast<int>(face.corners.size());
    if (corner.what == OutlineCorner::What::corner) {
      const int i = n - 1 - corner.side;
      const double height = facet.height(face.corners[i]);
      point.p = face.corners[i] - radius_ * facet.normal;
      point.distance = height - radius_;
      point.feature = pair_feature(face.corner_kind, face.vertices[i], FeatureKind::face, facet.id);
      if (radius_ > 0.0) put_on_shape(&point);
      return point;
    }
    bool is_moved = false;
    const Vec3 x = place_of(facet, corner, &is_moved);
    const double height = face.height_along(x, facet.normal);
    point.p = x + (height - radius_) * facet.normal;
    point.distance = height - radius_;
    const RegionTriangle& t = region_.triangles[corner.triangle[0]];
    if (corner.what == OutlineCorner::What::crossing) {
      const int edge = 2 * t.edges[corner.border_side[0]] + (t.owns_edge(corner.border_side[0]) ? 0 : 1);
      point.feature =
          pair_feature(FeatureKind::edge, face.edges[edge_of(face, corner.side)], FeatureKind::face, edge);
    } else {
      // Hash a vertex and a facet into one id of 30 bits.
      const std::uint64_t both =
          static_cast<std::uint64_t>(corner.side) << 32 | static_cast<std::uint32_t>(facet.id);
      const auto mixed = static_cast<int>((both ^ both >> 29) * 0x9e3779b97f4a7c15u >> 34);
      point.feature = pair_feature(FeatureKind::face, face.id, FeatureKind::face, mixed);
    }
    if (radius_ > 0.0 || is_moved || face.normal.dot(facet.normal) > -kSteep) put_on_shape(&point);
    return point;
  }

  // The position of a corner on the surface, and whether it was moved away from where the two outlines cross.
  Vec3 place_of(const CoplanarFacet& facet, const OutlineCorner& corner, bool* is_moved) const {
    const Vec3 x = facet.offset * facet.normal + corner.x * facet.t1 + corner.y * facet.t2;
    if (corner.what != OutlineCorner::What::crossing) return x;
    return on_triangle(region_, corner.triangle[0], corner.border_side[0], x, is_moved);
  }

  // Except at the lowest point of a face, the surface of a rounded shape is farther below it than its radius;
  // and the heights of a steep face are uncertain due to round-off.
  void put_on_shape(SurfacePoint* point) const {
    const Vec3 x = point->p - point->distance * point->normal;
    if (!body_.find_lowest_on_line(x, point->normal, point))
      point->distance = std::numeric_limits<double>::infinity();
  }

  // Side s of the projected face is the side of the face that begins at its corner n - 2 - s.
  static int edge_of(const IncidentFace& face, int side) {
    const int n = static_cast<int>(face.corners.size());
    return (2 * n - 2 - side) % n;
  }

  Axis better_axis(const CoplanarFacet& facet, const IncidentFace& face, const OutlineCorner& corner) const {
    const RegionTriangle& t = region_.triangles[corner.triangle[0]];
    if (corner.what == OutlineCorner::What::vertex) {
      const Vec3 m = -face.normal;
      const int place = t.vertices[0] == corner.side ? 0 : t.vertices[1] == corner.side ? 1 : 2;
      const Vec3& v = t.corners[place];
      if (is_peak(region_, corner.side, v, m))
        return settled(v, m, 1.0, pair_feature(FeatureKind::face, face.id, FeatureKind::vertex, corner.side));
      Axis axis;
      for (int k = 0; k < corner.borders; ++k) {
        const Axis other = edge_axis(facet, face, corner, k);
        if (other.strength > 0.0 && (!(axis.strength > 0.0) || other.point.distance > axis.point.distance))
          axis = other;
      }
      return axis;
    }
    return edge_axis(facet, face, corner, 0);
  }

  // The axis m through the point x of the surface.
  Axis settled(const Vec3& x, const Vec3& m, double strength, std::uint64_t feature) const {
    Axis axis;
    if (body_.find_lowest_on_line(x, m, &axis.point)) axis.strength = strength;
    axis.point.feature = feature;
    return axis;
  }

  // The axis perpendicular to border side k of the corner and to an edge of the shape, or the face's normal.
  Axis edge_axis(const CoplanarFacet& facet, const IncidentFace& face, const OutlineCorner& corner,
                 int k) const {
    const RegionTriangle& t = region_.triangles[corner.triangle[k]];
    const int i = corner.border_side[k];
    if (t.kinds[i] != SideKind::convex) return {};
    const Vec3& v = t.corners[i];
    const Vec3 e = (t.corners[i == 2 ? 0 : i + 1] - v).normalized();
    const Vec3 into_this = facet.normal.cross(e), into_other = e.cross(t.across[i]);
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
          // The nearest points of the two lines v + s e and a + u d; their difference is along m.
          const Vec3 w = a - v;
          const double ed = e.dot(d), we = w.dot(e), wd = w.dot(d);
          const double s = (we - ed * wd) / (1.0 - ed * ed), u = (ed * we - wd) / (1.0 - ed * ed);
          // Nearly parallel edges may cross far beyond their ends.
          const double length_e = (t.corners[i == 2 ? 0 : i + 1] - v).norm(), length_d = (b - a).norm();
          const auto beyond = [](double at, double length) { return std::max(-at, at - length) / length; };
          const double strength = 1.0 - std::max(beyond(s, length_e), beyond(u, length_d)) / kBeyondEnd;
          return settled(v + std::clamp(s, 0.0, length_e) * e, m, std::min(strength, 1.0),
                         pair_feature(FeatureKind::edge, face.edges[side], FeatureKind::edge, t.edges[i]));
        }
      }
    }
    Vec3 m = -face.normal + face.normal.dot(e) * e;
    const double length = m.norm();
    if (!(length > 1e-6)) return {};
    m /= length;
    if (!is_between(m)) return {};
    bool is_moved = false;
    const Vec3 x = place_of(facet, corner, &is_moved);
    const int name = crosses ? face.edges[side] : corner.side;
    return settled(
        x, m, 1.0,
        pair_feature(crosses ? FeatureKind::edge : FeatureKind::smooth, name, FeatureKind::edge, t.edges[i]));
  }

  // The share of each facet under a face.
  void share() {
    const double least = 1e-14 * region_.size;
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

  const ConvexOnSurface& body_;
  const MeshRegion& region_;
  double radius_;
  std::vector<IncidentFace>& faces_;
  std::uint64_t call_;
  std::vector<IncidentShare>& shares_;
  bool is_checked_ = false, acts_ = false;  // for the current facet
  ProjectedFace& projected_;
  Outline& outline_;
  std::vector<Contribution>& contributions_;
  std::vector<SurfacePoint>& points_;
  std::vector<SurfacePoint>& places_;
  std::vector<WeighedCorner>& weights_;
};

}  // namespace

void collide_flat_faces(const ConvexOnSurface& body, const MeshRegion& region,
                        std::vector<SurfacePoint>* out) {
  thread_local Scratch scratch;
  FlatContact(body, region, &scratch).collide();
  out->insert(out->end(), scratch.points.begin(), scratch.points.end());
}

}  // namespace stiction
