// The dual of SAP (S eq. 22): solvers of impulses find the motion and the impulses of Newton's method on
// velocities.

#include <string>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/contact/dual/rigid_solver.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

double relative(const VecX& a, const VecX& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

VecX vector_of(const AlignedVector<double>& x) {
  return Eigen::Map<const VecX>(x.data(), static_cast<Eigen::Index>(x.size()));
}

TEST(SapDual, SolversOfImpulsesAgreeWithNewtonsMethodOnVelocities) {
  for (const char* scene : {"quadruped_standing", "hand_with_ball", "gripper"}) {
    SCOPED_TRACE(scene);
    WorldOptions options;
    set_formulation("sap+newton", &options.formulation.contact);
    World world(make_scene(scene), options);
    int compared = 0;
    for (int k = 0; k < 60; ++k) {
      world.step();
      const ContactProblem& problem = world.record().contact.problem;
      if (k % 15 != 14 || problem.patches.empty()) continue;
      NewtonOptions exact;
      exact.relative_tolerance = 1e-13;
      ContactSolution primal;
      NewtonSolver().solve(problem, exact, &primal);
      for (const char* solver : {"admm", "pgs", "interior_point"}) {
        SCOPED_TRACE(solver);
        DualOptions dual;
        // R_t is small: the condition of W + R is in the difference. interior_point has no digits below 1e-11.
        const bool is_interior = solver == std::string("interior_point");
        dual.tolerance = is_interior ? 1e-11 : 1e-13;
        dual.max_iterations = 50000;
        ContactSolution solution;
        RigidSolver().solve(problem, solver, dual, {}, &solution);
        EXPECT_TRUE(is_solved(solution.report.status)) << name_of(solution.report.status);
        EXPECT_EQ(solution.report.dropped_stabilisation, 0);
        EXPECT_LT(relative(solution.v, primal.v), 1e-7);
        EXPECT_LT(relative(vector_of(solution.impulses), vector_of(primal.impulses)), 1e-6);
        ++compared;
      }
    }
    EXPECT_GE(compared, 2);
  }
}

// A world, from warm starts and with the memory of impulses: the same motion.
TEST(SapDual, WorldsMoveAlike) {
  const auto pose = [](const char* formulation) {
    WorldOptions options;
    set_formulation(formulation, &options.formulation.contact);
    set_tolerance(1e-10, &options.formulation);
    options.formulation.dual.max_iterations = 20000;
    World world(make_scene("quadruped_standing"), options);
    world.simulate(0.2);
    return VecX(world.state().q);
  };
  const VecX newton = pose("sap+newton");
  EXPECT_LT((pose("sap+admm") - newton).norm(), 1e-7);
  EXPECT_LT((pose("sap+pgs") - newton).norm(), 1e-7);
  EXPECT_LT((pose("sap+interior_point") - newton).norm(), 1e-7);
}

}  // namespace
}  // namespace stiction
