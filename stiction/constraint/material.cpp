#include "stiction/constraint/material.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stiction/base/check.h"

namespace stiction {
namespace {

// Combines a parameter of two sides by the rule, or takes that of the only side that has one.
template <class Rule>
std::optional<double> both(const std::optional<double>& a, const std::optional<double>& b, const Rule& rule) {
  if (a && b) return rule(*a, *b);
  return a ? a : b;
}

double in_series(double k1, double k2) { return k1 * k2 / (k1 + k2); }

double harmonic_mean(double a, double b) { return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0; }

}  // namespace

PairMaterial combine(const ContactMaterial& a, const ContactMaterial& b) {
  PairMaterial pair;
  const auto stiffness = both(a.stiffness, b.stiffness, in_series);
  pair.stiffness_is_given = stiffness.has_value();
  pair.stiffness = stiffness.value_or(kDefaultStiffness);
  // The dissipation of each side is weighted by its share of the approach.
  double k1 = a.stiffness.value_or(b.stiffness.value_or(1.0)), k2 = b.stiffness.value_or(k1);
  if (a.pressure_modulus && b.pressure_modulus) {
    k1 = *a.pressure_modulus;
    k2 = *b.pressure_modulus;
  } else if (a.pressure_modulus || b.pressure_modulus) {
    k1 = a.pressure_modulus ? 0.0 : 1.0;  // all of the approach is that of the compliant side
    k2 = 1.0 - k1;
  }
  const auto weighted = [k1, k2](double d1, double d2) { return (k2 * d1 + k1 * d2) / (k1 + k2); };
  pair.dissipation = both(a.dissipation, b.dissipation, weighted).value_or(kDefaultDissipation);
  pair.relaxation_time = both(a.relaxation_time, b.relaxation_time, weighted).value_or(-1.0);
  pair.static_friction = both(a.static_friction, b.static_friction, harmonic_mean).value_or(kDefaultFriction);
  const auto moving = [](const ContactMaterial& m) {
    return m.dynamic_friction ? m.dynamic_friction : m.static_friction;
  };
  pair.dynamic_friction = both(moving(a), moving(b), harmonic_mean).value_or(kDefaultFriction);
  pair.torsional_friction = both(a.torsional_friction, b.torsional_friction, harmonic_mean).value_or(0.0);
  pair.rolling_friction = both(a.rolling_friction, b.rolling_friction, harmonic_mean).value_or(0.0);
  pair.restitution =
      both(a.restitution, b.restitution, [](double e1, double e2) { return std::max(e1, e2); }).value_or(0.0);
  const auto friction_direction_of = [](const ContactMaterial& m) {
    return std::abs(std::log(m.anisotropy_ratio.value_or(1.0)));
  };
  if (std::max(friction_direction_of(a), friction_direction_of(b)) > 0.0) {
    pair.friction_direction_side = friction_direction_of(a) >= friction_direction_of(b) ? 1 : 2;
    const ContactMaterial& m = pair.friction_direction_side == 1 ? a : b;
    pair.anisotropy_ratio = *m.anisotropy_ratio;
    pair.friction_direction = m.friction_direction;
  }
  return pair;
}

void set_barriers(const ContactMaterial& a, const ContactMaterial& b, PairMaterial* pair) {
  constexpr double kStiffAt = 0.01;  // of dh, where the logarithmic barrier is as stiff as the pair
  const auto larger = [](double d1, double d2) { return std::max(d1, d2); };
  pair->barrier_distance =
      both(a.barrier_distance, b.barrier_distance, larger).value_or(kDefaultBarrierDistance);
  pair->barrier_stiffness_follows = !a.barrier_stiffness && !b.barrier_stiffness;
  pair->barrier_energy_follows = !a.barrier_energy && !b.barrier_energy;
  pair->barrier_stiffness =
      both(a.barrier_stiffness, b.barrier_stiffness, in_series).value_or(pair->stiffness);
  const double stiff_at = kStiffAt * pair->barrier_distance;
  pair->barrier_energy =
      both(a.barrier_energy, b.barrier_energy, in_series).value_or(pair->stiffness * stiff_at * stiff_at);
}

std::vector<ForcePoint> combined_force_table(const ContactMaterial& a, const ContactMaterial& b) {
  if (a.force_table.empty() && b.force_table.empty()) return {};
  // The spring of a side without a table, as a table of the same forces.
  const auto points_of = [](const ContactMaterial& side, const ContactMaterial& other) {
    if (!side.force_table.empty() || !side.stiffness) return side.force_table;
    std::vector<ForcePoint> spring = other.force_table;
    for (ForcePoint& point : spring) point[0] = point[1] / *side.stiffness;
    return spring;
  };
  const auto first = points_of(a, b), second = points_of(b, a);
  return first.empty() ? second : second.empty() ? first : tables_in_series(first, second);
}

void set_stiffness(double stiffness, PairMaterial* pair) {
  const double ratio = stiffness / pair->stiffness;
  pair->stiffness = stiffness;
  if (pair->hertz_follows) pair->hertz_stiffness *= ratio;
  if (pair->barrier_stiffness_follows) pair->barrier_stiffness *= ratio;
  if (pair->barrier_energy_follows) pair->barrier_energy *= ratio;
}

std::optional<double> combined_modulus(const ContactMaterial& a, const ContactMaterial& b) {
  if (!a.modulus && !b.modulus) return std::nullopt;
  const auto compliance = [](const ContactMaterial& m) { return m.modulus ? 1.0 / *m.modulus : 0.0; };
  return 1.0 / ((1.0 - kPoissonRatio * kPoissonRatio) * (compliance(a) + compliance(b)));
}

void check_material(const ContactMaterial& material, const char* owner) {
  if (!material.force_table.empty()) check_force_points(material.force_table, owner);
  STICTION_USER_CHECK(material.force_table.empty() || !material.stiffness,
                      "{} has a stiffness and a force table: both say how hard it is", owner);
  const std::pair<const char*, const std::optional<double>*> numbers[] = {
      {"stiffness", &material.stiffness},
      {"modulus", &material.modulus},
      {"barrier stiffness", &material.barrier_stiffness},
      {"barrier energy", &material.barrier_energy},
      {"barrier distance", &material.barrier_distance},
      {"dissipation", &material.dissipation},
      {"relaxation time", &material.relaxation_time},
      {"static friction", &material.static_friction},
      {"dynamic friction", &material.dynamic_friction},
      {"torsional friction", &material.torsional_friction},
      {"rolling friction", &material.rolling_friction},
      {"restitution", &material.restitution},
      {"maximum deflection", &material.max_deflection},
      {"pressure modulus", &material.pressure_modulus},
      {"pressure depth", &material.pressure_depth},
  };
  STICTION_USER_CHECK(material.friction_direction.allFinite() && material.friction_direction.norm() > 0.0,
                      "the friction direction of {} is no direction", owner);
  const double across = material.anisotropy_ratio.value_or(1.0);
  STICTION_USER_CHECK(std::isfinite(across) && across > 0.0,
                      "the cross friction of {} is {}, which must be finite and positive", owner, across);
  STICTION_USER_CHECK(material.restitution.value_or(0.0) <= 1.0,
                      "the restitution of {} is {}, which must not be above 1", owner, *material.restitution);
  const int facets = material.facets.value_or(kDefaultFacets);
  STICTION_USER_CHECK(facets == 7 || facets == 19 || facets == 37,
                      "{} has {} facets: 7, 19 or 37 are possible", owner, facets);
  for (const auto& [name, number] : numbers) {
    if (!number->has_value()) continue;
    const double value = **number;
    const bool is_elastic = number == &material.stiffness || number == &material.modulus ||
                            number == &material.barrier_stiffness || number == &material.barrier_energy ||
                            number == &material.barrier_distance || number == &material.pressure_modulus ||
                            number == &material.pressure_depth;
    STICTION_USER_CHECK(std::isfinite(value) && (is_elastic ? value > 0.0 : value >= 0.0),
                        "the {} of {} is {}, which must be finite and {}", name, owner, value,
                        is_elastic ? "positive" : "not negative");
  }
}

double blended_friction(const PairMaterial& pair, double slip, double v_s) {
  if (pair.static_friction == pair.dynamic_friction) return pair.static_friction;
  const auto g = [](double x) { return x / std::sqrt(1.0 + x * x); };
  const double share = 0.5 * (1.0 - g(slip / v_s - 10.0) / g(10.0));
  return pair.dynamic_friction + (pair.static_friction - pair.dynamic_friction) * share;
}

}  // namespace stiction
