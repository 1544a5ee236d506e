// Our dynamics against values of Pinocchio and MuJoCo, kept in test/data/golden (see
// test/oracle/make_golden.py).

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "scenes/catalog.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/mass_matrix.h"
#include "test/multibody/joint_reactions.h"

namespace stiction {
namespace {

using nlohmann::json;

// Relative to the largest entry of the quantity. The engines agree with each other to about 1e-12.
constexpr double kAgreement = 1e-10;

const std::filesystem::path kFolder =
    std::filesystem::path(__FILE__).parent_path().parent_path() / "data" / "golden";

VecX vector_of(const json& values) {
  if (values.is_number()) return VecX::Constant(1, values.get<double>());
  std::vector<double> flat;
  for (const json& value : values) {
    const VecX part = vector_of(value);
    flat.insert(flat.end(), part.data(), part.data() + part.size());
  }
  return Eigen::Map<const VecX>(flat.data(), Eigen::Index(flat.size()));
}

class Golden : public testing::TestWithParam<const char*> {
 protected:
  Golden() : model_(make_scene(GetParam())), kinematics_(model_.forest), work_(model_.forest) {
    std::ifstream file(kFolder / (std::string(GetParam()) + ".json"));
    golden_ = json::parse(file);
    for (const json& name : golden_.at("bodies")) bodies_.push_back(model_.body(name.get<std::string>()));
  }

  // Calls `check` in every state, with positions and velocities computed.
  template <class Check>
  void in_every_state(const Check& check) {
    int number = 0;
    for (const json& state : golden_.at("states")) {
      SCOPED_TRACE("state " + std::to_string(number++));
      compute_positions(model_.forest, vector_of(state.at("q")).data(), &kinematics_);
      v_ = vector_of(state.at("v"));
      a_ = vector_of(state.at("a"));
      tau_ = vector_of(state.at("tau"));
      direction_ = vector_of(state.at("direction"));
      compute_velocities(model_.forest, v_.data(), &kinematics_);
      state_ = &state;
      check();
    }
  }

  void expect_golden(const char* key, const VecX& ours) const {
    const VecX golden = vector_of(state_->at(key));
    ASSERT_EQ(ours.size(), golden.size()) << key;
    EXPECT_LT((ours - golden).cwiseAbs().maxCoeff(), kAgreement * golden.cwiseAbs().maxCoeff()) << key;
  }

  template <class Value>
  void expect_golden_of_bodies(const char* key, const Value& value) const {
    const VecX first = value(bodies_[0]);
    VecX all(first.size() * Eigen::Index(bodies_.size()));
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      all.segment(Eigen::Index(i) * first.size(), first.size()) = value(bodies_[i]);
    expect_golden(key, all);
  }

  VecX times_direction(const TreeBlocks& blocks) const {
    VecX product(forest().num_v);
    for (std::size_t t = 0; t < forest().trees.size(); ++t) {
      const Tree& tree = forest().trees[t];
      product.segment(tree.v_begin, tree.num_v()) =
          blocks.block(forest(), int(t)) * direction_.segment(tree.v_begin, tree.num_v());
    }
    return product;
  }

  VecX bias() {
    VecX out(forest().num_v);
    compute_bias(forest(), kinematics_, &work_, out.data());
    return out;
  }

  const Forest& forest() const { return model_.forest; }

  Model model_;
  Kinematics kinematics_;
  NodeForces work_;
  json golden_;
  std::vector<int> bodies_;
  const json* state_ = nullptr;
  VecX v_, a_, tau_, direction_;
};

TEST_P(Golden, PosesAgree) {
  in_every_state([&] {
    expect_golden_of_bodies("poses", [&](int body) {
      const Pose X = body_pose(forest(), kinematics_, body);
      VecX rows(12);
      for (int r = 0; r < 3; ++r) rows.segment(4 * r, 4) << X.R(r, 0), X.R(r, 1), X.R(r, 2), X.p[r];
      return rows;
    });
  });
}

TEST_P(Golden, JacobiansAgree) {
  in_every_state([&] {
    expect_golden_of_bodies("jacobians_times_direction", [&](int body) -> VecX {
      const int node = forest().places[body].node;
      if (node < 0) return VecX::Zero(6);
      const Tree& tree = forest().trees[forest().nodes[node].tree];
      TreeJacobian J;
      body_jacobian(forest(), kinematics_, body, &J);
      return J * direction_.segment(tree.v_begin, tree.num_v());
    });
  });
}

TEST_P(Golden, BiasAccelerationsAgree) {
  in_every_state([&] {
    expect_golden_of_bodies("bias_accelerations", [&](int body) -> VecX {
      return body_bias_acceleration(forest(), kinematics_, body);
    });
  });
}

TEST_P(Golden, JointReactionsAgree) {
  in_every_state([&] {
    std::vector<Vec6> reactions;
    joint_reactions(forest(), kinematics_, a_.data(), {}, &reactions);
    expect_golden_of_bodies("reactions", [&](int body) -> VecX { return reactions[body]; });
  });
}

TEST_P(Golden, MassMatrixAgrees) {
  in_every_state([&] {
    MassMatrix M(forest());
    compute_mass_matrix(forest(), kinematics_, &M);
    VecX product(forest().num_v);
    multiply(forest(), M, direction_.data(), product.data());
    expect_golden("mass_matrix_times_direction", product);
  });
}

TEST_P(Golden, BiasForceAgrees) {
  in_every_state([&] { expect_golden("bias", bias()); });
}

TEST_P(Golden, InverseDynamicsAgrees) {
  in_every_state([&] {
    VecX tau(forest().num_v);
    inverse_dynamics(forest(), kinematics_, a_.data(), &work_, tau.data());
    expect_golden("inverse_dynamics", tau);
  });
}

TEST_P(Golden, ForwardDynamicsByTheFactorOfTheMassMatrixAgrees) {
  in_every_state([&] {
    MassMatrix M(forest());
    compute_mass_matrix(forest(), kinematics_, &M);
    ASSERT_EQ(factorise(forest(), nullptr, &M), -1);
    VecX vdot = tau_ - bias();
    solve(forest(), M, vdot.data());
    expect_golden("forward_dynamics", vdot);
  });
}

TEST_P(Golden, ForwardDynamicsByArticulatedBodiesAgrees) {
  in_every_state([&] {
    ArticulatedBodies articulated(forest());
    ASSERT_EQ(eliminate(forest(), kinematics_, nullptr, &articulated), -1);
    VecX vdot = tau_ - bias();
    solve(forest(), kinematics_, &articulated, vdot.data());
    expect_golden("forward_dynamics", vdot);
  });
}

TEST_P(Golden, MomentumAndEnergyAgree) {
  in_every_state([&] {
    const Totals sums = totals(forest(), kinematics_);
    expect_golden("com", sums.com);
    expect_golden("momentum", sums.momentum);
    expect_golden("angular_momentum", sums.angular_momentum);
    const double kinetic = kinetic_energy(forest(), kinematics_) + rotor_energy(forest(), v_.data());
    expect_golden("kinetic_energy", VecX::Constant(1, kinetic));
    expect_golden("gravity_energy", VecX::Constant(1, gravity_energy(forest(), kinematics_)));
  });
}

TEST_P(Golden, DerivativesOfInverseDynamicsAgree) {
  in_every_state([&] {
    InverseDynamicsDerivatives inverse(forest());
    inverse_dynamics_derivatives(forest(), kinematics_, a_.data(), &inverse);
    expect_golden("inverse_dynamics_dq_times_direction", times_direction(inverse.dq));
    expect_golden("inverse_dynamics_dv_times_direction", times_direction(inverse.dv));
  });
}

TEST_P(Golden, DerivativesOfForwardDynamicsAgree) {
  in_every_state([&] {
    MassMatrix M(forest());
    compute_mass_matrix(forest(), kinematics_, &M);
    ASSERT_EQ(factorise(forest(), nullptr, &M), -1);
    VecX vdot = tau_ - bias();
    solve(forest(), M, vdot.data());
    InverseDynamicsDerivatives inverse(forest());
    inverse_dynamics_derivatives(forest(), kinematics_, vdot.data(), &inverse);
    ForwardDynamicsDerivatives forward(forest());
    forward_dynamics_derivatives(forest(), inverse, M, &forward);
    expect_golden("forward_dynamics_dq_times_direction", times_direction(forward.dq));
    expect_golden("forward_dynamics_dv_times_direction", times_direction(forward.dv));
    expect_golden("forward_dynamics_dtau_times_direction", times_direction(forward.dtau));
  });
}

INSTANTIATE_TEST_SUITE_P(Models, Golden,
                         testing::Values("arm", "quadruped", "humanoid", "hand", "chain", "all_joints",
                                         "all_joints_free", "all_joints_mujoco"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace stiction
