#include "stiction/contact/dual/rigid_solver.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "scenes/piles.h"
#include "stiction/base/parallel.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/simulation/certificate.h"
#include "stiction/simulation/energy.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"
#include "test/base/allocation_counter.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

// Every pair of a rigid law and a dual solver, but for those that may not converge.
std::vector<CatalogEntry> dual_pairs() {
  std::vector<CatalogEntry> pairs;
  for (const CatalogEntry& entry : catalog())
    if (is_rigid(entry.law) && make_dual_solver(entry.law, entry.solver) != nullptr &&
        !find_solver(entry.solver).is_literal)
      pairs.push_back(entry);
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
    // Solved from zero and from the step before: twice the tolerance, times the mobilities of the joints.
    EXPECT_LT((solution.v - world.record().contact.solution.v).norm(), 1e-3);
  }
}

// Feet, limits and drives.
TEST(RigidSolver, KeepsTheImpulsesToWhichItsSolutionAmounts) {
  for (const CatalogEntry& pair : dual_pairs()) {
    SCOPED_TRACE(pair.name());
    World world(make_scene("quadruped_standing"), with_pair(pair));
    world.simulate(0.1);
    const ContactRecord& contact = world.record().contact;
    const RigidSolver& solver = world.workspace().contact.solver.dual_islands();
    ASSERT_FALSE(contact.problem.islands.empty());
    for (int i = 0; i < static_cast<int>(contact.problem.islands.size()); ++i) {
      const VecX& kept = solver.lambda(contact.problem, i);
      const VecX found = lambda_of(solver.dual(contact.problem, i), contact.solution);
      // The axes of a contact are perpendicular to round-off.
      EXPECT_LT((found - kept).norm(), 1e-13 * kept.norm());
    }
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
    const ContactSolution second =
        solve(saved, loose, {first.impulses, first.moments, first.row_impulses, {}});
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
    // The residual check projects on the cone, the solver's own error takes normal and friction separately:
    // of the same size, but not equal.
    EXPECT_LT(d.natural_velocity.absolute, 2e-6 * world.workspace()
                                                      .contact.solver.dual_islands()
                                                      .dual(world.record().contact.problem, 0)
                                                      .velocity_scale());
    EXPECT_LT(d.momentum.relative, 1e-12);
    EXPECT_LT(report.certificate->contact.momentum.relative, 1e-12);
  }
}

// A cube of 0.1 m without weight between two walls, each of which it overlaps by a tenth of a millimetre.
Model squeezed_cube() {
  ModelBuilder builder("squeezed_cube");
  builder.set_gravity(Vec3::Zero());
  const double overlap = 1e-4;
  builder.add_shape("below", "world", {Mat3::Identity(), Vec3(0.0, 0.0, -0.05 + overlap)}, HalfSpace{});
  const Mat3 down = Vec3(1.0, -1.0, -1.0).asDiagonal();
  builder.add_shape("above", "world", {down, Vec3(0.0, 0.0, 0.05 - overlap)}, HalfSpace{});
  builder.add_free_body("cube", {}, Inertia{});
  builder.add_solid("cube", "cube", {}, Box{Vec3::Constant(0.05)}, 1000.0);
  return builder.build();
}

TEST(RigidSolver, OverlapsThatNoMotionCanPushOutAreLeft) {
  for (const CatalogEntry& pair : dual_pairs()) {
    SCOPED_TRACE(pair.name());
    World world(squeezed_cube(), with_pair(pair));
    for (int i = 0; i < 20; ++i) {
      world.step();
      // Nothing else acts on it; penetration recovery at 0.02 m/s of a kilogram is 0.02 N s.
      EXPECT_LT(world.state().v.norm(), 1e-6);
      for (const double impulse : world.record().contact.solution.impulses) EXPECT_LT(std::abs(impulse), 1.0);
    }
  }
}

TEST(RigidSolver, AContradictionIsProvenByTheImpulsesThatPressFromBothSides) {
  World world(squeezed_cube(), with_pair(*find_in_catalog("coulomb_ncp+admm")));
  world.step();
  const ContactRecord& contact = world.record().contact;
  DualProblem dual;
  dual.begin(contact.problem, contact.problem.islands[0]);
  // Equal normal impulses below and above move nothing, while all points ask to be moved away.
  VecX press = VecX::Zero(dual.num_rows());
  for (const DualBlock& block : dual.blocks) press[block.begin + block.tangents] = 1.0;
  EXPECT_TRUE(dual.is_contradicted_by(press));
  // From one side alone they ask for what the cube can do.
  for (const DualBlock& block : dual.blocks)
    if (dual.linear[block.begin + block.tangents].z() > 0.0) press[block.begin + block.tangents] = 0.0;
  EXPECT_FALSE(dual.is_contradicted_by(press));
}

TEST(RigidSolver, RoundOffExplainsNoErrorOfImpulsesThatRunAway) {
  World world(squeezed_cube(), with_pair(*find_in_catalog("coulomb_ncp+admm")));
  world.step();
  const ContactRecord& contact = world.record().contact;
  DualProblem dual;
  dual.begin(contact.problem, contact.problem.islands[0]);
  const auto round_off_at = [&](double impulse) {  // N s
    return dual.round_off({LawKind::coulomb_ncp, Pyramid()}, VecX::Constant(dual.num_rows(), impulse));
  };
  // Proportional to the impulses: 1 N s on 1 kg changes its velocity by 1 m/s, with some 1e-16 of that as round-off.
  const double one = round_off_at(1.0);
  EXPECT_GT(one, 1e-16);
  EXPECT_NEAR(round_off_at(10.0), 10.0 * one, 1e-9 * one);
  // Where it would be 1e-5 of the scale of velocities, any error would pass as round-off.
  EXPECT_EQ(round_off_at(1e-5 / one), 0.0);
}

// J: the work of penetration recovery and restitution in a step, lambda_n c*.
double recovery_work(const StepRecord& record) {
  const ContactProblem& problem = record.contact.problem;
  double work = 0.0;
  for (std::size_t p = 0; p < problem.frames.size(); ++p) {
    const double* impulse = record.contact.solution.impulses.data() + 4 * p;
    const double* n = problem.frames[p].n;
    const double normal = impulse[0] * n[0] + impulse[1] * n[1] + impulse[2] * n[2];
    work += std::max(0.0, normal) * std::max(0.0, problem.law_parameters[kReference][p]);
  }
  return work;
}

TEST(RigidSolver, StepsThatAreNotSolvedBringNoEnergy) {
  scenes::ClutterOptions pile;
  pile.bodies = 12;
  const Model model = scenes::clutter(pile);
  for (const CatalogEntry& pair : dual_pairs()) {
    for (const int most : {1, 3, 10, 100}) {
      if (kSanitized && (most == 1 || most == 10)) continue;
      SCOPED_TRACE(pair.name() + ", iterations " + std::to_string(most));
      WorldOptions options = with_pair(pair);
      options.formulation.dual.max_iterations = most;
      World world(model, options);
      const double start = energies(model, world.state()).total();
      double given = 0.0;
      while (world.time() < (kSanitized ? 0.1 : 1.0)) {
        ASSERT_NE(world.step().status, StepStatus::not_finite);
        given += recovery_work(world.record());
        // A hundredth for what the first order of the step leaves to bodies that turn.
        ASSERT_LE(energies(model, world.state()).total(), 1.01 * start + given) << world.time();
      }
    }
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
