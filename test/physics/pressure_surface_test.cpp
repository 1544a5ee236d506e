// The energy of what falls and slides on rigid meshes and terrain.
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/geometry/shape/height_field.h"
#include "test/geometry/test_meshes.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

// A floor as a mesh with an edge along x, and as wavy terrain.
Shape step_mesh() {
  return SharedMesh(
      std::make_shared<const TriangleMesh>(box_mesh(Vec3(-0.5, -0.5, -0.2), Vec3(0.5, 0.02, 0))));
}
Shape terrain() {
  std::vector<double> heights;
  for (int i = 0; i < 400; ++i)
    heights.push_back(0.5 + 0.25 * std::sin(0.8 * (i % 20)) + 0.25 * std::cos(0.9 * (i / 20)));
  return std::make_shared<const HeightField>(height_field(20, 20, heights, {0.5, 0.5, 0.02, 0.2}));
}

ModelBuilder falling(const Shape& floor, const Shape& shape, double dissipation, double mu) {
  ModelBuilder builder("falling");
  builder.add_shape("floor", "world", {}, floor);
  const Mat3 R = Eigen::AngleAxisd(0.3, Vec3(1, 0.4, 0).normalized()).toRotationMatrix();
  builder.add_free_body("body", {R, Vec3(0, 0, 0.075)}, Inertia{});
  builder.add_solid("body", "body", {}, shape, 1000.0);
  ContactMaterial material;
  material.pressure_modulus = 1e6;
  material.dissipation = dissipation;
  material.static_friction = mu;
  builder.set_material("body", material);
  builder.set_initial_velocity("body", {0, 0, 0, 0.3, 0.2, -1.0});
  return builder;
}

TEST(PressureSurfaces, TheTotalEnergyIsKeptAsTheStepGoesToZero) {
  // Nothing dissipates: what is stored in the overlap is what is missing elsewhere, at every moment of the impact.
  for (const Shape& floor : {step_mesh(), terrain()}) {
    std::vector<double> errors;
    for (const double h : {1e-4, 5e-5, 2.5e-5}) {
      World world(falling(floor, Box{Vec3(0.05, 0.04, 0.03)}, 0.0, 0.0).build(), {.h = h});
      const double before = world.energies().total(), kinetic = world.energies().kinetic;
      double worst = 0.0, stored = 0.0;
      for (double t = 0.0; t < 0.05; t += h) {
        world.step();
        worst = std::max(worst, std::abs(world.energies().total() - before) / kinetic);
        stored = std::max(stored, world.energies().contacts / kinetic);
      }
      EXPECT_GT(stored, 0.2);
      errors.push_back(worst);
    }
    // The error of semi-implicit steps is of first order: without that part it is gone.
    EXPECT_NEAR(errors[2] / errors[1], 0.5, 0.1);
    EXPECT_LT(std::abs(2.0 * errors[2] - errors[1]), 0.01) << errors[1];
  }
}

TEST(PressureSurfaces, TheBooksOfASlidingBoxAndBallAreClosed) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    for (const Shape& floor : {step_mesh(), terrain()}) {
      for (const Shape& shape : {Shape(Box{Vec3(0.05, 0.04, 0.03)}), Shape(Sphere{0.05})}) {
        World world(falling(floor, shape, 1.0, 0.3).build(), with_law(law, 1e-3));
        double most = 0.0;
        for (int i = 0; i < 80; ++i) {
          world.step();
          const EnergyBooks books = world.energy_books();
          EXPECT_LE(books.relative_error(), 1e-10) << i;
          most = std::max(most, books.after.contacts);
        }
        EXPECT_GT(most, 1e-3);
      }
    }
  }
}

}  // namespace
}  // namespace stiction
