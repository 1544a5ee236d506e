#pragma once
// The springs and dampers of equalities and limits: the compliance that the model gives them (a stiffness and a damping;
// MJCF's negative solref), of couplings, pins, welds, rods, ropes and slots, and of the limits of tendons.
//
// A row with the violation phi (of a limit: the gap) and the stiffness k has the energy
//
//   E = 1/2 k phi^2              of a limit 1/2 k min(0, phi)^2
//
// and with the rate u of phi at the end of the step, where the rows act (constraint/row_laws.h), the force
//
//   f_e = -k (phi0 + h u)        of a limit k (-phi0 - h u)+
//   f_d = -d u                   of a limit (-k (phi0 + h u) - d u)+ - f_e: a damper does not pull
//
// Rotations of a weld have the vector log(R_A R_B'), of which the rate of its square is that of turning along it, and
// the forces of a pin that act at one point differ from those of two by moments that its own force does not have: E is
// the potential of f_e of all components together.
//
// Rows without a compliance, and those whose compliance is stiffer than the step allows, are rigid: their stabilisation
// has a stiffness of the step's own choice, which changes with it and with the inertia at each place. It stores nothing
// and its work is that of StepWork. In the second case E is that of the model all the same, and the step has none of its
// force.

#include <optional>

#include "stiction/simulation/energy.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// Of one row of a step.
struct RowSpring {
  double stiffness = 0.0, damping = 0.0;  // of the model
  double phi = 0.0;                       // m or rad, at the start
  double outside = 0.0;                   // m/s or rad/s, the part of its rate that is not J v
  bool is_limit = false;
  bool acts = true;  // false: the step takes the row as rigid

  double energy(double at) const;  // J
  // The integral of the elastic force (J), from the force alone: it is linear between the ends, of a limit from where it
  // is met.
  double work(double from, double to) const;
  struct Force {
    double elastic = 0.0, damping = 0.0;  // N or N m
  };
  // u: the rate of phi at the end of a step of h.
  Force force(double u, double h) const;
};

// No value: the model gives the row no compliance. bases: the prescribed motions at the start of the step, with the rest of
// the model at rest.
std::optional<RowSpring> row_spring(const Model& model, const StepRecord& r, std::size_t row,
                                    const Kinematics& bases);

// Adds the row to the books of its step: with the change of phi to first order, h (u + outside),
//
//   dissipated   equality_dampers, limit_dampers = -h f_d (u + outside)
//   numerical    equalities, limits = int f_e dphi - h f_e (u + outside),   geometry = E(phi0 + h (u + outside)) - E(phi0),
//                of which EnergyAudit takes the change of the energy that is found,
//                solver = -(impulse - h (f_e + f_d)) (u + outside)
//
// u: its rate J v along the way of the step, u_law that at the end. Returns the work of a row that is rigid in the step.
double add_row_spring(const RowSpring& spring, double impulse, double u, double u_law, double h,
                      EnergyBooks* books);

// Adds E of everything that acts: Energies::equalities and limits.
void add_constraint_energies(const Model& model, const ConstraintSwitches& switches,
                             const Kinematics& kinematics, const std::vector<double>& tendon_lengths,
                             const VecX& q, Energies* e);

}  // namespace stiction
