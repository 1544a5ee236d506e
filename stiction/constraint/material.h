#pragma once
// Contact materials of two surfaces, and how they combine to that of the pair.
//
// Combination unless the model says otherwise (springs in series; the harmonic mean of friction):
//
//   k  = k1 k2/(k1 + k2)
//   d  = (k2 d1 + k1 d2)/(k1 + k2)
//   mu = 2 mu1 mu2/(mu1 + mu2)      for sliding, torsional and rolling friction alike
//
// The restitution of a pair is the larger of the two. A parameter given on one side only is that of the pair:
// the other side is taken as rigid, without dissipation, and with the same friction. A parameter given on
// neither side has the default of a pair.
//
// A force table (contact/law/force_table.h) takes the place of the stiffness. Two tables, or a table and a
// stiffness, are in series: at a force their overlaps add up.
//
// Friction may be anisotropic: mu as above along the friction direction, and anisotropy_ratio times mu across
// it. If both surfaces have a friction direction, the one whose ratio differs more from 1 counts, or the
// first if they are equal.
//
// With pressure fields (docs/models/pressure_fields.md) the stiffness is that of the fields, and the dissipation
// is weighted by their moduli instead; against a rigid surface the compliant one's counts.
//
// Hertz's elasticity f = k_h x^(3/2) has
//
//   k_h  = 4/3 E* sqrt(R)
//   1/E* = (1 - nu^2)/E1 + (1 - nu^2)/E2
//   1/R  = 1/R1 + 1/R2
//
// (K. L. Johnson, Contact Mechanics, 1985, eq. 4.23), R1 and R2 the radii of curvature.
//
// Barriers (contact/law/normal_force.h): their kappa combine like stiffnesses in series, of the distances the
// larger counts. Where neither side has one, kappa of the IPC barrier is k, and kappa of the logarithmic one
// k (dh/100)^2, so that it is as stiff as k at a hundredth of dh.

#include <optional>
#include <vector>

#include "stiction/contact/law/force_table.h"
#include "stiction/contact/law/mujoco_law.h"
#include "stiction/math/matrix.h"

namespace stiction {

// The material of one surface, in SI units; parameters that are not given have no value.
struct ContactMaterial {
  std::optional<double> stiffness;          // N/m, of linear elasticity
  std::optional<double> modulus;            // Pa, Young's, of Hertz's elasticity (with Poisson's ratio 0.3)
  std::optional<double> barrier_stiffness;  // N/m, kappa of the IPC barrier
  std::optional<double> barrier_energy;     // J, kappa of the logarithmic barrier
  std::optional<double> barrier_distance;   // m, dh: the distance at which a barrier begins
  std::optional<double> dissipation;        // s/m, Hunt & Crossley's d
  std::optional<double> relaxation_time;    // s, tau_d of Kelvin-Voigt dissipation (sap)
  std::optional<double> static_friction;    // static mu
  std::optional<double> dynamic_friction;   // kinetic mu; not given: the static one
  std::optional<double> anisotropy_ratio;   // mu across the friction direction over mu along it; not given: 1
  Vec3 friction_direction = Vec3::UnitX();  // in the axes of the shape
  std::optional<double> torsional_friction;  // m, moment about the normal over the normal force; not given: 0
  std::optional<double> rolling_friction;    // m, moment about a tangent over the normal force; not given: 0
  std::optional<double>
      restitution;  // speed after an impact over that before it, for the rigid laws; not given: 0
  // m, of the compliant layer around a rigid core (geometric_quasi_rigid); not given: no core
  std::optional<double> max_deflection;
  std::vector<ForcePoint> force_table;  // overlap (m) and normal force (N), from (0, 0) on; empty: none
  // Of the pressure field (geometry/field/pressure_field.h); none without a modulus.
  std::optional<double> pressure_modulus;  // Pa, not Young's
  std::optional<double> pressure_depth;    // m; not given: the radius of the largest ball inside the shape
  std::optional<int> facets;               // 7, 19 or 37 planes in place of a round surface; not given: 19

  bool operator==(const ContactMaterial&) const = default;
};

inline constexpr int kDefaultFacets = 19;
inline constexpr double kDefaultStiffness = 1e6;   // N/m
inline constexpr double kDefaultDissipation = 50;  // s/m
inline constexpr double kDefaultFriction = 0.5;
inline constexpr double kPoissonRatio = 0.3;
// m; I IX-B names 0.1 mm to 1 mm. With a thinner one bodies are sooner inside the steep part of the barrier.
inline constexpr double kDefaultBarrierDistance = 1e-3;

// The material of a pair. All parameters have values, except that a negative relaxation time stands for one
// step.
struct PairMaterial {
  double stiffness = kDefaultStiffness;               // N/m
  double hertz_stiffness = 0.0;                       // N/m^(3/2)
  double barrier_stiffness = 0.0;                     // N/m
  double barrier_energy = 0.0;                        // J
  double barrier_distance = kDefaultBarrierDistance;  // m
  double dissipation = kDefaultDissipation;           // s/m
  double relaxation_time = -1.0;                      // s
  double static_friction = kDefaultFriction, dynamic_friction = kDefaultFriction;
  // False: `stiffness` and what follows from it are those of the default, and the World has its own
  // (simulation/contact/default_stiffness.h).
  bool stiffness_is_given = false;
  bool hertz_follows = false, barrier_stiffness_follows = false, barrier_energy_follows = false;
  double anisotropy_ratio = 1.0;            // mu across the friction direction over mu along it
  int friction_direction_side = 0;          // 0: isotropic; 1, 2: direction of the first or second surface
  Vec3 friction_direction = Vec3::UnitX();  // in the axes of that surface's shape
  double torsional_friction = 0.0, rolling_friction = 0.0;  // m
  double restitution = 0.0;
  int table = -1;            // of ContactModel::tables, in place of the stiffness; -1: none
  double table_scale = 1.0;  // factor of its force
  MujocoContact mujoco;      // of law/mujoco_law.h, if it is given
  bool has_torsional_or_rolling_friction() const {
    return torsional_friction > 0.0 || rolling_friction > 0.0;
  }
};

// Sets neither the Hertz stiffness, which needs the radii of curvature, nor the barriers, which depend on a
// stiffness that may still be replaced.
PairMaterial combine(const ContactMaterial& a, const ContactMaterial& b);
// Sets the barriers of a pair whose stiffness is known.
void set_barriers(const ContactMaterial& a, const ContactMaterial& b, PairMaterial* pair);

// Replaces the stiffness of a pair (N/m), and scales what follows from it.
void set_stiffness(double stiffness, PairMaterial* pair);

// E* of two surfaces (Pa), one of which may be rigid; no value if neither has a modulus.
std::optional<double> combined_modulus(const ContactMaterial& a, const ContactMaterial& b);

// The points of the force table of a pair; empty: neither side has one.
std::vector<ForcePoint> combined_force_table(const ContactMaterial& a, const ContactMaterial& b);

// Throws UserError, which names the owner, if a number is not finite or negative, or a stiffness is zero.
void check_material(const ContactMaterial& material, const char* owner);

// Friction coefficient between static and kinetic, by the slip of the previous step (m/s), lagged so that the
// cost stays convex: mu_s below 10 stiction tolerances v_s, mu_d far above,
//
//   mu = mu_d + (mu_s - mu_d)/2 (1 - g(s - 10)/g(10)),   s = slip/v_s,   g(x) = x/sqrt(1 + x^2)
double blended_friction(const PairMaterial& pair, double slip, double v_s);

}  // namespace stiction
