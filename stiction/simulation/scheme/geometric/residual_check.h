#pragma once
// Checks the residuals of a geometrically implicit step from its result alone: distances by the narrow phase
// at the poses at the end of the step, momentum with the Jacobians there, the friction law with the
// velocities there and the friction coefficient and direction of the start of the step. Shares no code with
// the solver or its implicit functions.
//
// Does not cover overlaps at the start of the step, impacts with restitution, and compliant layers; tests
// check these against their own targets.

#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

struct GeometricResidual {
  double overlap = 0.0;          // the deepest at the end, divided by the size of the smaller shape
  double complementarity = 0.0;  // distance of contacts with an impulse, divided by that size
  double cone = 0.0;             // friction beyond mu times the normal impulse, divided by that
  double dissipation = 0.0;      // friction not opposite to the slip, divided by the normal impulse
  double stick = 0.0;            // m/s, slip although friction is below its limit
  double momentum = 0.0;         // A (v - v_free) - J' impulse - J' rows, divided by its largest term
};

// next: the state to which the record's step from `now` led.
GeometricResidual check_geometric_residual(const Model& model, const State& now, const StepRecord& r,
                                           const State& next);

}  // namespace stiction
