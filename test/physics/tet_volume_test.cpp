// Bodies of tetrahedra in worlds: rest, notches and holes, energy, bits.
//
// E 1e7 Pa; cubes of an edge of 2 cm make the L and the U.
#include <cmath>

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/geometry/field/pressure_field.h"
#include "stiction/geometry/shape/convex_hull.h"
#include "stiction/geometry/shape/height_field.h"
#include "stiction/io/model_json.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/pressure_notes.h"
#include "test/base/allocation_counter.h"
#include "test/geometry/tet_volumes.h"
#include "test/physics/contact_laws.h"

namespace stiction {
namespace {

constexpr double E = 1e7, edge = 0.02;  // Pa, m

ContactMaterial field(double modulus = E, double dissipation = 50.0, double mu = 0.5) {
  ContactMaterial material;
  material.pressure_modulus = modulus;
  material.dissipation = dissipation;
  material.static_friction = mu;
  return material;
}

ModelBuilder on_floor(const char* name) {
  ModelBuilder builder(name);
  builder.add_shape("floor", "world", {}, HalfSpace{});
  return builder;
}

void add(const std::string& name, const Pose& X, const Shape& shape, const ContactMaterial& material,
         ModelBuilder* builder) {
  builder->add_free_body(name, X, Inertia{});
  builder->add_solid(name, name, {}, shape, 1000.0);
  builder->set_material(name, material);
}

double weight_of(const World& world, const char* body) {
  return kG * world.model().forest.bodies[std::size_t(world.model().body(body))].inertia.mass;
}

SharedMesh ell() {
  return shared_mesh_of(cubes_volume({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {0, 0, 2}}, edge));
}

// A trough along y.
SharedMesh trough() {
  std::vector<std::array<int, 3>> cells;
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 5; ++i) cells.push_back({i, j, 0});
    for (int k = 1; k < 3; ++k) {
      cells.push_back({0, j, k});
      cells.push_back({4, j, k});
    }
  }
  return shared_mesh_of(cubes_volume(cells, edge));
}

SharedMesh ring() { return shared_mesh_of(torus_volume(0.06, 0.015, 32, 12, 2)); }

TEST(TetVolumes, AnLComesToRestWithItsWeightUnderEveryLaw) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    ModelBuilder builder = on_floor("ell");
    add("ell", translation(0, 0, 1e-3), Shape(ell()), field(), &builder);
    WorldOptions options = with_law(law, 5e-3);
    set_tolerance(1e-10, &options.formulation);
    World world(builder.build(), options);
    world.simulate(3.0);
    ASSERT_FALSE(world.record().collision.pressure_points.empty());
    EXPECT_TRUE(world.record().collision.points.empty());
    EXPECT_LT(world.state().v.norm(), 1e-8);
    EXPECT_NEAR(force_between(world, "world", "ell").z() / weight_of(world, "ell"), 1.0, 1e-9);
  }
}

TEST(TetVolumes, WithoutAModulusTheyAreRigidMeshes) {
  ModelBuilder builder = on_floor("ell");
  add("ell", translation(0, 0, 0), Shape(ell()), friction_only(0.5), &builder);
  World world(builder.build(), {.h = 5e-3});
  world.simulate(0.5);
  EXPECT_TRUE(world.record().collision.pressure_points.empty());
  EXPECT_FALSE(world.record().collision.points.empty());
  world.set_material("ell", field());
  world.step();
  EXPECT_FALSE(world.record().collision.pressure_points.empty());
}

TEST(TetVolumes, ATroughHoldsABallThatItsHullWouldLift) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    ModelBuilder builder = on_floor("trough");
    add("trough", translation(0, 0, 0), Shape(trough()), field(), &builder);
    const double R = 0.02;
    add("ball", translation(2.5 * edge, 1.5 * edge, edge + R), Sphere{R}, field(), &builder);
    World world(builder.build(), with_law(law, 2e-3));
    world.simulate(1.0);
    const Vec3 p = world.body_pose("ball").p;
    // In the middle, on the bottom.
    EXPECT_NEAR(p.x(), 2.5 * edge, 1e-4);
    EXPECT_NEAR(p.z(), edge + R, 1e-3);
    const Vec3 force = force_between(world, "trough", "ball");
    EXPECT_NEAR(force.z() / weight_of(world, "ball"), 1.0, 1e-3);
    const Vec3 below = force_between(world, "world", "trough");
    EXPECT_NEAR(below.z() / (weight_of(world, "ball") + weight_of(world, "trough")), 1.0, 1e-3);
  }
}

TEST(TetVolumes, ABallLeansOnTheWallOfATiltedTrough) {
  // Gravity turned towards a wall, without friction: the wall carries sin, the bottom cos.
  const double tilt = 0.4, R = 0.02;
  ModelBuilder builder("trough");
  builder.add_shape("trough", "world", {}, Shape(trough()));
  builder.set_material("trough", field(E, 50.0, 0.0));
  add("ball", translation(3.0 * edge, 1.5 * edge, edge + R), Sphere{R}, field(E, 50.0, 0.0), &builder);
  builder.set_gravity(kG * Vec3(std::sin(tilt), 0.0, -std::cos(tilt)));
  World world(builder.build(), {.h = 2e-3});
  world.simulate(2.0);
  const Vec3 force = force_between(world, "world", "ball") / weight_of(world, "ball");
  EXPECT_NEAR(force.x(), -std::sin(tilt), 1e-5);
  EXPECT_NEAR(force.z(), std::cos(tilt), 1e-5);
  EXPECT_NEAR(world.body_pose("ball").p.x(), 4.0 * edge - R, 1e-3);
}

TEST(TetVolumes, ARingLiesOnAPlaneAndItsHoleIsEmpty) {
  ModelBuilder builder = on_floor("ring");
  const double r = 0.015;
  add("ring", translation(0, 0, r), Shape(ring()), field(), &builder);
  // In the hole, on the floor; the hull of the ring would lift it.
  add("ball", translation(0, 0, 0.02), Sphere{0.02}, field(), &builder);
  WorldOptions options{.h = 5e-3};
  set_tolerance(1e-10, &options.formulation);
  World world(builder.build(), options);
  world.simulate(3.0);
  EXPECT_NEAR(force_between(world, "world", "ring").z() / weight_of(world, "ring"), 1.0, 1e-9);
  EXPECT_NEAR(force_between(world, "world", "ball").z() / weight_of(world, "ball"), 1.0, 1e-6);
  EXPECT_LT(force_between(world, "ring", "ball").norm(), 1e-12);
  EXPECT_NEAR(world.body_pose("ring").p.z(), r, 1e-3);
}

TEST(TetVolumes, ARingHangsOnAPeg) {
  for (const bool is_soft : {false, true}) {
    SCOPED_TRACE(is_soft);
    // The ring stands on edge around a peg along y, which goes through its hole.
    ModelBuilder builder("peg");
    const Mat3 upright = Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitX()).toRotationMatrix();
    const double peg = 0.02, large = 0.06, small = 0.015;
    builder.add_shape("peg", "world", {upright, Vec3::Zero()}, Cylinder{peg, 0.2});
    builder.set_material("peg", is_soft ? field(E, 50.0, 0.8) : friction_only(0.8));
    add("ring", {upright, Vec3(0, 0, -(large - small - peg))}, Shape(ring()), field(E, 50.0, 0.8), &builder);
    World world(builder.build(), {.h = 2e-3});
    world.simulate(3.0);
    EXPECT_NEAR(world.body_pose("ring").p.z(), -(large - small - peg), 2e-3);
    EXPECT_NEAR(force_between(world, "world", "ring").z() / weight_of(world, "ring"), 1.0, 1e-2);
  }
}

TEST(TetVolumes, TheEnergyIsThatOfTheBoxAndTheBooksAreClosed) {
  const double half = 0.05, delta = 1e-3;
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    // A cube: U = integral of F = kappa (a^2 d - 2 a d^2 + 4/3 d^3).
    ModelBuilder resting = on_floor("cube");
    add("cube", translation(0, 0, half - delta),
        Shape(shared_mesh_of(centred_box_volume(Vec3::Constant(half)))), field(), &resting);
    World cube(resting.build(), with_law(law, 1e-3));
    const double side = 2.0 * half;
    const double U = E / half *
                     (0.5 * side * side * delta * delta - 2.0 / 3.0 * side * std::pow(delta, 3) +
                      std::pow(delta, 4) / 3.0);
    EXPECT_NEAR(cube.energies().contacts / U, 1.0, 1e-10);

    ModelBuilder builder = on_floor("tumbling");
    add("ell", {Eigen::AngleAxisd(0.3, Vec3(1, 0.3, 0).normalized()).toRotationMatrix(), Vec3(0, 0, 0.01)},
        Shape(ell()), field(1e6, 1.0), &builder);
    add("box", translation(0.03, 0.01, 0.07), Box{Vec3(0.02, 0.02, 0.01)}, field(1e6, 1.0), &builder);
    builder.set_initial_velocity("ell", {3, 2, -1, 0.1, 0.2, -1.0});
    World world(builder.build(), with_law(law, 1e-3));
    double most = 0.0;
    for (int i = 0; i < 80; ++i) {
      world.step();
      const EnergyBooks books = world.energy_books();
      EXPECT_LE(books.relative_error(), 1e-10) << i;
      most = std::max(most, books.after.contacts);
    }
    EXPECT_GT(most, 1e-4);
  }
}

TEST(TetVolumes, ABounceWithoutDissipationReturnsTheEnergyAsTheStepGoesToZero) {
  // An L falls edge first on a rigid mesh; nothing dissipates, so what is lost goes with h.
  std::vector<double> lost;
  for (const double h : {1e-4, 5e-5, 2.5e-5}) {
    ModelBuilder builder("bounce");
    const auto floor =
        std::make_shared<const TriangleMesh>(box_mesh(Vec3(-0.5, -0.5, -0.1), Vec3(0.5, 0.5, 0)));
    builder.add_shape("floor", "world", {}, Shape(SharedMesh(floor)));
    add("ell", {Eigen::AngleAxisd(0.4, Vec3(1, 0.5, 0).normalized()).toRotationMatrix(), Vec3(0, 0, 0.02)},
        Shape(ell()), field(1e5, 0.0, 0.0), &builder);
    builder.set_gravity(Vec3::Zero());
    builder.set_initial_velocity("ell", {0, 0, 0, 0, 0, -1.0});
    World world(builder.build(), {.h = h});
    const double before = world.energies().total();
    world.simulate(0.15);
    EXPECT_EQ(world.energies().contacts, 0.0);
    lost.push_back(1.0 - world.energies().total() / before);
  }
  EXPECT_LT(std::abs(lost[2]), 0.03);
  EXPECT_NEAR(lost[2] / lost[1], 0.5, 0.15);
}

// What falls on terrain, a rigid mesh and each other: tetrahedra, boxes, balls, capsules, hulls, some of them rigid.
Model pile(int count) {
  ModelBuilder builder = on_floor("pile");
  std::vector<double> heights;
  for (int i = 0; i < 400; ++i) heights.push_back(std::sin(0.8 * (i % 20)) * std::cos(0.9 * (i / 20)));
  builder.add_shape(
      "terrain", "world", translation(0, 0, -0.01),
      Shape(std::make_shared<const HeightField>(height_field(20, 20, heights, {0.5, 0.5, 0.02, 0.1}))));
  const auto step =
      std::make_shared<const TriangleMesh>(box_mesh(Vec3(-0.5, 0.02, -0.1), Vec3(0.5, 0.5, 0.03)));
  builder.add_shape("step", "world", {}, Shape(SharedMesh(step)));
  const auto box_hull = std::make_shared<const ConvexHull>(convex_hull(
      {Vec3(0, 0, 0), Vec3(0.05, 0, 0), Vec3(0, 0.06, 0), Vec3(0, 0, 0.05), Vec3(0.04, 0.04, 0.04)}));
  for (int i = 0; i < count; ++i) {
    const Pose X{Eigen::AngleAxisd(0.4 * i, Vec3(1, i % 3, 2).normalized()).toRotationMatrix(),
                 Vec3(0.03 * (i % 2), 0.03 * (i % 3), 0.06 + 0.08 * i)};
    const Shape shapes[] = {Shape(ell()), Box{Vec3(0.03, 0.02, 0.02)}, Shape(ring()),
                            Sphere{0.02}, Capsule{0.015, 0.04},        Shape(box_hull)};
    ContactMaterial material = field(1e6);
    if (i % 6 == 5) material = friction_only(0.5);
    add("body" + std::to_string(i), X, shapes[i % 6], material, &builder);
  }
  return builder.build();
}

std::vector<std::uint64_t> hashes_of(const Model& model, int steps, bool is_fresh) {
  State now(model), next(model);
  StepRecord record(model);
  StepWorkspace workspace(model);
  std::vector<std::uint64_t> out;
  for (int i = 0; i < steps; ++i) {
    if (is_fresh) {
      record = StepRecord(model);
      workspace = StepWorkspace(model);
    }
    const StepReport report = step(model, now, {}, 5e-3, {}, &record, &workspace, &next);
    if (!report.ok()) ADD_FAILURE() << describe(model, report);
    std::swap(now, next);
    out.push_back(hash(now));
  }
  EXPECT_FALSE(record.collision.pressure_points.empty());
  return out;
}

TEST(TetVolumes, StepsHaveTheSameBitsForAnyNumberOfThreadsAndFromAFile) {
  const Model model = pile(8);
  const std::vector<std::uint64_t> one = hashes_of(model, 100, false);
  EXPECT_EQ(one, hashes_of(model, 100, true));
  // A model in JSON has every bit, its tetrahedra among them.
  EXPECT_EQ(one, hashes_of(model_from_json(model_to_json(model)), 100, false));
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    EXPECT_EQ(one, hashes_of(model, 100, false)) << threads;
    set_thread_count(1);
  }
}

TEST(TetVolumes, AStepAllocatesNothing) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  World world(pile(6), {.h = 5e-3});
  world.simulate(3.0);
  const AllocationCounter counter;
  for (int i = 0; i < 20; ++i) world.step();
  EXPECT_EQ(counter.count(), 0);
}

TEST(TetVolumes, TheLawOfEveryPointIsKeptAsTheCertificateSees) {
  for (const NamedLaw& law : every_law()) {
    SCOPED_TRACE(law.name);
    WorldOptions options = with_law(law, 2e-3);
    options.formulation.certifies = true;
    World world(pile(4), options);
    double force = 0.0;
    for (int i = 0; i < 80; ++i) {
      const StepReport report = world.step();
      ASSERT_TRUE(report.certificate);
      // A touch of less than a thousandth of a weight may pass the solver's tolerance without an iteration.
      if (report.certificate->contact.force_scale > 1e-3) {
        EXPECT_LT(report.certificate->contact.law.relative, 1e-9) << i;
      }
      force = std::max(force, report.certificate->contact.force_scale);
    }
    EXPECT_GT(force, 0.5);
  }
}

TEST(TetVolumes, AFastOneDoesNotPassThroughAPlate) {
  // It crosses its own size, up to 0.4 m, in a step; a plate of 4 mm, as a box and as a rigid mesh.
  const Vec3 half(0.5, 0.5, 2e-3);
  for (const Shape& plate :
       {Shape(Box{half}), Shape(SharedMesh(std::make_shared<const TriangleMesh>(box_mesh(-half, half))))})
    for (const double tilt : {0.0, 0.1})
      for (const double h : {1e-3, 2e-3, 5e-3, 1e-2, 2e-2}) {
        SCOPED_TRACE(format("{} {} {}", name_of(plate), tilt, h));
        ModelBuilder builder("bullet");
        builder.add_shape("plate", "world", {}, plate);
        add("ell",
            {Eigen::AngleAxisd(tilt, Vec3(1, 0.5, 0).normalized()).toRotationMatrix(), Vec3(0, 0, 0.5)},
            Shape(ell()), field(1e8, 10.0), &builder);
        builder.set_initial_velocity("ell", {0, 0, 0, 0, 0, -20.0});
        World world(builder.build(), {.h = h});
        for (double t = 0.0; t < 0.08; t += h) {
          world.step();
          // It may tumble, but its centre stays above.
          const Body& body = world.model().forest.bodies[std::size_t(world.model().body("ell"))];
          ASSERT_GT((world.body_pose("ell") * body.inertia.com).z(), 0.0) << t;
        }
        EXPECT_GT(world.body_velocity("ell")[5], -10.0);
      }
}

TEST(TetVolumes, CheckSaysHowManyThereAreAndWhatIsWrong) {
  ModelBuilder builder = on_floor("notes");
  add("soft", translation(0, 0, 0.1), Shape(ell()), field(), &builder);
  TetVolume flat = cubes_volume({{0, 0, 0}}, 1.0);
  flat.tets.push_back({1, 2, 3, 4});  // a square
  add("hard", translation(0, 0, 1.0), Shape(shared_mesh_of(flat)), friction_only(0.5), &builder);
  const std::vector<std::string> notes = tet_notes(builder.build());
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[0].rfind(
                "shape 'soft' is a volume of 60 tetrahedra with 44 triangles on its surface, compliant", 0),
            0u)
      << notes[0];
  EXPECT_NE(notes[1].find("rigid without a pressure_modulus"), std::string::npos) << notes[1];
  EXPECT_NE(notes[1].find("it cannot have a pressure field"), std::string::npos) << notes[1];
  EXPECT_NE(notes[1].find("found 1 tetrahedra without volume"), std::string::npos) << notes[1];
}

}  // namespace
}  // namespace stiction
