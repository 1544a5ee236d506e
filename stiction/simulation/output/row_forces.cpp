#include "stiction/simulation/output/row_forces.h"

namespace stiction {

Vec6 constraint_force(const StepRecord& r, RowKind kind, int index) {
  Vec6 total = Vec6::Zero();
  for_each_row_force(r, [&](const RowOwner& owner, double force, const StepRecord&, int) {
    if (owner.kind == kind && owner.index == index) total[owner.component] += force;
  });
  return total;
}

Vec6 row_joint_forces(const StepRecord& r, RowKind kind, int v_begin, int num_v) {
  Vec6 tau = Vec6::Zero();
  for_each_row_force(r, [&](const RowOwner& owner, double force, const StepRecord& step, int row) {
    if (owner.kind != kind) return;
    const ContactProblem& problem = step.contact.problem;
    const RowPart& part = problem.row_parts[problem.rows[row].part_begin];
    for (int e = part.begin; e < part.end; ++e) {
      const int d = problem.trees[part.tree].v_begin + problem.row_dofs[e] - v_begin;
      if (d >= 0 && d < num_v) tau[d] += problem.row_values[e] * force;
    }
  });
  return tau;
}

void row_joint_forces(const StepRecord& r, VecX* tau) {
  tau->setZero(r.v_free.size());
  for_each_row_force(r, [&](const RowOwner&, double force, const StepRecord& step, int row) {
    const ContactProblem& problem = step.contact.problem;
    for (int p = problem.rows[row].part_begin; p < problem.rows[row].part_end; ++p) {
      const RowPart& part = problem.row_parts[p];
      for (int e = part.begin; e < part.end; ++e)
        (*tau)[problem.trees[part.tree].v_begin + problem.row_dofs[e]] += problem.row_values[e] * force;
    }
  });
}

}  // namespace stiction
