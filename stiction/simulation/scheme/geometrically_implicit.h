#pragma once
// The scheme of the geometric laws (simulation/geometric/): motion without contact as semi_implicit_euler has
// it, contacts with the geometry at the end of the step (G 4.2). They bring it along whatever scheme a step
// asks for; with other laws it is semi_implicit_euler.

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
  void free_motion(const Model& model, const State& now, StepRecord* r) const override {
    free_.free_motion(model, now, r);
  }
  void advance(const Model& model, const State& now, const StepRecord& r, State* next) const override {
    free_.advance(model, now, r, next);
  }

 private:
  SemiImplicitEuler free_;
};

}  // namespace stiction
