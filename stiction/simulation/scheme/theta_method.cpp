#include "stiction/simulation/scheme/theta_method.h"

#include <algorithm>

#include "stiction/math/lu.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {

namespace {

// Poses of kinematic bodies a time t after the start of the step.
void move_prescribed(const std::vector<PrescribedMotion>& from, double t, std::vector<PrescribedMotion>* to) {
  for (size_t b = 0; b < from.size(); ++b) {
    const PrescribedMotion& m = from[b];
    PrescribedMotion& moved = (*to)[b];
    moved.V = m.V + t * m.A;
    moved.A = m.A;
    const Vec6 travel = t * m.V + 0.5 * t * t * m.A;
    moved.X_WB.p = m.X_WB.p + travel.tail<3>();
    moved.X_WB.R = rotation_exp<double>(travel.head<3>()) * m.X_WB.R;
  }
}

}  // namespace

void ExplicitScheme::free_motion(const Model& model, const State& now, StepRecord* r,
                                 SchemeWorkspace*) const {
  compute_mass_matrix(model.forest, r->kinematics, &r->mass);
  r->added_diagonal.setZero();
  if (!factorise_momentum(model.forest, r)) return;
  r->v_free = r->h * (r->applied + r->passive - r->bias);
  solve(model.forest, r->mass, r->v_free.data());
  r->v_free += now.v;
}

void ExplicitScheme::advance(const Model& model, const State& now, const StepRecord& r, State* next) const {
  const VecX& v = theta_vq_ == 0.0 ? now.v : r.v_next;
  integrate_positions(model.forest, now.q.data(), v.data(), r.h, next->q.data());
  next->v = r.v_next;
}

// w->force: ID(q^theta, v^theta, (v - v0)/h) less all forces, at v = r->v_free.
void ImplicitScheme::compute_residual(const Model& model, const State& now, StepRecord* r,
                                      SchemeWorkspace* w) const {
  const Forest& forest = model.forest;
  const double h = r->h;
  w->v_theta = theta_ * r->v_free + (1.0 - theta_) * now.v;
  integrate_positions(forest, now.q.data(), w->v_theta.data(), theta_ * h, w->q_theta.data());
  w->acceleration = (r->v_free - now.v) / h;
  move_prescribed(r->kinematics.prescribed, theta_ * h, &w->theta_kinematics.prescribed);
  compute_positions(forest, w->q_theta.data(), &w->theta_kinematics);
  compute_velocities(forest, w->v_theta.data(), &w->theta_kinematics);
  inverse_dynamics_derivatives(forest, w->theta_kinematics, w->acceleration.data(), &w->theta_derivatives);

  // Forces at that state: wrenches move with their bodies; actuators, tendons and fluid forces as at the
  // start.
  w->force = r->joint_forces + r->actuation.joint_forces + r->actuation.tendon_forces;
  add_body_forces(*model.tables().body_forces, *model.tables().actuation, r->body_forces, w->force.data());
  for (const BodyWrench& one : r->wrenches) {
    const Pose X0 = body_pose(forest, r->kinematics, one.body),
               X = body_pose(forest, w->theta_kinematics, one.body);
    add_wrench(forest, w->theta_kinematics, one.body, X * (X0.inverse() * one.p_W), one.wrench,
               w->force.data());
  }
  add_spring_forces(forest, w->q_theta.data(), w->force.data());
  add_damping_forces(forest, w->v_theta.data(), w->force.data());
  w->force = w->theta_derivatives.tau - w->force;
}

// w->step = -(m'/h)^-1 force, tree by tree. False if a tree's matrix is singular.
bool ImplicitScheme::newton_step(const Model& model, StepRecord* r, SchemeWorkspace* w) const {
  const Forest& forest = model.forest;
  const double h = r->h, by_v = theta_, by_q = theta_ * theta_ * h;
  compute_mass_matrix(forest, w->theta_kinematics, &r->mass);
  w->step = -w->force;
  for (int t = 0; t < static_cast<int>(forest.trees.size()); ++t) {
    const Tree& tree = forest.trees[t];
    const int n = tree.num_v(), stride = TreeBlocks::stride(tree);
    const double* dq = w->theta_derivatives.dq.data(t);
    const double* dv = w->theta_derivatives.dv.data(t);
    double* A = w->lu.data();
    for (int i = 0; i < n * stride; ++i) A[i] = by_v * dv[i] + by_q * dq[i];
    for (int i = 0; i < n; ++i) {
      const Dof& dof = forest.dofs[tree.v_begin + i];
      A[i * stride + i] += by_v * dof.damping + by_q * dof.stiffness;
      int depth = 0;
      for (int range = dof.range_begin; range < dof.range_end; ++range) {
        for (int k = 0; k < forest.ranges[range].count; ++k, ++depth) {
          const int j = forest.ranges[range].begin + k - tree.v_begin;
          const double m = r->mass.rows[dof.row + depth] / h;
          A[i * stride + j] += m;
          if (i != j) A[j * stride + i] += m;
        }
      }
    }
    if (lu_factorise(n, stride, A, w->pivots.data()) >= 0) {
      r->report.dof = tree.v_begin;
      return false;
    }
    lu_solve(n, stride, A, w->pivots.data(), w->step.data() + tree.v_begin);
  }
  return true;
}

void ImplicitScheme::free_motion(const Model& model, const State& now, StepRecord* r,
                                 SchemeWorkspace* w) const {
  constexpr int kMaxIterations = 50;
  constexpr double kConverged = 1e-13;  // change of the velocities, relative to their size
  constexpr double kAcceptable = 1e-9;  // a larger change is reported as not converged
  const Forest& forest = model.forest;
  const double h = r->h;
  r->v_free = now.v;
  double change = 0.0, previous = 0.0;
  for (int i = 0; i < kMaxIterations; ++i) {
    compute_residual(model, now, r, w);
    if (!newton_step(model, r, w)) {
      r->report.status = StepStatus::not_positive_definite;
      return;
    }
    r->v_free += w->step;
    r->report.iterations = i + 1;
    // The scale of velocities: the old, the new, and what gravity adds in a step.
    const double scale = std::max(
        {r->v_free.cwiseAbs().maxCoeff(), now.v.cwiseAbs().maxCoeff(), h * forest.gravity.norm(), 1e-100});
    change = w->step.cwiseAbs().maxCoeff() / scale;
    // Converged, or limited by the round-off of an ill-conditioned tree.
    if (!(change > kConverged) || (i > 3 && change < kAcceptable && change > 0.5 * previous)) break;
    previous = change;
  }
  r->report.residual = change;
  if (!(change <= kAcceptable)) r->report.status = StepStatus::not_converged;

  // A linearised about v_free (S eq. 15); M is that of the last iterate, which differs by round-off only.
  for (int d = 0; d < forest.num_v; ++d) {
    const Dof& dof = forest.dofs[d];
    r->added_diagonal[d] = h * theta_ * dof.damping + h * h * theta_ * theta_ * dof.stiffness;
  }
  factorise_momentum(forest, r);
}

void ImplicitScheme::advance(const Model& model, const State& now, const StepRecord& r, State* next) const {
  next->v = theta_ * r.v_next + (1.0 - theta_) * now.v;
  integrate_positions(model.forest, now.q.data(), next->v.data(), r.h, next->q.data());
  next->v = r.v_next;
}

}  // namespace stiction
