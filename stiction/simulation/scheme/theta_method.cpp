#include "stiction/simulation/scheme/theta_method.h"

#include <algorithm>

#include "stiction/math/lu.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/multibody/positions.h"
#include "stiction/simulation/actuation/adhesion.h"
#include "stiction/simulation/constraint/constraint_rows.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {

namespace {

int padded(int n) { return (n + 3) / 4 * 4; }

// Calls use(velocity of the model, value) for the entries of a row.
template <class Use>
void for_each_entry(const ContactProblem& problem, int row, const Use& use) {
  for (int p = problem.rows[row].part_begin; p < problem.rows[row].part_end; ++p) {
    const RowPart& part = problem.row_parts[p];
    for (int e = part.begin; e < part.end; ++e)
      use(problem.trees[part.tree].v_begin + problem.row_dofs[e], problem.row_values[e]);
  }
}

int tree_of(const Forest& forest, int dof) { return forest.nodes[forest.dofs[dof].node].tree; }

// The matrix of a group of trees.
struct GroupMatrix {
  const Forest& forest;
  const std::vector<int>& offset;  // of the trees
  int stride;
  double* A;
  int place(int dof) const {
    const int tree = tree_of(forest, dof);
    return offset[tree] + dof - forest.trees[tree].v_begin;
  }
  double& at(int i, int j) const { return A[i * stride + j]; }
};

}  // namespace

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

void ExplicitScheme::free_motion(const Model& model, const State& now, const Input&, StepRecord* r,
                                 SchemeWorkspace*) const {
  compute_mass_matrix(model.forest, r->kinematics, &r->mass);
  r->added_diagonal.setZero();
  if (!factorise_momentum(model.forest, r)) return;
  r->v_free = r->h * (r->applied + r->passive - r->bias);
  solve(model.forest, r->mass, r->v_free.data());
  r->v_free += now.v;
}

void ExplicitScheme::advance(const Model& model, const State& now, const StepRecord& r, State* next) const {
  next->v = theta_vq_ * r.v_next + (1.0 - theta_vq_) * now.v;
  integrate_positions(model.forest, now.q.data(), next->v.data(), r.h, next->q.data());
  next->v = r.v_next;
}

// q^theta, v^theta and the kinematics there, for v = r->v_free.
void ImplicitScheme::move_to_theta(const Model& model, const State& now, StepRecord* r,
                                   SchemeWorkspace* w) const {
  const double h = r->h, theta = theta_.theta, theta_vq = theta_.theta_vq;
  w->v_theta = theta_vq * r->v_free + (1.0 - theta_vq) * now.v;
  integrate_positions(model.forest, now.q.data(), w->v_theta.data(), theta * h, w->q_theta.data());
  w->v_theta = theta * r->v_free + (1.0 - theta) * now.v;
  move_prescribed(r->kinematics.prescribed, theta * h, &w->theta_kinematics.prescribed);
  compute_positions(model.forest, w->q_theta.data(), &w->theta_kinematics);
  compute_velocities(model.forest, w->v_theta.data(), &w->theta_kinematics);
}

// w->force: all forces at (q^theta, v^theta).
void ImplicitScheme::add_forces(const Model& model, const State& now, const Input& input, StepRecord* r,
                                SchemeWorkspace* w) const {
  const Forest& forest = model.forest;
  const ModelTables& tables = model.tables();
  const Kinematics& k = w->theta_kinematics;
  ActuationRecord& actuation = w->actuation;
  compute_tendon_forces(*tables.actuation, k, w->q_theta.data(), w->v_theta.data(), &actuation);
  compute_body_forces(forest, *tables.body_forces, k, &w->wrenches, &r->body_forces);
  compute_actuator_forces(*tables.actuation, w->v_theta.data(), now.activations, r->h,
                          r->body_forces.gravity_compensation.data(), &actuation, theta_.theta,
                          now.time == 0.0);
  w->force = r->joint_forces + actuation.joint_forces + actuation.tendon_forces;
  // With the force at theta and the points at q0, as contact forces have them (actuation/adhesion.h).
  add_adhesion(model, r->kinematics, r->collision, &w->force, &actuation);
  add_body_forces(*tables.body_forces, *tables.actuation, r->body_forces, w->force.data());
  for (const BodyWrench& one : r->wrenches) {
    const Pose X0 = body_pose(forest, r->kinematics, one.body), X = body_pose(forest, k, one.body);
    add_wrench(forest, k, one.body, X * (X0.inverse() * one.p_W), one.wrench, w->force.data());
  }
  add_spring_forces(forest, w->q_theta.data(), w->force.data());
  add_damping_forces(forest, w->v_theta.data(), w->force.data());
  // Bushings, springs of tendons and drives.
  static const ConstraintOptions unused;  // they have compliances of their own
  const RowInputs inputs = {forest, k,      r->mass, r->added_diagonal, w->q_theta, w->v_theta, r->v_free,
                            r->h,   unused, theta_};
  w->rows.clear_rows();
  w->row_owners.owners.clear();
  add_force_rows(*tables.constraints, input.constraints, *tables.actuation, actuation, inputs, &w->rows,
                 &w->row_owners);
  for (int row = 0; row < static_cast<int>(w->rows.rows.size()); ++row) {
    const double force = free_impulse(w->rows, row, r->v_free) / r->h;
    for_each_entry(w->rows, row, [&](int d, double value) { w->force[d] += value * force; });
  }
}

// Which trees do the rows couple?
void ImplicitScheme::group_trees(const Model& model, SchemeWorkspace* w) const {
  const std::vector<Tree>& trees = model.forest.trees;
  const int count = static_cast<int>(trees.size());
  w->group_of_tree.resize(trees.size());
  w->next_in_group.assign(trees.size(), -1);
  w->offset_in_group.assign(trees.size(), 0);
  w->group_size.assign(trees.size(), 0);
  for (int t = 0; t < count; ++t) w->group_of_tree[t] = t;
  const auto first_of = [&](int t) {
    while (w->group_of_tree[t] != t) t = w->group_of_tree[t];
    return t;
  };
  for (const ProblemRow& row : w->rows.rows) {
    for (int p = row.part_begin + 1; p < row.part_end; ++p) {
      const int a = first_of(w->rows.row_parts[row.part_begin].tree), b = first_of(w->rows.row_parts[p].tree);
      w->group_of_tree[std::max(a, b)] = std::min(a, b);
    }
  }
  // Trees ascend within a group; its last one so far is kept in `last`, which is the next of no other.
  int largest = 0;
  for (int t = 0; t < count; ++t) {
    const int first = w->group_of_tree[t] = first_of(t);
    w->offset_in_group[t] = w->group_size[first];
    w->group_size[first] += trees[t].num_v();
    largest = std::max(largest, w->group_size[first]);
    for (int last = first; t != first; last = w->next_in_group[last]) {
      if (w->next_in_group[last] >= 0) continue;
      w->next_in_group[last] = t;
      break;
    }
  }
  const std::size_t storage = static_cast<std::size_t>(largest) * padded(largest);
  if (w->lu.size() < storage) w->lu.resize(storage);
  if (static_cast<int>(w->pivots.size()) < largest) w->pivots.resize(largest);
}

// The part of the step of the group that begins with a tree. False if its matrix is singular.
bool ImplicitScheme::solve_group(const Model& model, int first, StepRecord* r, SchemeWorkspace* w) const {
  const Forest& forest = model.forest;
  const BodyForcesModel& body_forces = *model.tables().body_forces;
  const double h = r->h, by_v = theta_.theta, by_q = theta_.theta * theta_.theta_vq * h;
  const int n = w->group_size[first], stride = padded(n);
  const GroupMatrix group = {forest, w->offset_in_group, stride, w->lu.data()};
  std::fill(w->lu.begin(), w->lu.begin() + n * stride, 0.0);
  for (int t = first; t >= 0; t = w->next_in_group[t]) {
    const Tree& tree = forest.trees[t];
    const int begin = w->offset_in_group[t], size = tree.num_v(), tree_stride = TreeBlocks::stride(tree);
    const double* dq = w->theta_derivatives.dq.data(t);
    const double* dv = w->theta_derivatives.dv.data(t);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        group.at(begin + i, begin + j) = by_v * dv[i * tree_stride + j] + by_q * dq[i * tree_stride + j];
    for (int i = 0; i < size; ++i) {
      const Dof& dof = forest.dofs[tree.v_begin + i];
      group.at(begin + i, begin + i) += by_v * dof.damping + by_q * dof.stiffness;
      int depth = 0;
      for (int range = dof.range_begin; range < dof.range_end; ++range) {
        for (int k = 0; k < forest.ranges[range].count; ++k, ++depth) {
          const int j = forest.ranges[range].begin + k - tree.v_begin;
          const double m = r->mass.rows[dof.row + depth] / h;
          group.at(begin + i, begin + j) += m;
          if (i != j) group.at(begin + j, begin + i) += m;
        }
      }
      w->group_step[begin + i] = -w->force[tree.v_begin + i];
    }
  }
  const auto is_here = [&](int dof) { return w->group_of_tree[tree_of(forest, dof)] == first; };
  // Bushings, springs of tendons and drives within their bounds.
  for (std::size_t row = 0; row < w->rows.rows.size(); ++row) {
    const int tree = w->rows.row_parts[w->rows.rows[row].part_begin].tree;
    if (w->group_of_tree[tree] != first) continue;
    const RowLaw& law = w->rows.row_laws[row];
    const double impulse = free_impulse(w->rows, static_cast<int>(row), r->v_free);
    if (impulse <= law.lower || impulse >= law.upper) continue;
    for_each_entry(w->rows, static_cast<int>(row), [&](int i, double a) {
      for_each_entry(w->rows, static_cast<int>(row), [&](int j, double b) {
        group.at(group.place(i), group.place(j)) += a * b * law.slope / h;
      });
    });
  }
  // Other actuators within their bounds.
  const MomentRows& arms = w->actuation.transmissions.actuator_rows;
  for (int i = 0; i < arms.num_rows(); ++i) {
    const ActuatorRecord& a = w->actuation.actuators[i];
    if (a.is_implicit || a.force != a.free_force || arms.columns_of(i).empty()) continue;
    const double slope = by_v * a.damping + by_q * a.stiffness;
    if (slope == 0.0) continue;
    for (int k = arms.begin[i]; k < arms.begin[i + 1]; ++k)
      for (int l = arms.begin[i]; l < arms.begin[i + 1]; ++l)
        if (is_here(arms.columns[k]) && is_here(arms.columns[l]))
          group.at(group.place(arms.columns[k]), group.place(arms.columns[l])) +=
              slope * arms.values[k] * arms.values[l];
  }
  // The fluid.
  for (const BodyInFluid& body : body_forces.in_fluid) {
    if (w->group_of_tree[forest.nodes[body.place.node].tree] != first) continue;
    const Kinematics& k = w->theta_kinematics;
    const Mat6 D = fluid_damping(body_forces, k, body);
    const Vec3 p = point_of(k, body.place) -
                   Vec3(Eigen::Map<const Vec3>(k.origins.data() + 4 * forest.nodes[body.place.node].tree));
    const auto axis = [&](int d) {
      const double* S = k.axis(d);
      const Vec3 s = Eigen::Map<const Vec3>(S), v = Eigen::Map<const Vec3>(S + 4);
      return stack<double>(s, Vec3(v + s.cross(p)));
    };
    const auto for_each_dof = [&](const auto& use) {
      for (int at = body.place.node; at >= 0; at = forest.nodes[at].parent)
        for (int d = forest.nodes[at].v_begin; d < forest.nodes[at].v_begin + forest.nodes[at].num_v; ++d)
          use(d);
    };
    for_each_dof([&](int j) {
      const Vec6 DS = by_v * (D * axis(j));
      for_each_dof([&](int i) { group.at(group.place(i), group.place(j)) += axis(i).dot(DS); });
    });
  }
  if (lu_factorise(n, stride, w->lu.data(), w->pivots.data()) >= 0) return false;
  lu_solve(n, stride, w->lu.data(), w->pivots.data(), w->group_step.data());
  for (int t = first; t >= 0; t = w->next_in_group[t]) {
    const Tree& tree = forest.trees[t];
    w->step.segment(tree.v_begin, tree.num_v()) = w->group_step.segment(w->offset_in_group[t], tree.num_v());
  }
  return true;
}

// w->step = -(m'/h)^-1 force. False if a matrix is singular.
bool ImplicitScheme::newton_step(const Model& model, StepRecord* r, SchemeWorkspace* w) const {
  compute_mass_matrix(model.forest, w->theta_kinematics, &r->mass);
  for (int t = 0; t < static_cast<int>(model.forest.trees.size()); ++t) {
    if (w->group_of_tree[t] != t || solve_group(model, t, r, w)) continue;
    r->report.dof = model.forest.trees[t].v_begin;
    return false;
  }
  return true;
}

void ImplicitScheme::free_motion(const Model& model, const State& now, const Input& input, StepRecord* r,
                                 SchemeWorkspace* w) const {
  constexpr int kMaxIterations = 50;
  constexpr double kConverged = 1e-13;  // change of the velocities, relative to their size
  constexpr double kAcceptable = 1e-9;  // a larger change is reported as not converged
  const Forest& forest = model.forest;
  const double h = r->h;
  compute_mass_matrix(forest, r->kinematics, &r->mass);
  for (int d = 0; d < forest.num_v; ++d) {
    const Dof& dof = forest.dofs[d];
    r->added_diagonal[d] =
        h * theta_.theta * dof.damping + h * h * theta_.theta * theta_.theta_vq * dof.stiffness;
  }
  for (std::size_t i = 0; i < r->actuation.actuators.size(); ++i) {
    w->actuation.actuators[i].control = r->actuation.actuators[i].control;
    w->actuation.actuators[i].is_implicit = r->actuation.actuators[i].is_implicit;
  }
  for (std::size_t i = 0; i < r->actuation.tendons.size(); ++i)
    w->actuation.tendons[i].is_implicit = r->actuation.tendons[i].is_implicit;
  r->v_free = now.v;
  double change = 0.0, previous = 0.0;
  for (int i = 0; i < kMaxIterations; ++i) {
    move_to_theta(model, now, r, w);
    add_forces(model, now, input, r, w);
    if (i == 0) group_trees(model, w);
    // The residual ID(q^theta, v^theta, (v - v0)/h) - forces.
    w->acceleration = (r->v_free - now.v) / h;
    inverse_dynamics_derivatives(forest, w->theta_kinematics, w->acceleration.data(), &w->theta_derivatives);
    w->force = w->theta_derivatives.tau - w->force;
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

  // The forces at the solution are those of the step. Lengths and rates of tendons stay as at the start,
  // where their limits are.
  move_to_theta(model, now, r, w);
  add_forces(model, now, input, r, w);
  r->actuation.actuators = w->actuation.actuators;
  r->actuation.joint_forces = w->actuation.joint_forces;
  r->actuation.tendon_forces = w->actuation.tendon_forces;
  r->actuation.activation_rates = w->actuation.activation_rates;
  r->actuation.next_activations = w->actuation.next_activations;
  for (std::size_t i = 0; i < r->actuation.tendons.size(); ++i)
    r->actuation.tendons[i].force = w->actuation.tendons[i].force;
  // A linearised about v_free (S eq. 15); M is that of the last iterate, which differs by round-off only.
  factorise_momentum(forest, r);
}

void ImplicitScheme::advance(const Model& model, const State& now, const StepRecord& r, State* next) const {
  next->v = theta_.theta_vq * r.v_next + (1.0 - theta_.theta_vq) * now.v;
  integrate_positions(model.forest, now.q.data(), next->v.data(), r.h, next->q.data());
  next->v = r.v_next;
}

}  // namespace stiction
