#include "stiction/geometry/field/pressure_field.h"

#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "stiction/base/check.h"
#include "stiction/geometry/field/tet_mesh.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

// The largest r with n_f . x + r <= b_f for all faces, by an interior-point method: Newton's method on
//   r + t sum_f log(b_f - n_f . x - r)
// for t that falls to a round-off of the size.
double largest_inscribed_ball(const Polytope& P) {
  const double n = static_cast<double>(P.faces.size());
  Vec4 y;  // x, r
  y << P.centre, 0.0;
  for (double t = P.size / n; n * t > 1e-13 * P.size; t *= 0.2) {
    for (int i = 0; i < 50; ++i) {
      Vec4 gradient(0.0, 0.0, 0.0, 1.0);
      Eigen::Matrix4d H = Eigen::Matrix4d::Zero();
      for (const PolytopeFace& face : P.faces) {
        Vec4 row;
        row << face.normal, 1.0;
        const double slack = face.offset - row.dot(y);
        gradient -= t / slack * row;
        H += t / (slack * slack) * row * row.transpose();
      }
      const Vec4 step = H.ldlt().solve(gradient);
      double alpha = 1.0;
      for (const PolytopeFace& face : P.faces) {
        Vec4 row;
        row << face.normal, 1.0;
        const double rate = row.dot(step), slack = face.offset - row.dot(y);
        if (alpha * rate > 0.9 * slack) alpha = 0.9 * slack / rate;
      }
      y += alpha * step;
      if (!(gradient.dot(step) > 1e-6 * t)) break;  // close enough for the next t
    }
  }
  return y[3];
}

void add_pieces(const CollisionShape& shape, double slope, PressureField* field) {
  if (shape.kind == ShapeKind::half_space) {
    field->pieces.push_back({slope * Vec3::UnitZ(), 0.0, 0});
    return;
  }
  if (!shape.polytope) return;
  field->pieces.reserve(shape.polytope->faces.size());
  for (const PolytopeFace& face : shape.polytope->faces)
    field->pieces.push_back({slope * face.normal, slope * (face.offset + shape.rounding),
                             static_cast<int>(&face - shape.polytope->faces.data())});
  // Sharp edges of planes that were moved outwards may reach beyond the bounds of a rounded hull.
  if (shape.kind != ShapeKind::hull || shape.rounding == 0.0) return;
  int id = static_cast<int>(shape.polytope->faces.size());
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const double offset = shape.box_half[axis] + side * shape.box_centre[axis];
      field->pieces.push_back({slope * side * Vec3::Unit(axis), slope * offset, id++});
    }
}

}  // namespace

bool can_be_compliant(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::ellipsoid:
    case ShapeKind::cylinder:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
      return true;
    case ShapeKind::superellipsoid:
    case ShapeKind::mesh:  // only with tetrahedra
    case ShapeKind::height_field:
      return false;
  }
  return false;
}

bool has_surface(ShapeKind kind) {
  return can_be_compliant(kind) || kind == ShapeKind::mesh || kind == ShapeKind::height_field;
}

double inscribed_radius(const CollisionShape& shape) {
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
      return shape.size[0];
    case ShapeKind::cylinder:
      return shape.size.head<2>().minCoeff() + shape.rounding;
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
    case ShapeKind::box:
      return shape.size.minCoeff() + shape.rounding;
    case ShapeKind::hull:
      return largest_inscribed_ball(*shape.polytope) + shape.rounding;
    case ShapeKind::half_space:
      return std::numeric_limits<double>::infinity();
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return 0.0;
}

PressureField compliant_field(const CollisionShape& shape, double modulus, double depth, FacetRings rings) {
  const bool is_mesh = shape.kind == ShapeKind::mesh;
  STICTION_USER_CHECK(
      !is_mesh || shape.mesh->tets != nullptr,
      "a mesh has a pressure field only as a volume of tetrahedra: read it from a .vtk or Gmsh "
      ".msh file with them, or let it collide as its convex hull");
  STICTION_USER_CHECK(is_mesh || can_be_compliant(shape.kind), "a {} cannot have a pressure field",
                      name_of(shape.kind));
  STICTION_USER_CHECK(modulus > 0.0 && std::isfinite(modulus),
                      "a {} with a pressure modulus of {} Pa, which must be positive and finite",
                      name_of(shape.kind), modulus);
  STICTION_USER_CHECK(depth >= 0.0 && std::isfinite(depth),
                      "a {} with a pressure depth of {} m, which must be finite and not negative",
                      name_of(shape.kind), depth);
  STICTION_USER_CHECK(depth > 0.0 || shape.kind != ShapeKind::half_space,
                      "a compliant half-space needs a pressure depth: it has no size of its own");
  if (is_mesh) {
    auto tets = tets_of(*shape.mesh);
    const double own = tets->depth;
    return {shape, modulus, depth > 0.0 ? depth : own, rings, {}, std::move(tets)};
  }
  PressureField field{shape, modulus, depth > 0.0 ? depth : inscribed_radius(shape), rings, {}, nullptr};
  add_pieces(shape, field.kappa(), &field);
  return field;
}

PressureField compliant_field(std::shared_ptr<const TetMesh> tets, double modulus, double depth,
                              FacetRings rings) {
  STICTION_USER_CHECK(
      modulus > 0.0 && std::isfinite(modulus),
      "a volume of tetrahedra with a pressure modulus of {} Pa, which must be positive and finite", modulus);
  STICTION_USER_CHECK(
      depth >= 0.0 && std::isfinite(depth),
      "a volume of tetrahedra with a pressure depth of {} m, which must be finite and not negative", depth);
  const double own = tets->depth;
  PressureField field{collision_shape(std::make_shared<const TriangleMesh>(tets->surface)),
                      modulus,
                      depth > 0.0 ? depth : own,
                      rings,
                      {},
                      nullptr};
  field.tets = std::move(tets);
  return field;
}

PressureField rigid_field(const CollisionShape& shape, FacetRings rings) {
  STICTION_USER_CHECK(has_surface(shape.kind), "a {} has no surface for pressure fields",
                      name_of(shape.kind));
  PressureField field{shape, 0.0, 0.0, rings, {}, nullptr};
  add_pieces(shape, 1.0, &field);
  return field;
}

}  // namespace stiction
