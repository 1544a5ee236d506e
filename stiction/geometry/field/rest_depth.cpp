#include "stiction/geometry/field/rest_depth.h"

#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "stiction/geometry/convex/support.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/geometry/shape/mesh_tree.h"
#include "stiction/geometry/shape/polytope.h"

namespace stiction {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The convex shape whose sides it lies on; null if there is none.
const CollisionShape* lying_shape(const CollisionShape& shape) {
  if (shape.kind == ShapeKind::mesh) return hull_of(*shape.mesh);
  return shape.kind == ShapeKind::half_space || shape.kind == ShapeKind::height_field ? nullptr : &shape;
}

Vec3 face_below(const Polytope& P, const Vec3& down) {
  Vec3 side = P.faces.front().normal;
  for (const PolytopeFace& face : P.faces)
    if (face.normal.dot(down) > side.dot(down)) side = face.normal;
  return side;
}

// An end, or straight across the lateral surface.
Vec3 end_or_lateral(const Vec3& down) {
  const double across = down.head<2>().norm();
  if (std::abs(down.z()) >= across) return Vec3(0.0, 0.0, down.z() < 0.0 ? -1.0 : 1.0);
  return Vec3(down.x(), down.y(), 0.0) / across;
}

Vec3 axis_below(const Vec3& down) {
  int axis = 0;
  down.cwiseAbs().maxCoeff(&axis);
  return down[axis] < 0.0 ? Vec3(-Vec3::Unit(axis)) : Vec3(Vec3::Unit(axis));
}

// m, from the origin of S to the plane that touches the shape on a side.
double reach(const CollisionShape& shape, const Vec3& side) {
  return core_reach(shape, side) + core_radius(shape);
}

// A shape on a plane with its side down.
class Press {
 public:
  Press(const PressureField& field, const CollisionShape& lying, const Vec3& side, double plane_kappa)
      : field_(field),
        plane_(plane_kappa > 0.0 ? compliant_field(collision_shape(HalfSpace{}), plane_kappa, 1.0)
                                 : rigid_field(collision_shape(HalfSpace{}))),
        height_(reach(lying, side)) {
    X_WS_.R = Eigen::Quaterniond::FromTwoVectors(side, -Vec3::UnitZ()).toRotationMatrix();
  }

  double force(double depth) {
    X_WS_.p = Vec3(0.0, 0.0, height_ - depth);
    find_pressure_patch(plane_, {}, field_, X_WS_, {}, &workspace_, &patch_);
    return patch_.wrench()[5];
  }

 private:
  const PressureField& field_;
  PressureField plane_;
  double height_;  // m, of the origin of S where the shape touches the plane
  Pose X_WS_;
  PressureWorkspace workspace_;
  PressurePatch patch_;
};

}  // namespace

Vec3 side_below(const CollisionShape& shape, const Vec3& down) {
  const CollisionShape* lying = lying_shape(shape);
  if (lying == nullptr || !(down.norm() > 0.0)) return Vec3::Zero();
  if (lying->polytope != nullptr) return face_below(*lying->polytope, down);
  switch (lying->kind) {
    case ShapeKind::capsule:
    case ShapeKind::cylinder:
      return end_or_lateral(down);
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
      return axis_below(down);
    case ShapeKind::sphere:
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      break;
  }
  return down.normalized();
}

bool is_flat(const CollisionShape& shape, const Vec3& side) {
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::capsule:
    case ShapeKind::ellipsoid:
    case ShapeKind::superellipsoid:
      return false;
    case ShapeKind::cylinder:
      return side.z() != 0.0;
    case ShapeKind::box:
    case ShapeKind::hull:
    case ShapeKind::half_space:
    case ShapeKind::mesh:
    case ShapeKind::height_field:
      return true;
  }
  return true;
}

double rest_depth(const PressureField& field, const Vec3& side, double plane_kappa, double load) {
  const CollisionShape* lying = lying_shape(field.shape);
  if (lying == nullptr || side.isZero() || (field.is_rigid() && !(plane_kappa > 0.0))) return 0.0;
  Press press(field, *lying, side, plane_kappa);

  // Depths that carry less and more than the load.
  double high = 0.5 * (reach(*lying, side) + reach(*lying, -side)), most = press.force(high);
  if (!(most >= load)) return kInfinity;
  constexpr double kLeast = 1e-12;  // of the shape, where a depth is round-off
  const double least = kLeast * high;
  double low = 1e-2 * high, less = press.force(low);
  while (less >= load && low > least) {
    high = low;
    most = less;
    low *= 1e-2;
    less = press.force(low);
  }
  if (!(less > 0.0) || less >= load) return low;

  // Between the two the force is close to a power of the depth. Every third look halves the ratio of the depths.
  constexpr double kAccuracy = 1e-6;  // of the load
  for (int i = 0; i < 100 && high > low * (1.0 + kAccuracy); ++i) {
    const double power = std::log(most / less) / std::log(high / low);
    double depth = low * std::pow(load / less, 1.0 / power);
    if (i % 3 == 2 || !(depth > low && depth < high)) depth = std::sqrt(low * high);
    const double force = press.force(depth);
    if (std::abs(force - load) <= kAccuracy * load) return depth;
    (force < load ? low : high) = depth;
    (force < load ? less : most) = force;
  }
  return std::sqrt(low * high);
}

}  // namespace stiction
