#include "stiction/geometry/shape/shape.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "test/geometry/test_meshes.h"

namespace stiction {
namespace {

// The answer of the mid-point rule on a grid of cells is off by the cells that the surface cuts, about this
// share.
constexpr double kGridError = 8e-3;

// Mass properties of whatever `inside` holds within the cube |x| < reach, by summing cells of unit density.
template <class Inside>
Inertia summed_inertia(double reach, const Inside& inside) {
  constexpr int kCells = 120;
  const double side = 2.0 * reach / kCells, cell_mass = side * side * side;
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < kCells; ++i) {
    for (int j = 0; j < kCells; ++j) {
      for (int k = 0; k < kCells; ++k) {
        const Vec3 x = Vec3(i + 0.5, j + 0.5, k + 0.5) * side - Vec3::Constant(reach);
        if (!inside(x)) continue;
        mass += cell_mass;
        first += cell_mass * x;
        second += cell_mass * x * x.transpose();
      }
    }
  }
  return {mass, first / mass, second.trace() * Mat3::Identity() - second};
}

void expect_same_matter(const Inertia& a, const Inertia& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * b.mass);
  EXPECT_LT((a.com - b.com).norm(), tolerance * std::sqrt(b.I_com.trace() / b.mass));
  EXPECT_LT((a.I_com - b.I_com).norm(), tolerance * b.I_com.norm());
}

TEST(ShapeMass, OfASphereIsTheSumOfItsCells) {
  expect_same_matter(summed_inertia(0.5, [](const Vec3& x) { return x.norm() < 0.4; }),
                     solid_inertia(Sphere{0.4}, 1.0), kGridError);
}

TEST(ShapeMass, OfABoxIsTheSumOfItsCells) {
  const Vec3 half(0.2, 0.35, 0.45);
  expect_same_matter(
      summed_inertia(0.5, [&](const Vec3& x) { return (x.cwiseAbs() - half).maxCoeff() < 0.0; }),
      solid_inertia(Box{half}, 1.0), kGridError);
}

TEST(ShapeMass, OfACylinderIsTheSumOfItsCells) {
  const auto inside = [](const Vec3& x) { return x.head<2>().norm() < 0.3 && std::abs(x.z()) < 0.4; };
  expect_same_matter(summed_inertia(0.5, inside), solid_inertia(Cylinder{0.3, 0.8}, 1.0), kGridError);
}

TEST(ShapeMass, OfACapsuleIsTheSumOfItsCells) {
  const auto inside = [](const Vec3& x) {
    const double beyond = std::max(std::abs(x.z()) - 0.25, 0.0);
    return Vec3(x.x(), x.y(), beyond).norm() < 0.2;
  };
  expect_same_matter(summed_inertia(0.5, inside), solid_inertia(Capsule{0.2, 0.5}, 1.0), kGridError);
}

TEST(ShapeMass, OfAnEllipsoidIsTheSumOfItsCells) {
  const Vec3 radii(0.2, 0.3, 0.45);
  expect_same_matter(summed_inertia(0.5, [&](const Vec3& x) { return x.cwiseQuotient(radii).norm() < 1.0; }),
                     solid_inertia(Ellipsoid{radii}, 1.0), kGridError);
}

TEST(ShapeMass, IsDensityTimesVolume) {
  for (const Shape& shape : std::vector<Shape>{Sphere{0.3}, Box{Vec3(1, 2, 3)}, Cylinder{0.1, 2.0},
                                               Capsule{0.1, 2.0}, Ellipsoid{Vec3(0.1, 0.2, 0.3)}}) {
    EXPECT_DOUBLE_EQ(solid_inertia(shape, 700.0).mass, 700.0 * volume(shape)) << name_of(shape);
  }
}

TEST(ShapeVolume, OfAUnitSphereIsFourThirdsPi) {
  EXPECT_DOUBLE_EQ(volume(Sphere{1.0}), 4.0 / 3.0 * std::numbers::pi);
}

TEST(ShapeVolume, OfAHalfSpaceIsInfinite) { EXPECT_TRUE(std::isinf(volume(HalfSpace{}))); }

TEST(ShapeMass, OfAHalfSpaceIsAnError) { EXPECT_THROW(solid_inertia(HalfSpace{}, 1.0), UserError); }

TEST(ShapeDefect, IsEmptyForSoundShapes) {
  for (const Shape& shape :
       std::vector<Shape>{Sphere{0.3}, Box{Vec3(1, 2, 3)}, Cylinder{0.1, 2.0}, Capsule{0.1, 2.0},
                          Ellipsoid{Vec3(0.1, 0.2, 0.3)}, HalfSpace{}}) {
    EXPECT_EQ(shape_defect(shape), "") << name_of(shape);
  }
}

TEST(ShapeDefect, NamesTheSizeThatIsWrong) {
  EXPECT_EQ(shape_defect(Sphere{-1.0}), "has radius -1 m, which must be positive and finite");
  EXPECT_EQ(shape_defect(Capsule{0.5, 0.0}), "has length 0 m, which must be positive and finite");
  EXPECT_EQ(shape_defect(Box{Vec3(1.0, -2.0, 1.0)}),
            "has half extent -2 m, which must be positive and finite");
  EXPECT_NE(shape_defect(Ellipsoid{Vec3(1.0, 1.0, std::nan(""))}), "");
}

TEST(ShapeMass, OfAMeshAndOfAHullOfABoxIsThatOfTheBox) {
  const Vec3 half(0.1, 0.2, 0.3);
  const TriangleMesh mesh = box_mesh(-half, half);
  for (const Shape& shape : {Shape(std::make_shared<const TriangleMesh>(mesh)),
                             Shape(std::make_shared<const ConvexHull>(convex_hull(mesh.vertices)))}) {
    SCOPED_TRACE(name_of(shape));
    expect_same_matter(solid_inertia(shape, 700.0), solid_inertia(Box{half}, 700.0), 1e-13);  // round-off
    EXPECT_NEAR(volume(shape), volume(Box{half}), 1e-15);
    EXPECT_EQ(shape_defect(shape), "");
  }
}

TEST(ShapeMass, OfAHeightFieldIsAnError) {
  const HeightFieldSize size{.radius_x = 1.0, .radius_y = 1.0, .elevation = 1.0, .base = 0.5};
  const Shape flat = std::make_shared<const HeightField>(height_field(2, 2, {0, 0, 0, 0}, size));
  EXPECT_THROW(solid_inertia(flat, 1.0), UserError);
  EXPECT_DOUBLE_EQ(volume(flat), 4.0 * 0.5);
}

TEST(ShapeDefect, SaysThatAMeshIsMissingOrEmpty) {
  for (const Shape& shape : {Shape(SharedMesh()), Shape(SharedHull()), Shape(SharedHeightField())})
    EXPECT_EQ(shape_defect(shape), "is missing") << name_of(shape);
  EXPECT_EQ(shape_defect(std::make_shared<const TriangleMesh>()), "has no triangles");
}

}  // namespace
}  // namespace stiction
