#include "stiction/contact/complementarity/mixed_newton.h"

#include <cmath>
#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/base/allocation_counter.h"
#include "test/contact/complementarity/mcp_classics.h"
#include "test/contact/complementarity/mixed_problem.h"
#include "test/contact/complementarity/random_mixed.h"

namespace stiction {
namespace {

constexpr MixedMethod kAllMethods[] = {MixedMethod::min_map, MixedMethod::fischer_burmeister,
                                       MixedMethod::penalised, MixedMethod::pivoting, MixedMethod::homotopy};

// F of one unknown and its derivative, with bounds.
class OneUnknown : public MixedProblem {
 public:
  using Function = std::function<bool(double z, double* F, double* derivative)>;

  OneUnknown(double from, double to, Function function) : function_(std::move(function)) {
    lower.setConstant(1, from);
    upper.setConstant(1, to);
  }
  bool evaluate(const VecX& z, VecX* F) override {
    double derivative;
    F->resize(1);
    return function_(z[0], &(*F)[0], &derivative);
  }
  bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override {
    F->resize(1);
    jacobian->row_begin = {0, 1};
    jacobian->columns = {0};
    jacobian->values.resize(1);
    return function_(z[0], &(*F)[0], &jacobian->values[0]);
  }

 private:
  Function function_;
};

MixedReport solve(MixedProblem& problem, VecX* z, const MixedOptions& options = {}) {
  MixedSolver solver;
  return solver.solve(problem, options, z);
}

double distance_to_nearest(const std::vector<VecX>& solutions, const VecX& z) {
  double nearest = HUGE_VAL;
  for (const VecX& solution : solutions)
    nearest = std::min(nearest, (z - solution).cwiseAbs().maxCoeff() / (1.0 + z.cwiseAbs().maxCoeff()));
  return nearest;
}

// A natural residual of 1e-10 leaves z wrong by that times the inverse of the smallest singular value, which
// is 0.08 and more in all classics; the solutions themselves are known to so many figures.
void expect_solved(const Classic& classic, const MixedReport& report, const VecX& z) {
  EXPECT_EQ(report.status, MixedStatus::converged);
  VecX F;
  ASSERT_TRUE(classic.problem->evaluate(z, &F));
  EXPECT_LE(natural_residual(*classic.problem, z, F), 1e-10);
  if (classic.is_continuum) return;
  EXPECT_LE(distance_to_nearest(classic.solutions, z), 2e-9 + classic.known_to);
}

TEST(NaturalResidual, IsTheDistanceToTheProjectionOfAStepAlongMinusF) {
  OneUnknown problem(0.0, 2.0, {});
  const VecX F_up = VecX::Constant(1, -0.5), F_down = VecX::Constant(1, 0.5);
  EXPECT_EQ(natural_residual(problem, VecX::Constant(1, 1.0), F_up), 0.5);
  EXPECT_EQ(natural_residual(problem, VecX::Constant(1, 1.75), F_up), 0.25);
  EXPECT_EQ(natural_residual(problem, VecX::Constant(1, 2.0), F_up), 0.0);
  EXPECT_EQ(natural_residual(problem, VecX::Constant(1, 0.0), F_down), 0.0);
  EXPECT_EQ(natural_residual(problem, VecX::Constant(1, -1.0), F_down), 1.0);
}

// 1e15 - (1e15 - 1e-3) is zero in double numbers.
TEST(NaturalResidual, SeesASmallFBesideALargeZ) {
  OneUnknown problem(0.0, kNoBound, {});
  EXPECT_EQ(natural_residual(problem, VecX::Constant(1, 1e15), VecX::Constant(1, 1e-3)), 1e-3);
}

TEST(NaturalResidual, IsInfiniteWhereANumberIsNone) {
  OneUnknown problem(0.0, 2.0, {});
  const VecX none = VecX::Constant(1, std::nan("")), zero = VecX::Zero(1);
  EXPECT_EQ(natural_residual(problem, none, zero), kNoBound);
  EXPECT_EQ(natural_residual(problem, zero, none), kNoBound);
}

TEST(McpClassics, HaveDerivativesThatMeetTheirDifferences) {
  for (const Classic& classic : mcp_classics()) {
    SCOPED_TRACE(classic.name);
    MixedProblem& problem = *classic.problem;
    const int n = problem.size();
    const VecX z = classic.start + VecX::Constant(n, 0.3);
    VecX F, above, below;
    SparseRows J;
    ASSERT_TRUE(problem.linearise(z, &F, &J));
    // Central differences are wrong by h^2 F''' / 6 and round-off of F / h: about 1e-8 of the derivative.
    const double h = 1e-5;
    for (int i = 0; i < n; ++i) {
      for (int e = J.row_begin[i]; e < J.row_begin[i + 1]; ++e) {
        const VecX step = h * VecX::Unit(n, J.columns[e]);
        ASSERT_TRUE(problem.evaluate(z + step, &above) && problem.evaluate(z - step, &below));
        const double difference = (above[i] - below[i]) / (2.0 * h);
        EXPECT_NEAR(J.values[e], difference, 1e-7 * (1.0 + std::abs(difference)));
      }
    }
  }
}

TEST(MixedNewton, SolvesEveryClassicFromItsStandardStart) {
  for (const Classic& classic : mcp_classics()) {
    SCOPED_TRACE(classic.name);
    VecX z = classic.start;
    const MixedReport report = solve(*classic.problem, &z);
    expect_solved(classic, report, z);
  }
}

TEST(MixedNewton, SolvesEveryClassicByHomotopyAlone) {
  for (const Classic& classic : mcp_classics()) {
    SCOPED_TRACE(classic.name);
    VecX z = classic.start;
    const MixedReport report = solve(*classic.problem, &z, {.method = MixedMethod::homotopy, .restarts = 0});
    expect_solved(classic, report, z);
  }
}

// Billups built his problem so that no descent of a merit leaves the neighbourhood of z = 0.
TEST(MixedNewton, SolvesEveryClassicButBillupsByDescentAlone) {
  for (const MixedMethod method : {MixedMethod::fischer_burmeister, MixedMethod::penalised}) {
    for (const Classic& classic : mcp_classics()) {
      SCOPED_TRACE(classic.name);
      VecX z = classic.start;
      const MixedReport report = solve(*classic.problem, &z, {.method = method, .restarts = 0});
      if (classic.name == "billups") {
        EXPECT_EQ(report.status, MixedStatus::stalled);
      } else {
        expect_solved(classic, report, z);
      }
    }
  }
}

TEST(MixedNewton, FindsAPointOfMathiesensSegment) {
  const Classic classic = mcp_classic("mathiesen");
  VecX z = classic.start;
  EXPECT_EQ(solve(*classic.problem, &z).status, MixedStatus::converged);
  EXPECT_GE(z[0], 0.0);
  EXPECT_LE(z[0], 3.0);
  EXPECT_LE(z.tail(3).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(MixedNewton, SolvesTheClassicsFromRandomStartsToo) {
  Random random(5);
  for (const Classic& classic : mcp_classics()) {
    SCOPED_TRACE(classic.name);
    for (int k = 0; k < 10; ++k) {
      VecX z = classic.start;
      for (double& value : z) value = std::abs(value + random.uniform(-2.0, 2.0));
      expect_solved(classic, solve(*classic.problem, &z), z);
    }
  }
}

// A strong diagonal and small products: the solution that the problem was built around is the only one, and
// the inverse of the Jacobian is below 2 there.
TEST(MixedNewton, FindsTheSolutionThatARandomProblemWasBuiltAround) {
  for (const int n : {1, 5, 24, 200, 201, 1500}) {
    SCOPED_TRACE(n);
    RandomMixedProblem problem(n, 5, 0.3, 11);
    VecX z = VecX::Zero(n);
    const MixedReport report = solve(problem, &z);
    EXPECT_EQ(report.status, MixedStatus::converged);
    EXPECT_LE((z - problem.solution).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(MixedNewton, SolvesRandomProblemsThatAreNotMonotone) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomMixedProblem problem(60, 5, 3.0, seed);
    VecX z = VecX::Zero(60), F;
    EXPECT_EQ(solve(problem, &z).status, MixedStatus::converged);
    problem.evaluate(z, &F);
    EXPECT_LE(natural_residual(problem, z, F), 1e-10);
  }
}

TEST(MixedNewton, ByEveryMethodFindsTheSameSolutionOfARandomProblem) {
  for (const MixedMethod method : kAllMethods) {
    RandomMixedProblem problem(24, 5, 0.3, 4);
    VecX z = VecX::Zero(24);
    EXPECT_EQ(solve(problem, &z, {.method = method, .restarts = 0}).status, MixedStatus::converged);
    EXPECT_LE((z - problem.solution).cwiseAbs().maxCoeff(), 1e-9);
  }
}

// One step of the geometrically implicit scheme for a ball above a plane: velocity and spin, the closest
// points a1 of the plane and a2 of the ball with their multipliers l1 and l2, impulses pn, pt, po, pr, and
// the slip s. N. Chakraborty, S. Berard, S. Akella, J. C. Trinkle, A geometrically implicit time-stepping
// method for multibody systems with intermittent contact, Int. J. Robotics Res. 33 (2014), equations 21
// and 22.
struct FallingBall {
  static constexpr int kUnknowns = 19;
  static constexpr double h = 0.01, m = 2.0, r = 0.5, I = 0.4 * m * r * r, mu = 0.2, g = 9.81;
  static constexpr double height = r + 0.02, vx0 = 3.0, vz0 = -4.0;

  template <class T>
  static void evaluate(const VecXT<T>& z, VecXT<T>* F) {
    const T vx = z[0], vy = z[1], vz = z[2], wx = z[3], wy = z[4], wz = z[5];
    const T l1 = z[12], l2 = z[13], pn = z[14], pt = z[15], po = z[16], pr = z[17], s = z[18];
    const T dx = z[9] - h * vx, dy = z[10] - h * vy, dz = z[11] - (height + h * vz);  // a2 from the centre
    *F << m * (vx - vx0) - pt, m * vy - po, m * (vz - vz0) - pn + m * g * h,          //
        I * wx - (dy * pn - dz * po), I * wy - (dz * pt - dx * pn), I * wz - (dx * po - dy * pt) - pr,
        z[6] - z[9], z[7] - z[10], z[8] - z[11] + l1,       // a1 - a2 + l1 n
        2.0 * l2 * dx, 2.0 * l2 * dy, 1.0 + 2.0 * l2 * dz,  // n + l2 grad g(a2)
        -z[8], r * r - dx * dx - dy * dy - dz * dz, z[11],  // points on their surfaces, and the gap
        mu * pn * (vx + wy * dz - wz * dy) + pt * s, mu * pn * (vy + wz * dx - wx * dz) + po * s,
        mu * pn * wz + pr * s, mu * mu * pn * pn - pt * pt - po * po - pr * pr;
  }
};

// Its way to the ground takes less than the step: it ends the step on the ground, slides on and has been
// turned by the friction that slowed it down.
TEST(MixedNewton, FindsTheImpulseOfABallThatLandsFromItsStateInFlight) {
  using Ball = FallingBall;
  DualMixedProblem<Ball> problem(Ball::kUnknowns);
  problem.lower.setConstant(-kNoBound);
  for (const int i : {12, 13, 14, 18}) problem.lower[i] = 0.0;
  // All impulses and the slip are zero in flight: the friction rows have no derivatives there.
  const double gap = Ball::height - Ball::r;
  VecX z = VecX::Zero(Ball::kUnknowns);
  z[0] = Ball::vx0;
  z[2] = Ball::vz0;
  z[11] = z[12] = gap;
  z[13] = 1.0 / (2.0 * Ball::r);
  const MixedReport report = solve(problem, &z);
  EXPECT_EQ(report.status, MixedStatus::converged);

  const double vz = -gap / Ball::h, pn = Ball::m * (vz - Ball::vz0 + Ball::g * Ball::h);
  const double vx = Ball::vx0 - Ball::mu * pn / Ball::m, wy = Ball::r * Ball::mu * pn / Ball::I;
  // The residual of the friction rows is the square of an impulse: 1e-10 leaves 1e-10 / (mu pn) in it.
  EXPECT_NEAR(z[2], vz, 1e-8);
  EXPECT_NEAR(z[14], pn, 1e-8);
  EXPECT_NEAR(z[15], -Ball::mu * pn, 1e-8);
  EXPECT_NEAR(z[0], vx, 1e-8);
  EXPECT_NEAR(z[4], wy, 1e-8);
  EXPECT_NEAR(z[18], vx - Ball::r * wy, 1e-7);
}

TEST(MixedNewton, TakesNoStepFromTheSolution) {
  RandomMixedProblem problem(24, 5, 1.0, 3);
  VecX z = problem.solution;
  const MixedReport report = solve(problem, &z);
  EXPECT_EQ(report.status, MixedStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.evaluations, 1);
  EXPECT_EQ(z, problem.solution);
}

// Newton doubles the figures with every step: two from an error of 1e-3, one more for the curvature.
TEST(MixedNewton, TakesAtMostThreeStepsFromAGoodStart) {
  Random random(9);
  for (unsigned seed = 1; seed <= 50; ++seed) {
    RandomMixedProblem problem(24, 5, 1.0, seed);
    VecX z = problem.solution;
    for (double& value : z) value += 1e-3 * random.uniform(-1.0, 1.0);
    const MixedReport report = solve(problem, &z);
    EXPECT_EQ(report.status, MixedStatus::converged);
    EXPECT_LE(report.iterations, 3);
  }
}

TEST(MixedNewton, GivesTheSameBitsAgainWhateverItSolvedBefore) {
  RandomMixedProblem problem(60, 5, 3.0, 2), other(201, 5, 0.3, 1);
  MixedSolver fresh, used;
  VecX first = VecX::Zero(60), second = VecX::Zero(60), z = VecX::Zero(201);
  fresh.solve(problem, {}, &first);
  used.solve(other, {}, &z);
  used.solve(problem, {}, &second);
  EXPECT_EQ(first, second);
}

TEST(MixedNewton, AllocatesNothingInASecondSolve) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  for (const int n : {24, 201}) {
    for (const MixedMethod method : {MixedMethod::min_map, MixedMethod::fischer_burmeister}) {
      RandomMixedProblem problem(n, 5, 1.0, 1);
      MixedSolver solver;
      VecX z = VecX::Zero(n);
      solver.solve(problem, {.method = method}, &z);
      z.setZero();
      const AllocationCounter counter;
      solver.solve(problem, {.method = method}, &z);
      EXPECT_EQ(counter.count(), 0) << n;
    }
  }
}

TEST(MixedNewton, NeverCallsAProblemWithoutSolutionSolved) {
  const OneUnknown::Function parabola = [](double z, double* F, double* derivative) {
    *F = z * z + 1e-3;
    *derivative = 2.0 * z;
    return true;
  };
  const OneUnknown::Function always_negative = [](double, double* F, double* derivative) {
    *F = -1.0;
    *derivative = 0.0;
    return true;
  };
  OneUnknown no_root(-kNoBound, kNoBound, parabola), no_end(0.0, kNoBound, always_negative);
  for (MixedProblem* problem : {static_cast<MixedProblem*>(&no_root), static_cast<MixedProblem*>(&no_end)}) {
    VecX z = VecX::Constant(1, 1.0);
    const MixedReport report = solve(*problem, &z);
    EXPECT_TRUE(report.status == MixedStatus::stalled || report.status == MixedStatus::max_iterations);
    EXPECT_GE(report.residual, 1e-3);
  }
}

TEST(MixedNewton, CallsBoundsInTheWrongOrderInfeasible) {
  OneUnknown problem(1.0, 0.0, {});
  VecX z = VecX::Zero(1);
  EXPECT_EQ(solve(problem, &z).status, MixedStatus::infeasible);
}

OneUnknown::Function logarithm() {
  return [](double z, double* F, double* derivative) {
    *F = std::log(z);
    *derivative = 1.0 / z;
    return z > 0.0;
  };
}

TEST(MixedNewton, ShortensStepsThatLeaveTheDomain) {
  // The first Newton step from 8 leads to 8 - 8 ln 8 < 0.
  OneUnknown problem(-kNoBound, kNoBound, logarithm());
  VecX z = VecX::Constant(1, 8.0);
  EXPECT_EQ(solve(problem, &z).status, MixedStatus::converged);
  EXPECT_NEAR(z[0], 1.0, 1e-10);
}

TEST(MixedNewton, SaysWhereFIsNotDefinedAtTheStart) {
  OneUnknown problem(-kNoBound, kNoBound, logarithm());
  VecX z = VecX::Constant(1, -1.0);
  EXPECT_EQ(solve(problem, &z).status, MixedStatus::not_defined);
}

TEST(MixedNewton, AsksForFBetweenTheBoundsOnly) {
  // A cubic that is almost flat at 3, on [0, 4], from a start outside.
  for (const MixedMethod method : kAllMethods) {
    bool has_left = false;
    OneUnknown problem(0.0, 4.0, [&](double z, double* F, double* derivative) {
      has_left = has_left || z < 0.0 || z > 4.0;
      *F = (z - 3.0) * (z - 3.0) * (z - 3.0) + 0.1 * z - 2.0;
      *derivative = 3.0 * (z - 3.0) * (z - 3.0) + 0.1;
      return true;
    });
    VecX z = VecX::Constant(1, -7.0);
    EXPECT_EQ(solve(problem, &z, {.method = method}).status, MixedStatus::converged);
    EXPECT_FALSE(has_left);
  }
}

TEST(MixedNewton, SolvesEquationsThatDependOnEachOther) {
  // x + y = 1 twice: any point of the line.
  class Line : public MixedProblem {
   public:
    Line() {
      lower.setConstant(2, -kNoBound);
      upper.setConstant(2, kNoBound);
    }
    bool evaluate(const VecX& z, VecX* F) override {
      F->resize(2);
      *F << z[0] + z[1] - 1.0, 2.0 * (z[0] + z[1] - 1.0);
      return true;
    }
    bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override {
      jacobian->row_begin = {0, 2, 4};
      jacobian->columns = {0, 1, 0, 1};
      jacobian->values = {1.0, 1.0, 2.0, 2.0};
      return evaluate(z, F);
    }
  };
  Line problem;
  VecX z = VecX::Constant(2, 3.0);
  const MixedReport report = solve(problem, &z);
  EXPECT_EQ(report.status, MixedStatus::converged);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_NEAR(z.sum(), 1.0, 1e-10);
}

TEST(MixedNewton, HoldsUnknownsWhoseBoundsMeet) {
  RandomMixedProblem problem(24, 5, 0.3, 6);
  problem.lower[0] = problem.upper[0] = problem.solution[0];
  for (const MixedMethod method : kAllMethods) {
    VecX z = VecX::Zero(24);
    EXPECT_EQ(solve(problem, &z, {.method = method, .restarts = 0}).status, MixedStatus::converged);
    EXPECT_EQ(z[0], problem.solution[0]);
    EXPECT_LE((z - problem.solution).cwiseAbs().maxCoeff(), 1e-9);
  }
}

// M is singular but for 1e-12: M z = q has a solution of 1e12, which double numbers do not know. With it, or
// without it, nobody may say that a number of this size was found to 1e-10.
TEST(MixedNewton, DoesNotTakeARunawayForASolution) {
  class NearlySingular : public MixedProblem {
   public:
    NearlySingular() {
      lower.setConstant(2, -kNoBound);
      upper.setConstant(2, kNoBound);
    }
    bool evaluate(const VecX& z, VecX* F) override {
      F->resize(2);
      *F << z[0] / 3.0 + z[1] / 7.0 - 1.0, z[0] / 3.0 + (1.0 / 7.0 + 1e-12) * z[1] + 1.0;
      return true;
    }
    bool linearise(const VecX& z, VecX* F, SparseRows* jacobian) override {
      jacobian->row_begin = {0, 2, 4};
      jacobian->columns = {0, 1, 0, 1};
      jacobian->values = {1.0 / 3.0, 1.0 / 7.0, 1.0 / 3.0, 1.0 / 7.0 + 1e-12};
      return evaluate(z, F);
    }
  };
  NearlySingular problem;
  VecX z = VecX::Zero(2), F;
  const MixedReport report = solve(problem, &z);
  problem.evaluate(z, &F);
  const bool is_exact = F.cwiseAbs().maxCoeff() <= 1e-10;
  EXPECT_EQ(report.status == MixedStatus::converged, is_exact);
}

TEST(MixedNewton, StopsAfterTheIterationsAllowed) {
  const Classic classic = mcp_classic("billups");
  VecX z = classic.start;
  const MixedReport report = solve(*classic.problem, &z, {.max_iterations = 7});
  EXPECT_EQ(report.status, MixedStatus::max_iterations);
  EXPECT_LE(report.iterations, 8);
}

TEST(MixedNewton, SolvesNothingAtOnce) {
  RandomMixedProblem problem(0, 0, 0.0, 1);
  VecX z;
  EXPECT_EQ(solve(problem, &z).status, MixedStatus::converged);
}

}  // namespace
}  // namespace stiction
