#include "stiction/contact/file/problem_file.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"
#include "test/base/caught_warnings.h"

namespace stiction {
namespace {

// The laws whose problems have their points fixed; those of the geometric ones are unknowns.
std::vector<LawEntry> posed_laws() {
  std::vector<LawEntry> laws = law_list();
  std::erase_if(laws, [](const LawEntry& law) { return is_geometric(law.kind); });
  return laws;
}

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
  for (const LawEntry& law : posed_laws()) {
    if (is_rigid(law.kind)) continue;  // test/contact/dual/rigid_solver_test.cpp
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
  for (const LawEntry& law : posed_laws()) {
    SCOPED_TRACE(law.name);
    const SavedProblem own = problem_of_dominoes(law.kind);
    SavedProblem again = own;
    apply_law(options_of(own), &again);
    for (int i = 0; i < kLawParameters; ++i) {
      for (const Patch& patch : own.problem.patches) {
        for (int p = patch.begin; p < patch.end; ++p) {
          // The normal velocity is worked out along another path: round-off.
          const double expected = own.problem.law_parameters[i][p];
          EXPECT_NEAR(again.problem.law_parameters[i][p], expected, 1e-9 * std::abs(expected) + 1e-15);
        }
      }
    }
  }
}

// A box on a floor with a grain.
TEST(ProblemFile, KeepsAnisotropicFrictionAndItsAnswerPassesTheResidualCheck) {
  for (const LawEntry& law : posed_laws()) {
    if (is_rigid(law.kind)) continue;  // test/contact/dual/rigid_solver_test.cpp
    SCOPED_TRACE(law.name);
    ModelBuilder builder("grain");
    ContactMaterial wood;
    wood.anisotropy_ratio = 0.3;
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
    ASSERT_FALSE(saved.problem.friction_tensors.empty());
    const std::string text = problem_to_json(saved);
    const SavedProblem again = problem_from_json(text, "grain.json");
    EXPECT_EQ(problem_to_json(again), text);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(again.problem, NewtonOptions(), &solution);
    const ContactResidual residual =
        check_residual(again.problem, again.points, solution.v, solution.impulses);
    EXPECT_LT(residual.law.relative, 1e-9);  // the solver's impulses are the law's at its velocities
    EXPECT_LT(residual.momentum.relative, 1e-6);
  }
}

// A ball that spins and rolls on a turntable.
TEST(ProblemFile, KeepsTorsionalAndRollingFrictionAndItsAnswerPassesTheResidualCheck) {
  for (const LawEntry& law : posed_laws()) {
    if (is_rigid(law.kind)) continue;  // test/contact/dual/rigid_solver_test.cpp
    SCOPED_TRACE(law.name);
    ModelBuilder builder("turntable");
    ContactMaterial rubber;
    rubber.torsional_friction = 0.01;
    rubber.rolling_friction = 0.002;
    builder.add_kinematic_body("table", {});
    builder.add_shape("table", "table", translation(0.0, 0.0, -0.1), Box{Vec3(1.0, 1.0, 0.1)});
    builder.set_material("table", rubber);
    builder.add_free_body("ball", translation(0.0, 0.0, 0.05), Inertia{});
    builder.add_solid("ball", "ball", {}, Sphere{0.05}, 1000.0);
    WorldOptions options;
    options.formulation.contact.law = law.kind;
    World world(builder.build(), options);
    world.simulate(0.05);
    world.set_body_velocity("ball", (Vec6() << 0.0, 4.0, 10.0, 0.3, 0.4, 0.0).finished());
    world.set_kinematic_motion("table", {}, (Vec6() << 0.0, 0.0, 3.0, 0.0, 0.0, 0.0).finished());
    world.step();
    const SavedProblem saved = saved_problem(world.model(), world.record(), options.formulation.contact);
    ASSERT_FALSE(saved.problem.friction_lengths.empty());
    EXPECT_EQ(saved.problem.friction_lengths[saved.problem.patches[0].begin].bias[2], -3.0);
    const std::string text = problem_to_json(saved);
    const SavedProblem again = problem_from_json(text, "turntable.json");
    EXPECT_EQ(problem_to_json(again), text);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(again.problem, NewtonOptions(), &solution);
    EXPECT_EQ(solution.moments, world.record().contact.solution.moments);
    const ContactResidual residual =
        check_residual(again.problem, again.points, solution.v, solution.impulses, solution.moments);
    EXPECT_LT(residual.law.relative, 1e-9);  // the solver's impulses are the law's at its velocities
    EXPECT_LT(residual.momentum.relative, 1e-6);
  }
}

// A box on the floor, tied to a pendulum by a rope that is 5 mm too short at the start; the pendulum rests on its limit and has
// dry friction.
Model tied_box() {
  ModelBuilder builder("tied");
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.add_free_body("box", translation(0.0, 0.0, 0.05), Inertia{});
  builder.add_solid("box", "box", {}, Box{Vec3(0.1, 0.1, 0.05)}, 1000.0);
  builder.add_frame("hook", "box", translation(0.1, 0.0, 0.0));
  builder.add_body("rod", "world", translation(0.5, 0.0, 0.4));
  builder.add_solid("rod", "rod", translation(0.1, 0.0, 0.0), Box{Vec3(0.1, 0.01, 0.01)}, 1000.0);
  Joint hinge;
  hinge.name = "hinge";
  hinge.axis = Vec3::UnitY();
  hinge.limited = true;
  hinge.lower[0] = -3.0;  // and no lower than it is at the start
  hinge.friction_loss[0] = 0.1;
  builder.add_joint("rod", hinge);
  builder.add_frame("tip", "rod", translation(0.2, 0.0, 0.0));
  Model model = builder.build();
  DistanceConstraint rope;
  rope.name = "rope";
  rope.frame1 = "hook";
  rope.frame2 = "tip";
  rope.upper = 0.69;
  model.elements.distances.push_back(rope);
  return model;
}

// Limit, dry friction and rope: rows of one tree, and of two.
SavedProblem problem_with_rows(LawKind law) {
  WorldOptions options;
  options.formulation.contact.law = law;
  World world(tied_box(), options);
  world.simulate(0.2);
  return saved_problem(world.model(), world.record(), options.formulation.contact);
}

TEST(ProblemFile, KeepsRowsBitForBitAndTheirAnswerPassesTheResidualCheck) {
  for (const LawEntry& law : posed_laws()) {
    if (is_rigid(law.kind)) continue;  // test/contact/dual/rigid_solver_test.cpp
    SCOPED_TRACE(law.name);
    WorldOptions options;
    options.formulation.contact.law = law.kind;
    World world(tied_box(), options);
    world.simulate(0.2);
    const SavedProblem saved = saved_problem(world.model(), world.record(), options.formulation.contact);
    ASSERT_FALSE(saved.problem.patches.empty());
    ASSERT_GE(saved.problem.rows.size(), 3u);
    const std::string text = problem_to_json(saved);
    const SavedProblem again = problem_from_json(text, "tied.json");
    EXPECT_EQ(problem_to_json(again), text);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(again.problem, NewtonOptions(), &solution);
    EXPECT_EQ(solution.row_impulses, world.record().contact.solution.row_impulses);
    const ContactResidual residual =
        check_residual(again.problem, again.points, solution.v, solution.impulses, {}, solution.row_impulses);
    EXPECT_LT(residual.momentum.relative, 1e-6);  // the solver's tolerance
    // A rope that a step makes rigid multiplies the round-off of velocities by its slope.
    EXPECT_LT(residual.rows->relative, 1e-9);
    // Without what the rows push, momentum does not balance.
    EXPECT_GT(check_residual(again.problem, again.points, solution.v, solution.impulses).momentum.relative,
              1e-3);
  }
}

TEST(ProblemFile, HasRowsWhereNothingTouches) {
  SavedProblem saved = problem_with_rows(LawKind::sap);
  saved.problem.set_patches({});
  saved.points.clear();
  const SavedProblem again = problem_from_json(problem_to_json(saved), "rows.json");
  EXPECT_EQ(again.problem.rows.size(), saved.problem.rows.size());
  EXPECT_EQ(again.problem.row_values, saved.problem.row_values);
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(again.problem, NewtonOptions(), &solution);
  EXPECT_TRUE(is_solved(solution.report.status));
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

// A problem of two trees of one velocity each, and a row between them.
constexpr const char* kOneRow =
    R"({"format": "stiction_contact_problem", "version": 1, "h": 0.01, "law": "sap",
  "elasticity": "linear", "dissipation": "kelvin_voigt", "v_s": 1e-4, "sigma": 1e-3, "beta": 1,
  "trees": [{"is_free_body": false, "A": [[2]], "v_free": [1], "v_start": [1]},
            {"is_free_body": false, "A": [[1]], "v_free": [0], "v_start": [0]}],
  "bodies": [], "patches": [],
  "rows": [{"offset": 0, "slope": 1e9, "lower": -1, "upper": "inf",
            "parts": [{"tree": 0, "dofs": [0], "values": [1]}, {"tree": 1, "dofs": [0], "values": [-1]}]}]})";

TEST(ProblemFile, SolvesAMassThatDragsAnotherAlong) {
  const SavedProblem saved = problem_from_json(kOneRow, "row.json");
  NewtonSolver solver;
  ContactSolution solution;
  solver.solve(saved.problem, NewtonOptions(), &solution);
  // 2 kg at 1 m/s take 1 kg along: 2/3 m/s, by an impulse of 2/3 N s; to the tolerance of the solver.
  EXPECT_NEAR(solution.v[0], 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(solution.v[1], 2.0 / 3.0, 1e-6);
  EXPECT_NEAR(solution.row_impulses[0], -2.0 / 3.0, 1e-6);
}

TEST(ProblemFile, NamesThePlaceOfWhatIsWrongInARow) {
  const std::pair<std::string, const char*> broken[] = {
      {replaced(kOneRow, "1e9", "0"), "p.json.rows[0].slope: 0 is not positive"},
      {replaced(kOneRow, "1e9", "-2"), "p.json.rows[0].slope"},
      {replaced(kOneRow, "\"inf\"", "-3"), "p.json.rows[0]: lower -1 is above upper -3"},
      {replaced(kOneRow, "\"tree\": 1", "\"tree\": 0"), "p.json.rows[0].parts[1].tree: tree 0 has a part"},
      {replaced(kOneRow, "\"tree\": 1", "\"tree\": 2"), "p.json.rows[0].parts[1].tree: 2 is not"},
      {replaced(kOneRow, "\"tree\": 1", "\"tree\": -1"), "p.json.rows[0].parts[1].tree"},
      {replaced(kOneRow, "\"dofs\": [0]", "\"dofs\": [1]"), "p.json.rows[0].parts[0].dofs[0]: 1 is not"},
      {replaced(kOneRow, "\"dofs\": [0]", "\"dofs\": [0, 0]"), "p.json.rows[0].parts[0].values"},
      {replaced(kOneRow, "\"offset\": 0, ", ""), "p.json.rows[0]: there is no 'offset'"},
      {replaced(kOneRow, "\"rows\": [{", "\"rows\": [7, {"), "p.json.rows[0]: there is no 'offset'"},
      {replaced(kOneRow, "\"parts\": [", "\"parts\": [], \"more\": ["), "p.json.rows[0].parts: a row needs"},
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

// A problem whose points have every key that was renamed.
std::string text_of_every_key() {
  SavedProblem saved = problem_of_dominoes(LawKind::sap);
  saved.problem.friction_tensors.assign(saved.problem.frames.size(), {{1, 0, 0}, {0, 1, 0}, 1.0, 0.5});
  saved.problem.friction_lengths.assign(saved.problem.frames.size(), {});
  return problem_to_json(saved);
}

const std::pair<std::string, std::string> kRenamed[] = {{"push_out_share", "recovery_share"},
                                                        {"law_numbers", "law_parameters"},
                                                        {"stretch", "friction_tensor"},
                                                        {"levers", "friction_lengths"}};

std::string all_replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

TEST(ProblemFile, TheFirstVersionIsReadAndItsOldNamesAreNotedOnce) {
  const std::string text = text_of_every_key();
  std::string old_text = replaced(text, "\"version\": 2", "\"version\": 1");
  for (const auto& [old_key, key] : kRenamed) {
    ASSERT_NE(text.find("\"" + key + "\""), std::string::npos) << key;
    ASSERT_EQ(text.find("\"" + old_key + "\""), std::string::npos) << old_key;
    old_text = all_replaced(old_text, "\"" + key + "\"", "\"" + old_key + "\"");
  }
  const CaughtWarnings caught;
  EXPECT_EQ(problem_to_json(problem_from_json(old_text, "p.json")), text);
  ASSERT_EQ(caught.lines.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(caught.lines[i],
              format("p.json.patches[0].points[0]: '{}' is now called '{}'; the old name is still read",
                     kRenamed[i].first, kRenamed[i].second));
}

TEST(ProblemFile, NewNamesAreReadWithoutANote) {
  const CaughtWarnings caught;
  problem_from_json(text_of_every_key(), "p.json");
  EXPECT_EQ(caught.lines, std::vector<std::string>{});
}

TEST(ProblemFile, AnOldNameBesideTheNewOneIsRefusedByBothNames) {
  const std::string text = text_of_every_key();
  for (const auto& [old_key, key] : kRenamed) {
    try {
      problem_from_json(replaced(text, "\"" + key + "\": ", "\"" + old_key + "\": 1, \"" + key + "\": "),
                        "p.json");
      FAIL() << key;
    } catch (const UserError& error) {
      EXPECT_EQ(error.what(),
                format("p.json.patches[0].points[0]: '{}' is the old name of '{}': only one of them "
                       "may be given",
                       old_key, key));
    }
  }
}

TEST(ProblemFile, OtherVersionsAndNoneAreRefusedByName) {
  const std::string row = kOneRow;
  const std::pair<std::string, const char*> refused[] = {
      {replaced(row, "\"version\": 1", "\"version\": 3"),
       "p.json: this is version 3 of stiction contact problems, which"},
      {replaced(row, "\"version\": 1", "\"version\": 0"),
       "p.json: this is version 0 of stiction contact problems, which"},
      {replaced(row, "\"version\": 1, ", ""), "p.json: there is no 'version'"}};
  for (const auto& [text, message] : refused) {
    try {
      problem_from_json(text, "p.json");
      FAIL() << message;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stiction
