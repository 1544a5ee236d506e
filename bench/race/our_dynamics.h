#pragma once
// Our side of the dynamics races: a model, its work space and the random states that all sides run over.

#include "bench/race/contestant.h"
#include "stiction/multibody/dynamics_derivatives.h"
#include "stiction/multibody/forward_dynamics.h"
#include "stiction/multibody/inverse_dynamics.h"
#include "stiction/multibody/kinematics.h"
#include "stiction/multibody/mass_matrix.h"
#include "stiction/simulation/model/model.h"

namespace stiction::race {

// In our coordinates; vdot is an input of inverse dynamics, tau one of forward dynamics: they do not belong
// together.
struct OurState {
  VecX q, v, vdot, tau;
};

// What we give for one state. Blocks of different trees are put into one matrix.
struct OurAnswer {
  MatX M;
  VecX bias, vdot_of_tau, tau_of_vdot;
  VecX vdot_by_articulated_bodies;
  MatX tau_dq, tau_dv, vdot_dq, vdot_dv, vdot_dtau;
};

class OurDynamics {
 public:
  // The model must outlive this.
  explicit OurDynamics(const Model& model);

  const Forest& forest() const { return forest_; }
  const std::vector<OurState>& states() const { return states_; }
  OurAnswer answer(int state);

  // The ways to do the work; each run goes once over all states.
  std::vector<Contestant> dynamics_stages();
  std::vector<Contestant> forward_dynamics();
  std::vector<Contestant> inverse_dynamics_derivatives();
  std::vector<Contestant> forward_dynamics_derivatives();

 private:
  void run_stages(const OurState& state);
  void run_forward_by_mass_matrix(const OurState& state);         // vdot in x_
  void run_forward_by_articulated_bodies(const OurState& state);  // vdot in x_
  void run_inverse_derivatives(const OurState& state);
  void run_forward_derivatives(const OurState& state);
  Contestant contestant(const char* name, void (OurDynamics::*run)(const OurState&));

  const Forest& forest_;
  std::vector<OurState> states_;
  Kinematics kinematics_;
  MassMatrix mass_matrix_;
  NodeForces forces_;
  ArticulatedBodies articulated_bodies_;
  InverseDynamicsDerivatives inverse_derivatives_;
  ForwardDynamicsDerivatives forward_derivatives_;
  AlignedVector<double> poses_;
  AlignedVector<double> bias_, x_;
};

}  // namespace stiction::race
