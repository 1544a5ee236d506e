#include "stiction/contact/file/fc3d_conversion.h"

#include <gtest/gtest.h>

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/dual/rigid_solver.h"
#include "test/contact/dual/stored_problems.h"

namespace stiction {
namespace {

// Two bodies of six velocities; contact 0 between them, contacts 1 and 2 of the second with the ground.
struct TwoBodies {
  MatX M = MatX::Zero(12, 12), H = MatX::Zero(12, 9);
  VecX f = VecX(12), w = VecX(9);

  TwoBodies() {
    Random random(3);
    const auto fill = [&](auto&& block) {
      for (int i = 0; i < block.rows(); ++i)
        for (int j = 0; j < block.cols(); ++j) block(i, j) = random.uniform(-1.0, 1.0);
    };
    MatX root(6, 6);
    for (int b = 0; b < 2; ++b) {
      fill(root);
      M.block(6 * b, 6 * b, 6, 6) = root * root.transpose() + MatX::Identity(6, 6);
    }
    fill(H.block(0, 0, 12, 3));
    fill(H.block(6, 3, 6, 6));
    fill(f);
    fill(w);
  }
  Fc3dProblem problem() const {
    Fc3dProblem out;
    out.friction = {0.5, 0.2, 0.9};
    out.global.emplace();
    const auto entries = [](const MatX& from) {
      SparseEntries to{static_cast<int>(from.rows()), static_cast<int>(from.cols()), {}};
      for (int i = 0; i < to.rows; ++i)
        for (int j = 0; j < to.columns; ++j)
          if (from(i, j) != 0.0) to.entries.push_back({i, j, from(i, j)});
      return to;
    };
    out.global->M = entries(M);
    out.global->H = entries(H);
    out.global->f = f;
    out.global->w = w;
    out.W = entries(H.transpose() * M.inverse() * H);
    out.q = H.transpose() * M.inverse() * f + w;
    return out;
  }
};

MatX dense(const SparseEntries& from) {
  MatX to = MatX::Zero(from.rows, from.columns);
  for (const SparseEntries::Entry& e : from.entries) to(e.row, e.column) += e.value;
  return to;
}

TEST(Fc3dConversion, ATreeForEveryBodyGivesTheSameWAndQ) {
  const Fc3dProblem problem = TwoBodies().problem();
  std::string why_not;
  const auto saved = contact_problem_of(problem, &why_not);
  ASSERT_TRUE(saved.has_value()) << why_not;
  EXPECT_EQ(saved->problem.trees.size(), 2u);
  const Fc3dProblem again = fc3d_of(saved->problem, "again");
  EXPECT_EQ(again.friction, problem.friction);
  EXPECT_LT((dense(again.W) - dense(problem.W)).norm(), 1e-12 * dense(problem.W).norm());
  EXPECT_LT((again.q - problem.q).norm(), 1e-12 * problem.q.norm());
}

TEST(Fc3dConversion, OurFileOfItSaysTheSame) {
  std::string why_not;
  const auto saved = contact_problem_of(TwoBodies().problem(), &why_not);
  ASSERT_TRUE(saved.has_value());
  const SavedProblem again = problem_from_json(problem_to_json(*saved), "again.json");
  const Fc3dProblem a = fc3d_of(saved->problem, "a"), b = fc3d_of(again.problem, "b");
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(dense(a.W), dense(b.W));
}

TEST(Fc3dConversion, ASolutionByTreesSolvesTheFile) {
  const Fc3dProblem problem = TwoBodies().problem();
  std::string why_not;
  const auto saved = contact_problem_of(problem, &why_not);
  ASSERT_TRUE(saved.has_value());
  DualOptions options;
  options.tolerance = 1e-10;
  ContactSolution solution;
  RigidSolver().solve(saved->problem, "pgs", options, {}, &solution);
  ASSERT_TRUE(is_solved(solution.report.status));
  const VecX r = impulses_in_file_order(saved->problem, solution.impulses);
  EXPECT_GT(r.norm(), 0.0);
  // The tolerance is one of velocities; blocks of W differ by less than ten here.
  EXPECT_LT(check_dual_residual(dual_of(problem), in_dual_order(r)).natural_map.relative, 1e-8);
}

TEST(Fc3dConversion, SaysWhyAProblemIsNotOfTrees) {
  TwoBodies bodies;
  std::string why_not;
  Fc3dProblem local = bodies.problem();
  local.global.reset();
  EXPECT_FALSE(contact_problem_of(local, &why_not));
  EXPECT_NE(why_not.find("no M"), std::string::npos);

  bodies.M(0, 1) += 0.1;
  EXPECT_FALSE(contact_problem_of(bodies.problem(), &why_not));
  EXPECT_NE(why_not.find("symmetric"), std::string::npos);

  bodies = {};
  bodies.M = -MatX::Identity(12, 12);
  EXPECT_FALSE(contact_problem_of(bodies.problem(), &why_not));
  EXPECT_NE(why_not.find("positive"), std::string::npos);

  bodies = {};
  bodies.H.setZero();
  EXPECT_FALSE(contact_problem_of(bodies.problem(), &why_not));
  EXPECT_NE(why_not.find("touches nothing"), std::string::npos);
}

TEST(Fc3dConversion, VelocitiesThatMCouplesAcrossBodiesAreOneTree) {
  TwoBodies bodies;
  bodies.M = MatX::Identity(12, 12);
  bodies.M(5, 6) = bodies.M(6, 5) = 0.5;
  const Fc3dProblem problem = bodies.problem();
  std::string why_not;
  const auto saved = contact_problem_of(problem, &why_not);
  ASSERT_TRUE(saved.has_value()) << why_not;
  EXPECT_EQ(saved->problem.trees.size(), 1u);
  EXPECT_LT((dense(fc3d_of(saved->problem, "again").W) - dense(problem.W)).norm(),
            1e-12 * dense(problem.W).norm());
}

// A point of mass 2 that touches along x, and scalar rows on it: v = (x, y, z).
ContactProblem point_with_row(double along_x, double along_y, const RowLaw& law) {
  ContactProblem problem;
  problem.h = 1.0;
  problem.law = LawKind::coulomb_ncp;
  ProblemTree tree;
  tree.num_v = 3;
  problem.set_trees(std::vector<ProblemTree>{tree});
  std::fill(problem.A.begin(), problem.A.end(), 0.0);
  for (int i = 0; i < 3; ++i) problem.A[4 * i] = 2.0;
  problem.v_free << -1.0, 0.5, 0.25;
  problem.v_start = problem.v_free;
  problem.bodies.emplace_back();
  ProblemBody body;
  body.tree = 0;
  body.columns = 3;
  for (int i = 0; i < 3; ++i) {
    double column[8] = {};
    column[4 + i] = 1.0;
    problem.columns.insert(problem.columns.end(), column, column + 8);
    problem.column_dofs.push_back(i);
  }
  problem.bodies.push_back(body);
  problem.begin_row(law);
  problem.begin_row_part(0);
  problem.add_row_entry(0, along_x);
  problem.add_row_entry(1, along_y);
  PatchPlan plan;
  plan.b = 1;
  plan.points = 1;
  problem.set_patches(std::vector<PatchPlan>{plan});
  problem.frames[0] = {};
  problem.frames[0].n[0] = 1.0;
  for (auto& numbers : problem.law_parameters) std::fill(numbers.begin(), numbers.end(), 0.0);
  problem.law_parameters[kRigidFriction][0] = 0.5;
  return problem;
}

// The row holds y with compliance 1/slope = 0: W_yy = 1/2 - (1/2)^2 / (1/2 + R), v_y to R/(1/2 + R) of it.
TEST(Fc3dConversion, ARowWithoutBoundsIsEliminated) {
  RowLaw law;
  law.slope = 4.0;
  const Fc3dProblem out = fc3d_of(point_with_row(0.0, 1.0, law), "held");
  const double R = 0.25;
  ASSERT_EQ(out.num_contacts(), 1);
  Mat3 expected = Vec3(0.5, 0.5 - 0.25 / (0.5 + R), 0.5).asDiagonal();
  EXPECT_TRUE(dense(out.W).isApprox(expected, 1e-14));
  EXPECT_TRUE(out.q.isApprox(Vec3(-1.0, 0.5 * R / (0.5 + R), 0.25), 1e-14));
}

// An upper limit: x = -lambda >= 0 along -u.
TEST(Fc3dConversion, ALimitIsAContactWithoutFriction) {
  RowLaw law;
  law.slope = 4.0;
  law.upper = 0.0;
  const Fc3dProblem out = fc3d_of(point_with_row(0.0, 1.0, law), "limit");
  ASSERT_EQ(out.num_contacts(), 2);
  EXPECT_EQ(out.friction[1], 0.0);
  const MatX W = dense(out.W);
  EXPECT_DOUBLE_EQ(W(3, 3), 0.5 + 0.25);
  EXPECT_DOUBLE_EQ(W(1, 3), -0.5);
  EXPECT_DOUBLE_EQ(out.q[3], -0.5);
}

TEST(Fc3dConversion, ARowWithTwoBoundsCannotBeSaid) {
  RowLaw law;
  law.slope = 4.0;
  law.lower = -1.0;
  law.upper = 1.0;
  EXPECT_THROW(fc3d_of(point_with_row(0.0, 1.0, law), "drive"), UserError);
}

// Every symmetric global problem of the collection.
TEST(Fc3dConversion, GlobalProblemsOfTheCollectionBecomeOurs) {
  const auto files = fc3d_files();
  if (files.empty()) GTEST_SKIP() << "the collection is not there";
  int count = 0;
  for (const auto& file : files) {
    SCOPED_TRACE(file.filename().string());
    const Fc3dProblem problem = load_fc3d_problem(file);
    std::string why_not;
    const auto saved = contact_problem_of(problem, &why_not);
    if (!saved) continue;
    ++count;
    const Fc3dProblem again = fc3d_of(saved->problem, "again");
    // Contacts go island by island: what does not depend on the order. The files have all digits.
    EXPECT_NEAR(dense(again.W).norm(), dense(problem.W).norm(), 1e-9 * dense(problem.W).norm());
    EXPECT_NEAR(again.q.norm(), problem.q.norm(), 1e-9 * problem.q.norm());
  }
  EXPECT_GE(count, 5);
}

}  // namespace
}  // namespace stiction
