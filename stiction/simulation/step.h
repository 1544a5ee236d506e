#pragma once
// One step, as a pure function: state, input and step size in, next state out.

#include "stiction/constraint/contact_rows.h"
#include "stiction/constraint/row_laws.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/scheme/scheme.h"
#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

// How a step is taken.
struct Formulation {
  const Scheme* scheme = scheme_list().front();
  bool finds_contacts = true;  // false: nothing touches
  ContactOptions contact;
  ConstraintOptions constraints;
  NewtonOptions newton;
  DualOptions dual;            // of the solvers of rigid laws
  GeometricOptions geometric;  // of the geometric laws
  bool times_stages = false;   // eight looks at the clock a step
  bool certifies = false;      // every step has its certificate in the report; allocates
};

// Takes `now` to `next` (not the same object) in a step of h seconds; everything in between stays readable in
// the record. Never throws for what happens in the motion: the report says so, and `next` is then not
// meaningful.
StepReport step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                StepRecord* r, State* next);

}  // namespace stiction
