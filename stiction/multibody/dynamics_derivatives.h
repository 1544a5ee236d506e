#pragma once
// Analytic derivatives of inverse and forward dynamics in q, v and tau, tree by tree.
//
// A small displacement along velocity j moves all descendants of j by the twist S_j. In the frame of the
// moved bodies only the motion of their ancestors has changed. With the parent p(j), composite inertia I,
// force f and Coriolis operator B of a velocity i and its descendants, and
//
//   P_j = V_p(j) x S_j,     Q_j = A_p(j) x S_j + V_p(j) x P_j,     Y_j = P_j + V_j x S_j,
//
//   d tau_i / d q_j = S_i . (2 B_i P_j + I_i Q_j)                 j an ancestor of i, or i itself
//   d tau_j / d q_i = S_j . (2 B_i P_i + I_i Q_i + S_i x* f_i)    j an ancestor of i
//   d tau_i / d v_j = S_i . (2 B_i S_j + I_i Y_j)
//   d tau_j / d v_i = S_j . (2 B_i S_i + I_i Y_i)
//
// (Singh, Russell, Wensing, "Efficient Analytical Derivatives of Rigid-Body Dynamics using Spatial Vector
// Algebra", 2022.) We work in one frame per tree, where B has a closed form: with the velocity field u(x) = v
// + w x x of a body,
//
//   N = int u x' dm = [w] Sigma + v h',     P = int u dm = m v + w x h,
//   2 B (s, t) = 2 ( tr(N) s - N s,  s x P ),
//
// so that the operators of all descendants simply add up, 12 numbers each. The velocity of a free joint is
// given in world axes, which do not rotate with the body: for its three rotations P_j = V_j x S_j and Q_j =
// A_j x S_j + V_j x P_j, and its three translations change nothing.
//
// Derivatives in q are along velocities: of f(integrate_positions(q, e_j)) at zero.

#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/mass_matrix.h"

namespace stiction {

using TreeBlock = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
                             Eigen::OuterStride<>>;

// One square block per tree, row by row; zero where neither velocity is an ancestor of the other.
struct TreeBlocks {
  explicit TreeBlocks(const Forest& forest);
  AlignedVector<double> values;
  std::vector<int> begin;  // of every tree's block
  static int stride(const Tree& tree);
  double* data(int tree) { return values.data() + begin[tree]; }
  const double* data(int tree) const { return values.data() + begin[tree]; }
  TreeBlock block(const Forest& forest, int tree) const;
};

struct InverseDynamicsDerivatives {
  explicit InverseDynamicsDerivatives(const Forest& forest);
  TreeBlocks dq, dv;  // d tau / d q, d tau / d v; d tau / d vdot is M
  VecX tau;

  // Work space.
  NodeForces work;
  AlignedVector<double> composite;        // J of a node and its descendants, 16 numbers
  AlignedVector<double> coriolis;         // columns of N, and P, of a node and its descendants, 16 numbers
  AlignedVector<double> derivative_axes;  // P, Q, Y by velocity: 24 numbers
  AlignedVector<double> rows;             // P (angular), Q, Y as 15 rows of Kinematics::axis_stride numbers
};

struct ForwardDynamicsDerivatives {
  explicit ForwardDynamicsDerivatives(const Forest& forest);
  TreeBlocks dq, dv, dtau;  // d vdot / d q, / d v, / d tau = M^-1
};

// At (q, v) of `kinematics` and vdot; also gives tau.
void inverse_dynamics_derivatives(const Forest& forest, const Kinematics& kinematics, const double* vdot,
                                  InverseDynamicsDerivatives* out);

// From the derivatives of inverse dynamics at the vdot of the motion and the factor of M.
void forward_dynamics_derivatives(const Forest& forest, const InverseDynamicsDerivatives& inverse,
                                  const MassMatrix& M, ForwardDynamicsDerivatives* out);

}  // namespace stiction
