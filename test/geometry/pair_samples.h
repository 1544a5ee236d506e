#pragma once
// Shapes and poses to try the pair table on: ordinary ones, and those that break collision detectors: needles
// and plates, sizes far apart, exactly touching, exactly parallel, coincident, far from the origin.

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "stiction/base/random.h"
#include "stiction/geometry/narrow_phase.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/geometry/shape/triangle_mesh.h"
#include "test/geometry/pair_check.h"
#include "test/geometry/surface/surface_meshes.h"
#include "test/geometry/test_meshes.h"
#include "test/math/random_rotations.h"

namespace stiction {

inline Vec3 sample_direction(Random* random) {
  const auto u = random->unit_vector<3>();
  return Vec3(u[0], u[1], u[2]);
}

inline SharedHull sample_hull(Random* random, int count, const Vec3& radii) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(radii.cwiseProduct(sample_direction(random)));
  return std::make_shared<const ConvexHull>(convex_hull(points));
}

// Heights of up to `radii.z`, 5 x 6 points.
inline SharedHeightField sample_field(Random* random, const Vec3& radii) {
  HeightField field;
  field.size = {radii.x(), radii.y(), radii.z(), radii.z()};
  field.rows = 5, field.cols = 6;
  for (int i = 0; i < field.rows * field.cols; ++i) field.heights.push_back(random->uniform(0.0, radii.z()));
  return std::make_shared<const HeightField>(field);
}

inline TriangleMesh scaled_mesh(TriangleMesh mesh, const Vec3& radii) {
  for (Vec3& v : mesh.vertices) v = v.cwiseProduct(radii).eval();
  return mesh;
}

// A shape of the kind that fits into the box of half extents `radii` (m).
inline CollisionShape sample_shape(ShapeKind kind, const Vec3& radii, double rounding, Random* random) {
  const Vec3& r = radii;
  switch (kind) {
    case ShapeKind::sphere:
      return collision_shape(Sphere{r.x()});
    case ShapeKind::capsule:
      return collision_shape(Capsule{r.x(), 2.0 * r.z()});
    case ShapeKind::ellipsoid:
      return collision_shape(Ellipsoid{r}, rounding);
    case ShapeKind::superellipsoid:
      return collision_shape(
          Superellipsoid{r, random->uniform(kMinExponent, 1.0), random->uniform(kMinExponent, 1.0)},
          rounding);
    case ShapeKind::cylinder:
      return collision_shape(Cylinder{r.x(), 2.0 * r.z()}, rounding);
    case ShapeKind::box:
      return collision_shape(Box{r}, rounding);
    case ShapeKind::hull:
      return collision_shape(sample_hull(random, random->uniform_int(6, 40), r), rounding);
    case ShapeKind::half_space:
      return collision_shape(HalfSpace{});
    case ShapeKind::mesh: {
      const int which = random->uniform_int(0, 2);
      const TriangleMesh mesh = which == 0   ? box_mesh(-Vec3::Ones(), Vec3::Ones())
                                : which == 1 ? sphere_mesh(1)
                                             : floor_mesh(4, 1.0);
      return collision_shape(std::make_shared<const TriangleMesh>(scaled_mesh(mesh, r)));
    }
    case ShapeKind::height_field:
      return collision_shape(sample_field(random, r));
  }
  return {};
}

// How far a shape reaches along d (unit, in W) from its origin, m: surfaces and half-spaces by their boxes,
// cut off at what is of interest.
inline double sample_reach(const CollisionShape& s, const Pose& X, const Vec3& d) {
  const Vec3 local = X.R.transpose() * d;
  if (s.kind == ShapeKind::half_space) return 0.0;
  if (s.is_convex()) return pair_check::reach(s, local);
  return s.box_centre.dot(local) + s.box_half.dot(local.cwiseAbs());
}

struct PosePair {
  Pose X_WA, X_WB;
};

// Random rotations, B beside A in a random direction with the gap `gap` (m) between the planes across it. A
// half-space has B above it.
inline PosePair beside(const CollisionShape& A, const CollisionShape& B, const Mat3& R_A, const Mat3& R_B,
                       Vec3 u, double gap) {
  PosePair poses{{R_A, Vec3::Zero()}, {R_B, Vec3::Zero()}};
  if (A.kind == ShapeKind::half_space) u = R_A.col(2);
  if (B.kind == ShapeKind::half_space) u = -R_B.col(2);
  poses.X_WB.p = (sample_reach(A, poses.X_WA, u) + sample_reach(B, poses.X_WB, -u) + gap) * u;
  return poses;
}

inline Mat3 sample_rotation(Random* random) {
  return rotation_from_quaternion<double>(random_quaternion(random));
}

// A rotation of the cube: axes go to axes exactly.
inline Mat3 quarter_turns(Random* random) {
  std::array<int, 3> order{0, 1, 2};
  std::swap(order[0], order[random->uniform_int(0, 2)]);
  std::swap(order[1], order[random->uniform_int(1, 2)]);
  Mat3 R = Mat3::Zero();
  for (int i = 0; i < 3; ++i) R(i, order[i]) = random->uniform_int(0, 1) == 0 ? 1.0 : -1.0;
  if (R.determinant() < 0.0) R.col(0) = -R.col(0);
  return R;
}

// What a sample is made to be like.
enum class Trouble {
  none,
  parallel_touch,
  nearly_parallel,
  coincident,
  coincident_parallel,
  corner,
  deep,
  far
};
inline constexpr int kNumTroubles = 8;
inline const char* name_of(Trouble trouble) {
  constexpr const char* kNames[kNumTroubles] = {"random",
                                                "parallel, touching",
                                                "nearly parallel",
                                                "coincident",
                                                "coincident, parallel",
                                                "corner to corner",
                                                "deep",
                                                "far apart"};
  return kNames[static_cast<int>(trouble)];
}

inline PosePair troubled_poses(const CollisionShape& A, const CollisionShape& B, Trouble trouble,
                               Random* random) {
  const auto small = [&](const CollisionShape& s) { return std::isfinite(s.thickness) ? s.thickness : 1.0; };
  const double thin = std::min(small(A), small(B));
  const Vec3 e = (random->uniform_int(0, 1) == 0 ? 1.0 : -1.0) * Vec3::Unit(random->uniform_int(0, 2));
  const auto power = [&](double low, double high) { return std::pow(10.0, random->uniform(low, high)); };
  PosePair poses;
  switch (trouble) {
    case Trouble::none:
      return beside(A, B, sample_rotation(random), sample_rotation(random), sample_direction(random),
                    random->uniform(-0.5, 0.1) * thin);
    case Trouble::parallel_touch: {
      // Face on face, edges in line, shifted along them by round numbers; a gap of zero or some ulps.
      poses = beside(A, B, quarter_turns(random), quarter_turns(random), e,
                     random->uniform_int(0, 2) == 0 ? 0.0 : random->normal() * 1e-16 * pair_check::extent(A));
      return poses;
    }
    case Trouble::nearly_parallel: {
      const Mat3 tilt = rotation_exp<double>(Vec3(power(-16, -2) * sample_direction(random)));
      return beside(A, B, quarter_turns(random), tilt * quarter_turns(random), e, -thin * power(-12, -0.5));
    }
    case Trouble::coincident:
      return {{sample_rotation(random), Vec3::Zero()}, {sample_rotation(random), Vec3::Zero()}};
    case Trouble::coincident_parallel:
      return {{quarter_turns(random), Vec3::Zero()}, {quarter_turns(random), Vec3::Zero()}};
    case Trouble::corner: {
      // Boxes corner to corner and edge to edge.
      poses = {{quarter_turns(random), Vec3::Zero()}, {quarter_turns(random), Vec3::Zero()}};
      const bool has_plane = A.kind == ShapeKind::half_space || B.kind == ShapeKind::half_space;
      if (has_plane) return beside(A, B, poses.X_WA.R, poses.X_WB.R, e, 0.0);
      for (int i = 0; i < 3; ++i) {
        const double sign = random->uniform_int(-1, 1);
        poses.X_WB.p[i] = sign * (sample_reach(A, poses.X_WA, sign * Vec3::Unit(i)) +
                                  sample_reach(B, poses.X_WB, -sign * Vec3::Unit(i)));
      }
      return poses;
    }
    case Trouble::deep:
      return {{sample_rotation(random), Vec3::Zero()},
              {sample_rotation(random), power(-9, 0) * thin * sample_direction(random)}};
    case Trouble::far:
      return beside(A, B, sample_rotation(random), sample_rotation(random), sample_direction(random),
                    power(0, 4) * thin);
  }
  return poses;
}

}  // namespace stiction
