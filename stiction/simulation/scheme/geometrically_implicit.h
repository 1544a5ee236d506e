#pragma once
// The scheme of the geometric laws (scheme/geometric/): the motion without contact is that of
// semi_implicit_euler; contacts are solved with the geometry at the end of the step (G 4.2). A geometric law
// always uses this scheme, whichever one the step asks for; with any other law it behaves as
// semi_implicit_euler.
//
// The contact problem with the points at the start of the step is solved first. Its solution is the initial
// guess, and it is kept for islands whose geometric problem could not be solved. If there are such islands,
// or pairs that were too far apart at the start to have contact points but overlap at the end, the step is
// repeated as two half steps, each of which may be halved again. The record then describes the whole step and
// holds its parts (step_record.h).

#include "stiction/simulation/scheme/semi_implicit_euler.h"

namespace stiction {

class GeometricallyImplicit final : public Scheme {
 public:
  const char* name() const override { return "geometrically_implicit"; }
  const char* description() const override {
    return "contacts where the bodies are at the end of the step (G), with the geometric laws";
  }
  StepTheta theta() const override { return free_.theta(); }
  int order() const override { return free_.order(); }
  void free_motion(const Model& model, const State& now, const Input& input, StepRecord* r,
                   SchemeWorkspace* work) const override {
    free_.free_motion(model, now, input, r, work);
  }
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override {
    free_.advance(model, now, r, next);
  }
  ContactOptions posed_contact(const ContactOptions& asked) const override;
  void solve_contact(const Model& model, const State& now, const Formulation& f, StepRecord* r,
                     StepWorkspace* w) const override;
  void remember(const Formulation& f, const StepRecord& r, const StepWorkspace& w,
                ContactMemory* memory) const override;
  StepReport step(const Model& model, const State& now, const Input& input, double h, const Formulation& f,
                  StepRecord* r, StepWorkspace* w, State* next) const override;

 private:
  // Takes a step of h in up to 2^halvings parts; if there is more than one, appends their records to `parts`.
  StepReport step_in_parts(const Model& model, const State& now, const Input& input, double h,
                           const Formulation& f, int halvings, StepRecord* r, StepWorkspace* w,
                           std::vector<StepRecord>* parts, State* next) const;

  SemiImplicitEuler free_;
};

// The options of the contact problem with the points at the start of the step.
ContactOptions explicit_options(const ContactOptions& options);

}  // namespace stiction
