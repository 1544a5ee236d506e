#pragma once
// The elastic energy of a contact point, and the two parts of its normal force by the formulas of its law.
//
// With the distance phi = phi0 + h z at the velocity z of the law (lagged: vn; similar: vn - mu |vt|_s; sap
// and rigid laws: that of the law's impulse, gamma_n = (vhat - z)/R_n), the force is f = f_e + f_d,
//
//   f_e = k (-phi)+, k_h (-phi)+^(3/2), or a barrier's (law/normal_force.h); E its potential, zero where a point opens
//   f_d = -k tau z       Kelvin-Voigt
//   f_d = -d z f_e       Hunt & Crossley
//   f_d = -f_e           where the law is open: f = (...)+
//
// Rigid laws have this with RigidOptions::material_compliance: R_n = 1/(h k (h + tau)), c* = -phi0/(h + tau) is
// the spring k with Kelvin-Voigt's damper,
//
//   gamma_n = (c* - z)/R_n = -h k (phi0 + h z) - h k tau z
//
//   z = vn              coulomb_ncp, pyramid_lcp, raisim
//   z = vn - mu |vt|    convex_cone, where it slides (R_t = 0)
//
// In the step of an impact with restitution gamma_n is that of the impact, and all of it beside h f_e is h f_d.
// Without the option they store nothing: their c* recovers a share of the penetration in each step, and R_n is
// what the solver needs.
//
// MuJoCo's law (law/mujoco_law.h) has no potential: with the acceleration a of the point its force is
//
//   f = (k d r - b vn - a)/R,
//
// which at one depth and one velocity is another one under other forces on the body.
//
// A Kelvin-Voigt damper may push before the point touches, against a spring -k phi < 0 that has no potential there:
// f_e = 0, and all of the force, -k (phi + tau z), is f_d. Where a barrier is continued by its tangent, f_d is the
// derivative of -d z f_e continued likewise. The stiffness is that of the law: sap has the one of S eq. 29 where that is
// less stiff, as has convex_cone where Newton's method needs a larger R_n, a point that overlaps under a
// barrier 4 pi^2/(w h^2).
//
// A point of a pressure patch has the spring of its force and stiffness, which is the first order of the energy of its
// pair; that energy itself is the integral of the smaller pressure over the overlap (geometry/field/pressure_patch.h).
//
// None of this reads the impulses of the solver: one that is not that of its law shows (NumericalLosses::solver).

#include "stiction/contact/law/contact_law.h"
#include "stiction/contact/law/rigid_laws.h"
#include "stiction/contact/options.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

struct Formulation;

// Whether contacts store energy under these options.
bool stores_contact_energy(const ContactOptions& options);

struct NormalForce {
  double elastic = 0.0, damping = 0.0;  // N
};

// Of point k of a pair of a posed step. Under geometric laws, and rigid ones without material_compliance, there
// is neither energy nor force.
class ContactSpring {
 public:
  ContactSpring(const StepRecord& r, const ContactOptions& options, std::size_t pair, int k);
  bool is_elastic() const { return stiffness_ > 0.0; }
  double energy(double distance) const;  // J
  // The integral of the elastic force over the distance (J), from the force alone: the energy at `from` less that at
  // `to`, if the force is that of the potential.
  double work(double from, double to) const;
  // v: the velocities at the end of the step.
  NormalForce force(const StepRecord& r, const VecX& v) const;
  // N s, the normal impulse of the law itself at v.
  double law_impulse(const StepRecord& r, const VecX& v) const;

 private:
  void set_rigid(const StepRecord& r, const ContactOptions& options, const PairMaterial& material,
                 double weight);
  bool has_reference() const { return is_rigid_ || is_sap_; }
  double rigid_impulse(double vn, double slip) const;
  double velocity(const StepRecord& r, const VecX& v) const;
  ElasticForce<double> spring_at(double distance) const;  // without dissipation

  int place_ = 0;  // in the contact problem
  Elasticity kind_ = Elasticity::linear;
  double stiffness_ = 0.0;  // in the unit of the elasticity; of a force table its scale
  const ForceTable* table_ = nullptr;
  double barrier_distance_ = 0.0;  // m, dh
  double zero_ = 0.0;              // m, distance at which a linear spring begins
  double relaxation_time_ = 0.0;   // s, of Kelvin-Voigt
  double d_ = 0.0;                 // s/m, of Hunt & Crossley
  double distance_ = 0.0;          // m, phi0
  bool is_sap_ = false, is_rigid_ = false;
  RigidParameters<double> row_ = {};  // of these two
  bool slip_opens_ = false;           // convex_cone
  bool rebounds_ = false;             // an impact with restitution
};

// Calls use(pair, k) for every contact point of a posed step.
template <class Use>
void for_each_point(const StepRecord& r, const Use& use) {
  for (std::size_t pair = 0; pair < r.collision.pairs.size() && pair < r.contact.places.size(); ++pair) {
    if (r.contact.places[pair].begin < 0) continue;
    const ShapePair& of = r.collision.pairs[pair];
    for (int k = 0; k < of.end - of.begin; ++k) use(pair, k);
  }
}

// The elastic energy of all contacts of a posed step, at its start (J): points, patches and layers.
double contact_energy(const Model& model, const StepRecord& r, const Formulation& f);

}  // namespace stiction
