#include "stiction/simulation/certificate.h"

#include "stiction/contact/catalog.h"
#include "stiction/simulation/saved_problem.h"

namespace stiction {
namespace {

double moving_mass(const Forest& forest) {
  double mass = 0.0;
  for (const NodeConstants& node : forest.constants) mass += node.mass;
  return mass;
}

}  // namespace

Certificate certificate_of(const ContactProblem& problem, const std::vector<PhysicalPoint>& points,
                           const ContactSolution& solution, const ContactOptions& options,
                           const ContactSolver& solver, const DualScale& scale, const Pyramid& pyramid) {
  Certificate out;
  const ContactSolution& s = solution;
  out.contact = check_residual(problem, points, s.v, s.impulses, s.moments, s.row_impulses);
  if (problem.islands.empty()) return out;
  if (solves_primal(options)) {
    if (!is_rigid(problem.law)) return out;
    // A rigid law under Newton's method has a compliance, and its points have sap's parameters and formula.
    ContactProblem regularised = problem;
    regularised.law = LawKind::sap;
    const ContactResidual of_law =
        check_residual(regularised, points, s.v, s.impulses, s.moments, s.row_impulses);
    out.contact.law = of_law.law;
    out.contact.slackness = of_law.slackness;
    return out;
  }
  for (std::size_t i = 0; i < problem.islands.size(); ++i) {
    const DualProblem& dual = solver.dual_islands().dual(problem, static_cast<int>(i));
    const DualResidual one =
        check_dual_residual(dual, lambda_of(dual, solution), scale, {problem.law, pyramid});
    if (out.dual)
      take_larger(one, &*out.dual);
    else
      out.dual = one;
  }
  return out;
}

std::shared_ptr<const Certificate> certified(const Model& model, const StepRecord& record,
                                             const ContactOptions& options, const ContactSolver& solver,
                                             const Pyramid& pyramid) {
  DualScale scale;
  scale.velocity = model.forest.gravity.norm() * record.h;
  scale.impulse = moving_mass(model.forest) * scale.velocity;
  const ContactRecord& c = record.contact;
  return std::make_shared<Certificate>(certificate_of(c.problem, physical_points(model, record, options),
                                                      c.solution, options, solver, scale, pyramid));
}

void take_larger(const Certificate& other, Certificate* worst) {
  take_larger(other.contact, &worst->contact);
  if (!other.dual) return;
  if (worst->dual)
    take_larger(*other.dual, &*worst->dual);
  else
    worst->dual = other.dual;
}

}  // namespace stiction
