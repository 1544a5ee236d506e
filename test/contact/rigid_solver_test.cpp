#include "stiction/contact/rigid_solver.h"

#include <cmath>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/parallel.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual_residual.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"

namespace stiction {
namespace {

// Every pair that a dual solver takes.
std::vector<CatalogEntry> dual_pairs() {
  std::vector<CatalogEntry> pairs;
  for (const CatalogEntry& entry : catalog())
    if (make_dual_solver(entry.law, entry.solver) != nullptr) pairs.push_back(entry);
  return pairs;
}

WorldOptions with_pair(const CatalogEntry& pair) {
  WorldOptions options;
  set_formulation(pair.name(), &options.formulation.contact);
  return options;
}

ContactSolution solve(const SavedProblem& saved, const DualOptions& options, const ImpulseGuess& guess = {}) {
  RigidSolver solver;
  ContactSolution solution;
  solver.solve(saved.problem, saved.solver, options, guess, &solution);
  return solution;
}

TEST(RigidSolver, EveryPairOfTheCatalogIsSolvedByNewtonOrADualSolver) {
  for (const CatalogEntry& entry : catalog()) {
    ContactOptions options;
    set_formulation(entry.name(), &options);
    EXPECT_NE(solves_primal(options), make_dual_solver(entry.law, entry.solver) != nullptr) << entry.name();
  }
}

TEST(RigidSolver, AProblemComesBackFromItsFileAndIsSolvedToTheSameMotion) {
  for (const CatalogEntry& pair : dual_pairs()) {
    SCOPED_TRACE(pair.name());
    const WorldOptions options = with_pair(pair);
    World world(make_scene("quadruped_standing"), options);
    world.simulate(0.3);
    const SavedProblem saved = saved_problem(world.model(), world.record(), options.formulation.contact);
    const std::string text = problem_to_json(saved);
    const SavedProblem again = problem_from_json(text, "quadruped.json");
    EXPECT_EQ(problem_to_json(again), text);
    EXPECT_EQ(std::string(again.solver), pair.solver);
    const ContactSolution solution = solve(again, DualOptions());
    ASSERT_TRUE(is_solved(solution.report.status));
    // From zero and from the step before: twice the tolerance, through mobilities of joints beside levers.
    EXPECT_LT((solution.v - world.record().contact.solution.v).norm(), 1e-3);
  }
}

TEST(RigidSolver, StartAtTheSolutionTakesNoIteration) {
  for (const CatalogEntry& pair : dual_pairs()) {
    SCOPED_TRACE(pair.name());
    const WorldOptions options = with_pair(pair);
    World world(make_scene("gripper"), options);
    world.simulate(0.2);
    const SavedProblem saved = saved_problem(world.model(), world.record(), options.formulation.contact);
    const ContactSolution first = solve(saved, DualOptions());
    ASSERT_TRUE(is_solved(first.report.status));
    DualOptions loose;  // impulses went to the world's axes and back
    loose.tolerance = 1.01 * DualOptions().tolerance;
    const ContactSolution second = solve(saved, loose, {first.impulses, first.moments, first.row_impulses});
    EXPECT_EQ(second.report.iterations, 0);
    EXPECT_EQ(second.report.status, SolveStatus::converged);
  }
}

TEST(RigidSolver, ThreadsDoNotChangeABit) {
  for (const CatalogEntry& pair : dual_pairs()) {
    SCOPED_TRACE(pair.name());
    std::uint64_t hashes[2];
    for (const int threads : {1, 2}) {
      set_thread_count(threads);
      WorldOptions options = with_pair(pair);
      options.formulation.dual.max_iterations = 50;
      World world(make_scene("dominoes"), options);
      world.simulate(0.1);
      hashes[threads - 1] = hash(world.state());
    }
    set_thread_count(1);
    EXPECT_EQ(hashes[0], hashes[1]);
  }
}

TEST(RigidSolver, AllocatesNothingOnceWarm) {
  if (!AllocationCounter::is_available()) GTEST_SKIP() << AllocationCounter::kUnavailable;
  for (const CatalogEntry& pair : dual_pairs()) {
    SCOPED_TRACE(pair.name());
    for (const char* scene : {"slope", "quadruped_standing"}) {  // with the same points in every step
      World world(make_scene(scene), with_pair(pair));
      world.simulate(1.5);
      const AllocationCounter counter;
      for (int i = 0; i < 10; ++i) world.step();
      EXPECT_EQ(counter.count(), 0) << scene;
    }
  }
}

TEST(RigidSolver, CertificateOfAStepIsWithinTheTolerance) {
  for (const CatalogEntry& pair : dual_pairs()) {
    if (pair.law != LawKind::coulomb_ncp) continue;
    SCOPED_TRACE(pair.name());
    WorldOptions options = with_pair(pair);
    options.formulation.certifies = true;
    World world(make_scene("quadruped_standing"), options);
    world.simulate(0.3);
    const StepReport report = world.step();
    ASSERT_TRUE(report.certificate && report.certificate->dual);
    const DualResidual& d = *report.certificate->dual;
    // The judge projects on the cone at once, the solver's own error takes normal and friction in turn: of
    // the same size, not the same.
    EXPECT_LT(
        d.natural_velocity.absolute,
        2e-6 * world.record().contact.rigid_solver.dual(world.record().contact.problem, 0).velocity_scale());
    EXPECT_LT(d.momentum.relative, 1e-12);
    EXPECT_LT(report.certificate->contact.momentum.relative, 1e-12);
  }
}

TEST(RigidSolver, ReportsANumberThatIsNotFinite) {
  World world(make_scene("gripper"), with_pair(dual_pairs().front()));
  world.simulate(0.1);
  SavedProblem saved = saved_problem(world.model(), world.record(), world.options().formulation.contact);
  saved.problem.v_free[saved.problem.trees[saved.problem.island_trees[0]].v_begin] = std::nan("");
  EXPECT_EQ(solve(saved, DualOptions()).report.status, SolveStatus::not_finite);
}

}  // namespace
}  // namespace stiction
