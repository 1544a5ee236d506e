// Internal impulses of a cube pulled at stiction, and the penalty that ADMM remembers.

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kMass = 1.0, kEdge = 0.2, kFriction = 0.4, kGravity = 9.81, kStep = 1e-3;

Model cube() {
  ModelBuilder builder("cube");
  ContactMaterial material;
  material.static_friction = kFriction;
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("cube", translation(0, 0, kEdge / 2), Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(kEdge / 2)}, kMass / (kEdge * kEdge * kEdge));
  for (const char* shape : {"floor", "cube"}) builder.set_material(shape, material);
  return builder.build();
}

// One step of the cube, pulled along x at its centre.
World pulled(const char* formulation, double force, bool minimum_norm) {
  WorldOptions options;
  options.h = kStep;
  set_formulation(formulation, &options.formulation.contact);
  options.formulation.dual.tolerance = 1e-11;
  options.formulation.dual.max_iterations = 10000;
  options.formulation.dual.minimum_norm = minimum_norm;
  World world(cube(), options);
  BodyWrench wrench;
  wrench.body = world.model().body("cube");
  wrench.p_W = world.body_pose("cube").p;
  wrench.wrench = stack<double>(Vec3::Zero(), Vec3(force, 0, 0));
  world.input().wrenches.assign(1, wrench);
  world.step();
  return world;
}

// Of m g h, by a rank-revealing QR of J'.
double internal(const World& world) {
  const ContactProblem& problem = world.record().contact.problem;
  const RigidSolver& solver = world.workspace().contact.solver.dual_islands();
  return internal_force(solver.dual(problem, 0), solver.lambda(problem, 0)) / (kMass * kGravity * kStep);
}

TEST(MinimumNorm, LeavesNoInternalImpulsesAtStictionAndTheMotionAsItWas) {
  for (const char* formulation : {"coulomb_ncp+pgs", "convex_cone+pgs", "raisim+bisection"}) {
    SCOPED_TRACE(formulation);
    const World plain = pulled(formulation, 2.0, false), least = pulled(formulation, 2.0, true);
    EXPECT_GT(internal(plain), 1e-3);
    EXPECT_LT(internal(least), 1e-9);
    EXPECT_LT((plain.state().v - least.state().v).norm(), 1e-12);
    EXPECT_TRUE(is_solved(least.record().contact.solution.report.status));
  }
}

// Near slip the hind corners are not loaded enough for equal shares: what the cones allow is taken away.
TEST(MinimumNorm, StaysInTheCones) {
  const World least = pulled("coulomb_ncp+pgs", 0.999 * kFriction * kMass * kGravity, true);
  const RigidSolver& solver = least.workspace().contact.solver.dual_islands();
  const ContactProblem& problem = least.record().contact.problem;
  const DualResidual residual = check_dual_residual(solver.dual(problem, 0), solver.lambda(problem, 0));
  EXPECT_LT(residual.primal.relative, 1e-12);
  EXPECT_LT(residual.natural_velocity.relative, 1e-9);
  EXPECT_LE(internal(least),
            internal(pulled("coulomb_ncp+pgs", 0.999 * kFriction * kMass * kGravity, false)));
}

// The penalty is part of the state: a world that goes on from a copy takes the same step, bit for bit, and one
// that has forgotten it looks for it again.
TEST(AdmmPenalty, IsRememberedByIslandAndSparesAFactorisation) {
  for (const char* solver : {"coulomb_ncp+admm", "convex_cone+admm_spectral"}) {
    SCOPED_TRACE(solver);
    WorldOptions options;
    set_formulation(solver, &options.formulation.contact);
    options.formulation.dual.tolerance = 1e-8;
    World world(make_scene("quadruped_standing"), options);
    world.simulate(0.3);
    ASSERT_EQ(world.state().memory.penalties.size(), 1u);
    EXPECT_GT(world.state().memory.penalties[0].rho, 0.0);
    State forgotten = world.state();
    forgotten.memory.penalties.clear();
    EXPECT_NE(hash(forgotten), hash(world.state()));
    World copy(make_scene("quadruped_standing"), options), other(make_scene("quadruped_standing"), options);
    copy.set_state(world.state());
    other.set_state(forgotten);
    const StepReport kept = world.step(), again = copy.step(), cold = other.step();
    EXPECT_EQ(hash(world.state()), hash(copy.state()));
    EXPECT_EQ(kept.contact.factorisations, again.contact.factorisations);
    EXPECT_LE(kept.contact.factorisations, cold.contact.factorisations);
    if (std::string_view(solver) == "coulomb_ncp+admm" && kept.contact.iterations > 0) {
      EXPECT_LT(kept.contact.factorisations, cold.contact.factorisations);
    }
  }
}

}  // namespace
}  // namespace stiction
