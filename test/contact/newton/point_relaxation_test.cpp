#include "stiction/contact/newton/point_relaxation.h"

#include <cmath>

#include <gtest/gtest.h>

#include "stiction/contact/law/icf.h"
#include "stiction/contact/newton/newton.h"
#include "test/contact/one_body_problem.h"
#include "test/contact/random_problem.h"

namespace stiction {
namespace {

constexpr double kStiffness = 1e7, kSlope = 2e-3 * 2e-3 * kStiffness;  // N/m, N s per m/s

// A body of 1 kg that just touches the floor, comes down at 0.5 m/s and slides at 1 m/s.
ContactProblem sliding_touch(double mu, const Vec3& arm = Vec3::Zero()) {
  ContactProblem problem =
      one_body_problem({.v_free = Vec3(1.0, 0.0, -0.5), .arm = arm, .law = LawKind::icf_coupled});
  IcfParameters<double> p;
  p.j0 = 0.0;
  p.slope = kSlope;
  p.d = 0.0;
  p.v_break = linear_break_velocity(p.j0, p.slope, p.d);
  p.friction = mu;
  p.eps = 1e-4;
  problem.set_parameters(0, p.stored());
  return problem;
}

Vec6 velocities_after(const ContactProblem& problem, int sweeps, PointArrays* points = nullptr) {
  PointRelaxation relaxation;
  EXPECT_TRUE(relaxation.begin(problem, problem.islands[0], {0}));
  relaxation.sweep(sweeps, 0.0);
  Vec6 v;
  Eigen::Map<VecX> to(v.data(), 6);
  relaxation.velocities(&to);
  if (points) {
    points->resize(4, false, true);
    relaxation.predict(points);
  }
  return v;
}

TEST(PointRelaxation, FindsTheImpulseOfAPointByItself) {
  // n = s v = 0.5 - v with v the approach that is left; a slip of 1 m/s loses mu n. The law is linear, so
  // that the second visit is exact; the part of the soft direction that is lost is (v_s/slip)^2/2 = 1e-8.
  const double mu = 0.3, n = 0.5 * kSlope / (1.0 + kSlope);
  PointArrays points;
  const Vec6 v = velocities_after(sliding_touch(mu), 2, &points);
  EXPECT_NEAR(v[3], 1.0 - mu * n, 1e-8);
  EXPECT_NEAR(v[5], n - 0.5, 1e-12);
  EXPECT_NEAR(points.expected[0], n, 1e-12);
  EXPECT_NEAR(points.factor[0], n, 1e-12);
  EXPECT_EQ(points.mark[0], 0.0);
}

TEST(PointRelaxation, SaysWhichPointsStick) {
  // mu n = 4 x 0.49 N s is more than the 1 N s of the slip; the creep left is v_s/4 x 1/0.49.
  PointArrays points;
  const Vec6 v = velocities_after(sliding_touch(4.0), 2, &points);
  EXPECT_EQ(points.mark[0], 1.0);
  EXPECT_LT(std::abs(v[3]), 1e-4);
}

TEST(PointRelaxation, TendsToTheAnswerOfNewtonsMethod) {
  // Far from the centre of mass, where friction also changes the normal velocity.
  for (const Vec3& arm : {Vec3(0.3, 0.2, -0.4), Vec3(-0.5, 0.1, -0.2)}) {
    const ContactProblem problem = sliding_touch(0.3, arm);
    NewtonOptions options;
    options.relative_tolerance = 1e-12;
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(problem, options, &solution);
    ASSERT_EQ(solution.report.lagged_fallbacks, 0);
    const Vec6 few = velocities_after(problem, 2), many = velocities_after(problem, 60);
    EXPECT_LT((many - solution.v).norm(), 1e-7);
    EXPECT_LT((many - solution.v).norm(), (few - solution.v).norm());
  }
}

TEST(PointRelaxation, StopsWhereImpulsesHardlyChange) {
  const ContactProblem problem = sliding_touch(0.3);
  PointRelaxation relaxation;
  ASSERT_TRUE(relaxation.begin(problem, problem.islands[0], {0}));
  EXPECT_LT(relaxation.sweep(100, 1e-6), 10);
}

TEST(PointRelaxation, LeavesRowsAndOtherFrictionAlone) {
  ContactProblem problem = sliding_touch(0.3);
  PointRelaxation relaxation;
  EXPECT_TRUE(relaxation.begin(problem, problem.islands[0], {0}));
  add_friction_lengths(1, &problem);
  EXPECT_FALSE(relaxation.begin(problem, problem.islands[0], {0}));
}

}  // namespace
}  // namespace stiction
