#include "stiction/contact/residual.h"

#include <gtest/gtest.h>

#include "stiction/constraint/apply_law.h"
#include "stiction/contact/solver/newton.h"

namespace stiction {
namespace {

// A ball of 2 kg that touches the floor at one point below its centre, arm 0.1 m, and falls or slides.
SavedProblem ball_on_floor(const Vec3& v_free) {
  SavedProblem saved;
  ContactProblem& problem = saved.problem;
  problem.h = 0.01;
  ProblemTree tree;
  tree.num_v = 6;
  tree.is_free_body = true;
  problem.set_trees(std::vector<ProblemTree>{tree});
  std::fill(problem.A.begin(), problem.A.end(), 0.0);
  for (int i = 0; i < 3; ++i) {
    problem.A_of(0)[8 * i + i] = 0.008;          // kg m^2
    problem.A_of(0)[8 * (3 + i) + 4 + i] = 2.0;  // kg
  }
  problem.v_free << 0, 0, 0, v_free;
  problem.v_start = problem.v_free;
  problem.bodies.resize(2);
  problem.bodies[1].tree = 0;
  PatchPlan plan;
  plan.b = 1;
  plan.points = 1;
  problem.set_patches(std::vector<PatchPlan>{plan});
  problem.frames[0] = {{0, 0, -0.1}, {0, 0, -0.1}, {0, 0, 1}, {0, 0, 0}};
  saved.points.assign(problem.frames.size(), {});
  saved.points[0] = {-1e-4, 1e5, 1e7, 10.0, 1e-3, 0.5, 0.0, 0.5};
  ContactOptions options;
  options.law = LawKind::sap;
  apply_law(options, &saved);
  return saved;
}

AlignedVector<double> impulses_of(const SavedProblem& saved, const Vec3& gamma) {
  AlignedVector<double> impulses(4 * saved.problem.frames.size());
  std::fill(impulses.begin(), impulses.end(), 0.0);
  for (int i = 0; i < 3; ++i) impulses[i] = gamma[i];
  return impulses;
}

TEST(Judge, FindsNoErrorInTheAnswerOfASolver) {
  for (const LawKind law : {LawKind::sap, LawKind::icf_lagged, LawKind::icf_similar}) {
    SavedProblem saved = ball_on_floor(Vec3(1.0, 0, -0.5));
    ContactOptions options;
    options.law = law;
    apply_law(options, &saved);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(saved.problem, NewtonOptions(), &solution);
    const ContactResidual residual = judge(saved.problem, saved.points, solution.v, solution.impulses);
    // The solver's own tolerance is 1e-6.
    EXPECT_LT(residual.momentum.relative, 1e-6);
    EXPECT_LT(residual.law.relative, 1e-9);
    if (law == LawKind::sap) {
      EXPECT_LT(residual.slackness->relative, 1e-9);
    } else {
      EXPECT_FALSE(residual.slackness.has_value());
    }
  }
}

TEST(Judge, MeasuresTheImbalanceOfMomentumInTheScaledNorm) {
  const SavedProblem saved = ball_on_floor(Vec3(0, 0, -0.5));
  // Nothing pushes and the ball stops: A (v - v_free) = 2 kg x 0.5 m/s, scaled by 1/sqrt(2 kg).
  const VecX v = VecX::Zero(6);
  const ContactResidual residual = judge(saved.problem, saved.points, v, impulses_of(saved, Vec3::Zero()));
  EXPECT_NEAR(residual.momentum.absolute, 1.0 / std::sqrt(2.0), 1e-15);
}

TEST(Judge, SeesAForceOutsideTheFrictionCone) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  // mu 0.5: (3, 0, 2) N is (3 - 1) N beyond the cone, seen at right angles to its side.
  const ContactResidual residual =
      judge(saved.problem, saved.points, VecX::Zero(6), impulses_of(saved, 0.01 * Vec3(3, 0, 2)));
  EXPECT_NEAR(residual.primal.absolute, 2.0 / std::sqrt(1.25), 1e-13);
  EXPECT_NEAR(residual.primal.relative, 2.0 / std::sqrt(1.25) / std::sqrt(13.0), 1e-13);
}

TEST(Judge, SeesPenetrationAsDualError) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  VecX v = VecX::Zero(6);
  v[5] = -0.3;  // m/s
  const ContactResidual residual = judge(saved.problem, saved.points, v, impulses_of(saved, Vec3::Zero()));
  EXPECT_NEAR(residual.dual.absolute, 0.3, 1e-15);
}

TEST(Judge, SeesFrictionThatFallsShortOfTheMostDissipation) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  VecX v = VecX::Zero(6);
  v[3] = 2.0;  // m/s, sliding along x
  // 10 N press, so friction should take 0.5 x 10 N x 2 m/s = 10 W; -3 N take 6 W.
  const ContactResidual residual =
      judge(saved.problem, saved.points, v, impulses_of(saved, 0.01 * Vec3(-3, 0, 10)));
  EXPECT_NEAR(residual.dissipation.absolute, 4.0, 1e-13);
  EXPECT_NEAR(residual.signorini.absolute, 0.0, 1e-13);
}

}  // namespace
}  // namespace stiction
