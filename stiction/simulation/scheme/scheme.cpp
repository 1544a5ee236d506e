#include "stiction/simulation/scheme/scheme.h"

#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/scheme/geometrically_implicit.h"
#include "stiction/simulation/scheme/semi_implicit_euler.h"
#include "stiction/simulation/scheme/theta_method.h"
#include "stiction/simulation/step.h"

namespace stiction {

const std::vector<const Scheme*>& scheme_list() {
  static const SemiImplicitEuler semi_implicit_euler;
  static const ExplicitScheme explicit_euler(
      "explicit_euler", "all forces at the old state; positions by the old velocity", 0.0);
  static const ExplicitScheme symplectic_euler(
      "symplectic_euler", "all forces at the old state; positions by the new velocity (S, theta 0)", 1.0);
  static const ImplicitScheme implicit_euler("implicit_euler",
                                             "everything at the new state, by Newton (S, theta 1)", 1.0, 1);
  static const ImplicitScheme midpoint("midpoint",
                                       "everything halfway, by Newton; second order (S, theta 1/2)", 0.5, 2);
  static const GeometricallyImplicit geometrically_implicit;
  static const std::vector<const Scheme*> list = {
      &semi_implicit_euler, &explicit_euler, &symplectic_euler,
      &implicit_euler,      &midpoint,       &geometrically_implicit};
  return list;
}

void Scheme::solve_contact(const Model&, const State& now, const Formulation& f, StepRecord* r,
                           StepWorkspace* w) const {
  const ContactOptions posed = posed_contact(f.contact);
  ContactRecord& c = r->contact;
  if (!solves_primal(posed)) recall(now.memory, r->h, r->collision, r->constraints, &c);
  w->contact.solver.solve(c.problem, solver_of(posed), {f.newton, f.dual}, c.guess, &c.solution);
}

void Scheme::remember(const Formulation& f, const StepRecord& r, const StepWorkspace&,
                      ContactMemory* memory) const {
  memory->points.clear();
  memory->rows.clear();
  memory->deflections.clear();
  memory->penalties.clear();
  if (!solves_primal(posed_contact(f.contact)))
    stiction::remember(r.h, r.collision, r.constraints, r.contact, memory);
}

StepReport Scheme::step(const Model& model, const State& now, const Input& input, double h,
                        const Formulation& f, StepRecord* r, StepWorkspace* w, State* next) const {
  return single_step(*this, model, now, input, h, f, r, w, next);
}

bool factorise_momentum(const Forest& forest, StepRecord* r) {
  const int failed = factorise(forest, r->added_diagonal.data(), &r->mass);
  if (failed < 0) return true;
  r->report.status = StepStatus::not_positive_definite;
  r->report.dof = failed;
  return false;
}

const Scheme& scheme_of(const Formulation& f) {
  static const Scheme& geometrically_implicit = find_scheme("geometrically_implicit");
  return is_geometric(f.contact.law) ? geometrically_implicit : *f.scheme;
}

const Scheme& find_scheme(std::string_view name) {
  std::vector<std::string> names;
  for (const Scheme* scheme : scheme_list()) {
    if (scheme->name() == name) return *scheme;
    names.emplace_back(scheme->name());
  }
  throw_user_error(unknown_name_message("scheme", name, names));
}

}  // namespace stiction
