#pragma once
// What contact needs of a model, made once and shared by all worlds of it: the material of every shape that
// can touch, and how two of them combine.
//
// Shapes of MJCF files combine by MuJoCo's rules: the shape of higher priority decides, otherwise condim and
// each number of friction are the larger of the two and solref and dmax are mixed by solmix. Condim 4 has
// torsional friction, condim 6 rolling friction as well. A negative solref (-k, -b) gives stiffness
// and damping, k in N/m and b in N s/m; a positive one (timeconst, dampratio) is approximated by
//
//   k = m_eff/(timeconst dampratio dmax)^2,   b = 2 m_eff/(timeconst dmax),   never below the defaults,
//
// with m_eff the reduced mass of the two bodies. A linear damper b becomes the relaxation time b/k of
// Kelvin-Voigt, and the d = b/(m_eff g) of Hunt & Crossley that is the same damper where the spring carries
// the weight m_eff g. A pair that the file lists has its own numbers. Shapes with a ContactMaterial combine
// as stiction/constraint/material.h says, whatever the other shape brings; a material with a stiffness alone
// replaces that of solref and leaves the rest to MuJoCo's rules.
//
// Where nobody gave a stiffness it is raised so that the weight of the heavier body, on one point, sinks it
// by at most 1e-3 of its smallest extent. Where nobody gave a modulus, Hertz's force is the linear one at
// that depth.

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
  bool has_material = false;        // one of its numbers is given, a stiffness apart
  double mass = 0.0;                // kg, of the node that carries the shape; 0 if it does not move
  double sag = 0.0;                 // m, kLargestSag of the smallest extent; 0: the shape has no end
  double smallest_stiffness = 0.0;  // N/m, so that its weight sinks it by at most its sag
  double radius = 0.0;              // m, of curvature for Hertz's law: half the smallest extent; 0: flat
  // MJCF's numbers.
  int priority = 0;
  double solmix = 1.0;
  SolverReference solref = kDefaultSolref;
  SolverImpedance solimp = kDefaultSolimp;
  std::array<double, 3> friction = {1, 5e-3, 1e-4};  // sliding (1), torsional (m), rolling (m)
  int condim = 3;

  bool operator==(const ContactItem&) const = default;
};

struct ContactModel {
  std::vector<ContactItem> items;  // as in CollisionModel::items
  std::vector<double> masses;      // of all of them, kg
  bool by_mujoco_rules = false;
  double gravity = 0.0;  // m/s^2
  // Pairs with numbers of their own, sorted by items.
  std::vector<IndexPair> listed;
  std::vector<PairMaterial> listed_materials;
  // Items of one kind are equal; by_kinds has the numbers of every two kinds, where the kinds are few.
  std::vector<int> kind_of_item;
  int kinds = 0;
  std::vector<PairMaterial> by_kinds;
  double largest_friction = 0.0;
  double largest_friction_length = 0.0;  // m, torsional or rolling
  double largest_relaxation_time = 0.0;  // s; of pairs that have one
  bool has_default_relaxation = false;   // some pair takes that of one step

  // The numbers of a pair of items.
  PairMaterial pair(int i, int j) const;

 private:
  friend std::shared_ptr<const ContactModel> make_contact_model(const Model&, const CollisionModel&);
  PairMaterial combined(const ContactItem& a, const ContactItem& b) const;
  void tabulate();
  void list(const IndexPair& pair, const PairMaterial& material);
  void bound(const PairMaterial& pair);
};

// Overrides of pairs of shapes that cannot touch have no effect.
std::shared_ptr<const ContactModel> make_contact_model(const Model& model, const CollisionModel& collision);

// On how large a gap bodies may slide under a law, by their speed (collision.h); surface_velocities of the collision
// items, in m/s, or empty.
SlidingGap sliding_gap(const ContactModel& model, const ContactOptions& options,
                       const std::vector<Vec3>& surface_velocities, double h);

// A sentence about shapes whose stiffness was raised for their weight, where nobody gave one, and one about
// those that sink by more than 3 % of their extent because somebody did.
std::vector<std::string> stiffness_notes(const Model& model);

}  // namespace stiction
