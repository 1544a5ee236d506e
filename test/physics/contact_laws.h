#pragma once
// What tests of contact physics share: every law with its defaults, and sums of contact forces.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "stiction/contact/law/law_list.h"
#include "stiction/simulation/model/model_builder.h"
#include "stiction/simulation/output/contact_forces.h"
#include "stiction/simulation/world.h"

namespace stiction {

inline constexpr double kG = 9.81;  // m/s^2
inline constexpr double kPi = std::numbers::pi;

struct NamedLaw {
  const char* name;
  LawKind law;
  bool is_sap() const { return law == LawKind::sap; }
  // Friction is coupled to the normal velocity: what slides separates.
  bool is_similar() const { return law_row(law).sliding_gap == SlidingGapTime::step; }
};

// Every compliant law.
inline const std::vector<NamedLaw>& every_law() {
  static const std::vector<NamedLaw> list = [] {
    std::vector<NamedLaw> laws;
    for (const LawRow& row : kLawRows)
      if (row.family == LawFamily::compliant) laws.push_back({row.name, row.kind});
    return laws;
  }();
  return list;
}

inline WorldOptions with_law(const NamedLaw& law, double h = 2e-3) {
  WorldOptions options;
  options.h = h;
  options.formulation.contact.law = law.law;
  return options;
}

inline ContactMaterial friction_only(double mu) {
  ContactMaterial material;
  material.static_friction = mu;
  return material;
}

// The force (N) of the last step that body A's shapes put on body B, in W.
inline Vec3 force_between(const World& world, const std::string& body_a, const std::string& body_b) {
  const int a = world.model().body(body_a), b = world.model().body(body_b);
  const StepRecord& r = world.record();
  Vec3 sum = Vec3::Zero();
  for (std::size_t p = 0; p < r.collision.pairs.size(); ++p) {
    const ShapePair& pair = r.collision.pairs[p];
    const bool is_same = pair.body_A == a && pair.body_B == b,
               is_swapped = pair.body_A == b && pair.body_B == a;
    if (r.contact.places[p].begin < 0 || !(is_same || is_swapped)) continue;
    for (int k = 0; k < pair.end - pair.begin; ++k)
      sum += (is_same ? 1.0 : -1.0) * contact_force(r, static_cast<int>(p), k);
  }
  return sum;
}

// w of S section V-B at a point with the arm r from the centre of mass of a free body: |W|_F/3, with the
// Delassus block W = 1/m - [r] I^-1 [r].
inline double inverse_mass_at(double mass, const Mat3& I, const Vec3& r) {
  const Mat3 R = skew<double>(r);
  const Mat3 W = Mat3::Identity() / mass - R * I.inverse() * R;
  return W.norm() / 3.0;
}

// Creep: the slip at which the friction of an icf law balances a tangential force that is `share` of mu N,
// eps share/sqrt(1 - share^2) with eps = v_s.
inline double icf_creep(double v_s, double share) { return v_s * share / std::sqrt(1.0 - share * share); }

}  // namespace stiction
