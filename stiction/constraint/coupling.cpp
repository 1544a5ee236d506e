#include "stiction/constraint/coupling.h"

namespace stiction {

std::pair<double, double> Coupling::at(double x) const {
  double value = 0.0, slope = 0.0;
  for (int i = 4; i >= 0; --i) {
    slope = slope * x + value;
    value = value * x + polynomial[i];
  }
  return {value, slope};
}

void write_rows(const Coupling& coupling, const TendonLengths& tendons, const RowCompliance& compliance,
                int index, RowWriter* rows) {
  const RowOwner owner = {RowKind::constraint, index, 0};
  if (coupling.of_tendons) {
    const double x = coupling.second < 0 ? 0.0 : tendons.lengths[coupling.second] - coupling.reference2;
    const auto [value, slope] = coupling.at(x);
    rows->begin();
    rows->moment_rows(tendons.rows, coupling.first, 1.0, coupling.second, -slope);
    rows->end_equality(tendons.lengths[coupling.first] - coupling.reference1 - value, owner, compliance);
    return;
  }
  const VecX& q = rows->in.q;
  const double x = coupling.second < 0 ? 0.0 : q[coupling.q2] - coupling.reference2;
  const auto [value, slope] = coupling.at(x);
  rows->begin();
  rows->entry(coupling.tree1, coupling.first, 1.0);
  if (coupling.second >= 0) rows->entry(coupling.tree2, coupling.second, -slope);
  rows->end_equality(q[coupling.q1] - coupling.reference1 - value, owner, compliance);
}

void add_tendon_forces(const Coupling& coupling, const std::vector<double>& lengths, double force,
                       std::vector<double>* forces) {
  if (!coupling.of_tendons) return;
  (*forces)[coupling.first] += force;
  if (coupling.second < 0) return;
  const double slope = coupling.at(lengths[coupling.second] - coupling.reference2).second;
  (*forces)[coupling.second] -= slope * force;
}

}  // namespace stiction
