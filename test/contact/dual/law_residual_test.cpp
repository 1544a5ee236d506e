// The residual of the law that was solved: zero at the solutions of every rigid law, and moved by every change
// of an impulse.

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/solver.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

struct Posed {
  LawKind law;
  const char* solver;
};

// Every rigid law with its most exact solver, where we know one, or its first one of impulses.
std::vector<Posed> posed_laws() {
  std::vector<Posed> posed;
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::rigid) continue;
    const char* chosen = nullptr;
    for (const char* solver : {"semismooth_newton", "dantzig", "bisection"})
      if (chosen == nullptr && make_dual_solver(row.kind, solver)) chosen = solver;
    for (const char* const* solver = row.solvers; *solver != nullptr && chosen == nullptr; ++solver)
      if (make_dual_solver(row.kind, *solver)) chosen = *solver;
    if (chosen != nullptr) posed.push_back({row.kind, chosen});
  }
  return posed;
}
const std::vector<Posed> kPosed = posed_laws();

VecX solved(const Posed& posed, const DualProblem& problem) {
  DualOptions options;
  options.tolerance = 1e-13;
  options.max_iterations = 20000;
  VecX lambda = VecX::Zero(problem.num_rows());
  make_dual_solver(posed.law, posed.solver)->solve(problem, options, &lambda);
  return lambda;
}

double law_error(const Posed& posed, const DualProblem& problem, const VecX& lambda) {
  return check_dual_residual(problem, lambda, {}, {posed.law, {}}).law.absolute;
}

// One contact with coupled rows that presses, is pushed along, slides, opens, with and without friction.
std::vector<DualProblem> single_contacts() {
  std::vector<DualProblem> problems;
  for (std::uint64_t seed = 1; seed <= 3; ++seed)
    for (const double mu : {0.0, 0.4, 0.9})
      for (const Vec3& v : {Vec3(0, 0, -1), Vec3(0.1, -0.05, -1), Vec3(3, 1, -1), Vec3(-2, 0.5, -0.2),
                            Vec3(1, 0, 0.5), Vec3(0, 0, 0.5)})
        problems.push_back(dense_problem({contact_block(mu)}, random_spd(3, seed), v));
  return problems;
}

TEST(LawResidual, IsAskedOfEveryRigidLaw) {
  const auto is_rigid_law = [](const LawRow& row) { return row.family == LawFamily::rigid; };
  EXPECT_EQ(static_cast<long>(kPosed.size()),
            std::count_if(std::begin(kLawRows), std::end(kLawRows), is_rigid_law));
}

TEST(LawResidual, IsZeroAtTheSolutionsOfEveryRigidLaw) {
  for (const Posed& posed : kPosed) {
    SCOPED_TRACE(posed.solver);
    for (const DualProblem& problem : single_contacts())
      EXPECT_LT(law_error(posed, problem, solved(posed, problem)), 1e-10);
  }
}

TEST(LawResidual, IsZeroWhereManyBodiesTouch) {
  for (const Posed& posed : kPosed) {
    SCOPED_TRACE(posed.solver);
    for (const std::uint64_t seed : {3u, 4u}) {
      BodiesSpec spec;
      spec.R = 0.01;
      const DualProblem problem = random_bodies(spec, seed);
      EXPECT_LT(law_error(posed, problem, solved(posed, problem)), 1e-8);
    }
  }
}

// Changes of 1 and 0.001 of the size of a problem: the residual answers at least in proportion, with a factor
// that only the conditioning of W makes small.
TEST(LawResidual, SeesEveryChangeOfAnImpulseUnderEveryRigidLaw) {
  for (const Posed& posed : kPosed) {
    SCOPED_TRACE(posed.solver);
    for (const DualProblem& problem : single_contacts()) {
      const VecX truth = solved(posed, problem);
      for (const double size : {1.0, 1e-3}) {
        for (int i = 0; i < 6; ++i) {
          VecX changed = truth;
          changed[i / 2] += i % 2 == 0 ? size : -size;
          EXPECT_GT(law_error(posed, problem, changed), 1e-3 * size)
              << "component " << i / 2 << " of " << truth.transpose();
        }
      }
    }
    for (const std::uint64_t seed : {3u, 4u}) {
      BodiesSpec spec;
      spec.R = 0.01;
      const DualProblem problem = random_bodies(spec, seed);
      const VecX truth = solved(posed, problem);
      for (int i = 0; i < truth.size(); ++i) {
        VecX changed = truth;
        changed[i] += 1e-3;
        EXPECT_GT(law_error(posed, problem, changed), 1e-6) << "component " << i;
      }
    }
  }
}

// Where a contact slides and its rows are coupled no law's solution is that of another.
TEST(LawResidual, TellsTheLawsApart) {
  const DualProblem problem = dense_problem({contact_block(0.5)}, random_spd(3, 2), Vec3(3, 1, -1));
  for (const Posed& one : kPosed) {
    const VecX lambda = solved(one, problem);
    for (const Posed& other : kPosed) {
      const double error = law_error(other, problem, lambda);
      if (one.law == other.law)
        EXPECT_LT(error, 1e-10) << one.solver;
      else
        EXPECT_GT(error, 1e-3) << one.solver << " as " << other.solver;
    }
  }
}

// Torsion, rolling and scalar rows, under every law that has them.
TEST(LawResidual, SeesEveryChangeOfAMomentOrARowUnderEveryRigidLaw) {
  for (const Posed& posed : kPosed) {
    SCOPED_TRACE(posed.solver);
    for (const std::uint64_t seed : {3u, 4u, 5u}) {
      BodiesSpec spec;
      spec.R = 0.01;
      spec.rows = 4;
      spec.turns = true;
      const DualProblem problem = random_bodies(spec, seed);
      const VecX truth = solved(posed, problem);
      const auto error = [&](const VecX& lambda) {
        const DualResidual residual = check_dual_residual(problem, lambda, {}, {posed.law, {}});
        return std::max({residual.law.absolute, residual.row_natural.absolute, residual.row_primal.absolute});
      };
      EXPECT_LT(error(truth), 1e-8);
      for (int i = 0; i < 2 * truth.size(); ++i) {
        VecX changed = truth;
        changed[i / 2] += i % 2 == 0 ? 1e-3 : -1e-3;
        EXPECT_GT(error(changed), 1e-6) << "component " << i / 2;
        changed[i / 2] = std::numeric_limits<double>::quiet_NaN();
        const DualResidual none = check_dual_residual(problem, changed, {}, {posed.law, {}});
        EXPECT_TRUE(std::isnan(none.law.absolute) && std::isnan(none.row_natural.absolute)) << i / 2;
      }
    }
  }
}

TEST(LawResidual, IsNotANumberWhereANumberIsNone) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const Posed& posed : kPosed) {
    for (int i = 0; i < 3; ++i) {
      Vec3 v(0.1, 0.0, -1.0), lambda(0.0, 0.1, 1.0);
      v[i] = none;
      EXPECT_TRUE(std::isnan(law_error(posed, block_on_ground(v, 0.5), lambda))) << posed.solver;
      lambda[i] = none;
      EXPECT_TRUE(std::isnan(law_error(posed, block_on_ground(Vec3(0.1, 0.0, -1.0), 0.5), lambda)))
          << posed.solver;
    }
  }
}

TEST(LawResidual, OfManyIslandsIsNotANumberWhereThatOfOneIsNone) {
  DualResidual none, some;
  none.law.absolute = none.signorini.relative = std::numeric_limits<double>::quiet_NaN();
  some.law.absolute = some.signorini.relative = 1.0;
  for (const bool none_is_first : {false, true}) {
    DualResidual worst = none_is_first ? none : some;
    take_larger(none_is_first ? some : none, &worst);
    take_larger(some, &worst);
    EXPECT_TRUE(std::isnan(worst.law.absolute));
    EXPECT_TRUE(std::isnan(worst.signorini.relative));
    EXPECT_EQ(worst.law.relative, 0.0);
  }
}

// raisim slides along -(e + mu D_tn/D_nn), by hand: D_tn = (0.25, 0), mu 1/2, D_nn = 1/2 and e = (-1, 0) give
// N = (-0.75, 0); lambda = (-1, 0, 2) with s = (b, 0, 0) is a solution for every b > 0, and s = (0, b, 0) is
// wrong by b.
TEST(LawResidual, OfRaisimIsTheSlipAcrossItsDirection) {
  MatX W = 0.5 * MatX::Identity(3, 3);
  W(0, 2) = W(2, 0) = 0.25;
  const Vec3 lambda(-1.0, 0.0, 2.0), moved = W * lambda;
  const auto error = [&](const Vec3& s) {
    const DualProblem problem = dense_problem({contact_block(0.5)}, W, s - moved);
    return check_dual_residual(problem, lambda, {}, {LawKind::raisim, {}}).law.absolute;
  };
  EXPECT_NEAR(error(Vec3(0.3, 0.0, 0.0)), 0.0, 1e-15);
  EXPECT_NEAR(error(Vec3(0.0, 0.3, 0.0)), 0.3, 1e-15);
  EXPECT_NEAR(error(Vec3(-0.3, 0.0, 0.0)), 0.3, 1e-15);
  EXPECT_NEAR(error(Vec3(0.3, 0.0, 0.1)), 0.1, 1e-15);
}

// A square around the unit disc at mu lambda_n = 1: (1, 1) is its corner and slips against it at will.
TEST(LawResidual, OfThePyramidKnowsItsCorners) {
  const Vec3 lambda(1.0, 1.0, 2.0);
  const auto error = [&](const Vec3& s, const Vec3& impulse) {
    const MatX W = 0.5 * MatX::Identity(3, 3);
    const DualProblem problem = dense_problem({contact_block(0.5)}, W, s - W * impulse);
    return check_dual_residual(problem, impulse, {}, {LawKind::pyramid_lcp, {}}).law.absolute;
  };
  EXPECT_NEAR(error(Vec3(-0.3, -0.1, 0.0), lambda), 0.0, 1e-15);
  EXPECT_NEAR(error(Vec3(0.0, 0.2, 0.0), lambda), 0.2, 1e-15);
  EXPECT_NEAR(error(Vec3::Zero(), Vec3(0.5, -0.9, 2.0)), 0.0, 1e-15);
  // 0.1 beyond an edge; rho = 3/(3/2) = 2 kg.
  EXPECT_NEAR(error(Vec3::Zero(), Vec3(1.1, 0.0, 2.0)), 0.1 / 2.0, 1e-15);
}

}  // namespace
}  // namespace stiction
