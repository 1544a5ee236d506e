#pragma once
// What two surfaces are made of, and what that makes of the pair.
//
// Combination where models say nothing else (springs in series; the harmonic mean of friction):
//
//   k = k1 k2/(k1 + k2),   d = (k2 d1 + k1 d2)/(k1 + k2),   mu = 2 mu1 mu2/(mu1 + mu2),
//
// mu of sliding, of torsion and of rolling alike; the restitution of a pair is the larger of the two.
//
// A number given on one side only counts as that of the pair: the other side is rigid, without dissipation of
// its own, and of the same friction. A number given on neither side is the default of a pair.
//
// A surface may have a grain: friction along it as above, friction across it a multiple of that. Where both
// sides have one, the one whose multiple differs more from 1 counts, the first side's where they are equal.
//
// Hertz's elasticity f = k_h x^(3/2) has
//
//   k_h = 4/3 E* sqrt(R),   1/E* = (1 - nu^2)/E1 + (1 - nu^2)/E2,   1/R = 1/R1 + 1/R2
//
// (K. L. Johnson, Contact Mechanics, 1985, eq. 4.23), R the radii of curvature.

#include <optional>

#include "stiction/math/matrix.h"

namespace stiction {

// One side. SI units; what is not given is left open.
struct ContactMaterial {
  std::optional<double> stiffness;           // N/m, of linear elasticity
  std::optional<double> modulus;             // Pa, Young's, of Hertz's elasticity (with Poisson's ratio 0.3)
  std::optional<double> dissipation;         // s/m, Hunt & Crossley's d
  std::optional<double> relaxation_time;     // s, tau_d of Kelvin-Voigt dissipation (sap)
  std::optional<double> static_friction;     // mu at rest
  std::optional<double> dynamic_friction;    // mu in motion; not given: that at rest
  std::optional<double> anisotropy_ratio;    // friction across the grain over that along it; not given: 1
  Vec3 friction_direction = Vec3::UnitX();   // in the axes of the shape
  std::optional<double> torsional_friction;  // m, moment about the normal over the normal force; not given: 0
  std::optional<double> rolling_friction;    // m, moment about the contact plane over it; not given: 0
  std::optional<double>
      restitution;  // speed after an impact over that before, of the rigid laws; not given: 0
  // m, of the compliant layer around a rigid core (geometric_quasi_rigid); not given: no core
  std::optional<double> max_deflection;

  bool operator==(const ContactMaterial&) const = default;
};

inline constexpr double kDefaultStiffness = 1e6;   // N/m
inline constexpr double kDefaultDissipation = 50;  // s/m
inline constexpr double kDefaultFriction = 0.5;
inline constexpr double kPoissonRatio = 0.3;

// A pair, with nothing left open but the relaxation time: negative means that of one step.
struct PairMaterial {
  double stiffness = kDefaultStiffness;      // N/m
  double hertz_stiffness = 0.0;              // N/m^(3/2)
  double dissipation = kDefaultDissipation;  // s/m
  double relaxation_time = -1.0;             // s
  double static_friction = kDefaultFriction, dynamic_friction = kDefaultFriction;
  bool stiffness_is_given = false;
  double anisotropy_ratio = 1.0;            // across the grain over along it
  int friction_direction_side = 0;          // 0: no grain; 1, 2: that of the first or second surface
  Vec3 friction_direction = Vec3::UnitX();  // in the axes of that surface's shape
  double torsional_friction = 0.0, rolling_friction = 0.0;  // m
  double restitution = 0.0;
  bool has_torsional_or_rolling_friction() const {
    return torsional_friction > 0.0 || rolling_friction > 0.0;
  }
};

// Leaves the Hertz stiffness open: it takes radii.
PairMaterial combine(const ContactMaterial& a, const ContactMaterial& b);

// E* of two surfaces (Pa), of which one may be rigid; nothing if neither has a modulus.
std::optional<double> combined_modulus(const ContactMaterial& a, const ContactMaterial& b);

// Throws UserError, naming the owner, if a number is not finite, negative, or a stiffness zero.
void check_material(const ContactMaterial& material, const char* owner);

// mu between rest and motion by the slip of the step before (m/s), lagged so that the cost stays convex: mu_s
// below 10 stiction tolerances v_s, mu_d far above,
//
//   mu = mu_d + (mu_s - mu_d)/2 (1 - g(s - 10)/g(10)),   s = slip/v_s,   g(x) = x/sqrt(1 + x^2).
double blended_friction(const PairMaterial& pair, double slip, double v_s);

}  // namespace stiction
