#include "stiction/simulation/contact/soft_contact.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/constraint/apply_law.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/io/mjcf/mjcf.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/law_notes.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/model/overrides.h"
#include "stiction/simulation/model_tables.h"
#include "stiction/simulation/saved_problem.h"
#include "stiction/simulation/world.h"

namespace stiction {
namespace {

constexpr double kGravity = 9.81, kMass = 2.0, kRadius = 0.1;
// solimp of a soft foot; the time constant of the default solref.
constexpr double kLeast = 0.015, kMost = 0.9999, kWidth = 0.023, kTime = 0.02;

Model mjcf_ball(const std::string& numbers, const std::string& option = "cone='elliptic'") {
  return parse_mjcf("<mujoco><option gravity='0 0 -9.81' " + option +
                        "/><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                        "<body name='ball' pos='0 0 0.095'><freejoint/><geom name='ball' size='0.1' mass='2' "
                        "friction='0.8' condim='3' priority='1' " +
                        numbers + "/></body></worldbody></mujoco>",
                    "test.xml");
}

Model soft_ball() { return mjcf_ball("solimp='0.015 1 0.023'"); }

// The overlap r at which f = d^2/(1 - d) k r/A, of each of some points, carries the weight, A = 1/m; d by the
// definition of solimp with the midpoint 0.5 and the power 2.
double rest_overlap(int points = 1) {
  const double k = 1.0 / (kMost * kMost * kTime * kTime);
  double low = 0.0, high = 0.1;
  for (int i = 0; i < 100; ++i) {
    const double r = 0.5 * (low + high), x = std::min(1.0, r / kWidth);
    const double y = x <= 0.5 ? 2.0 * x * x : 1.0 - 2.0 * (1.0 - x) * (1.0 - x);
    const double d = kLeast + y * (kMost - kLeast);
    (d * d / (1.0 - d) * k * r < kGravity / points ? low : high) = r;
  }
  return low;
}

WorldOptions with_law(const std::string& formulation, double h = 2e-3) {
  WorldOptions options;
  options.h = h;
  set_formulation(formulation, &options.formulation.contact);
  return options;
}

// Of a ball of radius 0.1 m above the floor z = 0.
double overlap_after(const Model& model, const WorldOptions& options, double time) {
  World world(model, options);
  world.simulate(time);
  return kRadius - world.body_pose("ball").p[2];
}

PairMaterial floor_and_ball(const Model& model) { return model.tables().contact->pair(0, 1); }

TEST(SoftContact, OfAnMjcfFileSinksAsDeepAsInMuJoCoUnderItsOwnLaw) {
  // At rest to the share of a spring that is still moving; 2 s are some 40 time constants.
  EXPECT_NEAR(overlap_after(soft_ball(), with_law("convex_cone+newton_mujoco"), 2.0), rest_overlap(), 1e-6);
}

TEST(SoftContact, OfAnMjcfFileSinksAsDeepUnderTheCompliantLaws) {
  for (const LawRow& law : kLawRows) {
    if (!takes_force_table(law.kind)) continue;
    SCOPED_TRACE(law.name);
    // The table is 1e-5 of the force off, which is less of the overlap.
    EXPECT_NEAR(overlap_after(soft_ball(), with_law(law.name), 2.0), rest_overlap(), 2e-6);
  }
  // sap has the stiffness of the table under the weight.
  EXPECT_NEAR(overlap_after(soft_ball(), with_law("sap"), 2.0), rest_overlap(), 2e-6);
}

// The force begins at the margin; points in the gap beyond it, where they are found, have none (MuJoCo 4.0).
TEST(SoftContact, BeginsAtTheMarginAndNotInTheGap) {
  for (const char* numbers : {"margin='0.004'", "margin='0.004' gap='0.003'"}) {
    SCOPED_TRACE(numbers);
    const Model model = mjcf_ball(std::string("solimp='0.015 1 0.023' ") + numbers);
    const WorldOptions options = with_law("convex_cone+newton_mujoco");
    EXPECT_NEAR(overlap_after(model, options, 2.0), rest_overlap() - 0.004, 1e-6);
    // Falling freely through the gap.
    World world(model, options);
    world.set_body_velocity("ball", Vec6::Zero());
    State state = world.state();
    state.q[6] = kRadius + 0.0065;
    world.set_state(state);
    world.step();
    EXPECT_NEAR(world.body_velocity("ball")[5], -kGravity * options.h, 1e-12);
  }
}

struct Standing {
  const char* geom;
  double half;  // m, from the centre to the floor
  int points;   // that MuJoCo 4.0 finds
};

// MuJoCo's contacts have the whole curve each, however many there are. (A capsule within some degrees of
// upright has both of its ends in contact here, and one in MuJoCo.)
TEST(SoftContact, OfAFlatFootSinksAsDeepAsInMuJoCo) {
  for (const Standing& on :
       {Standing{"type='box' size='0.1 0.08 0.06'", 0.06, 4}, Standing{"type='mesh' mesh='block'", 0.06, 4},
        Standing{"type='capsule' size='0.05 0.1' euler='0 90 0'", 0.05, 2},
        Standing{"type='cylinder' size='0.05 0.1' euler='0 90 0'", 0.05, 2},
        Standing{"type='ellipsoid' size='0.1 0.08 0.06'", 0.06, 1}}) {
    for (const char* floor : {"type='plane' size='1 1 1'", "type='box' size='1 1 0.5' pos='0 0 -0.5'"}) {
      const Model model = parse_mjcf(
          std::string("<mujoco><option gravity='0 0 -9.81' cone='elliptic'/><asset><mesh name='block' "
                      "vertex='-0.1 -0.08 -0.06 0.1 -0.08 -0.06 -0.1 0.08 -0.06 0.1 0.08 -0.06 -0.1 -0.08 "
                      "0.06 0.1 -0.08 0.06 -0.1 0.08 0.06 0.1 0.08 0.06'/></asset><worldbody><geom ") +
              floor + "/><body name='foot' pos='0 0 " + std::to_string(on.half - 0.005) +
              "'><freejoint/><geom mass='2' priority='1' solimp='0.015 1 0.023' " + on.geom +
              "/></body></worldbody></mujoco>",
          "test.xml");
      for (const char* law : {"icf_lagged", "icf_similar"}) {
        SCOPED_TRACE(std::string(on.geom) + " on " + floor + " " + law);
        World world(model, with_law(law));
        world.simulate(2.0);
        EXPECT_NEAR(on.half - world.body_pose("foot").p[2], rest_overlap(on.points), 2e-6);
      }
    }
  }
}

// A soft ball on the floor, by the rules of two geoms or as a listed pair.
constexpr const char* kSoft = "solimp='0.015 1 0.023'";

Model bouncy_ball(double restitution, bool is_listed) {
  const std::string pair = "<contact><pair geom1='floor' geom2='ball' friction='0.8 0.8' " +
                           std::string(kSoft) + "/></contact></mujoco>";
  Model model = parse_mjcf(
      "<mujoco><option gravity='0 0 -9.81' cone='elliptic'/><worldbody>"
      "<geom name='floor' type='plane' size='1 1 1'/><body name='ball' pos='0 0 0.095'>"
      "<freejoint/><geom name='ball' size='0.1' mass='2' friction='0.8' priority='1' " +
          std::string(is_listed ? "" : kSoft) + "/></body></worldbody>" + (is_listed ? pair : "</mujoco>"),
      "test.xml");
  set_restitution("ball", restitution, &model);
  return model;
}

World bouncy_world(double restitution, bool is_listed, double height, double speed, double h = 2e-3) {
  World world(bouncy_ball(restitution, is_listed), with_law("convex_cone+newton_mujoco", h));
  State state = world.state();
  state.q[6] = height;
  world.set_state(state);
  world.set_body_velocity("ball", {0.0, 0.0, 0.0, 0.0, 0.0, speed});
  return world;
}

TEST(SoftContact, WithARestitutionReboundsAndSinksAsDeepAsInMuJoCo) {
  for (const bool is_listed : {false, true})
    for (const double restitution : {0.3, 0.8}) {
      SCOPED_TRACE(std::to_string(restitution) + (is_listed ? " of a listed pair" : ""));
      // Met within the first steps: at a time that is known to one step, over which gravity acts.
      World world = bouncy_world(restitution, is_listed, kRadius + 1e-3, -1.0);
      world.simulate(0.01);
      EXPECT_NEAR(world.body_velocity("ball")[5], restitution - kGravity * 0.008, 0.5 * kGravity * 6e-3);
      world.simulate(4.0);
      EXPECT_NEAR(kRadius - world.body_pose("ball").p[2], rest_overlap(), 1e-6);
    }
}

// A ball that begins deeper than it could have come in a step is not met any more: it is slowed down by solref's
// damper, and comes out, as one without restitution.
TEST(SoftContact, WithARestitutionHasMuJoCosDamperOnceItIsPressedIn) {
  World bouncy = bouncy_world(0.8, true, kRadius - 5e-3, -1.0),
        plain = bouncy_world(0.0, true, kRadius - 5e-3, -1.0);
  for (int i = 0; i < 20; ++i) {
    bouncy.step();
    plain.step();
    EXPECT_EQ(bouncy.body_velocity("ball")[5], plain.body_velocity("ball")[5]) << i;
  }
}

// Whatever the step: the first touch is seen within it or, if gravity closed the gap unseen, in the next one.
TEST(SoftContact, WithARestitutionReboundsWhereverInAStepItIsMet) {
  for (int i = 0; i <= 20; ++i) {
    const double height = kRadius + 1e-4 * i;
    SCOPED_TRACE(height);
    World world = bouncy_world(0.5, false, height, -0.5);
    world.simulate(0.012);
    EXPECT_NEAR(world.body_velocity("ball")[5], 0.25 - kGravity * 0.008, kGravity * 8e-3);
  }
}

// Points of a saved problem are posed again from their physical numbers, here under the law that they had.
TEST(SoftContact, OfASavedProblemHasTheParametersOfTheStep) {
  std::vector<std::string> laws = {"convex_cone+newton_mujoco"};
  for (const LawRow& law : kLawRows)
    if (takes_force_table(law.kind)) laws.push_back(law.name);
  for (const std::string& law : laws) {
    SCOPED_TRACE(law);
    const WorldOptions options = with_law(law);
    World world(soft_ball(), options);
    world.set_body_velocity("ball", {1.0, 2.0, 3.0, 0.3, 0.1, -0.2});
    world.simulate(0.05);
    const SavedProblem saved = saved_problem(world.model(), world.record(), options.formulation.contact);
    SavedProblem again = problem_from_json(problem_to_json(saved), "soft.json");
    apply_law(options_of(again), &again);
    ASSERT_FALSE(saved.problem.patches.empty());
    for (const Patch& patch : saved.problem.patches)
      for (int p = patch.begin; p < patch.end; ++p)
        for (int i = 0; i < kLawParameters; ++i) {
          const double before = saved.problem.law_parameters[i][p], now = again.problem.law_parameters[i][p];
          EXPECT_NEAR(now, before, 1e-9 * std::abs(before)) << i;
        }
    ASSERT_EQ(again.problem.slip_targets.size(), saved.problem.slip_targets.size());
    for (std::size_t p = 0; p < saved.problem.slip_targets.size(); ++p)
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(again.problem.slip_targets[p].v[i], saved.problem.slip_targets[p].v[i], 1e-9);
  }
}

TEST(SoftContact, IsNotWhatMuJoCosDefaultsAre) {
  const PairMaterial usual = floor_and_ball(mjcf_ball(""));
  EXPECT_EQ(usual.table, -1);
  EXPECT_FALSE(usual.stiffness_is_given);
  EXPECT_EQ(floor_and_ball(mjcf_ball("solref='0.01 1'")).table, -1);
  // A negative solref is a stiffness.
  EXPECT_EQ(floor_and_ball(mjcf_ball("solref='-4000 -80' solimp='0.015 1 0.023'")).table, -1);
  EXPECT_GE(floor_and_ball(mjcf_ball("solref='0.1 1'")).table, 0);
}

// k is 1/(T Z dmax)^2, so that the overlap grows with the square of T: by 2 % at 0.0202 s.
TEST(SoftContact, IsWhateverIsSofterThanMuJoCosDefaults) {
  EXPECT_EQ(floor_and_ball(mjcf_ball("solref='0.02 1' solimp='0.9 0.95 0.001 0.5 2' solmix='0.3'")).table,
            -1);
  EXPECT_EQ(floor_and_ball(mjcf_ball("solref='0.0198 1'")).table, -1);
  for (const char* softer : {"solref='0.0202 1'", "solref='0.02 1.01'", "solimp='0.89 0.94'"}) {
    SCOPED_TRACE(softer);
    const Model model = mjcf_ball(softer);
    EXPECT_GE(floor_and_ball(model).table, 0);
    // As deep as under MuJoCo's own law, that has the curve itself.
    EXPECT_NEAR(overlap_after(model, with_law("icf_lagged"), 1.0),
                overlap_after(model, with_law("convex_cone+newton_mujoco"), 1.0), 2e-6);
  }
}

TEST(SoftContact, OfAPyramidSharesTheForceAmongItsEdges) {
  // condim 3 has four edges: c = 4/(2 mu^2 (1 + mu^2)).
  const PairMaterial cone = floor_and_ball(soft_ball());
  const PairMaterial pyramid = floor_and_ball(mjcf_ball("solimp='0.015 1 0.023'", "cone='pyramidal'"));
  ASSERT_GE(cone.table, 0);
  ASSERT_GE(pyramid.table, 0);
  EXPECT_NEAR(pyramid.table_scale / cone.table_scale, 4.0 / (2.0 * 0.64 * 1.64), 1e-12);
}

// Every stone has a friction of its own: a hundred kinds of surfaces, which must not cost the ball its soft ones.
TEST(SoftContact, IsKeptInAModelOfManyKindsOfSurfaces) {
  std::string stones;
  for (int i = 0; i < 100; ++i)
    stones += "<body pos='" + std::to_string(1 + i) + " 0 1'><freejoint/><geom size='0.1' friction='" +
              std::to_string(0.3 + 0.005 * i) + "'/></body>";
  for (const std::string cone : {"elliptic", "pyramidal"}) {
    SCOPED_TRACE(cone);
    const Model model = parse_mjcf(
        "<mujoco><option cone='" + cone +
            "'/><worldbody><geom name='floor' type='plane' size='1 1 1'/><body name='ball' pos='0 0 0.095'>"
            "<freejoint/><geom name='ball' size='0.1' mass='2' friction='0.8' condim='3' priority='1' "
            "solimp='0.015 1 0.023'/></body>" +
            stones + "</worldbody></mujoco>",
        "stones.xml");
    const PairMaterial pair = model.tables().contact->pair(0, 1),
                       alone = floor_and_ball(mjcf_ball("solimp='0.015 1 0.023'", "cone='" + cone + "'"));
    ASSERT_GE(pair.table, 0);
    EXPECT_NEAR(pair.table_scale, alone.table_scale, 1e-12 * alone.table_scale);
    EXPECT_EQ(model.tables().contact->pair(0, 2).table, -1);
  }
}

// A bar of mass m and length 2 l on a hinge at its end: its centre of mass moves by l w along one direction only,
// so that the mean over the axes is l^2/(3 J), J = m l^2 + I. MuJoCo has this as body_invweight0.
TEST(SoftContact, InverseMassIsTheMeanOverTheAxesAtTheCentreOfMass) {
  const Model bar = parse_mjcf(
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 -3'/><body name='bar'>"
      "<joint axis='0 1 0'/><inertial pos='0.4 0 0' mass='3' diaginertia='0.1 0.2 0.2'/>"
      "<geom name='bar' size='0.1' pos='0.8 0 0'/></body></worldbody></mujoco>",
      "test.xml");
  const double J = 3.0 * 0.4 * 0.4 + 0.2;
  EXPECT_NEAR(bar.tables().contact->soft.inverse_masses[1], 0.4 * 0.4 / (3.0 * J), 1e-12);
  EXPECT_NEAR(soft_ball().tables().contact->soft.inverse_masses[1], 1.0 / kMass, 1e-12);
  EXPECT_EQ(soft_ball().tables().contact->soft.inverse_masses[0], 0.0);
}

Model ball_of(const ContactMaterial& material, double height = kRadius, double speed = 0.0) {
  ModelBuilder builder("ball");
  builder.set_gravity(Vec3(0, 0, -kGravity));
  builder.add_shape("floor", "world", {}, HalfSpace{});
  builder.set_material("floor", material);
  builder.add_free_body("ball", translation(0.0, 0.0, height), solid_sphere(kMass, kRadius));
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_initial_velocity("ball", {0.0, 0.0, 0.0, 0.0, 0.0, speed});
  return builder.build();
}

TEST(SoftContact, AMaterialWithAForceTableSinksByIt) {
  ContactMaterial rubber;
  rubber.force_table = {{0.0, 0.0}, {1e-3, 5.0}, {2e-3, kMass * kGravity}, {3e-3, 80.0}};
  const Model model = ball_of(rubber);
  for (const char* law : {"icf_lagged", "icf_similar", "sap"}) {
    SCOPED_TRACE(law);
    EXPECT_NEAR(overlap_after(model, with_law(law), 2.0), 2e-3, 1e-8);
  }
}

// Two springs: the table of the floor, and the stiffness of the ball.
TEST(SoftContact, ATableAndAStiffnessAreInSeries) {
  ContactMaterial rubber, steel;
  rubber.force_table = {{0.0, 0.0}, {1e-3, kMass * kGravity}, {2e-3, 80.0}};
  steel.stiffness = 1e5;
  Model model = ball_of(rubber);
  set_material("ball", steel, &model);
  EXPECT_NEAR(overlap_after(model, with_law("icf_lagged"), 2.0), 1e-3 + kMass * kGravity / 1e5, 1e-8);
}

// What a force by table stores comes back: without dissipation a ball bounces to the height that it fell from.
TEST(SoftContact, AForceTableKeepsTheEnergyAsTheStepBecomesSmall) {
  ContactMaterial rubber;
  rubber.force_table = {{0.0, 0.0}, {2e-3, 20.0}, {4e-3, 100.0}, {8e-3, 600.0}};
  rubber.dissipation = 0.0;
  double lost[2];
  for (int k = 0; k < 2; ++k) {
    WorldOptions options = with_law("icf_lagged", k == 0 ? 2e-4 : 1e-4);
    World world(ball_of(rubber, kRadius, -1.0), options);
    double fastest = 0.0;
    for (int i = 0; i < 0.2 / options.h; ++i) {
      world.step();
      fastest = std::max(fastest, world.body_velocity("ball")[5]);
    }
    lost[k] = 1.0 - fastest;
  }
  // The scheme is of first order.
  EXPECT_LT(lost[1], 0.03);
  EXPECT_NEAR(lost[1], 0.5 * lost[0], 0.2 * lost[0]);
}

TEST(Restitution, IsThatOfTheMaterialUnderEveryRigidFormulationAndImpedance) {
  ContactMaterial bouncy;
  bouncy.restitution = 0.5;
  for (const CatalogEntry& entry : catalog()) {
    if (!is_rigid(entry.law) || find_solver(entry.solver).is_literal) continue;
    for (const double impedance : {0.95, 0.67}) {
      SCOPED_TRACE(entry.name() + " " + std::to_string(impedance));
      WorldOptions options = with_law(entry.name());
      options.formulation.contact.rigid.impedance = impedance;
      World world(ball_of(bouncy, kRadius + 1e-3, -1.0), options);
      world.simulate(0.01);
      // The rebound, less gravity since then; the impact is within a step of the time at which the ball arrives.
      const double speed = world.body_velocity("ball")[5];
      EXPECT_NEAR(speed, 0.5 - kGravity * 0.008, 0.5 * kGravity * 6e-3);
    }
  }
}

TEST(MaterialCompliance, LetsRigidLawsSinkByTheStiffnessOfTheMaterial) {
  ContactMaterial spring;
  spring.stiffness = 1e4;
  spring.relaxation_time = 5e-3;
  for (const CatalogEntry& entry : catalog()) {
    if (!is_rigid(entry.law) || find_solver(entry.solver).is_literal) continue;
    SCOPED_TRACE(entry.name());
    WorldOptions options = with_law(entry.name());
    options.formulation.contact.rigid.material_compliance = true;
    EXPECT_NEAR(overlap_after(ball_of(spring), options, 1.0), kMass * kGravity / 1e4, 1e-6);
  }
}

TEST(MaterialCompliance, DampsRigidLawsByTheRelaxationTimeOfTheMaterial) {
  // A ball that just touches is let go: m x'' = m g - k x - k tau x', with twice the critical damping.
  constexpr double kStiffness = 1e4, kRatio = 2.0, kStep = 1e-4;
  const double frequency = std::sqrt(kStiffness / kMass), root = std::sqrt(kRatio * kRatio - 1.0);
  const double slow = frequency * (kRatio - root), fast = frequency * (kRatio + root);
  const double rest = kMass * kGravity / kStiffness;
  ContactMaterial damped;
  damped.stiffness = kStiffness;
  damped.relaxation_time = 2.0 * kRatio / frequency;
  const double time = std::round(1.0 / (slow * kStep)) * kStep;
  const double overlap =
      rest * (1.0 - (fast * std::exp(-slow * time) - slow * std::exp(-fast * time)) / (fast - slow));
  for (const CatalogEntry& entry : catalog()) {
    if (!is_rigid(entry.law) || find_solver(entry.solver).is_literal) continue;
    SCOPED_TRACE(entry.name());
    WorldOptions options = with_law(entry.name());
    options.h = kStep;
    options.formulation.contact.rigid.material_compliance = true;
    // Implicit steps err by about fast h/2.
    EXPECT_NEAR(overlap_after(ball_of(damped), options, time), overlap, 0.5 * fast * kStep * rest);
  }
}

TEST(LawNotes, NameTheNumbersThatALawIgnores) {
  ContactMaterial material;
  material.stiffness = 1e5;
  material.restitution = 0.5;
  const Model model = ball_of(material);
  const auto ignored = [&](const char* law) {
    return ignored_numbers(model, with_law(law).formulation.contact);
  };
  ASSERT_EQ(ignored("coulomb_ncp").size(), 1u);
  EXPECT_NE(ignored("coulomb_ncp")[0].find("stiffness of 1 shape of 'ball' ('floor')"), std::string::npos);
  ASSERT_EQ(ignored("icf_lagged").size(), 1u);
  EXPECT_NE(ignored("icf_lagged")[0].find("restitution of 1 shape of 'ball' ('floor')"), std::string::npos);
  ContactOptions with_springs = with_law("coulomb_ncp").formulation.contact;
  with_springs.rigid.material_compliance = true;
  EXPECT_TRUE(ignored_numbers(model, with_springs).empty());
}

TEST(LawNotes, SayWhatBecomesOfSoftSurfaces) {
  const auto notes = [](const char* law) {
    std::string all;
    for (const std::string& note : soft_contact_notes(soft_ball(), with_law(law).formulation.contact))
      all += note + "\n";
    return all;
  };
  EXPECT_NE(notes("icf_lagged").find("has their force by depth"), std::string::npos);
  EXPECT_NE(notes("sap").find("takes the stiffness that they have under the load"), std::string::npos);
  EXPECT_NE(notes("coulomb_ncp").find("takes nothing of it"), std::string::npos);
  EXPECT_NE(notes("convex_cone+newton_mujoco").find("as MuJoCo does"), std::string::npos);
}

}  // namespace
}  // namespace stiction
