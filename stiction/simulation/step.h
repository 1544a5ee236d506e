#pragma once
// One step, as a pure function: state, input and step size in, next state out.

#include "stiction/constraint/row_laws.h"
#include "stiction/contact/contact_solver.h"
#include "stiction/contact/options.h"
#include "stiction/simulation/scheme/scheme.h"
#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"
#include "stiction/simulation/step_workspace.h"

namespace stiction {

// How a step is taken.
struct Formulation {
  const Scheme* scheme = scheme_list().front();
  bool finds_contacts = true;  // false: no contacts
  // s, for which the stiffness of pairs is made that nobody gave one (contact/default_stiffness.h); 0: the step at
  // hand. A World sets it to the step that it was made with, so that other steps later change no stiffness.
  double stiffness_step = 0.0;
  ContactOptions contact;
  ConstraintOptions constraints;
  NewtonOptions newton;
  DualOptions dual;            // of the solvers of rigid laws
  GeometricOptions geometric;  // of the geometric laws
  bool times_stages = false;   // adds the time of every stage to StepWorkspace::timers
  bool certifies = false;      // every step has its certificate in the report; allocates
};

// Advances the state from `now` to `next` (not the same object) by a step of h seconds. Results go to the
// record. The workspace has everything else that the step uses; it does not affect the results. Never throws
// because of the motion: the report says if the step failed, and `next` is then not meaningful.
StepReport step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                StepRecord* r, StepWorkspace* w, State* next);

// The first half of a step in one part: everything up to the contact problem, which is posed and not solved.
// False: the free motion failed, see the report.
bool pose_step(const Scheme& scheme, const Model& model, const State& now, const Input& input, double h,
               const Formulation& f, StepRecord* r, StepWorkspace* w);

// A step in one part, by the given scheme.
StepReport single_step(const Scheme& scheme, const Model& model, const State& now, const Input& input,
                       double h, const Formulation& f, StepRecord* r, StepWorkspace* w, State* next);

}  // namespace stiction
