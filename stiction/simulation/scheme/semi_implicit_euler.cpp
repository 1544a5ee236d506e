#include "stiction/simulation/scheme/semi_implicit_euler.h"

#include <Eigen/LU>

#include "stiction/multibody/positions.h"

namespace stiction {

Vec3 midpoint_spin(const Mat3& I, const Vec3& w0, double h) {
  // Newton on 2 I (wm - w0) + h wm x I wm = 0; quadratic, and the root is bounded by the energy of w0.
  constexpr int kMaxIterations = 20;
  constexpr double kConverged = 1e-8;  // change of wm, relative to w0; the remaining error is its square
  constexpr double kNothing = 1e-16;   // relative to the angular momentum
  const Vec3 L0 = I * w0;
  if (h * h * w0.cross(L0).squaredNorm() <= kNothing * kNothing * L0.squaredNorm()) return w0;
  Vec3 wm = w0;
  for (int i = 0; i < kMaxIterations; ++i) {
    const Vec3 L = I * wm;
    const Vec3 F = 2.0 * (I * (wm - w0)) + h * wm.cross(L);
    const Mat3 dF = 2.0 * I + h * (skew<double>(wm) * I - skew<double>(L));
    const Vec3 step = dF.inverse() * F;
    wm -= step;
    if (step.squaredNorm() <= kConverged * kConverged * w0.squaredNorm()) break;
  }
  return 2.0 * wm - w0;
}

void turn_free_bodies(const Forest& forest, const Kinematics& kinematics, double h, VecX* v) {
  for (const Tree& tree : forest.trees) {
    if (!tree.is_free_body) continue;
    const double* J = kinematics.nodes[tree.node_begin].J;
    Mat3 second_moment;
    second_moment << J[0], J[4], J[8], J[1], J[5], J[9], J[2], J[6], J[10];
    const Mat3 I = second_moment.trace() * Mat3::Identity() - second_moment;
    const Vec3 w0 = v->segment<3>(tree.v_begin);
    v->segment<3>(tree.v_begin) = midpoint_spin(I, w0, h);
  }
}

void SemiImplicitEuler::free_motion(const Model& model, const State& now, const Input&, StepRecord* r,
                                    SchemeWorkspace* w) const {
  const Forest& forest = model.forest;
  const double h = r->h;
  compute_mass_matrix(forest, r->kinematics, &r->mass);

  // v_free starts at the velocities without forces, which for free bodies includes the gyroscopic moment;
  // w->step holds all other forces.
  r->v_free = now.v;
  w->step = r->applied - r->bias;
  turn_free_bodies(forest, r->kinematics, h, &r->v_free);
  for (const Tree& tree : forest.trees)
    if (tree.is_free_body) w->step.segment<3>(tree.v_begin) += r->bias.segment<3>(tree.v_begin);

  // A and its right-hand side. `passive` has springs at q0 and damping at v0; both are extrapolated over the
  // step.
  for (int d = 0; d < forest.num_v; ++d) {
    const Dof& dof = forest.dofs[d];
    r->added_diagonal[d] = h * dof.damping + h * h * dof.stiffness;
    w->step[d] = h * (w->step[d] + r->passive[d] + dof.damping * (now.v[d] - r->v_free[d]) -
                      h * dof.stiffness * r->v_free[d]);
  }
  if (!factorise_momentum(forest, r)) return;
  solve(forest, r->mass, w->step.data());
  r->v_free += w->step;
}

void SemiImplicitEuler::advance(const Model& model, const State& now, const StepRecord& r,
                                State* next) const {
  next->v = r.v_next;
  integrate_positions(model.forest, now.q.data(), r.v_next.data(), r.h, next->q.data());
}

}  // namespace stiction
