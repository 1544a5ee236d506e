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
  const SolverForm solver = solver_form(options);
  for (const Patch& patch : problem.patches) {
    for (int p = patch.begin; p < patch.end; ++p) {
      const PhysicalPoint& point = saved->points[p];
      const PointState<double> state = {point.distance, 1.0, point.vn0, point.recovery_share};
      const PointMaterial<double> material = {elastic_constant(options, point),
                                              point.dissipation,
                                              point.relaxation_time,
                                              point.friction,
                                              point.restitution,
                                              point.barrier_distance};
      const PointRow<double> row =
          contact_row(options, solver, problem.h, state, material, point.inverse_mass);
      problem.set_parameters(p, row.numbers);
    }
  }
}

}  // namespace stiction
