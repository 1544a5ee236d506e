#pragma once
// What contact needs of a model, made once and shared by all its worlds: the material of every shape that can
// collide, and how two of them combine.
//
// Shapes of MJCF files combine by MuJoCo's rules: the shape of higher priority decides; otherwise condim and
// each friction coefficient are the larger of the two, and solref and dmax are mixed by solmix. Condim 4 has
// torsional friction, condim 6 rolling friction as well. A negative solref (-k, -b) gives stiffness and
// damping, k in N/m and b in N s/m; a positive one (timeconst, dampratio) gives no stiffness, and the damping
//
//   b = 2 m_eff/(timeconst dmax)
//
// but never less than the default, with m_eff the reduced mass of the two bodies. A linear damper b becomes the
// relaxation time b/k of Kelvin-Voigt, and the d = b/(m_eff g) of Hunt & Crossley, which is the same damper
// when the spring supports the weight m_eff g.
//
// A pair that the file lists has its own parameters. Shapes with a ContactMaterial combine as
// stiction/constraint/material.h says, whatever the other shape has; a material that only gives a stiffness,
// dissipation, relaxation time or restitution replaces that of solref and leaves the rest to MuJoCo's rules.
//
// If no stiffness is given, the pair has kDefaultStiffness here, and that of default_stiffness.h in a World. If no
// modulus is given, it is chosen so that the Hertz force equals the linear force at 1e-3 of the smaller extent.

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stiction/constraint/contact_rows.h"
#include "stiction/constraint/material.h"
#include "stiction/simulation/collision/collision.h"

namespace stiction {

inline constexpr double kLargestSag = 1e-3;  // of the smallest extent

struct ContactItem {
  ContactMaterial material;
  bool has_material = false;        // see gives_friction
  double mass = 0.0;                // kg, of the node that the shape moves with; 0 if it does not move
  double sag = 0.0;                 // m, kLargestSag times the smallest extent; 0: the shape is unbounded
  double radius = 0.0;              // m, of curvature for Hertz's law: half the smallest extent; 0: flat
  // MJCF's parameters.
  int priority = 0;
  double solmix = 1.0;
  SolverReference solref = kDefaultSolref;
  SolverImpedance solimp = kDefaultSolimp;
  std::array<double, 3> friction = {1, 5e-3, 1e-4};  // sliding (1), torsional (m), rolling (m)
  int condim = 3;

  bool operator==(const ContactItem&) const = default;
};

// Whether a material has more than those numbers that leave friction to MuJoCo's rules: stiffness,
// dissipation, relaxation time and restitution.
bool gives_friction(const ContactMaterial& material);

struct ContactModel {
  std::vector<ContactItem> items;  // in the order of CollisionModel::items
  std::vector<double> masses;      // of all of them, kg
  bool by_mujoco_rules = false;
  double gravity = 0.0;  // m/s^2
  // Pairs with parameters of their own, sorted by items.
  std::vector<IndexPair> listed;
  std::vector<PairMaterial> listed_materials;
  // Equal items have the same kind; by_kinds has the parameters of every two kinds, if there are few kinds.
  std::vector<int> kind_of_item;
  int kinds = 0;
  std::vector<PairMaterial> by_kinds;
  double largest_friction = 0.0;
  double largest_friction_length = 0.0;   // m, torsional or rolling
  double largest_relaxation_time = 0.0;   // s; of pairs that have one
  double largest_barrier_distance = 0.0;  // m
  bool has_default_relaxation = false;    // some pair uses the default, one step

  // The parameters of a pair of items.
  PairMaterial pair(int i, int j) const;

 private:
  friend std::shared_ptr<const ContactModel> make_contact_model(const Model&, const CollisionModel&);
  PairMaterial combined(const ContactItem& a, const ContactItem& b) const;
  void tabulate();
  void list(const IndexPair& pair, const PairMaterial& material);
  void bound(const PairMaterial& pair);
};

// Why the friction that a shape has does not act on another one: "'floor' has the higher priority". Empty: it acts.
std::string why_friction_does_not_act(const ContactModel& model, int item, int on_item,
                                      const std::string& other_name);

// Overrides of pairs of shapes that cannot collide have no effect.
std::shared_ptr<const ContactModel> make_contact_model(const Model& model, const CollisionModel& collision);

// The gap that the law leaves below sliding bodies, as a function of their speed (collision.h).
// surface_velocities: of the collision items, in m/s, or empty.
SlidingGap sliding_gap(const ContactModel& model, const ContactOptions& options,
                       const std::vector<Vec3>& surface_velocities, double h);

}  // namespace stiction
