// The fast passes against the slow clear version of reference_dynamics.h, on every scene of the catalog.

#include <Eigen/Cholesky>
#include <gtest/gtest.h>

#include "scenes/catalog.h"
#include "stiction/math/dual.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/jacobian.h"
#include "test/base/fewer.h"
#include "test/multibody/joint_reactions.h"
#include "test/multibody/random_state.h"
#include "test/multibody/reference_dynamics.h"

namespace stiction {
namespace {

// Relative to the largest entry: round-off of a few hundred additions along a tree.
constexpr double kRoundOff = 1e-12;

// `floor`: what counts as large, in the quantity's unit, where the exact answer may be zero.
double relative_error(const MatX& ours, const MatX& theirs, double floor = 1e-300) {
  return (ours - theirs).cwiseAbs().maxCoeff() / std::max(floor, theirs.cwiseAbs().maxCoeff());
}

MatX block_diagonal_mass_matrix(const Forest& forest, const MassMatrix& M) {
  MatX all = MatX::Zero(forest.num_v, forest.num_v);
  for (size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    all.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
        dense_mass_matrix(forest, M, static_cast<int>(t));
  }
  return all;
}

MatX block_diagonal(const Forest& forest, const TreeBlocks& blocks) {
  MatX all = MatX::Zero(forest.num_v, forest.num_v);
  for (size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    all.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
        blocks.block(forest, static_cast<int>(t));
  }
  return all;
}

// M by unit accelerations.
MatX reference_mass_matrix(const Forest& forest, const VecX& q) {
  const VecX zero = VecX::Zero(forest.num_v);
  const VecX gravity = reference::inverse_dynamics<double>(forest, q, zero, zero).tau;
  MatX M(forest.num_v, forest.num_v);
  for (int d = 0; d < forest.num_v; ++d)
    M.col(d) =
        reference::inverse_dynamics<double>(forest, q, zero, VecX::Unit(forest.num_v, d)).tau - gravity;
  return M;
}

class EveryScene : public testing::TestWithParam<const char*> {
 protected:
  EveryScene() : model(make_scene(GetParam())), forest(model.forest), kinematics(forest), random(7) {}

  void draw() {
    q = random_positions(forest, &random);
    v = random_vector(forest.num_v, 2.0, &random);
    vdot = random_vector(forest.num_v, 5.0, &random);
    compute_positions(forest, q.data(), &kinematics);
    compute_velocities(forest, v.data(), &kinematics);
  }

  // Dense references of hundreds of velocities.
  bool is_too_long_sanitized() const { return kSanitized && forest.num_v > 300; }

  Model model;
  const Forest& forest;
  Kinematics kinematics;
  Random random;
  VecX q, v, vdot;
};

TEST_P(EveryScene, PosesAndVelocitiesOfBodiesAreThoseOfTheReference) {
  for (int trial = 0; trial < 5; ++trial) {
    draw();
    const auto reference = reference::inverse_dynamics<double>(forest, q, v, vdot);
    AlignedVector<double> poses;
    compute_body_poses(forest, kinematics, &poses);
    for (size_t b = 1; b < forest.bodies.size(); ++b) {
      const int body = static_cast<int>(b);
      const auto& m = reference.bodies[b];
      const Pose X = body_pose(forest, kinematics, body);
      EXPECT_LT((X.R - m.X.R).norm(), kRoundOff);
      EXPECT_LT((X.p - m.X.p).norm(), kRoundOff * (10.0 + m.X.p.norm()));
      for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) EXPECT_NEAR(poses[16 * b + 4 * c + r], m.X.R(r, c), kRoundOff);
      for (int r = 0; r < 3; ++r)
        EXPECT_NEAR(poses[16 * b + 12 + r], m.X.p[r], kRoundOff * (10.0 + m.X.p.norm()));
      EXPECT_LT(relative_error(body_velocity(forest, kinematics, body), stack<double>(m.w, m.v)),
                10 * kRoundOff);
      EXPECT_LT(relative_error(body_acceleration(forest, kinematics, vdot.data(), body),
                               stack<double>(m.alpha, m.a)),
                10 * kRoundOff);
    }
  }
}

TEST_P(EveryScene, InverseDynamicsIsNewtonAndEulerForEveryBody) {
  NodeForces work(forest);
  VecX tau(forest.num_v), bias(forest.num_v);
  for (int trial = 0; trial < 5; ++trial) {
    draw();
    inverse_dynamics(forest, kinematics, vdot.data(), &work, tau.data());
    compute_bias(forest, kinematics, &work, bias.data());
    EXPECT_LT(relative_error(tau, reference::inverse_dynamics<double>(forest, q, v, vdot).tau),
              10 * kRoundOff);
    const VecX zero = VecX::Zero(forest.num_v);
    // In a plane without gravity the bias is zero: compare round-off with the forces at nonzero acceleration.
    const double floor = 1e-3 * tau.cwiseAbs().maxCoeff();
    EXPECT_LT(relative_error(bias, reference::inverse_dynamics<double>(forest, q, v, zero).tau, floor),
              10 * kRoundOff);
  }
}

TEST_P(EveryScene, MassMatrixIsTheInverseDynamicsOfUnitAccelerationsAndItsFactorSolves) {
  if (is_too_long_sanitized()) GTEST_SKIP() << kTooLongSanitized;
  MassMatrix M(forest);
  draw();
  compute_mass_matrix(forest, kinematics, &M);
  const MatX expected = reference_mass_matrix(forest, q);
  EXPECT_LT(relative_error(block_diagonal_mass_matrix(forest, M), expected), 10 * kRoundOff);

  const VecX extra = random_vector(forest.num_v, 0.5, &random).cwiseAbs();
  ASSERT_EQ(factorise(forest, extra.data(), &M), -1);
  const MatX A = expected + MatX(extra.asDiagonal());
  VecX x = vdot;
  solve(forest, M, x.data());
  EXPECT_LT(relative_error(A * x, vdot), 1e-10);  // condition number of A times round-off
  VecX y(forest.num_v);
  multiply(forest, M, vdot.data(), y.data());
  EXPECT_LT(relative_error(y, expected * vdot), 10 * kRoundOff);
}

TEST_P(EveryScene, ArticulatedBodiesInvertTheMassMatrix) {
  ArticulatedBodies bodies(forest);
  NodeForces work(forest);
  VecX tau(forest.num_v);
  draw();
  inverse_dynamics(forest, kinematics, vdot.data(), &work, tau.data());
  VecX x(forest.num_v);
  ASSERT_EQ(forward_dynamics(forest, kinematics, tau.data(), &work, &bodies, x.data()), -1);
  EXPECT_LT(relative_error(x, vdot), 1e-9);  // condition number of M times round-off
}

TEST_P(EveryScene, JacobiansMapVelocitiesAndTheirRatesAccelerations) {
  TreeJacobian J;
  draw();
  const auto moving = reference::inverse_dynamics<double>(forest, q, v, vdot);
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    const int body = static_cast<int>(b), node = forest.places[b].node;
    body_jacobian(forest, kinematics, body, &J);
    if (node < 0) {
      EXPECT_EQ(J.cols(), 0);
      continue;
    }
    const Tree& tree = forest.trees[forest.nodes[node].tree];
    const auto& m = moving.bodies[b];
    EXPECT_LT(relative_error(J * v.segment(tree.v_begin, tree.num_v()), stack<double>(m.w, m.v)),
              10 * kRoundOff);
    const Vec6 A =
        J * vdot.segment(tree.v_begin, tree.num_v()) + body_bias_acceleration(forest, kinematics, body);
    EXPECT_LT(relative_error(A, stack<double>(m.alpha, m.a)), 10 * kRoundOff);
  }
}

TEST_P(EveryScene, WrenchesActThroughTheTransposedJacobian) {
  TreeJacobian J;
  draw();
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    const int body = static_cast<int>(b), node = forest.places[b].node;
    const Vec3 p = body_pose(forest, kinematics, body).p + Vec3(0.3, -0.2, 0.5);
    const Vec6 wrench = random_vector(6, 3.0, &random);
    VecX tau = VecX::Zero(forest.num_v);
    add_wrench(forest, kinematics, body, p, wrench, tau.data());
    VecX expected = VecX::Zero(forest.num_v);
    if (node >= 0) {
      const Tree& tree = forest.trees[forest.nodes[node].tree];
      point_jacobian(forest, kinematics, body, p, &J);
      expected.segment(tree.v_begin, tree.num_v()) = J.transpose() * wrench;
    }
    EXPECT_LT((tau - expected).norm(), kRoundOff * (1.0 + expected.norm()));
  }
}

TEST_P(EveryScene, JointReactionsCarryWhatHangsBelowThem) {
  // The reaction of a body does the work of its joint: projected on the joint's axes it is tau.
  draw();
  std::vector<BodyWrench> wrenches;
  for (size_t b = 1; b < forest.bodies.size(); b += 3)
    wrenches.push_back({static_cast<int>(b), Vec3(0.1, 0.2, 0.3), random_vector(6, 2.0, &random)});
  std::vector<Vec6> reactions;
  joint_reactions(forest, kinematics, vdot.data(), wrenches, &reactions);
  VecX tau = reference::inverse_dynamics<double>(forest, q, v, vdot).tau;
  for (int d = 0; d < forest.num_v; ++d) tau[d] -= forest.dofs[d].armature * vdot[d];
  for (BodyWrench w : wrenches) {
    w.wrench = -w.wrench;
    add_wrench(forest, kinematics, w.body, w.p_W, w.wrench, tau.data());
  }
  for (size_t n = 0; n < forest.nodes.size(); ++n) {
    const Node& node = forest.nodes[n];
    const int body = forest.joints[node.joint].body;
    const Vec3 O = Eigen::Map<const Vec3>(kinematics.origins.data() + 4 * node.tree);
    const Vec6& reaction = reactions[body];
    const Vec3 force = reaction.tail<3>();
    const Vec3 moment = Vec3(reaction.head<3>()) + (body_pose(forest, kinematics, body).p - O).cross(force);
    for (int d = node.v_begin; d < node.v_begin + node.num_v; ++d) {
      const double* S = kinematics.axis(d);
      const double work = Vec3(S[0], S[1], S[2]).dot(moment) + Vec3(S[4], S[5], S[6]).dot(force);
      EXPECT_NEAR(work, tau[d], 1e-11 * (1.0 + tau.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_P(EveryScene, DerivativesOfInverseDynamicsAreThoseOfDualNumbers) {
  if (is_too_long_sanitized()) GTEST_SKIP() << kTooLongSanitized;
  InverseDynamicsDerivatives derivatives(forest);
  draw();
  inverse_dynamics_derivatives(forest, kinematics, vdot.data(), &derivatives);
  MatX dq(forest.num_v, forest.num_v), dv = dq;
  using VecD = VecXT<Dual>;
  for (int d = 0; d < forest.num_v; ++d) {
    VecD step = VecD::Zero(forest.num_v);
    step[d] = Dual(0.0, 1.0);
    const VecD vD = v.cast<Dual>(), aD = vdot.cast<Dual>(), qD = q.cast<Dual>();
    const VecD along_q =
        reference::inverse_dynamics<Dual>(forest, reference::displaced<Dual>(forest, qD, step), vD, aD).tau;
    const VecD along_v = reference::inverse_dynamics<Dual>(forest, qD, vD + step, aD).tau;
    for (int i = 0; i < forest.num_v; ++i) {
      dq(i, d) = along_q[i].derivative;
      dv(i, d) = along_v[i].derivative;
    }
  }
  // In N m/rad, because falling spheres and cubes have a zero derivative.
  constexpr double kSmall = 1e-2;
  EXPECT_LT(relative_error(block_diagonal(forest, derivatives.dq), dq, kSmall), 1e-11);
  EXPECT_LT(relative_error(block_diagonal(forest, derivatives.dv), dv, 1.0), 1e-11);
  EXPECT_LT(relative_error(derivatives.tau, reference::inverse_dynamics<double>(forest, q, v, vdot).tau),
            1e-11);

  // Forward dynamics: M dvdot = -dtau.
  MassMatrix M(forest);
  compute_mass_matrix(forest, kinematics, &M);
  ASSERT_EQ(factorise(forest, nullptr, &M), -1);
  ForwardDynamicsDerivatives forward(forest);
  forward_dynamics_derivatives(forest, derivatives, M, &forward);
  const MatX dense = block_diagonal_mass_matrix(forest, M);
  EXPECT_LT(relative_error(dense * block_diagonal(forest, forward.dq), -dq, kSmall), 1e-9);
  EXPECT_LT(relative_error(dense * block_diagonal(forest, forward.dv), -dv, 1.0), 1e-9);
  EXPECT_LT(relative_error(dense * block_diagonal(forest, forward.dtau),
                           MatX::Identity(forest.num_v, forest.num_v)),
            1e-9);
}

TEST_P(EveryScene, EnergyAndMomentumAreSumsOverTheBodies) {
  draw();
  const auto reference = reference::inverse_dynamics<double>(forest, q, v, vdot);
  double kinetic = 0.0, potential = 0.0, mass = 0.0;
  Vec3 momentum = Vec3::Zero(), angular = Vec3::Zero(), first_moment = Vec3::Zero();
  for (size_t b = 1; b < forest.bodies.size(); ++b) {
    if (forest.places[b].node < 0) continue;
    const Inertia& inertia = forest.bodies[b].inertia;
    const auto& m = reference.bodies[b];
    const Vec3 com = m.X * inertia.com, u = m.velocity_at(com);
    const Vec3 spin = m.X.R * inertia.I_com * m.X.R.transpose() * m.w;
    kinetic += 0.5 * inertia.mass * u.squaredNorm() + 0.5 * m.w.dot(spin);
    potential -= inertia.mass * forest.gravity.dot(com);
    mass += inertia.mass;
    momentum += inertia.mass * u;
    angular += com.cross(inertia.mass * u) + spin;
    first_moment += inertia.mass * com;
  }
  const Totals sum = totals(forest, kinematics);
  EXPECT_NEAR(kinetic_energy(forest, kinematics), kinetic, kRoundOff * kinetic);
  EXPECT_NEAR(gravity_energy(forest, kinematics), potential, kRoundOff * (1.0 + std::abs(potential)) * 10);
  EXPECT_NEAR(sum.mass, mass, kRoundOff * mass);
  EXPECT_LT((sum.com - first_moment / mass).norm(), 10 * kRoundOff);
  EXPECT_LT((sum.momentum - momentum).norm(), 10 * kRoundOff * (1.0 + momentum.norm()));
  EXPECT_LT((sum.angular_momentum - angular).norm(), 10 * kRoundOff * (1.0 + angular.norm()));
}

std::vector<const char*> scene_names() {
  std::vector<const char*> names;
  for (const SceneEntry& entry : scene_catalog()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(scene_names()),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace stiction
