#include "stiction/simulation/scheme/geometrically_implicit.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "stiction/simulation/certificate.h"
#include "stiction/simulation/scheme/geometric/stepper.h"
#include "stiction/simulation/step.h"

namespace stiction {
namespace {

// Combines the reports of both halves of a step: the worse status, the sum of iterations, the larger errors.
void add_first_half(const StepReport& half, StepReport* report) {
  report->time = half.time;
  SolveReport& contact = report->contact;
  if (half.contact.status > contact.status) {
    contact.status = half.contact.status;
    contact.worst_tree = half.contact.worst_tree;
  }
  contact.islands = std::max(contact.islands, half.contact.islands);
  contact.iterations = std::max(contact.iterations, half.contact.iterations);
  contact.total_iterations += half.contact.total_iterations;
  contact.factorisations += half.contact.factorisations;
  contact.line_evaluations += half.contact.line_evaluations;
  contact.products += half.contact.products;
  contact.dropped_stabilisation += half.contact.dropped_stabilisation;
  contact.lagged_fallbacks += half.contact.lagged_fallbacks;
  contact.residual = std::max(contact.residual, half.contact.residual);
  if (!is_solved(contact.status) && report->status == StepStatus::done)
    report->status = StepStatus::contact_not_converged;
  if (half.certificate != nullptr && report->certificate != nullptr) {
    auto worse = std::make_shared<Certificate>(*report->certificate);
    take_larger(*half.certificate, worse.get());
    report->certificate = std::move(worse);
  }
  add_to_report(half.geometric, &report->geometric);
  ++report->geometric.halvings;
}

// Forces of actuators and tendons of a step taken in parts: their means over the step.
void average_actuation(const std::vector<StepRecord>& parts, double h, ActuationRecord* mean) {
  for (ActuatorRecord& actuator : mean->actuators) actuator.force = 0.0;
  for (TendonRecord& tendon : mean->tendons) tendon.force = 0.0;
  mean->tendon_forces.setZero();
  mean->joint_forces.setZero();
  for (const StepRecord& part : parts) {
    const double share = part.h / h;
    for (std::size_t i = 0; i < mean->actuators.size(); ++i)
      mean->actuators[i].force += share * part.actuation.actuators[i].force;
    for (std::size_t i = 0; i < mean->tendons.size(); ++i)
      mean->tendons[i].force += share * part.actuation.tendons[i].force;
    mean->tendon_forces += share * part.actuation.tendon_forces;
    mean->joint_forces += share * part.actuation.joint_forces;
  }
}

}  // namespace

ContactOptions explicit_options(const ContactOptions& options) {
  ContactOptions posed = options;
  posed.law = LawKind::coulomb_ncp;
  posed.solver = "pgs";
  return posed;
}

ContactOptions GeometricallyImplicit::posed_contact(const ContactOptions& asked) const {
  return is_geometric(asked.law) ? explicit_options(asked) : asked;
}

void GeometricallyImplicit::solve_contact(const Model& model, const State& now, const Formulation& f,
                                          StepRecord* r, StepWorkspace* w) const {
  Scheme::solve_contact(model, now, f, r, w);
  if (!is_geometric(f.contact.law)) return;
  if (!w->geometric) w->geometric = std::make_unique<GeometricStepper>();
  w->geometric->solve(model, now, f, r, w);
}

void GeometricallyImplicit::remember(const Formulation& f, const StepRecord& r, const StepWorkspace& w,
                                     ContactMemory* memory) const {
  Scheme::remember(f, r, w, memory);
  if (is_geometric(f.contact.law)) w.geometric->remember(r, memory);
}

StepReport GeometricallyImplicit::step(const Model& model, const State& now, const Input& input, double h,
                                       const Formulation& f, StepRecord* r, StepWorkspace* w,
                                       State* next) const {
  r->parts.clear();
  std::vector<StepRecord> parts;
  const StepReport report =
      step_in_parts(model, now, input, h, f, f.geometric.most_halvings, r, w, &parts, next);
  if (parts.empty() || !report.ok()) return report;
  // The attempt in one part has left the start of the step in the record; contacts and rows are those of the
  // last part.
  average_actuation(parts, h, &r->actuation);
  r->collision = parts.back().collision;
  r->constraints = parts.back().constraints;
  r->contact = parts.back().contact;
  r->geometric_contacts = parts.back().geometric_contacts;
  r->v_next = next->v;
  r->report = report;
  r->parts = std::move(parts);
  next->last_acceleration = now.acceleration;
  next->acceleration = (next->v - now.v) / h;
  return report;
}

StepReport GeometricallyImplicit::step_in_parts(const Model& model, const State& now, const Input& input,
                                                double h, const Formulation& f, int halvings, StepRecord* r,
                                                StepWorkspace* w, std::vector<StepRecord>* parts,
                                                State* next) const {
  StepReport report = single_step(*this, model, now, input, h, f, r, w, next);
  if (!report.geometric.may_be_halved() || !report.ok() || halvings == 0) return report;
  StepRecord part(model);
  const auto take_half = [&](const State& from, const Input& at, State* to) {
    const std::size_t before = parts->size();
    const StepReport half = step_in_parts(model, from, at, 0.5 * h, f, halvings - 1, &part, w, parts, to);
    if (parts->size() == before) parts->push_back(part);
    return half;
  };
  State middle = now;
  const StepReport first = take_half(now, input, &middle);
  if (!first.ok()) return first;
  // Kinematic bodies continue to move at their prescribed velocities.
  Input later = input;
  for (PrescribedMotion& motion : later.prescribed) motion.X_WB = pose_after(motion, 0.5 * h);
  report = take_half(middle, later, next);
  add_first_half(first, &report);
  return report;
}

}  // namespace stiction
