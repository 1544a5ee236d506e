#include "stiction/simulation/energy.h"

#include <initializer_list>

#include "stiction/multibody/jacobian.h"
#include "stiction/multibody/passive_forces.h"
#include "stiction/simulation/constraint_energy.h"
#include "stiction/simulation/model_tables.h"

namespace stiction {
namespace {

template <class Parts, std::size_t n>
void add(const EnergyPart<Parts> (&list)[n], const Parts& from, Parts* to) {
  for (const EnergyPart<Parts>& part : list) to->*part.value += from.*part.value;
}

template <class Parts, std::size_t n>
double largest(const EnergyPart<Parts> (&list)[n], const Parts& parts) {
  double most = 0.0;
  for (const EnergyPart<Parts>& part : list) most = std::max(most, std::abs(parts.*part.value));
  return most;
}

double tendon_energy(const ActuationModel& model, const std::vector<double>& lengths) {
  double energy = 0.0;
  for (const int t : model.elastic_tendons) {
    const TendonLaw& law = model.tendons[t];
    const double stretch = lengths[t] - std::clamp(lengths[t], law.shortest, law.longest);
    energy += 0.5 * law.stiffness * stretch * stretch;
  }
  return energy;
}

}  // namespace

Energies energies(const Model& model, const ConstraintSwitches& switches, const Kinematics& kinematics,
                  const std::vector<double>& tendon_lengths, const VecX& q, const VecX& v) {
  const ConstraintModel& constraints = *model.tables().constraints;
  Energies e;
  e.kinetic = kinetic_energy(model.forest, kinematics) + rotor_energy(model.forest, v.data());
  e.gravity = gravity_energy(model.forest, kinematics);
  e.springs = spring_energy(model.forest, q.data());
  e.tendons = tendon_energy(*model.tables().actuation, tendon_lengths);
  for_each_bushing(constraints, switches, [&](const BushingSprings& bushing) {
    e.bushings +=
        spring_energy(bushing, deflection(pose_of(kinematics, bushing.a), pose_of(kinematics, bushing.b)));
  });
  add_constraint_energies(model, switches, kinematics, tendon_lengths, q, &e);
  return e;
}

Energies energies(const Model& model, const State& state, const Input& input) {
  const Transmissions& transmissions = model.tables().actuation->transmissions;
  Kinematics kinematics(model.forest);
  TransmissionState lengths(transmissions);
  set_prescribed(model.forest, input.prescribed, &kinematics);
  compute_positions(model.forest, state.q.data(), &kinematics);
  compute_velocities(model.forest, state.v.data(), &kinematics);
  transmissions.compute(kinematics, state.q.data(), &lengths);
  return energies(model, input.constraints, kinematics, lengths.tendon_lengths, state.q, state.v);
}

double EnergyBooks::error() const {
  return before.total() + work.total() - after.total() - dissipated.total() - numerical.total();
}

double EnergyBooks::turnover() const {
  double most = std::max({largest(kWorkParts, work), largest(kLossParts, dissipated),
                          largest(kNumericalParts, numerical), before.kinetic, after.kinetic});
  for (const EnergyPart<Energies>& part : kEnergyParts) {
    const double from = before.*part.value, to = after.*part.value;
    most = std::max({most, std::abs(to - from), kLeastTurnover * std::abs(from)});
  }
  return most;
}

double EnergyBooks::relative_error() const {
  const double missing = std::abs(error());
  return missing == 0.0 ? 0.0 : missing / turnover();
}

void EnergyTotals::add(const EnergyBooks& step, double time) {
  if (steps == 0) sum.before = step.before;
  ++steps;
  sum.after = step.after;
  stiction::add(kWorkParts, step.work, &sum.work);
  stiction::add(kLossParts, step.dissipated, &sum.dissipated);
  stiction::add(kNumericalParts, step.numerical, &sum.numerical);
  const double error = step.relative_error();
  if (error <= largest_error) return;
  largest_error = error;
  worst_time = time;
}

}  // namespace stiction
