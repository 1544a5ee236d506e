#include "stiction/geometry/shape/collision_shape.h"

#include <cmath>
#include <limits>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void bound(const Vec3& centre, const Vec3& half, CollisionShape* out) {
  out->box_centre = centre;
  out->box_half = half;
  out->ball_radius = half.norm();
  out->thickness = 2.0 * half.minCoeff();
}

void bound(const Eigen::AlignedBox3d& box, CollisionShape* out) {
  bound(box.center(), 0.5 * box.sizes(), out);
}

void fill(const Sphere& s, CollisionShape* out) {
  out->size = Vec3(s.radius, 0.0, 0.0);
  bound(Vec3::Zero(), Vec3::Constant(s.radius), out);
  out->ball_radius = s.radius;
}

void fill(const Capsule& s, CollisionShape* out) {
  out->size = Vec3(s.radius, 0.5 * s.length, 0.0);
  bound(Vec3::Zero(), Vec3(s.radius, s.radius, 0.5 * s.length + s.radius), out);
  out->ball_radius = 0.5 * s.length + s.radius;
}

void fill(const Cylinder& s, CollisionShape* out) {
  out->size = Vec3(s.radius, 0.5 * s.length, 0.0);
  bound(Vec3::Zero(), Vec3(s.radius, s.radius, 0.5 * s.length), out);
  out->ball_radius = std::hypot(s.radius, 0.5 * s.length);
}

void fill(const Ellipsoid& s, CollisionShape* out) {
  out->size = s.radii;
  bound(Vec3::Zero(), s.radii, out);
  out->ball_radius = s.radii.maxCoeff();
}

void fill(const Superellipsoid& s, CollisionShape* out) {
  out->size = s.radii;
  out->e1 = s.e1;
  out->e2 = s.e2;
  bound(Vec3::Zero(), s.radii, out);
}

void fill(const Box& s, CollisionShape* out) {
  out->size = s.half_extents;
  out->polytope = std::make_shared<Polytope>(box_polytope(s.half_extents));
  bound(Vec3::Zero(), s.half_extents, out);
}

void fill(const HalfSpace&, CollisionShape* out) { bound(Vec3::Zero(), Vec3::Constant(kInfinity), out); }

void fill(const SharedHull& s, CollisionShape* out) {
  out->hull = s;
  const auto polytope = std::make_shared<Polytope>(hull_polytope(*s));
  out->polytope = polytope;
  bound(bounding_box(s->vertices), out);
  // The ball around the vertices themselves, and the least width across a face.
  out->ball_radius = 0.0;
  for (const Vec3& v : s->vertices)
    out->ball_radius = std::max(out->ball_radius, (v - out->box_centre).norm());
  for (const PolytopeFace& face : polytope->faces) {
    const Vec3& opposite = s->vertices[farthest_vertex(*polytope, -face.normal)];
    out->thickness = std::min(out->thickness, face.offset - face.normal.dot(opposite));
  }
}

void fill(const SharedMesh& s, CollisionShape* out) {
  out->mesh = std::make_shared<MeshTree>(mesh_tree(*s));
  bound(out->mesh->bounds, out);
}

void fill(const SharedHeightField& s, CollisionShape* out) {
  out->field = s;
  bound(bounding_box(*s), out);
}

}  // namespace

CollisionShape collision_shape(const Shape& shape, double rounding) {
  const std::string defect = shape_defect(shape);
  STICTION_USER_CHECK(defect.empty(), "a {} for collision {}", name_of(shape), defect);
  STICTION_USER_CHECK(rounding >= 0.0 && std::isfinite(rounding),
                      "a {} with a rounding of {} m, which must be finite and not negative", name_of(shape),
                      rounding);
  CollisionShape out;
  out.kind = row_of(shape).kind;
  std::visit([&out](const auto& s) { fill(s, &out); }, shape);
  if (rounding == 0.0) return out;

  STICTION_USER_CHECK(row_of(shape).can_be_rounded, "a {} cannot be rounded", name_of(shape));
  if (out.kind == ShapeKind::sphere || out.kind == ShapeKind::capsule)
    out.size[0] += rounding;
  else
    out.rounding = rounding;
  out.box_half.array() += rounding;
  out.ball_radius += rounding;
  out.thickness += 2.0 * rounding;
  return out;
}

}  // namespace stiction
