// The residual checks of contact problems. Longer than other tests: true solutions, and what each change of them must show.
#include "stiction/contact/residual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "stiction/constraint/apply_law.h"
#include "stiction/contact/contact_solver.h"
#include "stiction/contact/newton/newton.h"
#include "test/contact/ball_on_floor.h"
#include "test/contact/law_kinds.h"

namespace stiction {
namespace {

TEST(ContactResidual, FindsNoErrorInTheAnswerOfASolver) {
  for (const LawKind law : compliant_laws()) {
    SavedProblem saved = ball_on_floor(Vec3(1.0, 0, -0.5));
    ContactOptions options;
    options.law = law;
    apply_law(options, &saved);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(saved.problem, NewtonOptions(), &solution);
    const ContactResidual residual =
        check_residual(saved.problem, saved.points, solution.v, solution.impulses);
    // The solver's own tolerance is 1e-6.
    EXPECT_LT(residual.momentum.relative, 1e-6);
    EXPECT_LT(residual.law.relative, 1e-9);
    if (law == LawKind::sap) {
      EXPECT_LT(residual.slackness->relative, 1e-9);
    } else {
      EXPECT_FALSE(residual.slackness.has_value());
    }
  }
}

TEST(ContactResidual, FindsNoErrorInTheAnswerOfASolverToTurning) {
  for (const LawKind law : compliant_laws()) {
    SavedProblem saved = turning_ball_on_floor(Vec3(1.0, 0, -0.5), Vec3(3.0, 2.0, 20.0));
    ContactOptions options;
    options.law = law;
    apply_law(options, &saved);
    NewtonSolver solver;
    ContactSolution solution;
    solver.solve(saved.problem, NewtonOptions(), &solution);
    const ContactResidual residual =
        check_residual(saved.problem, saved.points, solution.v, solution.impulses, solution.moments);
    EXPECT_LT(residual.momentum.relative, 1e-6);
    EXPECT_LT(residual.law.relative, 1e-9);
    if (law == LawKind::sap) {
      EXPECT_LT(residual.slackness->relative, 1e-9);
    }
    // Without the moments momentum does not balance.
    EXPECT_GT(check_residual(saved.problem, saved.points, solution.v, solution.impulses).momentum.relative,
              1e-4);
  }
}

TEST(ContactResidual, SeesAMomentOutsideTheFrictionEllipsoid) {
  const SavedProblem saved = turning_ball_on_floor(Vec3::Zero(), Vec3::Zero());
  // At 2 N, mu 0.5 and a length of 0.02/0.5 m hold 0.04 N m; 0.12 N m count as 3 N of friction.
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, VecX::Zero(6), impulses_of(saved, 0.01 * Vec3(0, 0, 2)),
                     impulses_of(saved, 0.01 * Vec3(0, 0, 0.12)));
  EXPECT_NEAR(residual.primal.absolute, 2.0 / std::sqrt(1.25), 1e-13);
}

TEST(ContactResidual, SeesTurningThatDissipatesTooLittle) {
  const SavedProblem saved = turning_ball_on_floor(Vec3::Zero(), Vec3::Zero());
  VecX v = VecX::Zero(6);
  v[2] = 5.0;  // rad/s, spinning
  // 10 N press, so friction should take 0.02 m x 10 N x 5 rad/s = 1 W; 0.12 N m take 0.6 W.
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, v, impulses_of(saved, 0.01 * Vec3(0, 0, 10)),
                     impulses_of(saved, 0.01 * Vec3(0, 0, -0.12)));
  EXPECT_NEAR(residual.dissipation.absolute, 0.4, 1e-13);
}

TEST(ContactResidual, MeasuresTheImbalanceOfMomentumInTheScaledNorm) {
  const SavedProblem saved = ball_on_floor(Vec3(0, 0, -0.5));
  // Nothing pushes and the ball stops: A (v - v_free) = 2 kg x 0.5 m/s, scaled by 1/sqrt(2 kg).
  const VecX v = VecX::Zero(6);
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, v, impulses_of(saved, Vec3::Zero()));
  EXPECT_NEAR(residual.momentum.absolute, 1.0 / std::sqrt(2.0), 1e-15);
}

TEST(ContactResidual, SeesAForceOutsideTheFrictionCone) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  // mu 0.5: (3, 0, 2) N is (3 - 1) N beyond the cone, seen at right angles to its side.
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, VecX::Zero(6), impulses_of(saved, 0.01 * Vec3(3, 0, 2)));
  EXPECT_NEAR(residual.primal.absolute, 2.0 / std::sqrt(1.25), 1e-13);
  EXPECT_NEAR(residual.primal.relative, 2.0 / std::sqrt(1.25) / std::sqrt(13.0), 1e-13);
}

TEST(ContactResidual, SeesAContactWithoutFrictionThatPulls) {
  SavedProblem saved = ball_on_floor(Vec3::Zero());
  saved.points[0].friction = 0.0;
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, VecX::Zero(6), impulses_of(saved, 0.01 * Vec3(0, 0, -3)));
  EXPECT_NEAR(residual.primal.absolute, 3.0, 1e-13);
}

// The largest of the errors by which rigid contact is judged, over given scales of force and velocity.
double worst_of(const ContactResidual& residual, double force, double velocity) {
  const double power = force * velocity;
  return std::max({residual.primal.absolute / force, residual.dual.absolute / velocity,
                   residual.complementarity.absolute / power, residual.signorini.absolute / power,
                   residual.dissipation.absolute / power});
}

TEST(ContactResidual, SeesEveryChangeOfAnImpulseEvenIfMomentumBalances) {
  // True solutions of every kind (rest, rest under load, sliding, separation), with and without friction. An
  // impulse is changed in each component, and the velocity with it, so that momentum still balances.
  constexpr double kChange = 1e-3;  // N s
  for (const double mu : {0.0, 0.5}) {
    for (const Vec3& v_free :
         {Vec3(0, 0, -0.5), Vec3(0.1, 0.05, -0.5), Vec3(2, 1, -0.5), Vec3(1, 0, 0.5), Vec3(0, 0, 0.5)}) {
      SavedProblem saved = ball_on_floor(v_free);
      saved.points[0].friction = mu;
      ContactOptions options;
      options.law = LawKind::coulomb_ncp;
      apply_law(options, &saved);
      const double force = kBallMass * 1.0 / saved.problem.h, velocity = 1.0;
      ContactSolver solver;
      ContactSolution solution;
      SolverOptions exact;
      exact.dual.tolerance = 1e-12;
      solver.solve(saved.problem, "semismooth_newton", exact, {}, &solution);
      const ContactResidual truth =
          check_residual(saved.problem, saved.points, solution.v, solution.impulses);
      ASSERT_LT(worst_of(truth, force, velocity), 1e-9);
      ASSERT_LT(truth.momentum.relative, 1e-12);
      for (int i = 0; i < 6; ++i) {
        SCOPED_TRACE(testing::Message()
                     << "mu " << mu << ", v_free " << v_free.transpose() << ", change " << i);
        const Vec3 change = (i % 2 == 0 ? kChange : -kChange) * Vec3::Unit(i / 2);
        AlignedVector<double> impulses = solution.impulses;
        for (int c = 0; c < 3; ++c) impulses[static_cast<std::size_t>(c)] += change[c];
        VecX v = solution.v;
        v.head<3>() += kBallArm.cross(change) / kBallInertia;
        v.tail<3>() += change / kBallMass;
        const ContactResidual changed = check_residual(saved.problem, saved.points, v, impulses);
        EXPECT_LT(changed.momentum.relative, 1e-12);
        EXPECT_GT(worst_of(changed, force, velocity), 0.01 * kChange);
      }
      for (int d = 0; d < 6; ++d) {
        VecX v = solution.v;
        v[d] += kChange;
        EXPECT_GT(check_residual(saved.problem, saved.points, v, solution.impulses).momentum.absolute, 1e-5);
      }
    }
  }
}

// Every law, elasticity and component, torsion and rolling included. A moment counts as a force at its friction
// length: 0.04 m about the normal, 0.02 m about a tangent.
TEST(ContactResidual, SeesEveryChangeOfAnImpulseUnderACompliantLaw) {
  constexpr double kChange = 1e-3;  // N s, or N m s
  const double lengths[6] = {1.0, 1.0, 1.0, 0.02, 0.02, 0.04};
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::compliant) continue;
    for (const Elasticity elasticity : {Elasticity::linear, Elasticity::hertz, Elasticity::log_barrier,
                                        Elasticity::ipc_barrier, Elasticity::table}) {
      if (elasticity != Elasticity::linear && !row.takes_elasticity()) continue;
      if (elasticity == Elasticity::table && !takes_force_table(row.kind)) continue;
      for (const double distance : {-1e-4, 5e-4}) {
        for (const Vec3& v_free : {Vec3(0, 0, -0.5), Vec3(2, 1, -0.5), Vec3(0, 0, 0.5)}) {
          SavedProblem saved = turning_ball_on_floor(v_free, Vec3(3.0, 2.0, 20.0));
          PhysicalPoint& point = saved.points[0];
          point.distance = distance;
          point.barrier_distance = 1e-3;
          point.barrier_stiffness = 1e5;
          point.barrier_energy = 1e-3;
          if (elasticity == Elasticity::table) {
            const ForcePoint points[] = {{0.0, 0.0}, {1e-4, 5.0}, {2e-4, 40.0}};
            saved.problem.tables =
                std::make_shared<const std::vector<ForceTable>>(1, make_force_table(points));
            point.table = 0.0;
            point.table_scale = 1.0;
          }
          ContactOptions options;
          options.law = row.kind;
          options.elasticity = elasticity;
          apply_law(options, &saved);
          NewtonSolver solver;
          ContactSolution solution;
          solver.solve(saved.problem, NewtonOptions(), &solution);
          const ContactResidual truth =
              check_residual(saved.problem, saved.points, solution.v, solution.impulses, solution.moments);
          EXPECT_LT(truth.law.absolute * saved.problem.h, 1e-6 * kChange) << row.name;
          for (int i = 0; i < 6; ++i) {
            AlignedVector<double> impulses = solution.impulses, moments = solution.moments;
            (i < 3 ? impulses : moments)[static_cast<std::size_t>(i % 3)] += kChange;
            const ContactResidual changed =
                check_residual(saved.problem, saved.points, solution.v, impulses, moments);
            EXPECT_NEAR(changed.law.absolute * saved.problem.h, kChange / lengths[i], 1e-5 * kChange)
                << row.name << ", elasticity " << static_cast<int>(elasticity) << ", component " << i;
            EXPECT_GT(changed.law.relative, 0.0);
          }
        }
      }
    }
  }
}

TEST(ContactResidual, SeesAMomentWhereNoFrictionResistsTurning) {
  for (const LawRow& row : kLawRows) {
    if (row.family == LawFamily::geometric) continue;
    SavedProblem saved = ball_on_floor(Vec3(0, 0, -0.5));
    ContactOptions options;
    options.law = row.kind;
    options.solver = row.solvers[0];
    apply_law(options, &saved);
    VecX v = VecX::Zero(6);
    const AlignedVector<double> impulses = impulses_of(saved, Vec3(0, 0, 0.1));
    const ContactResidual without = check_residual(saved.problem, saved.points, v, impulses);
    for (int i = 0; i < 3; ++i) {
      const ContactResidual with =
          check_residual(saved.problem, saved.points, v, impulses, impulses_of(saved, 1.0 * Vec3::Unit(i)));
      EXPECT_GT(std::max(with.primal.absolute, with.law.absolute),
                std::max(without.primal.absolute, without.law.absolute) + 1.0)
          << row.name << ", component " << i;
    }
  }
}

// Far inside the cone, where the friction of the other directions would hide it.
TEST(ContactResidual, SeesTheLeastFrictionAlongADirectionThatHasNone) {
  constexpr double kLeast = 1e-4, kPressed = 0.1;  // N s or N m s, N s
  for (const LawRow& row : kLawRows) {
    if (row.family != LawFamily::rigid) continue;
    ContactOptions options;
    options.law = row.kind;
    options.solver = row.solvers[0];
    for (const PointKind& kind : point_kinds()) {
      if (!takes(options, kind)) continue;
      const SavedProblem saved = ball_of_kind(kind, ball_motions()[0], options);
      const bool has_friction[6] = {kind.mu > 0.0,      kind.mu > 0.0,      true,
                                    kind.rolling > 0.0, kind.rolling > 0.0, kind.torsional > 0.0};
      for (int i = 0; i < 6; ++i) {
        AlignedVector<double> impulses = impulses_of(saved, Vec3(0.0, 0.0, kPressed)),
                              moments = impulses_of(saved, Vec3::Zero());
        (i < 3 ? impulses : moments)[static_cast<std::size_t>(i % 3)] += kLeast;
        const ContactResidual residual =
            check_residual(saved.problem, saved.points, VecX::Zero(6), impulses, moments);
        const double expected = has_friction[i] ? 0.0 : kLeast / saved.problem.h;
        EXPECT_NEAR(residual.law.absolute, expected, 1e-12) << row.name << ", " << kind.name << ", " << i;
        EXPECT_NEAR(residual.primal.absolute, expected, 1e-12) << row.name << ", " << kind.name << ", " << i;
      }
    }
  }
}

// The slip that a law asks for (MuJoCo's reference) is the one at which it has no friction.
TEST(ContactResidual, ExpectsNoFrictionAtTheSlipThatTheLawAsksFor) {
  SavedProblem saved = turning_ball_on_floor(Vec3(0.3, -0.2, 0.0), Vec3(1.0, 2.0, 5.0));
  ContactOptions options;
  options.law = LawKind::sap;
  apply_law(options, &saved);
  ContactProblem& problem = saved.problem;
  const VecX& v = problem.v_free;
  const Vec3 vc = point_velocity(problem, 0, v), w = point_angular_velocity(problem, 0, v);
  // (vhat - vn)/R_n with vn = 0.
  const double gn = problem.law_parameters[kNormal][0] * problem.law_parameters[kBias][0];
  const AlignedVector<double> impulses = impulses_of(saved, Vec3(0.0, 0.0, gn)),
                              moments = impulses_of(saved, Vec3::Zero());
  const auto residual = [&] { return check_residual(problem, saved.points, v, impulses, moments); };
  // It slides at more than the stiction tolerance, with friction 0.5 gn and more normal impulse.
  EXPECT_GT(residual().law.absolute, 0.5 * gn / problem.h);
  problem.slip_targets.assign(problem.frames.size(), SlipTarget{});
  set_slip_target(1.0, vc, w, &problem.slip_targets[0]);
  EXPECT_LT(residual().law.absolute, 1e-12 * gn / problem.h);
  EXPECT_LT(residual().slackness->absolute, 1e-12);
  for (int i = 0; i < 3; ++i) {
    for (double* target : {problem.slip_targets[0].v, problem.slip_targets[0].w}) {
      if (target == problem.slip_targets[0].v && i == 2) continue;  // along the normal
      target[i] += 1e-3;
      EXPECT_GT(residual().law.absolute, 1e-3 * gn / problem.h) << i;
      target[i] -= 1e-3;
    }
  }
}

TEST(ContactResidual, SeesThatATreeThatNothingTouchesMovesOnItsOwn) {
  SavedProblem saved = ball_on_floor(Vec3(1.0, 0.0, 0.5));
  saved.problem.set_patches({});
  saved.points.clear();
  for (int d = 0; d < 6; ++d) {
    VecX v = saved.problem.v_free;
    EXPECT_EQ(check_residual(saved.problem, saved.points, v, {}).momentum.relative, 0.0);
    v[d] += 0.01;
    const Error momentum = check_residual(saved.problem, saved.points, v, {}).momentum;
    EXPECT_NEAR(momentum.absolute, 0.01, 1e-15);
    EXPECT_EQ(momentum.relative, 1.0);
  }
}

TEST(ContactResidual, SeesEveryChangeOfAMomentUnderCoulombsLaw) {
  // True solutions with torsion and rolling. A moment or an impulse is changed, and the velocity with it.
  constexpr double kChange = 1e-4;  // N s or N m s
  for (const auto& [v_free, w_free] : {std::pair(Vec3(0, 0, -0.5), Vec3(0.0, 0.0, 0.0)),
                                       std::pair(Vec3(0.1, 0.05, -0.5), Vec3(0.5, 0.1, 0.3)),
                                       std::pair(Vec3(2, 1, -0.5), Vec3(3.0, 2.0, 20.0)),
                                       std::pair(Vec3(0, 0, 0.5), Vec3(3.0, 2.0, 20.0))}) {
    SavedProblem saved = turning_ball_on_floor(v_free, w_free);
    ContactOptions options;
    options.law = LawKind::coulomb_ncp;
    options.solver = "semismooth_newton";
    apply_law(options, &saved);
    ContactSolver solver;
    ContactSolution solution;
    SolverOptions exact;
    exact.dual.tolerance = 1e-12;
    solver.solve(saved.problem, "semismooth_newton", exact, {}, &solution);
    const double force = kBallMass * 1.0 / saved.problem.h, velocity = 1.0;
    const ContactResidual truth =
        check_residual(saved.problem, saved.points, solution.v, solution.impulses, solution.moments);
    ASSERT_LT(worst_of(truth, force, velocity), 1e-9);
    for (int i = 0; i < 12; ++i) {
      const int c = i / 2;
      const Vec3 change = (i % 2 == 0 ? kChange : -kChange) * Vec3::Unit(c % 3);
      AlignedVector<double> impulses = solution.impulses, moments = solution.moments;
      (c < 3 ? impulses : moments)[static_cast<std::size_t>(c % 3)] += change[c % 3];
      VecX v = solution.v;
      v.head<3>() += (c < 3 ? Vec3(kBallArm.cross(change)) : change) / kBallInertia;
      if (c < 3) v.tail<3>() += change / kBallMass;
      const ContactResidual changed = check_residual(saved.problem, saved.points, v, impulses, moments);
      EXPECT_LT(changed.momentum.relative, 1e-12);
      // dv is kChange/m, and a power is relative to m V^2/h.
      EXPECT_GT(worst_of(changed, force, velocity), 1e-3 * kChange)
          << "v_free " << v_free.transpose() << ", change " << i;
    }
  }
}

TEST(ContactResidual, HasARelativeErrorWhereNothingPushes) {
  // The ball goes on into the floor: no impulse, and momentum balances.
  SavedProblem saved = ball_on_floor(Vec3(0, 0, -0.5));
  saved.points[0].distance = 0.0;
  ContactOptions options;
  apply_law(options, &saved);
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, saved.problem.v_free, impulses_of(saved, Vec3::Zero()));
  EXPECT_EQ(residual.momentum.absolute, 0.0);
  EXPECT_EQ(residual.law.relative, 1.0);
  EXPECT_GT(residual.dual.relative, 0.9);
  saved.problem.fall_speed = 0.1;  // m/s
  EXPECT_NEAR(
      check_residual(saved.problem, saved.points, saved.problem.v_free, impulses_of(saved, Vec3::Zero()))
          .dual.relative,
      5.0, 1e-12);
}

TEST(ContactResidual, IsNotANumberWhereANumberIsNone) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const LawRow& row : kLawRows) {
    if (row.family == LawFamily::geometric) continue;
    SCOPED_TRACE(row.name);
    SavedProblem saved = turning_ball_on_floor(Vec3(2, 1, -0.5), Vec3(3.0, 2.0, 20.0));
    ContactOptions options;
    options.law = row.kind;
    options.solver = row.solvers[0];
    apply_law(options, &saved);
    const AlignedVector<double> pressed = impulses_of(saved, Vec3(0, 0, 0.1)),
                                still = impulses_of(saved, Vec3::Zero());
    const auto expect_none = [&](const ContactResidual& residual, const std::string& what) {
      EXPECT_TRUE(std::isnan(residual.momentum.absolute)) << what;
      EXPECT_TRUE(std::isnan(residual.momentum.relative)) << what;
      for (const Error& error : {residual.complementarity, residual.dissipation}) {
        EXPECT_TRUE(std::isnan(error.absolute)) << what;
        EXPECT_TRUE(std::isnan(error.relative)) << what;
      }
      if (row.family != LawFamily::compliant) return;
      EXPECT_TRUE(std::isnan(residual.law.absolute)) << what;
      EXPECT_TRUE(std::isnan(residual.law.relative)) << what;
    };
    for (int i = 0; i < 3; ++i) {
      AlignedVector<double> impulses = pressed, moments = still;
      impulses[static_cast<std::size_t>(i)] = none;
      expect_none(check_residual(saved.problem, saved.points, saved.problem.v_free, impulses, still),
                  "impulse");
      moments[static_cast<std::size_t>(i)] = none;
      expect_none(check_residual(saved.problem, saved.points, saved.problem.v_free, pressed, moments),
                  "moment");
    }
    for (int d = 0; d < 6; ++d) {
      VecX v = saved.problem.v_free;
      v[d] = none;
      expect_none(check_residual(saved.problem, saved.points, v, pressed, still), "velocity");
    }
  }
}

TEST(ContactResidual, KeepsANumberThatIsNoneAmongOthers) {
  double worst = 1.0;
  raise(std::numeric_limits<double>::quiet_NaN(), &worst);
  raise(2.0, &worst);
  EXPECT_TRUE(std::isnan(worst));
}

TEST(ContactResidual, SeesPenetrationAsDualError) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  VecX v = VecX::Zero(6);
  v[5] = -0.3;  // m/s
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, v, impulses_of(saved, Vec3::Zero()));
  EXPECT_NEAR(residual.dual.absolute, 0.3, 1e-15);
}

TEST(ContactResidual, SeesFrictionThatFallsShortOfTheMostDissipation) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  VecX v = VecX::Zero(6);
  v[3] = 2.0;  // m/s, sliding along x
  // 10 N press, so friction should take 0.5 x 10 N x 2 m/s = 10 W; -3 N take 6 W.
  const ContactResidual residual =
      check_residual(saved.problem, saved.points, v, impulses_of(saved, 0.01 * Vec3(-3, 0, 10)));
  EXPECT_NEAR(residual.dissipation.absolute, 4.0, 1e-13);
  EXPECT_NEAR(residual.signorini.absolute, 0.0, 1e-13);
}

// The same ball, held along x by a row of slope 3 N s per m/s within 0.05 N s.
SavedProblem held_ball() {
  SavedProblem saved = ball_on_floor(Vec3::Zero());
  RowLaw law;
  law.slope = 3.0;
  law.lower = -0.05;
  law.upper = 0.05;
  saved.problem.begin_row(law);
  saved.problem.begin_row_part(0);
  saved.problem.add_row_entry(3, 1.0);
  saved.problem.set_patches({});
  saved.points.clear();
  return saved;
}

TEST(ContactResidual, SeesARowThatDoesNotPushAsItsLawSays) {
  const SavedProblem saved = held_ball();
  VecX v = VecX::Zero(6);
  v[3] = 0.01;  // m/s: the row pushes with -0.03 N s
  const std::vector<double> impulses = {-0.02};
  const ContactResidual residual = check_residual(saved.problem, saved.points, v, {}, {}, impulses);
  // 0.01 N s in 0.01 s, of 2 N.
  EXPECT_NEAR(residual.rows->absolute, 1.0, 1e-13);
  EXPECT_NEAR(residual.rows->relative, 0.5, 1e-13);
  // 2 kg x 0.01 m/s are not -0.02 N s: 0.04 N s over sqrt(2 kg).
  EXPECT_NEAR(residual.momentum.absolute, 0.04 / std::sqrt(2.0), 1e-15);
  // Kinetic energy, and the spring of the row: gamma^2/(2 slope).
  EXPECT_NEAR(residual.cost, 0.5 * 2.0 * 1e-4 + 0.03 * 0.03 / 6.0, 1e-16);
}

TEST(ContactResidual, KnowsTheBoundsOfARow) {
  const SavedProblem saved = held_ball();
  VecX v = VecX::Zero(6);
  v[3] = 1.0;  // m/s: unbounded it would push with -3 N s
  const std::vector<double> impulses = {-0.05};
  EXPECT_EQ(check_residual(saved.problem, saved.points, v, {}, {}, impulses).rows->absolute, 0.0);
}

// Rows that are free, at a bound or in a group within and at its common bound: every impulse counts, up and down.
TEST(ContactResidual, SeesEveryChangeOfAnImpulseOfARow) {
  constexpr double kChange = 1e-3;  // N s
  for (const bool is_group : {false, true}) {
    for (const double speed : {0.0, 0.01, -0.01, 1.0, -1.0}) {  // m/s; bounds are reached at 0.017
      SavedProblem saved = ball_on_floor(Vec3::Zero());
      ContactProblem& problem = saved.problem;
      for (int i = 0; i < 3; ++i) {
        RowLaw law;
        law.slope = 3.0;
        law.offset = 0.001;
        law.lower = -0.05;
        law.upper = 0.05;
        if (is_group) law.group = i == 0 ? 3 : 0;
        problem.begin_row(law);
        problem.begin_row_part(0);
        problem.add_row_entry(3 + i, 1.0);
      }
      problem.set_patches({});
      saved.points.clear();
      VecX v = VecX::Zero(6);
      v.tail<3>() = Vec3(speed, 0.5 * speed, -speed);
      // By hand.
      Vec3 s = Vec3::Constant(0.001) - 3.0 * v.tail<3>();
      if (is_group)
        s *= std::min(1.0, 0.05 / s.norm());
      else
        s = s.cwiseMax(-0.05).cwiseMin(0.05);
      std::vector<double> impulses(s.data(), s.data() + 3);
      EXPECT_LT(check_rows(problem, v, impulses).absolute, 1e-13);
      for (std::size_t i = 0; i < 3; ++i) {
        for (const double change : {kChange, -kChange, std::numeric_limits<double>::quiet_NaN()}) {
          std::vector<double> changed = impulses;
          changed[i] += change;
          const ContactResidual residual = check_residual(problem, saved.points, v, {}, {}, changed);
          if (std::isnan(change)) {
            EXPECT_TRUE(std::isnan(residual.rows->absolute) && std::isnan(residual.rows->relative));
          } else {
            EXPECT_NEAR(residual.rows->absolute, kChange / problem.h, 1e-9);
          }
        }
      }
    }
  }
}

TEST(ContactResidual, SaysNothingOfRowsWhereThereAreNone) {
  const SavedProblem saved = ball_on_floor(Vec3::Zero());
  EXPECT_FALSE(
      check_residual(saved.problem, saved.points, VecX::Zero(6), impulses_of(saved, Vec3::Zero())).rows);
}

}  // namespace
}  // namespace stiction
