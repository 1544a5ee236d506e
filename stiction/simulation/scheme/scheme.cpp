#include "stiction/simulation/scheme/scheme.h"

#include <charconv>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "stiction/base/check.h"
#include "stiction/base/format.h"
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
                                             "everything at the new state, by Newton (S, theta 1)", 1.0, 1.0);
  static const ImplicitScheme midpoint(
      "midpoint", "everything halfway, by Newton; second order (S, theta 1/2)", 0.5, 0.5);
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

const Scheme& theta_scheme(double theta, double theta_vq) {
  const auto is_share = [](double x) { return x >= 0.0 && x <= 1.0; };
  STICTION_USER_CHECK(is_share(theta) && is_share(theta_vq),
                      "theta and theta_vq of a scheme are between 0 and 1, not {} and {}", theta, theta_vq);
  for (const Scheme* scheme : scheme_list()) {
    const bool is_of_s = dynamic_cast<const ExplicitScheme*>(scheme) != nullptr ||
                         dynamic_cast<const ImplicitScheme*>(scheme) != nullptr;
    const StepTheta at = scheme->theta();
    if (is_of_s && at.theta == theta && at.theta_vq == theta_vq) return *scheme;
  }
  // Kept for as long as the program runs, as the others are.
  static std::mutex mutex;
  static std::map<std::pair<double, double>, std::unique_ptr<const Scheme>> made;
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<const Scheme>& scheme = made[{theta, theta_vq}];
  if (scheme) return *scheme;
  const std::string name = format("theta:{},{}", theta, theta_vq);
  constexpr const char* kDescription = "the theta method of S with a theta and theta_vq of its own";
  if (theta == 0.0)
    scheme = std::make_unique<ExplicitScheme>(name, kDescription, theta_vq);
  else
    scheme = std::make_unique<ImplicitScheme>(name, kDescription, theta, theta_vq);
  return *scheme;
}

namespace {

constexpr std::string_view kThetaPrefix = "theta:";

// "0.5,0.5"
std::pair<double, double> theta_pair(std::string_view text) {
  double numbers[2] = {};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  bool is_good = true;
  for (int i = 0; i < 2 && is_good; ++i) {
    if (i == 1) is_good = at != end && *at++ == ',';
    const auto [next, error] = std::from_chars(at, end, numbers[i]);
    is_good = is_good && error == std::errc();
    at = next;
  }
  STICTION_USER_CHECK(is_good && at == end,
                      "scheme 'theta:{}' is not theta: with two numbers, such as theta:0.5,0.5", text);
  return {numbers[0], numbers[1]};
}

}  // namespace

const Scheme& find_scheme(std::string_view name) {
  if (name.substr(0, kThetaPrefix.size()) == kThetaPrefix) {
    const std::pair<double, double> pair = theta_pair(name.substr(kThetaPrefix.size()));
    return theta_scheme(pair.first, pair.second);
  }
  std::vector<std::string> names;
  for (const Scheme* scheme : scheme_list()) {
    if (scheme->name() == name) return *scheme;
    names.emplace_back(scheme->name());
  }
  names.emplace_back("theta:A,B");
  throw_user_error(unknown_word_message("scheme", name, names));
}

}  // namespace stiction
