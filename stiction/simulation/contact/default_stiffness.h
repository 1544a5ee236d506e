#pragma once
// The stiffness of pairs of shapes that nobody gave one:
//
//   k = max(load, min(1e6 N/m, resolved))
//   resolved = 4 pi^2 m_eff/h^2              the pair swings once in a step
//   load     = max(F_A/d_A, F_B/d_B, P/d)    what rests on a shape or is pressed sinks by d at most
//   d_A      = max(1e-3 of A's smallest extent, 10 um)
//
// F_A is the weight of the body that A moves with, P the force with which the actuators can press the one shape or
// the other, d the smaller of d_A and d_B; shapes that do not move, and shapes without bounds, have no d. So one
// point bears a load, and a light body that bears none gets no stiffness that the step cannot resolve: such a one
// costs iterations and rebounds, and shows nothing.
//
// m_eff is the reduced mass of the two at the model's q0, 1/m_eff = w_A + w_B. For a free body w is 1/mass. For a
// shape of a robot it is the mobility of the shape by itself, in the direction in which it moves most easily,
//
//   w = lambda_max(W + r^2 W_r),   W, W_r = J M^-1 J' of velocity and rotation at the centre of its box (3 x 3),
//
// r half its smallest extent; two shapes of one robot count as if they were of two. P is the force that would
// hold the shape against its actuators in that direction, M^-1 tau_d being what the largest force of the actuators
// on the joint d does,
//
//   P = sum_d (|n . v_d| + r |n . w_d|) tau_d/w,   (v_d, w_d) = J M^-1 e_d,   n the direction of w
//
// over the joints between the shape and its base. For a finger on a slide P is the actuator's force, for a link on a
// hinge tau over the distance to its axis.
// Actuators without a finite range press with nothing here, but where a robot on a free joint has them its weight can
// rest on what they hold: P is its weight at least (a foot, whose own link weighs next to nothing).
//
// The numbers are of the model; h is that for which the World was made (Formulation::stiffness_step). Changing the
// step later changes no stiffness.

#include <memory>
#include <string>
#include <vector>

#include "stiction/simulation/actuation/actuation.h"
#include "stiction/simulation/contact/contact_model.h"

namespace stiction {

inline constexpr double kLeastSag = 1e-5;  // m

// Of one collision item.
struct ContactLoad {
  double inverse_mass = 0.0;  // 1/kg, w; 0: it does not move
  double weight = 0.0;        // N, of what it moves with
  double press = 0.0;         // N, P
  double sag = kUnbounded;    // m, d
  // N/m, at which its own weight sinks by d.
  double weight_stiffness() const { return weight / sag; }
};

struct DefaultStiffness {
  std::vector<ContactLoad> loads;  // in the order of CollisionModel::items

  // N/m, of a pair of items in a World made for the step h (s).
  double of(int i, int j, double h) const;
  double load_of(int i, int j) const;
  double resolved(int i, int j, double h) const;
};

std::shared_ptr<const DefaultStiffness> make_default_stiffness(const Model& model,
                                                               const CollisionModel& collision,
                                                               const ActuationModel& actuation);

// Notes for the user: one about shapes without a given stiffness whose load asks for more than the default, and for
// how many of them the step h (s) does not resolve it; and one about shapes whose given stiffness lets them sink by
// more than 3 % of their extent.
std::vector<std::string> stiffness_notes(const Model& model, double h);

}  // namespace stiction
