#include "stiction/contact/dual/sweep.h"

#include <gtest/gtest.h>

#include "stiction/base/random.h"
#include "test/contact/dual/samples.h"

namespace stiction {
namespace {

// Problems of less and of more rows than DenseRows::kFew.
std::vector<DualProblem> samples() {
  return {random_bodies({.patches = 4, .rows = 2, .turns = true, .R = 1e-2}, 1),
          random_bodies({.bodies = 6, .patches = 16, .rows = 2, .R = 1e-2}, 2)};
}

VecX all_velocities(const DualProblem& problem, const DualSweep& sweep) {
  VecX s(problem.num_rows());
  for (int b = 0; b < problem.num_blocks(); ++b) sweep.velocity(b, s.data() + problem.blocks[b].begin);
  return s;
}

// Every block gets another impulse, one after the other.
void change_all(const DualProblem& problem, DualSweep* sweep) {
  Random random(4);
  for (int b = 0; b < problem.num_blocks(); ++b) {
    double value[kMostRows];
    for (double& number : value) number = random.normal();
    sweep->set(b, value);
  }
}

void expect_velocities_of_its_impulses(const DualProblem& problem, const DualSweep& sweep) {
  VecX expected;
  problem.velocities(sweep.lambda(), &expected);
  EXPECT_LT((all_velocities(problem, sweep) - expected).norm(), 1e-13 * expected.norm());
}

TEST(DualSweep, VelocitiesFollowTheImpulsesInEveryForm) {
  for (const DualProblem& problem : samples()) {
    const DualProblem written_out = dense_problem(problem.blocks, problem.dense(), problem.r, problem.R);
    for (const DualProblem& form : {problem, written_out}) {
      for (const bool uses_delassus : {false, true}) {
        DualSweep sweep;
        sweep.begin(form, VecX::Ones(form.num_rows()), uses_delassus);
        expect_velocities_of_its_impulses(form, sweep);
        change_all(form, &sweep);
        expect_velocities_of_its_impulses(form, sweep);
      }
    }
  }
}

TEST(DualSweep, WritingWOutInBetweenLeavesVelocitiesAsTheyAre) {
  for (const DualProblem& problem : samples()) {
    DualSweep sweep;
    sweep.begin(problem, VecX::Ones(problem.num_rows()));
    change_all(problem, &sweep);
    sweep.write_out();
    expect_velocities_of_its_impulses(problem, sweep);
    sweep.restart(VecX::Ones(problem.num_rows()));
    expect_velocities_of_its_impulses(problem, sweep);
  }
}

}  // namespace
}  // namespace stiction
