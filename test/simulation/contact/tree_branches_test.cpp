#include "stiction/simulation/contact/tree_branches.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// Links of 1 kg on hinges, one on the other.
void add_chain(const std::string& name, const std::string& parent, int count, ModelBuilder* builder) {
  std::string last = parent;
  for (int i = 0; i < count; ++i) {
    const std::string link = name + std::to_string(i);
    builder->add_body(link, last, translation(0.1, 0.02 * i, -0.1), solid_sphere(1.0, 0.05));
    builder->add_joint(link, {.name = link, .axis = Vec3::Unit(i % 3)});
    last = link;
  }
}

std::vector<ProblemBranch> branches_of(const Model& model) {
  std::vector<ProblemBranch> branches;
  add_branches(model.forest, model.forest.trees.front(), &branches);
  return branches;
}

void expect_branch(const ProblemBranch& branch, int begin, int end, int parent) {
  EXPECT_EQ(branch.begin, begin);
  EXPECT_EQ(branch.end, end);
  EXPECT_EQ(branch.parent, parent);
}

Model humanoid() {
  ModelBuilder builder("humanoid");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("torso", translation(0, 0, 0.099), solid_sphere(10.0, 0.1));
  builder.add_shape("torso", "torso", {}, Sphere{0.1});
  add_chain("left_arm", "torso", 3, &builder);
  add_chain("right_arm", "torso", 3, &builder);
  add_chain("waist", "torso", 3, &builder);
  add_chain("left_leg", "waist2", 6, &builder);
  add_chain("right_leg", "waist2", 6, &builder);
  return builder.build();
}

TEST(TreeBranches, OfAHumanoidAreItsLimbs) {
  const std::vector<ProblemBranch> branches = branches_of(humanoid());
  ASSERT_EQ(branches.size(), 5u);
  expect_branch(branches[0], 0, 6, -1);
  expect_branch(branches[1], 6, 12, 0);  // both arms in one tile
  expect_branch(branches[2], 12, 15, 0);
  expect_branch(branches[3], 15, 21, 2);
  expect_branch(branches[4], 21, 27, 2);
}

TEST(TreeBranches, OfAHandOnTheWorldHaveNoParent) {
  ModelBuilder builder("hand");
  for (const char* finger : {"a", "b", "c", "d"}) add_chain(finger, "world", 4, &builder);
  const Model model = builder.build();
  // Fingers on the world are trees of their own; on a palm that turns they are branches of one.
  EXPECT_EQ(model.forest.trees.size(), 4u);
  ModelBuilder turning("turning_hand");
  add_chain("palm", "world", 1, &turning);
  for (const char* finger : {"a", "b", "c", "d"}) add_chain(finger, "palm0", 4, &turning);
  const std::vector<ProblemBranch> branches = branches_of(turning.build());
  ASSERT_EQ(branches.size(), 5u);
  expect_branch(branches[0], 0, 1, -1);
  for (int k = 1; k < 5; ++k) expect_branch(branches[k], 4 * k - 3, 4 * k + 1, 0);
}

TEST(TreeBranches, AreNotTakenFromChainsAndSmallTrees) {
  ModelBuilder chain("chain"), small("small");
  add_chain("link", "world", 20, &chain);
  EXPECT_TRUE(branches_of(chain.build()).empty());
  add_chain("stem", "world", 4, &small);
  add_chain("left", "stem3", 4, &small);
  add_chain("right", "stem3", 4, &small);
  EXPECT_TRUE(branches_of(small.build()).empty());
}

// What the solver relies on: A couples a branch with those that carry it, and no others.
TEST(TreeBranches, CoverAllThatInertiaCouples) {
  const Model model = humanoid();
  World world(model);
  State state = world.state();
  for (int i = 0; i < state.v.size(); ++i) state.v[i] = 0.1 * std::sin(1.0 + i);
  world.set_state(state);
  for (int step = 0; step < 10; ++step) world.step();
  const ContactProblem& problem = world.record().contact.problem;
  const ProblemTree& tree = problem.trees.front();
  ASSERT_EQ(tree.branch_end - tree.branch_begin, 5);
  const auto branch_of = [&](int velocity) {
    int k = tree.branch_begin;
    while (problem.branches[k].end <= velocity) ++k;
    return k - tree.branch_begin;
  };
  const auto is_ancestor = [&](int k, int other) {
    while (other > k) other = problem.branches[tree.branch_begin + other].parent;
    return other == k;
  };
  ASSERT_FALSE(problem.islands.empty());
  const double* A = problem.A_of(0);
  int apart = 0, coupled = 0;
  for (int i = 0; i < tree.num_v; ++i) {
    for (int j = 0; j < i; ++j) {
      const int a = branch_of(i), b = branch_of(j);
      if (is_ancestor(b, a)) {
        coupled += A[j * tree.num_v + i] != 0.0;
      } else {
        EXPECT_EQ(A[j * tree.num_v + i], 0.0) << i << " " << j;
        ++apart;
      }
    }
  }
  EXPECT_EQ(apart, 6 * 6 + 6 * 3 + 2 * 6 * 6);  // legs; arms and waist; arms and legs
  EXPECT_GT(coupled, 100);
}

}  // namespace
}  // namespace stiction
