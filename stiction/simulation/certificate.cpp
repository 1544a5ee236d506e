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

std::shared_ptr<const Certificate> certified(const Model& model, const StepRecord& record,
                                             const ContactOptions& options, const ContactSolver& solver,
                                             const Pyramid& pyramid) {
  const ContactRecord& c = record.contact;
  const ContactSolution& s = c.solution;
  auto certificate = std::make_shared<Certificate>();
  Certificate& out = *certificate;
  out.contact = check_residual(c.problem, physical_points(model, record, options), s.v, s.impulses, s.moments,
                               s.row_impulses);
  if (c.problem.islands.empty()) return certificate;
  if (solves_primal(options)) {
    if (!is_rigid(c.problem.law)) return certificate;
    // A rigid law under Newton's method has a compliance, and its points have sap's parameters and formula.
    ContactProblem regularised = c.problem;
    regularised.law = LawKind::sap;
    const ContactResidual of_law = check_residual(regularised, physical_points(model, record, options), s.v,
                                                  s.impulses, s.moments, s.row_impulses);
    out.contact.law = of_law.law;
    out.contact.slackness = of_law.slackness;
    return certificate;
  }
  const RigidSolver& dual = solver.dual_islands();
  DualScale scale;
  scale.velocity = model.forest.gravity.norm() * record.h;
  scale.impulse = moving_mass(model.forest) * scale.velocity;
  for (std::size_t i = 0; i < c.problem.islands.size(); ++i) {
    const int island = static_cast<int>(i);
    const DualResidual one = check_dual_residual(dual.dual(c.problem, island), dual.lambda(c.problem, island),
                                                 scale, {c.problem.law, pyramid});
    if (out.dual)
      take_larger(one, &*out.dual);
    else
      out.dual = one;
  }
  return certificate;
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
