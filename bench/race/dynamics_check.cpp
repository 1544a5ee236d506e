#include "bench/race/dynamics_check.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "stiction/base/check.h"
#include "stiction/base/random.h"

namespace stiction::race {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMajor> matrix(const std::vector<double>& numbers, Eigen::Index size) {
  return {numbers.data(), size, size};
}

Eigen::Map<const VecX> vector(const std::vector<double>& numbers) {
  return {numbers.data(), static_cast<Eigen::Index>(numbers.size())};
}

double relative_difference(const MatX& ours, const MatX& theirs) {
  const double difference = (ours - theirs).cwiseAbs().maxCoeff() / theirs.cwiseAbs().maxCoeff();
  return std::isnan(difference) ? INFINITY : difference;
}

VecX random_direction(Eigen::Index size, Random* random) {
  VecX direction(size);
  for (double& x : direction) x = random->normal();
  return direction;
}

// A small change of the state in the peer's coordinates, and what it does to the map between the two.
struct Change {
  VecX dx, du, da;  // of positions, velocities u and accelerations udot
  MatX dT, dT_rate;
};

// tau_peer = T' tau(q, T u, T udot + Tdot u), along a change.
double inverse_derivative_deviation(const MatX& T, const MatX& T_rate, const Change& d, const VecX& u,
                                    const VecX& udot, const OurAnswer& ours, const PeerAnswer& peer) {
  const Eigen::Index nv = u.size();
  const VecX dtau = ours.tau_dq * (T * d.dx) + ours.tau_dv * (T * d.du + d.dT * u) +
                    ours.M * (T * d.da + d.dT * udot + d.dT_rate * u + T_rate * d.du);
  const VecX in_peer = d.dT.transpose() * ours.tau_of_vdot + T.transpose() * dtau;
  return relative_difference(
      in_peer, matrix(peer.tau_dq, nv) * d.dx + matrix(peer.tau_dv, nv) * d.du + matrix(peer.M, nv) * d.da);
}

// T udot + Tdot u = vdot(q, T u, tau) with tau_peer = T' tau, along a change with dtau of our own.
double forward_derivative_deviation(const MatX& T, const MatX& T_rate, const Change& d, const VecX& u,
                                    const OurState& state, const OurAnswer& ours, const PeerAnswer& peer,
                                    const VecX& dtau) {
  const Eigen::Index nv = u.size();
  const VecX dvdot = ours.vdot_dq * (T * d.dx) + ours.vdot_dv * (T * d.du + d.dT * u) + ours.vdot_dtau * dtau;
  const VecX dtau_peer = T.transpose() * dtau + d.dT.transpose() * state.tau;
  const VecX dudot = matrix(peer.vdot_dq, nv) * d.dx + matrix(peer.vdot_dv, nv) * d.du +
                     matrix(peer.vdot_dtau, nv) * dtau_peer;
  return relative_difference(dvdot, T * dudot + d.dT * vector(peer.vdot) + d.dT_rate * u + T_rate * d.du);
}

}  // namespace

PeerStates peer_states(const PeerModel& model, PeerKind kind, const std::vector<OurState>& states) {
  PeerStates out;
  out.count = static_cast<int>(states.size());
  const auto append = [](const VecX& x, std::vector<double>* to) {
    to->insert(to->end(), x.begin(), x.end());
  };
  for (const OurState& state : states) {
    const MatX T = velocity_map(model, kind, state.q);
    const Eigen::PartialPivLU<MatX> factor(T);
    const VecX u = factor.solve(state.v);
    append(peer_positions(model, kind, state.q), &out.q);
    append(u, &out.v);
    append(factor.solve(state.vdot - velocity_map_rate(model, kind, state.q, u) * u), &out.vdot);
    append(T.transpose() * state.tau, &out.tau);
  }
  return out;
}

void Deviations::include(const Deviations& other) {
  M = std::max(M, other.M);
  bias = std::max(bias, other.bias);
  vdot = std::max(vdot, other.vdot);
  tau_derivatives = std::max(tau_derivatives, other.tau_derivatives);
  vdot_derivatives = std::max(vdot_derivatives, other.vdot_derivatives);
}

Deviations deviations(const PeerModel& model, PeerKind kind, int index, const PeerAnswer& peer,
                      OurDynamics* dynamics) {
  const OurState& state = dynamics->states()[index];
  const OurAnswer ours = dynamics->answer(index);
  const Eigen::Index nv = model.num_v;
  const MatX T = velocity_map(model, kind, state.q);
  const Eigen::PartialPivLU<MatX> factor(T);
  const VecX u = factor.solve(state.v);
  const MatX T_rate = velocity_map_rate(model, kind, state.q, u);

  Deviations out;
  out.M = relative_difference(T.transpose() * ours.M * T, matrix(peer.M, nv));
  out.bias = relative_difference(T.transpose() * (ours.bias + ours.M * (T_rate * u)), vector(peer.bias));
  const VecX vdot = T * vector(peer.vdot) + T_rate * u;
  out.vdot = std::max(relative_difference(ours.vdot_of_tau, vdot),
                      relative_difference(ours.vdot_by_articulated_bodies, vdot));
  if (peer.tau_dq.empty()) return out;

  const VecX udot = factor.solve(state.vdot - T_rate * u);
  Random random(7);
  for (int i = 0; i < 3; ++i) {
    Change d{
        random_direction(nv, &random), random_direction(nv, &random), random_direction(nv, &random), {}, {}};
    d.dT = velocity_map_rate(model, kind, state.q, d.dx);
    d.dT_rate = velocity_map_rate_change(model, kind, state.q, u, d.dx, d.du);
    out.tau_derivatives =
        std::max(out.tau_derivatives, inverse_derivative_deviation(T, T_rate, d, u, udot, ours, peer));
    out.vdot_derivatives = std::max(
        out.vdot_derivatives,
        forward_derivative_deviation(T, T_rate, d, u, state, ours, peer, random_direction(nv, &random)));
  }
  return out;
}

}  // namespace stiction::race
