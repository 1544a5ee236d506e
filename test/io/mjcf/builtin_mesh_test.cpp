#include "stiction/io/mjcf/builtin_mesh.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/io/mjcf/mjcf.h"

namespace stiction {
namespace {

constexpr double kSingle = 1e-6;  // vertices are kept in single precision

// A body with the mesh at unit density.
Model with_mesh(const std::string& kind, const std::string& parameters, const std::string& more = "") {
  return parse_mjcf("<mujoco><asset><mesh name='m' builtin='" + kind + "' params='" + parameters + "' " +
                    more +
                    "/></asset><worldbody><body><freejoint/>"
                    "<geom type='mesh' mesh='m' density='1' contype='0' conaffinity='0'/></body>"
                    "</worldbody></mujoco>");
}

double mass(const Model& model) { return model.forest.bodies[1].inertia.mass; }

TEST(MjcfBuiltinMesh, ASphereThatIsNotSubdividedIsAnIcosahedron) {
  const double side = 4.0 / std::sqrt(10.0 + 2.0 * std::sqrt(5.0));  // of circumradius 1
  EXPECT_NEAR(mass(with_mesh("sphere", "0")), 5.0 / 12.0 * (3.0 + std::sqrt(5.0)) * std::pow(side, 3),
              kSingle);
}

TEST(MjcfBuiltinMesh, EverySubdivisionOfASphereHasFourTimesTheTriangles) {
  for (const int s : {1, 2, 3}) {
    const Model model = with_mesh("sphere", std::to_string(s));
    const auto& mesh = *std::get<SharedMesh>(model.shapes[0].shape);
    EXPECT_EQ(mesh.triangles.size(), std::size_t(20 << (2 * s)));
    EXPECT_EQ(mesh.vertices.size(), std::size_t(2 + (10 << (2 * s))));
  }
}

TEST(MjcfBuiltinMesh, AHemisphereOfOneStripIsHalfAnOctahedron) {
  EXPECT_NEAR(mass(with_mesh("hemisphere", "0")), 2.0 / 3.0, kSingle);
}

TEST(MjcfBuiltinMesh, AConeOfRadiusOneIsAPrismAndOfRadiusZeroAPyramid) {
  EXPECT_NEAR(mass(with_mesh("cone", "4 1")), 4.0, kSingle);
  EXPECT_NEAR(mass(with_mesh("cone", "4 0")), 4.0 / 3.0, kSingle);
}

TEST(MjcfBuiltinMesh, AFineSupersphereWithExponentsOneIsASphere) {
  constexpr double kFine = 2e-3;  // of 100 steps: (2 pi/100)^2 / 2 of its volume is missing
  EXPECT_NEAR(mass(with_mesh("supersphere", "100 1 1")) / (4.0 / 3.0 * std::numbers::pi), 1.0, 2.0 * kFine);
}

TEST(MjcfBuiltinMesh, AFineSupertorusWithExponentsOneIsATorus) {
  constexpr double kFine = 4e-3;  // of 100 steps both ways: each takes (2 pi/100)^2 / 6 of the volume
  const double torus = 2.0 * std::numbers::pi * std::numbers::pi * 0.3 * 0.3;
  EXPECT_NEAR(mass(with_mesh("supertorus", "100 0.3 1 1", "inertia='exact'")) / torus, 1.0, kFine);
}

TEST(MjcfBuiltinMesh, APlateSpansTheCentresOfItsCells) {
  EXPECT_NEAR(mass(with_mesh("plate", "2 4", "inertia='shell'")), 1.0 * 1.5, kSingle);
}

TEST(MjcfBuiltinMesh, NumbersThatMakeNoMeshAreRefused) {
  EXPECT_THROW(with_mesh("sphere", "9"), UserError);
  EXPECT_THROW(with_mesh("sphere", "1.5"), UserError);
  EXPECT_THROW(with_mesh("cone", "4"), UserError);
  EXPECT_THROW(with_mesh("wedge", "1 1 40 30 0"), UserError);
  EXPECT_THROW(with_mesh("spehre", "1"), UserError);
}

}  // namespace
}  // namespace stiction
