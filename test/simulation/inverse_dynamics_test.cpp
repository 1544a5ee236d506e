#include "stiction/simulation/inverse_dynamics.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "scenes/driven_robots.h"
#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/residual.h"
#include "stiction/simulation/formulation.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/world.h"
#include "test/base/fewer.h"

namespace stiction {
namespace {

constexpr double kG = 9.81;  // m/s^2

// Every formulation whose forces follow from the velocity.
std::vector<Formulation> invertible() {
  std::vector<Formulation> list;
  for (const CatalogEntry& entry : catalog()) {
    const LawFamily family = law_row(entry.law).family;
    const bool is_cone = entry.law == LawKind::convex_cone || entry.law == LawKind::coulomb_ncp;
    if (family != LawFamily::compliant && !is_cone) continue;
    if (entry.solver == std::string("staggered") || entry.solver == std::string("pgs"))
      continue;  // the slow ones
    Formulation f;
    f.contact.law = entry.law;
    f.contact.solver = entry.solver;
    f.contact.rigid.normal_compliance = 0.2;       // 1/kg
    f.contact.rigid.tangential_compliance = 0.05;  // 1/kg
    set_tolerance(1e-11, &f);
    set_max_iterations(5000, &f);
    list.push_back(f);
  }
  return list;
}

// Random torques in all joints but the free ones.
VecX random_torques(const Forest& forest, double size, Random* random) {
  VecX tau = VecX::Zero(forest.num_v);
  for (const JointIndices& place : forest.joints) {
    const Joint& joint = forest.bodies[std::size_t(place.body)].joints[std::size_t(place.index_in_body)];
    for (int i = 0; joint.type != JointType::free && i < place.num_v; ++i)
      tau[place.v_begin + i] = size * random->uniform(-1.0, 1.0);
  }
  return tau;
}

// A robot that has settled gets random torques for some steps: what the inverse makes of state and velocity.
// weight: N, of all that touches; torque: N m.
void expect_round_trip(const Model& model, const Formulation& f, double weight, double torque) {
  constexpr double kStep = 2e-3;  // s
  State now(model), next(model);
  StepRecord record(model), inverse_record(model);
  StepWorkspace work(model), inverse_work(model);
  Random random(5);
  double worst = 0.0, pressed = 0.0;  // N m, N; N s
  for (int k = 0; k < 160; ++k) {
    Input input;
    input.joint_forces = random_torques(model.forest, k < 150 ? 0.0 : torque, &random);
    const StepReport report = step(model, now, input, kStep, f, &record, &work, &next);
    ASSERT_TRUE(report.ok()) << describe(model, report);
    if (k >= 150) {
      const InverseDynamics found =
          inverse_dynamics_with_contact(model, now, next.v, kStep, f, {}, &inverse_record, &inverse_work);
      for (const Vec3& gamma : found.contact_impulses) pressed += gamma.norm() / 10.0;
      worst = std::max({worst, (found.joint_forces - input.joint_forces).norm(), found.unactuated.norm()});
    }
    std::swap(now, next);
  }
  std::printf("%-18s %-32s returned to %.1e of %g N m; contacts press with %.2f of %.2f N s\n",
              model.name.c_str(), formulation_name(f.contact).c_str(), worst, torque, pressed,
              weight * kStep);
  EXPECT_GT(pressed, 0.5 * weight * kStep);
  // The forward solver leaves 1e-11 of the momenta in play; a rigid law amplifies it by up to W/R = 1e2.
  EXPECT_LT(worst, 1e-6 * weight);
}

TEST(InverseDynamics, ReturnsTheTorquesThatAStandingRobotWasGiven) {
  const Model model = scenes::quadruped_standing();
  for (const Formulation& f : invertible()) {
    SCOPED_TRACE(formulation_name(f.contact));
    expect_round_trip(model, f, 16.0 * kG, 1.0);
  }
}

TEST(InverseDynamics, ReturnsTheTorquesOfAHandThatHoldsABall) {
  const Model model = scenes::hand_with_ball();
  int number = 0;
  for (const Formulation& f : invertible()) {
    if (kSanitized && number++ % 3 != 0) continue;
    SCOPED_TRACE(formulation_name(f.contact));
    expect_round_trip(model, f, 0.1 * kG, 0.01);
  }
}

// A ball of 2 kg and 5 cm, 0.1 mm deep in a table that slides along x and turns about z: it is pressed on
// with 10 N. All their joints are actuated. Velocities: of the table along x and about z, of the ball along x, y
// and z and about three axes.
Model ball_on_table(const ContactMaterial& material) {
  constexpr double kRadius = 0.05, kDepth = 1e-4;  // m
  ModelBuilder builder("ball_on_table");
  builder.add_body("table", "world", translation(0.0, 0.0, -0.05), solid_box(5.0, Vec3(0.3, 0.3, 0.05)));
  builder.add_joint("table", {.name = "slide", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.add_joint("table", {.name = "turn", .type = JointType::revolute, .axis = Vec3::UnitZ()});
  builder.add_shape("table", "table", {}, Box{Vec3(0.3, 0.3, 0.05)});
  builder.add_body("ball", "world", translation(0.05, 0.02, kRadius - kDepth), solid_sphere(2.0, kRadius));
  builder.add_joint("ball", {.name = "x", .type = JointType::prismatic, .axis = Vec3::UnitX()});
  builder.add_joint("ball", {.name = "y", .type = JointType::prismatic, .axis = Vec3::UnitY()});
  builder.add_joint("ball", {.name = "z", .type = JointType::prismatic, .axis = Vec3::UnitZ()});
  builder.add_joint("ball", {.name = "roll", .type = JointType::ball});
  builder.add_shape("ball", "ball", {}, Sphere{kRadius});
  builder.set_material("ball", material);
  return builder.build();
}

struct FrictionCase {
  const char* name;
  double mu, torsional, rolling, anisotropy_ratio;  // 1, m, m, 1
  ContactMaterial material() const {
    ContactMaterial out;
    out.stiffness = 1e5;  // N/m
    out.static_friction = mu;
    if (torsional > 0.0) out.torsional_friction = torsional;
    if (rolling > 0.0) out.rolling_friction = rolling;
    if (anisotropy_ratio != 1.0) out.anisotropy_ratio = anisotropy_ratio;
    out.friction_direction = Vec3(0.6, 0.8, 0.0);
    return out;
  }
};

constexpr FrictionCase kFrictionCases[] = {
    {"torsional", 0.5, 0.01, 0.0, 1.0},
    {"torsional and rolling", 0.5, 0.01, 0.002, 1.0},
    {"anisotropic", 0.5, 0.0, 0.0, 0.4},
    {"torsional, rolling and anisotropic", 0.5, 0.01, 0.002, 0.4},
    {"without friction of sliding", 0.0, 0.01, 0.002, 1.0},
};

// A step of 1 ms with given forces, and the inverse of it. tolerance: N and N m.
void expect_forces_back(const FrictionCase& friction, const Formulation& f, bool slides, double tolerance) {
  constexpr double kStep = 1e-3;  // s
  const Model model = ball_on_table(friction.material());
  const bool turns = friction.torsional > 0.0;
  State now(model), next(model);
  Input input;
  // At rest below every limit: 5 N, 0.1 N m of torsion, 0.02 N m of rolling; anisotropic 2 N across.
  input.joint_forces.resize(8);
  input.joint_forces << 0.4, 0.01, 0.5, -0.4, 9.0, 0.004, -0.003, 0.02;
  if (slides) now.v << 0.3, 2.0, -0.8, 0.5, -0.05, 3.0, -2.0, 6.0;
  StepRecord record(model);
  StepWorkspace work(model);
  const StepReport report = step(model, now, input, kStep, f, &record, &work, &next);
  ASSERT_TRUE(report.ok()) << describe(model, report);
  ASSERT_EQ(record.collision.points.size(), 1u);
  const int point = record.contact.problem.patches[0].begin;
  const double slip = law_slip(record.contact.problem, point, next.v).norm();  // m/s
  EXPECT_EQ(slip > 0.1, slides) << slip;
  EXPECT_EQ(slip > 1e-3, slides) << slip;  // some v_s

  const InverseDynamics found = inverse_dynamics_with_contact(model, now, next.v, kStep, f);
  EXPECT_LT((found.joint_forces - input.joint_forces).cwiseAbs().maxCoeff(), tolerance);
  EXPECT_EQ(found.unactuated.norm(), 0.0);
  // The impulses and moments that the forward solver had.
  const ContactSolution& solution = record.contact.solution;
  const auto at = [&](const AlignedVector<double>& x) {
    return Eigen::Map<const Vec3>(x.data() + 4 * point);
  };
  EXPECT_LT((found.contact_impulses[point] - at(solution.impulses)).norm(), kStep * tolerance);
  if (turns) {
    EXPECT_LT((found.contact_moments[point] - at(solution.moments)).norm(), kStep * tolerance);
  }
  EXPECT_GT(found.contact_impulses[point].z(), 1e-4);  // N s, of 1e-2
  EXPECT_EQ(found.contact_moments[point].norm() > 0.0, turns);
}

TEST(InverseDynamics, ReturnsTheForcesUnderEveryKindOfFrictionOfCompliantLaws) {
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::compliant) continue;
    Formulation f;
    f.contact.law = row.kind;
    set_tolerance(1e-14, &f);
    for (const FrictionCase& friction : kFrictionCases) {
      for (const bool slides : {false, true}) {
        SCOPED_TRACE(std::string(row.name) + ", " + friction.name + (slides ? ", sliding" : ", at rest"));
        // The forward solver leaves 1e-14 of momenta of 2 kg m/s, 2e-11 N over 1 ms.
        expect_forces_back(friction, f, slides, 1e-9);
      }
    }
  }
}

TEST(InverseDynamics, ReturnsTheForcesUnderEveryKindOfFrictionOfRigidLawsWithACompliance) {
  for (const auto& [law, solver] :
       {std::pair(LawKind::convex_cone, "newton"), std::pair(LawKind::convex_cone, "admm"),
        std::pair(LawKind::coulomb_ncp, "semismooth_newton")}) {
    Formulation f;
    f.contact.law = law;
    f.contact.solver = solver;
    f.contact.rigid.normal_compliance = 0.2;       // 1/kg
    f.contact.rigid.tangential_compliance = 0.05;  // 1/kg
    set_tolerance(1e-11, &f);
    set_max_iterations(5000, &f);
    for (const FrictionCase& friction : kFrictionCases) {
      SCOPED_TRACE(formulation_name(f.contact) + ", " + friction.name);
      // Solvers in impulses leave 1e-11 m/s or so, amplified by 1/R = 20 kg: 2e-7 N over 1 ms.
      expect_forces_back(friction, f, true, 1e-6);
    }
  }
}

// A rod of 2 kg and 1 m on a hinge, held level, with a ball of 5 cm at its end d = 1 mm deep in the floor.
Model rod_on_floor(double stiffness, double depth) {
  ModelBuilder builder;
  ContactMaterial material;
  material.stiffness = stiffness;
  builder.add_shape("floor", "world", translation(0, 0, -0.05 + depth), HalfSpace{});
  builder.add_body("rod", "world", {},
                   Inertia{2.0, Vec3(0.5, 0, 0), Vec3(0.0, 2.0 / 12.0, 2.0 / 12.0).asDiagonal()});
  builder.add_joint("rod", Joint{.name = "hinge", .type = JointType::revolute, .axis = Vec3::UnitY()});
  builder.add_shape("ball", "rod", translation(1.0, 0, 0), Sphere{0.05});
  builder.set_material("ball", material);
  return builder.build();
}

TEST(InverseDynamics, HoldsStillWithGravityLessTheSpringOfTheFloor) {
  const double k = 4000.0, depth = 1e-3, h = 1e-3;
  const Model model = rod_on_floor(k, depth);
  // Positive about y turns the tip down: gravity pulls it down, the floor pushes k d at 1 m up.
  const double expected = -(2.0 * kG * 0.5 - k * depth * 1.0);
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::compliant) continue;
    SCOPED_TRACE(row.name);
    Formulation f;
    f.contact.law = row.kind;
    f.contact.beta = 0.0;  // sap: the given stiffness counts
    const InverseDynamics found = inverse_dynamics_with_contact(model, State(model), VecX::Zero(1), h, f);
    EXPECT_NEAR(found.joint_forces[0], expected, 1e-9);
    EXPECT_NEAR(found.contact_impulses[0].z(), h * k * depth, 1e-12);
  }
}

TEST(InverseDynamics, UnderRigidLawsTheComplianceIsTheSpring) {
  // c = -c*, and c* = depth/h at most restores the overlap: gamma = c*/R.
  const double depth = 1e-3, h = 1e-2, R = 0.5;
  const Model model = rod_on_floor(1e6, depth);
  for (const LawKind law : {LawKind::convex_cone, LawKind::coulomb_ncp}) {
    Formulation f;
    f.contact.law = law;
    f.contact.solver = "semismooth_newton";
    f.contact.rigid.normal_compliance = f.contact.rigid.tangential_compliance = R;
    StepRecord record(model);
    StepWorkspace work(model);
    const InverseDynamics found =
        inverse_dynamics_with_contact(model, State(model), VecX::Zero(1), h, f, {}, &record, &work);
    const double reference = record.contact.problem.parameters_at(0).x[0];
    EXPECT_GT(reference, 0.0);
    EXPECT_NEAR(found.contact_impulses[0].z(), reference / R, 1e-12);
    EXPECT_NEAR(found.joint_forces[0], -(kG - reference / R / h), 1e-8);
  }
}

TEST(InverseDynamics, WhatNoJointCanGiveIsTheResidual) {
  // A box of 3 kg in the air that is to rise at 1 m/s after one step from rest: m (1/h + g).
  ModelBuilder builder;
  builder.add_free_body("box", translation(0, 0, 2), solid_box(3.0, Vec3::Ones()));
  const Model model = builder.build();
  VecX v = VecX::Zero(6);
  v[5] = 1.0;
  const InverseDynamics found = inverse_dynamics_with_contact(model, State(model), v, 0.01, Formulation());
  EXPECT_EQ(found.joint_forces.norm(), 0.0);
  EXPECT_NEAR(found.unactuated[5], 3.0 * (100.0 + kG), 1e-9);
  EXPECT_NEAR(found.unactuated.head<5>().norm(), 0.0, 1e-12);
}

TEST(InverseDynamics, RefusesWhatDoesNotDetermineForces) {
  const Model model = rod_on_floor(1e5, 1e-3);
  const auto solve = [&](const Formulation& f, double v = 0.0) {
    inverse_dynamics_with_contact(model, State(model), VecX::Constant(1, v), 1e-3, f);
  };
  Formulation hard;
  hard.contact.law = LawKind::coulomb_ncp;
  hard.contact.solver = "pgs";
  EXPECT_THROW(solve(hard), UserError);
  hard.contact.rigid.normal_compliance = hard.contact.rigid.tangential_compliance = 0.1;
  EXPECT_NO_THROW(solve(hard));
  for (const auto& [law, solver] :
       {std::pair(LawKind::raisim, "bisection"), std::pair(LawKind::pyramid_lcp, "lemke")}) {
    hard.contact.law = law;
    hard.contact.solver = solver;
    try {
      solve(hard);
      ADD_FAILURE() << law_row(law).name;
    } catch (const UserError& error) {
      EXPECT_NE(std::string(error.what()).find(law_row(law).name), std::string::npos) << error.what();
    }
  }
  // The momentum matrix of an implicit scheme depends on the forces that are looked for.
  for (const char* scheme : {"midpoint", "implicit_euler", "geometrically_implicit", "theta:0.6,0.9"}) {
    Formulation implicit;
    implicit.scheme = &find_scheme(scheme);
    EXPECT_THROW(solve(implicit), UserError) << scheme;
  }
  for (const char* scheme : {"semi_implicit_euler", "symplectic_euler", "explicit_euler", "theta:0,0.5"}) {
    Formulation explicitly;
    explicitly.scheme = &find_scheme(scheme);
    EXPECT_NO_THROW(solve(explicitly)) << scheme;
  }
  EXPECT_THROW(solve(Formulation(), std::nan("")), UserError);
  EXPECT_THROW(inverse_dynamics_with_contact(model, State(model), VecX::Zero(2), 1e-3, Formulation()),
               UserError);
}

}  // namespace
}  // namespace stiction
