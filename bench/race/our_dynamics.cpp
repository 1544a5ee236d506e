#include "bench/race/our_dynamics.h"

#include "stiction/base/check.h"
#include "stiction/base/random.h"
#include "stiction/multibody/positions.h"

namespace stiction::race {

namespace {

// Enough for no branch predictor to learn them, few enough to stay in the cache.
constexpr int kStates = 64;

VecX random_vector(int size, Random* random) {
  VecX x(size);
  for (int i = 0; i < size; ++i) x[i] = random->normal();
  return x;
}

std::vector<OurState> random_states(const Model& model) {
  Random random(2026);
  std::vector<OurState> states(kStates);
  for (OurState& state : states) {
    state.q = model.q0;
    integrate_positions(model.forest, model.q0.data(), random_vector(model.num_v(), &random).data(), 1.0,
                        state.q.data());
    state.v = random_vector(model.num_v(), &random);
    state.vdot = random_vector(model.num_v(), &random);
    state.tau = random_vector(model.num_v(), &random);
  }
  return states;
}

MatX whole_matrix(const Forest& forest, const TreeBlocks& blocks) {
  MatX whole = MatX::Zero(forest.num_v, forest.num_v);
  for (size_t t = 0; t < forest.trees.size(); ++t) {
    const Tree& tree = forest.trees[t];
    whole.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
        blocks.block(forest, static_cast<int>(t));
  }
  return whole;
}

VecX vector_of(const AlignedVector<double>& x, int size) { return Eigen::Map<const VecX>(x.data(), size); }

}  // namespace

OurDynamics::OurDynamics(const Model& model)
    : forest_(model.forest),
      states_(random_states(model)),
      kinematics_(forest_),
      mass_matrix_(forest_),
      forces_(forest_),
      articulated_bodies_(forest_),
      inverse_derivatives_(forest_),
      forward_derivatives_(forest_),
      bias_(forest_.num_v),
      x_(forest_.num_v) {}

void OurDynamics::run_stages(const OurState& state) {
  compute_positions(forest_, state.q.data(), &kinematics_);
  compute_velocities(forest_, state.v.data(), &kinematics_);
  compute_body_poses(forest_, kinematics_, &poses_);
  compute_mass_matrix(forest_, kinematics_, &mass_matrix_);
  factorise(forest_, nullptr, &mass_matrix_);
  compute_bias(forest_, kinematics_, &forces_, bias_.data());
}

void OurDynamics::run_forward_by_mass_matrix(const OurState& state) {
  compute_positions(forest_, state.q.data(), &kinematics_);
  compute_velocities(forest_, state.v.data(), &kinematics_);
  compute_bias(forest_, kinematics_, &forces_, bias_.data());
  compute_mass_matrix(forest_, kinematics_, &mass_matrix_);
  factorise(forest_, nullptr, &mass_matrix_);
  for (int i = 0; i < forest_.num_v; ++i) x_[i] = state.tau[i] - bias_[i];
  solve(forest_, mass_matrix_, x_.data());
}

void OurDynamics::run_forward_by_articulated_bodies(const OurState& state) {
  compute_positions(forest_, state.q.data(), &kinematics_);
  compute_velocities(forest_, state.v.data(), &kinematics_);
  compute_bias(forest_, kinematics_, &forces_, bias_.data());
  eliminate(forest_, kinematics_, nullptr, &articulated_bodies_);
  for (int i = 0; i < forest_.num_v; ++i) x_[i] = state.tau[i] - bias_[i];
  solve(forest_, kinematics_, &articulated_bodies_, x_.data());
}

void OurDynamics::run_inverse_derivatives(const OurState& state) {
  compute_positions(forest_, state.q.data(), &kinematics_);
  compute_velocities(forest_, state.v.data(), &kinematics_);
  stiction::inverse_dynamics_derivatives(forest_, kinematics_, state.vdot.data(), &inverse_derivatives_);
  compute_mass_matrix(forest_, kinematics_, &mass_matrix_);  // d tau / d vdot
}

void OurDynamics::run_forward_derivatives(const OurState& state) {
  run_forward_by_mass_matrix(state);
  stiction::inverse_dynamics_derivatives(forest_, kinematics_, x_.data(), &inverse_derivatives_);
  stiction::forward_dynamics_derivatives(forest_, inverse_derivatives_, mass_matrix_, &forward_derivatives_);
}

OurAnswer OurDynamics::answer(int index) {
  const OurState& state = states_[index];
  const int nv = forest_.num_v;
  OurAnswer answer;
  run_stages(state);
  answer.M = MatX::Zero(nv, nv);
  for (size_t t = 0; t < forest_.trees.size(); ++t) {
    const Tree& tree = forest_.trees[t];
    answer.M.block(tree.v_begin, tree.v_begin, tree.num_v(), tree.num_v()) =
        dense_mass_matrix(forest_, mass_matrix_, static_cast<int>(t));
  }
  answer.bias = vector_of(bias_, nv);
  run_forward_by_articulated_bodies(state);
  answer.vdot_by_articulated_bodies = vector_of(x_, nv);

  run_inverse_derivatives(state);
  answer.tau_of_vdot = inverse_derivatives_.tau;
  answer.tau_dq = whole_matrix(forest_, inverse_derivatives_.dq);
  answer.tau_dv = whole_matrix(forest_, inverse_derivatives_.dv);

  run_forward_derivatives(state);
  answer.vdot_of_tau = vector_of(x_, nv);
  answer.vdot_dq = whole_matrix(forest_, forward_derivatives_.dq);
  answer.vdot_dv = whole_matrix(forest_, forward_derivatives_.dv);
  answer.vdot_dtau = whole_matrix(forest_, forward_derivatives_.dtau);
  return answer;
}

Contestant OurDynamics::contestant(const char* name, void (OurDynamics::*run)(const OurState&)) {
  return {name,
          [this, run] {
            for (const OurState& state : states_) (this->*run)(state);
          },
          kStates};
}

std::vector<Contestant> OurDynamics::dynamics_stages() {
  return {
      contestant("positions, velocities, body poses, mass matrix, factor, bias", &OurDynamics::run_stages)};
}

std::vector<Contestant> OurDynamics::forward_dynamics() {
  return {contestant("mass matrix and factor", &OurDynamics::run_forward_by_mass_matrix),
          contestant("articulated bodies", &OurDynamics::run_forward_by_articulated_bodies)};
}

std::vector<Contestant> OurDynamics::inverse_dynamics_derivatives() {
  return {contestant("analytic, and M", &OurDynamics::run_inverse_derivatives)};
}

std::vector<Contestant> OurDynamics::forward_dynamics_derivatives() {
  return {contestant("factor of M on the derivatives of inverse dynamics",
                     &OurDynamics::run_forward_derivatives)};
}

}  // namespace stiction::race
