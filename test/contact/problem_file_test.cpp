#include "stiction/contact/problem_file.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/solver/newton.h"
#include "stiction/simulation/model_builder.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

// Twenty dominoes, some of them in contact.
SavedProblem problem_of_dominoes(LawKind law) {
  WorldOptions options;
  options.formulation.contact.law = law;
  World world(make_scene("dominoes"), options);
  world.simulate(0.3);
  return saved_problem(world.model(), world.record(), options.formulation.contact);
}

TEST(ProblemFile, ComesBackBitForBit) {
  const SavedProblem saved = problem_of_dominoes(LawKind::icf_lagged);
  const std::string text = problem_to_json(saved);
  EXPECT_EQ(problem_to_json(problem_from_json(text, "dominoes.json")), text);
}

TEST(ProblemFile, HasTheAnswerOfTheStepItCameFrom) {
  for (const LawEntry& law : law_list()) {
    SCOPED_TRACE(law.name);
    WorldOptions options;
    options.formulation.contact.law = law.kind;
    World world(make_scene("dominoes"), options);
    world.simulate(0.3);
    const StepRecord& record = world.record();
    const SavedProblem saved = problem_from_json(
        problem_to_json(saved_problem(world.model(), record, options.formulation.contact)), "dominoes");
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(saved.problem, NewtonOptions(), &solution);
    ASSERT_EQ(solution.impulses.size(), record.contact.solution.impulses.size());
    for (std::size_t i = 0; i < solution.impulses.size(); ++i)
      EXPECT_EQ(solution.impulses[i], record.contact.solution.impulses[i]);
  }
}

TEST(ProblemFile, MakesTheNumbersOfEveryLawFromThePointsOfAnother) {
  for (const LawEntry& law : law_list()) {
    SCOPED_TRACE(law.name);
    const SavedProblem own = problem_of_dominoes(law.kind);
    SavedProblem again = own;
    apply_law(options_of(own), &again);
    for (int i = 0; i < kLawNumbers; ++i) {
      for (const Patch& patch : own.problem.patches) {
        for (int p = patch.begin; p < patch.end; ++p) {
          // The normal velocity is worked out along another path: round-off.
          const double expected = own.problem.law_numbers[i][p];
          EXPECT_NEAR(again.problem.law_numbers[i][p], expected, 1e-9 * std::abs(expected) + 1e-15);
        }
      }
    }
  }
}

// A box on a floor with a grain.
TEST(ProblemFile, KeepsAnisotropicFrictionAndItsAnswerIsJudgedRight) {
  for (const LawEntry& law : law_list()) {
    SCOPED_TRACE(law.name);
    ModelBuilder builder("grain");
    ContactMaterial wood;
    wood.cross_friction = 0.3;
    builder.add_shape("floor", "world", {}, HalfSpace{});
    builder.set_material("floor", wood);
    builder.add_free_body("box", {Mat3::Identity(), Vec3(0.0, 0.0, 0.05)}, Inertia{});
    builder.add_solid("box", "box", {}, Box{Vec3(0.1, 0.1, 0.05)}, 1000.0);
    WorldOptions options;
    options.formulation.contact.law = law.kind;
    World world(builder.build(), options);
    world.simulate(0.05);
    world.set_body_velocity("box", (Vec6() << 0.0, 0.0, 1.0, 0.3, 0.4, 0.0).finished());
    world.step();
    const SavedProblem saved = saved_problem(world.model(), world.record(), options.formulation.contact);
    ASSERT_FALSE(saved.problem.stretches.empty());
    const std::string text = problem_to_json(saved);
    const SavedProblem again = problem_from_json(text, "grain.json");
    EXPECT_EQ(problem_to_json(again), text);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(again.problem, NewtonOptions(), &solution);
    const ContactResidual residual = judge(again.problem, again.points, solution.v, solution.impulses);
    EXPECT_LT(residual.law.relative, 1e-9);  // the solver's impulses are the law's at its velocities
    EXPECT_LT(residual.momentum.relative, 1e-6);
  }
}

TEST(ProblemFile, KeepsNumbersThatAreNotFinite) {
  SavedProblem saved = problem_of_dominoes(LawKind::sap);
  saved.problem.v_free[0] = std::numeric_limits<double>::quiet_NaN();
  saved.problem.v_start[0] = -std::numeric_limits<double>::infinity();
  const SavedProblem back = problem_from_json(problem_to_json(saved), "broken");
  EXPECT_TRUE(std::isnan(back.problem.v_free[0]));
  EXPECT_EQ(back.problem.v_start[0], -std::numeric_limits<double>::infinity());
}

// Replaces the first occurrence.
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(ProblemFile, NamesThePlaceOfWhatIsWrong) {
  const std::string text = problem_to_json(problem_of_dominoes(LawKind::sap));
  const std::pair<std::string, const char*> broken[] = {
      {"{", "p.json"},
      {replaced(text, "stiction_contact_problem", "other"), "the format"},
      {replaced(text, "\"law\": \"sap\"", "\"law\": \"glue\""), "p.json.law: 'glue'"},
      {replaced(text, "\"h\": ", "\"h\": -"), "p.json.h"},
      {replaced(text, "\"a\": 0", "\"a\": 99999"), "p.json.patches[0].a"},
      {replaced(text, "\"friction\"", "\"fiction\""), "there is no 'friction'"},
  };
  for (const auto& [bad, message] : broken) {
    try {
      problem_from_json(bad, "p.json");
      FAIL() << message;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stiction
