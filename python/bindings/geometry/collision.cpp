// Collision queries: poses in, points of contact out.

#include <algorithm>
#include <cmath>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "python/bindings/bindings.h"
#include "python/bindings/casters.h"
#include "stiction/base/check.h"
#include "stiction/geometry/derivative/pair_derivatives.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/query/ray_cast.h"
#include "stiction/geometry/query/time_of_impact.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/io/model_json.h"

STICTION_WORDS(stiction::ImpactStatus, "'none', 'touches', 'overlaps', 'not_converged'", "none", "touches",
               "overlaps", "not_converged")

namespace stiction::python {
namespace {

using namespace nb::literals;

ContactPoints collide_now(const CollisionShape& A, const Pose& X_WA, const CollisionShape& B,
                          const Pose& X_WB, double margin, int max_points, bool share_axes) {
  STICTION_USER_CHECK(std::isfinite(margin) && margin >= 0.0,
                      "the margin must be finite and not negative, not {}", margin);
  STICTION_USER_CHECK(max_points == 4 || max_points == 8, "max_points is 4 or 8, not {}", max_points);
  CollideOptions options;
  options.margin = margin;
  options.max_points = max_points;
  options.share_axes = share_axes;
  PairMemory memory;
  ContactPoints points;
  collide(A, X_WA, B, X_WB, options, &memory, &points);
  return points;
}

RayHit cast_one(const CollisionShape& shape, const Pose& X_WS, const Vec3& origin, const Vec3& direction,
                double length) {
  STICTION_USER_CHECK(origin.allFinite() && direction.allFinite() && direction.norm() > 0.0,
                      "a ray has a finite origin and a finite direction that is not zero");
  STICTION_USER_CHECK(length >= 0.0, "a ray has a length of {}", length);
  return cast_ray(shape, X_WS, {origin, direction, std::min(length, 1e300)});
}

void bind_points(nb::module_& m) {
  nb::class_<ContactPoint>(m, "ContactPoint", "Where two shapes A and B touch, overlap, or are about to.")
      .def_prop_ro(
          "p_A", [](const ContactPoint& self) { return self.p_A; }, "On the surface of A, in W, m.")
      .def_prop_ro(
          "p_B", [](const ContactPoint& self) { return self.p_B(); }, "On the surface of B, in W, m.")
      .def_prop_ro(
          "normal", [](const ContactPoint& self) { return self.normal; }, "Unit, in W, from A into B.")
      .def_ro("distance", &ContactPoint::distance, "m; negative: overlap.")
      .def_ro("weight", &ContactPoint::weight, "Share of the pair's stiffness, from 0 to 1.")
      .def_ro("feature", &ContactPoint::feature, "What meets what, the same from step to step.");
  nb::class_<RayHit>(m, "RayHit", "Where a ray first meets a surface.")
      .def_ro("hit", &RayHit::hit, "Whether it does.")
      .def_ro("t", &RayHit::t, "Along the ray, in lengths of its direction.")
      .def_prop_ro(
          "normal", [](const RayHit& self) { return self.normal; }, "Unit, in W, outward.")
      .def_ro("triangle", &RayHit::triangle, "Of a mesh or a height field; -1: neither.");
  nb::class_<TimeOfImpact>(m, "TimeOfImpact", "When two moving shapes first touch.")
      .def_ro("status", &TimeOfImpact::status, "none, touches, overlaps or not_converged.")
      .def_ro("time", &TimeOfImpact::time, "s.")
      .def_ro("at_impact", &TimeOfImpact::at_impact, "The two points at that time.");
  nb::class_<PointDerivatives>(
      m, "PointDerivatives",
      "Derivatives of a point of contact; 12 columns: A's rotation about its origin (rad, "
      "in W), A's translation (m), and the same of B.")
      .def_prop_ro(
          "d_p_A", [](const PointDerivatives& self) { return MatX(self.d_p_A); }, "(3, 12), of p_A.")
      .def_prop_ro(
          "d_p_B", [](const PointDerivatives& self) { return MatX(self.d_p_B); }, "(3, 12), of p_B.")
      .def_prop_ro(
          "d_normal", [](const PointDerivatives& self) { return MatX(self.d_normal); },
          "(3, 12), of the normal.")
      .def_prop_ro(
          "d_distance", [](const PointDerivatives& self) { return VecX(self.d_distance.transpose()); },
          "(12,), of the distance.");
}

void bind_queries(nb::module_& m) {
  m.def("collide", &collide_now, "A"_a, "X_WA"_a, "B"_a, "X_WB"_a, "margin"_a = 0.0, "max_points"_a = 8,
        "share_axes"_a = true,
        "The points of contact of two shapes up to `margin` (m) apart; at most 4 or 8 of a convex pair.");
  m.def("signed_distance", &signed_distance, "A"_a, "X_WA"_a, "B"_a, "X_WB"_a,
        "The closest points at any distance (m); of overlapping shapes the deepest point.");
  m.def("overlap", &overlap, "A"_a, "X_WA"_a, "B"_a, "X_WB"_a, "Whether two shapes have a point in common.");
  m.def("cast_ray", &cast_one, "shape"_a, "X_WS"_a, "origin"_a, "direction"_a, "length"_a = 1e300,
        "Where a ray (origin in m, in W) first meets a shape, up to `length` times its direction.");
  m.def("point_derivatives", &point_derivatives, "A"_a, "X_WA"_a, "B"_a, "X_WB"_a, "point"_a,
        "How a point of collide() or signed_distance() moves with the poses of convex shapes.");
  m.def(
      "time_of_impact",
      [](const CollisionShape& A, const Pose& X_WA, const Vec6& V_A, const CollisionShape& B,
         const Pose& X_WB, const Vec6& V_B, double duration) {
        STICTION_USER_CHECK(V_A.allFinite() && V_B.allFinite(), "a velocity is not finite");
        STICTION_USER_CHECK(std::isfinite(duration) && duration >= 0.0, "cannot look {} s ahead", duration);
        // Of the centre of the bounding ball.
        const auto motion = [](const CollisionShape& shape, const Pose& X, const Vec6& V) {
          const Vec3 w = V.head<3>(), v = V.tail<3>();
          return ShapeMotion{X, w, v + w.cross(X.R * shape.box_centre)};
        };
        return time_of_impact(A, motion(A, X_WA, V_A), B, motion(B, X_WB, V_B), duration);
      },
      "A"_a, "X_WA"_a, "V_A"_a, "B"_a, "X_WB"_a, "V_B"_a, "duration"_a,
      "When two shapes that move at constant V = (angular rad/s, that of the frame's origin m/s) first touch "
      "within "
      "a duration (s).");
}

// What a shape was made of; balls and capsules have their rounding in the radius.
Shape shape_of(const CollisionShape& shape) {
  const Vec3& size = shape.size;
  switch (shape.kind) {
    case ShapeKind::sphere:
      return Sphere{size[0]};
    case ShapeKind::capsule:
      return Capsule{size[0], 2.0 * size[1]};
    case ShapeKind::cylinder:
      return Cylinder{size[0], 2.0 * size[1]};
    case ShapeKind::ellipsoid:
      return Ellipsoid{size};
    case ShapeKind::superellipsoid:
      return Superellipsoid{size, shape.e1, shape.e2};
    case ShapeKind::box:
      return Box{size};
    case ShapeKind::hull:
      return shape.hull;
    case ShapeKind::half_space:
      return HalfSpace{};
    case ShapeKind::mesh:
      return std::make_shared<const TriangleMesh>(shape.mesh->mesh);
    case ShapeKind::height_field:
      return shape.field;
  }
  STICTION_ASSERT(false);
  return {};
}

}  // namespace

void bind_collision(nb::module_& m) {
  nb::class_<CollisionShape>(m, "CollisionShape", "A shape made ready for collision queries.")
      .def(
          "__init__",
          [](CollisionShape* self, const Shape& shape, double rounding) {
            new (self) CollisionShape(collision_shape(shape, rounding));
          },
          "shape"_a, "rounding"_a = 0.0,
          "The Minkowski sum of the shape and a ball of radius `rounding` (m). A mesh stays the surface it "
          "is: give its hull to have it collide as a convex body.")
      .def_prop_ro(
          "kind", [](const CollisionShape& self) { return name_of(self.kind); }, "Its kind, as a word.")
      .def_ro("rounding", &CollisionShape::rounding, "m.")
      .def_ro("thickness", &CollisionShape::thickness, "Its smallest extent, m.")
      .def_prop_ro("is_convex", &CollisionShape::is_convex, "Whether it is convex.")
      .def("__getstate__",
           [](const CollisionShape& self) {
             return std::pair<std::string, double>(shape_to_json(shape_of(self)), self.rounding);
           })
      .def("__setstate__", [](CollisionShape& self, const std::pair<std::string, double>& state) {
        new (&self) CollisionShape(collision_shape(shape_from_json(state.first), state.second));
      });
  bind_points(m);
  bind_queries(m);
}

}  // namespace stiction::python
