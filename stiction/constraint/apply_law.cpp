#include "stiction/constraint/apply_law.h"

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"

namespace stiction {

ContactOptions options_of(const SavedProblem& saved) {
  ContactOptions options;
  options.law = saved.problem.law;
  options.elasticity = saved.problem.elasticity;
  options.dissipation = saved.dissipation;
  options.v_s = saved.v_s;
  options.sigma = saved.sigma;
  options.beta = saved.beta;
  options.solver = saved.solver;
  return options;
}

void apply_law(const ContactOptions& options, SavedProblem* saved) {
  STICTION_USER_CHECK(!is_geometric(options.law),
                      "a saved problem has its contact points fixed: it cannot be posed under {}",
                      name_of(options.law));
  ContactProblem& problem = saved->problem;
  problem.law = options.law;
  problem.elasticity = options.elasticity;
  saved->dissipation = options.dissipation;
  saved->v_s = options.v_s;
  saved->sigma = options.sigma;
  saved->beta = options.beta;
  saved->solver = options.solver;
  // Force tables are used where there are any, as in a step (simulation/contact/assemble.cpp).
  const bool has_tables = problem.tables != nullptr && !problem.tables->empty();
  if (problem.elasticity == Elasticity::table) problem.elasticity = Elasticity::linear;
  if (uses_tables(options) && has_tables) problem.elasticity = Elasticity::table;
  problem.slip_targets.clear();
  const SolverForm solver = solver_form(options);
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      const PhysicalPoint& point = saved->points[p];
      const PointState<double> state = {point.distance, 1.0, point.vn0, point.recovery_share};
      PointMaterial<double> material;
      material.stiffness = elastic_constant(options, point);
      material.dissipation = point.dissipation;
      material.relaxation_time = point.relaxation_time;
      material.friction = point.friction;
      material.restitution = point.restitution;
      material.barrier_distance = point.barrier_distance;
      if (has_tables) {
        material.table = static_cast<int>(point.table);
        material.table_scale = point.table_scale;
        material.tables = problem.tables->data();
      }
      if (point.mujoco.is_given) material.mujoco = &point.mujoco;
      const PointRow<double> row =
          contact_row(options, solver, problem.h, state, material, point.inverse_mass);
      problem.set_parameters(p, row.numbers);
      if (row.slip_kept == 0.0) continue;
      if (problem.slip_targets.empty()) problem.slip_targets.assign(problem.frames.size(), SlipTarget{});
      const Vec3 n = Eigen::Map<const Vec3>(problem.frames[p].n);
      const Vec3 vc = point_velocity(problem, p, problem.v_start);
      const Vec3 w = problem.friction_lengths.empty() ? Vec3(Vec3::Zero())
                                                      : point_angular_velocity(problem, p, problem.v_start);
      set_slip_target(row.slip_kept, vc - n.dot(vc) * n, w, &problem.slip_targets[p]);
    }
  }
}

}  // namespace stiction
