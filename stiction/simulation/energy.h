#pragma once
// The energies of a state, and the books of a step: every work and every loss by name, so that
//
//   energy before + work = energy after + dissipated + numerical.
//
// No entry is computed from the others: energy_audit.h has the formula of each.

#include <algorithm>
#include <cmath>

#include "stiction/simulation/model/model.h"
#include "stiction/simulation/state.h"

namespace stiction {

// All in J.
struct Energies {
  double kinetic = 0.0;   // of bodies and of the rotors behind the joints (armature)
  double gravity = 0.0;   // -sum m g . c
  double springs = 0.0;   // of joints
  double tendons = 0.0;   // springs of tendons
  double bushings = 0.0;  // springs of bushings
  double contacts = 0.0;  // of the contact points' springs, and of the layers of geometric_quasi_rigid
  double equalities = 0.0, limits = 0.0;  // springs that the model gives them (constraint_energy.h)
  double total() const;
};

// The work of everything that is not in Energies: it can come from outside (actuators, applied forces,
// prescribed motions) or, as with limits, from the stabilisation of a condition. Negative: energy taken out. Of
// equalities and limits: those that are as rigid as the step allows.
struct StepWork {
  double actuators = 0.0;             // without the damping of drives; with adhesion
  double applied = 0.0;               // joint forces and wrenches
  double prescribed_motion = 0.0;     // kinematic bodies
  double belts = 0.0;                 // moving surfaces
  double fluid = 0.0;                 // negative unless there is wind
  double gravity_compensation = 0.0;  // what does not count as actuator force
  double equalities = 0.0;            // loop closures, couplings, locks: their stabilisation
  double limits = 0.0;                // of joints, tendons, slots, ropes; their stabilisation included
  double total() const;
};

struct EnergyLosses {
  double joint_dampers = 0.0;
  double tendon_dampers = 0.0;
  double bushing_dampers = 0.0;
  double equality_dampers = 0.0, limit_dampers = 0.0;  // beside their springs
  double drive_damping = 0.0;                          // of servos within their bounds
  double joint_friction = 0.0;                         // of joints and tendons
  double support_friction = 0.0;  // of bodies on a support with a given load, slip and turn
  double layer_dampers = 0.0;     // of geometric_quasi_rigid, along the normal and in shear
  double contact_normal = 0.0;    // damping; of rigid points without a spring all work along the normal
  double contact_friction = 0.0;  // sliding, torsional, rolling
  double total() const;
};

// What the time stepping itself takes out (positive) or puts in.
struct NumericalLosses {
  double velocities = 0.0;  // (theta_vq - 1/2) dv' M dv, dv the change of v in the step (theta_vq: scheme.h)
  double inertia = 0.0;     // Coriolis forces are taken as constant over the step
  // Forces of these kinds are taken as constant while positions change.
  double gravity = 0.0;
  double springs = 0.0;
  double tendons = 0.0;
  double bushings = 0.0;
  double equalities = 0.0, limits = 0.0;  // the springs that the model gives them
  double contacts = 0.0;  // gaps are taken as linear in time, and contacts open or close within the step
  double geometry = 0.0;  // motion of contact points and constraints beyond first order in h
  double solver = 0.0;    // momentum that the contact solver left unbalanced, impulses beside their law
  double total() const;
};

template <class Parts>
struct EnergyPart {
  const char* name;
  double Parts::*value;
};

inline constexpr EnergyPart<Energies> kEnergyParts[] = {
    {"kinetic", &Energies::kinetic},       {"gravity", &Energies::gravity},
    {"springs", &Energies::springs},       {"tendons", &Energies::tendons},
    {"bushings", &Energies::bushings},     {"contacts", &Energies::contacts},
    {"equalities", &Energies::equalities}, {"limits", &Energies::limits}};
inline constexpr EnergyPart<StepWork> kWorkParts[] = {
    {"actuators", &StepWork::actuators},
    {"applied", &StepWork::applied},
    {"prescribed_motion", &StepWork::prescribed_motion},
    {"belts", &StepWork::belts},
    {"fluid", &StepWork::fluid},
    {"gravity_compensation", &StepWork::gravity_compensation},
    {"equalities", &StepWork::equalities},
    {"limits", &StepWork::limits}};
inline constexpr EnergyPart<EnergyLosses> kLossParts[] = {
    {"joint_dampers", &EnergyLosses::joint_dampers},
    {"tendon_dampers", &EnergyLosses::tendon_dampers},
    {"bushing_dampers", &EnergyLosses::bushing_dampers},
    {"equality_dampers", &EnergyLosses::equality_dampers},
    {"limit_dampers", &EnergyLosses::limit_dampers},
    {"drive_damping", &EnergyLosses::drive_damping},
    {"joint_friction", &EnergyLosses::joint_friction},
    {"support_friction", &EnergyLosses::support_friction},
    {"layer_dampers", &EnergyLosses::layer_dampers},
    {"contact_normal", &EnergyLosses::contact_normal},
    {"contact_friction", &EnergyLosses::contact_friction}};
inline constexpr EnergyPart<NumericalLosses> kNumericalParts[] = {
    {"velocities", &NumericalLosses::velocities}, {"inertia", &NumericalLosses::inertia},
    {"gravity", &NumericalLosses::gravity},       {"springs", &NumericalLosses::springs},
    {"tendons", &NumericalLosses::tendons},       {"bushings", &NumericalLosses::bushings},
    {"equalities", &NumericalLosses::equalities}, {"limits", &NumericalLosses::limits},
    {"contacts", &NumericalLosses::contacts},     {"geometry", &NumericalLosses::geometry},
    {"solver", &NumericalLosses::solver}};

template <class Parts, std::size_t n>
double sum_of(const EnergyPart<Parts> (&list)[n], const Parts& parts) {
  double sum = 0.0;
  for (const EnergyPart<Parts>& part : list) sum += parts.*part.value;
  return sum;
}
inline double Energies::total() const { return sum_of(kEnergyParts, *this); }
inline double StepWork::total() const { return sum_of(kWorkParts, *this); }
inline double EnergyLosses::total() const { return sum_of(kLossParts, *this); }
inline double NumericalLosses::total() const { return sum_of(kNumericalParts, *this); }

// The books of a step, or of several in a row.
struct EnergyBooks {
  Energies before, after;
  StepWork work;
  EnergyLosses dissipated;
  NumericalLosses numerical;

  // What is missing (J); zero if every force is counted and every formula right.
  double error() const;
  // The largest of all works, losses and changes of an energy, and of the kinetic energies; but no less than
  // kLeastTurnover times the largest energy, whose round-off limits what can be seen.
  double turnover() const;
  double relative_error() const;
};
inline constexpr double kLeastTurnover = 1e-4;

// Of a run: the sum of its steps, and the worst of them.
struct EnergyTotals {
  EnergyBooks sum;
  long steps = 0;
  double largest_error = 0.0;  // relative, of a step
  double worst_time = 0.0;     // s, at the start of that step
  void add(const EnergyBooks& step, double time);
};

// Of a state; kinematic bodies and switched constraints as the input has them. Contacts are left at 0: their
// energy depends on the law and on the step (EnergyAudit::energies).
Energies energies(const Model& model, const State& state, const Input& input = {});
// The same from kinematics with positions and velocities, and the lengths of tendons.
Energies energies(const Model& model, const ConstraintSwitches& switches, const Kinematics& kinematics,
                  const std::vector<double>& tendon_lengths, const VecX& q, const VecX& v);

}  // namespace stiction
