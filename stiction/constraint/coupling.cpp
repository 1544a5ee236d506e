#include "stiction/constraint/coupling.h"

namespace stiction {

Coupling::Value Coupling::at(double x) const {
  Value at;
  for (int i = 4; i >= 0; --i) {
    at.second = at.second * x + 2.0 * at.slope;
    at.slope = at.slope * x + at.value;
    at.value = at.value * x + polynomial[i];
  }
  return at;
}

void write_rows(const Coupling& coupling, const TendonLengths& tendons, const RowCompliance& compliance,
                int index, RowWriter* rows) {
  const RowOwner owner = {RowKind::constraint, index, 0};
  if (coupling.of_tendons) {
    const double x = coupling.second < 0 ? 0.0 : tendons.lengths[coupling.second] - coupling.reference2;
    const Coupling::Value at = coupling.at(x);
    rows->begin();
    rows->moment_rows(tendons.rows, coupling.first, 1.0, coupling.second, -at.slope);
    if (coupling.second >= 0) {
      const double rate = tendons.rows.dot(coupling.second, rows->in.v.data());
      rows->set_curvature(-at.second * rate * rate);
    }
    rows->end_equality(tendons.lengths[coupling.first] - coupling.reference1 - at.value, owner, compliance);
    return;
  }
  const VecX& q = rows->in.q;
  const double x = coupling.second < 0 ? 0.0 : q[coupling.q2] - coupling.reference2;
  const Coupling::Value at = coupling.at(x);
  rows->begin();
  rows->entry(coupling.tree1, coupling.first, 1.0);
  if (coupling.second >= 0) {
    rows->entry(coupling.tree2, coupling.second, -at.slope);
    const double rate = rows->in.v[coupling.second];
    rows->set_curvature(-at.second * rate * rate);
  }
  rows->end_equality(q[coupling.q1] - coupling.reference1 - at.value, owner, compliance);
}

void add_tendon_forces(const Coupling& coupling, const std::vector<double>& lengths, double force,
                       std::vector<double>* forces) {
  if (!coupling.of_tendons) return;
  (*forces)[coupling.first] += force;
  if (coupling.second < 0) return;
  const double slope = coupling.at(lengths[coupling.second] - coupling.reference2).slope;
  (*forces)[coupling.second] -= slope * force;
}

}  // namespace stiction
