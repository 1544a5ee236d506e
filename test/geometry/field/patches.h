#pragma once
// Patches of two shapes for tests, and the shapes of the closed forms in docs/models/pressure_fields.md.

#include <cmath>

#include "stiction/base/random.h"
#include "stiction/geometry/field/pressure_patch.h"
#include "stiction/geometry/shape/convex_hull.h"

namespace stiction {

// In a namespace of their own: E and R are names of a page.
namespace patches {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double E = 1e7, R = 0.05, a = 0.1;  // Pa, m, m

// Sums of some hundred products of numbers that are exact in the formulas.
inline constexpr double kRoundOff = 1e-9;

inline PressurePatch patch_of(const PressureField& A, const Pose& X_WA, const PressureField& B,
                              const Pose& X_WB, const PressureOptions& options = {}) {
  PressureWorkspace workspace;
  PressurePatch patch;
  find_pressure_patch(A, X_WA, B, X_WB, options, &workspace, &patch);
  return patch;
}

inline Vec3 force_of(const PressurePatch& patch) { return patch.wrench().tail<3>(); }

inline double energy_of(const PressureField& A, const Pose& X_WA, const PressureField& B, const Pose& X_WB) {
  return patch_of(A, X_WA, B, X_WB, {.wants_energy = true}).energy;
}

inline double stiffness_of(const PressurePatch& patch) {
  double sum = 0.0;
  for (const PressurePoint& point : patch.points)
    if (point.pressure > 0.0) sum += point.area * point.gradient;
  return sum;
}

inline Mat3 turned(double angle, const Vec3& axis) {
  return Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
}

inline Pose random_pose(Random* random, double reach) {
  const auto q = random->unit_vector<4>();
  return {rotation_from_quaternion(Vec4(q[0], q[1], q[2], q[3])),
          reach * Vec3(random->uniform(-1, 1), random->uniform(-1, 1), random->uniform(-1, 1))};
}

inline CollisionShape random_hull(Random* random, int points) {
  std::vector<Vec3> vertices;
  for (int i = 0; i < points; ++i) {
    const auto d = random->unit_vector<3>();
    vertices.emplace_back(0.05 * d[0], 0.06 * d[1], 0.04 * d[2]);
  }
  return collision_shape(std::make_shared<const ConvexHull>(convex_hull(vertices)));
}

inline const PressureField& soft_ball() {
  static const PressureField field = compliant_field(collision_shape(Sphere{R}), E);
  return field;
}
inline const PressureField& soft_cube() {
  static const PressureField field = compliant_field(collision_shape(Box{Vec3::Constant(0.5 * a)}), E);
  return field;
}
inline const PressureField& rigid_plane() {
  static const PressureField field = rigid_field(collision_shape(HalfSpace{}));
  return field;
}

}  // namespace patches

}  // namespace stiction
