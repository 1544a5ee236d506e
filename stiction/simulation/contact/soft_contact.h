#pragma once
// Force tables of pairs of shapes, and the inverse masses by which MuJoCo scales its contacts.
//
// MuJoCo's R needs the inverse mass of a body as its compiler finds it (body_invweight0): the mean over the axes
// of the acceleration of the body's own centre of mass per unit force there, at the position q0. A of a pair is
// the sum of both bodies' numbers (contact/law/mujoco_law.h).
//
// At rest a contact of MuJoCo's carries the force
//
//   f(r) = c k/A g(r),   g = d(r)^2/(1 - d(r)) r,   c = 1 for the elliptic cone, of pyramids with n edges
//   c = n/(2 (mu^2/impratio) (1 + mu^2)),           because each edge takes its share of the normal force.
//
// A pair of an MJCF file whose curve sinks deeper than that of MuJoCo's default numbers (both where
// c k g = 9.81 m/s^2, a body that carries itself) has been given soft surfaces, and the default law takes the
// curve as its force table: S = c k/A, table g. All other positive solrefs count as not given. kSofter is 1 but
// for the error of tables, 1e-5 of the force. Of the robots in ../shared/models, feet of ANYmal, Barkour and Go1
// sink 13 to 2,000 times as deep, shapes of all others at most as deep but for one: objects beside a humanoid
// with solimp=".9 .9 .01", 1.07 times, 0.39 mm for 0.37 mm.
//
// Laws without tables take the stiffness f/x that the table has under the load, the weight of the heavier of the
// two trees (robots, objects). MuJoCo's damper at this depth is the relaxation time b/(k d(x)) of Kelvin-Voigt,
// and over x Hunt & Crossley's d.

#include <memory>
#include <vector>

#include "stiction/constraint/material.h"
#include "stiction/simulation/collision/collision_model.h"

namespace stiction {

inline constexpr double kSofter = 1.0 + 1e-4;

// What a pair of shapes has in place of a stiffness.
struct PairCurve {
  int table = -1;          // in SoftContact::tables; -1: none
  double stiffness = 0.0;  // 1/s^2, c k of a curve of MuJoCo's; 0: the table is in N
  bool operator==(const PairCurve&) const = default;
};

struct SoftContact {
  std::vector<double> inverse_masses;                     // 1/kg, of the collision items; 0: it does not move
  std::vector<double> weights;                            // N, of the trees of the items
  std::shared_ptr<const std::vector<ForceTable>> tables;  // null: none
  // By kinds of items.
  std::vector<int> kind_of_item;
  int kinds = 0;
  std::vector<PairCurve> by_kinds;  // empty: no pair has one

  // Sets the inverse mass of the pair, and its curve if it has one and no stiffness is given.
  void set(int i, int j, PairMaterial* pair) const;
  void set(const PairCurve& curve, int i, int j, PairMaterial* pair) const;
};

// inverse_masses and weights.
void set_inverse_masses(const Model& model, const CollisionModel& collision, SoftContact* soft);

// The curve of a pair by MuJoCo's numbers; none if it is not soft. cone: "elliptic" or "pyramidal"; h (s): the
// model's time step, for MuJoCo's least time constant; condim: of the contact.
PairCurve mujoco_curve(const PairMaterial& pair, int condim, const std::string& cone, double h,
                       std::vector<ForceTable>* tables);
// The curve of a table of points in N.
PairCurve curve_of_points(std::span<const ForcePoint> points, std::vector<ForceTable>* tables);

}  // namespace stiction
