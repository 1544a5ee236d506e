#pragma once
// Judges a geometrically implicit step by its outcome alone: shapes where the bodies are at its end, by the
// narrow phase; momentum by the Jacobians there; the friction law by the velocities there, with the
// coefficient and the grain of the start of the step. Shares no code with the solver or its implicit
// functions.
//
// Forgets what the steps before it left: overlaps at the start, impacts that bounce, and layers are judged by
// their own targets in tests.

#include "stiction/simulation/state.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

struct GeometricResidual {
  double overlap = 0.0;          // the deepest at the end, over the size of the smaller shape
  double complementarity = 0.0;  // distance of what pushes, over that size
  double cone = 0.0;             // friction beyond mu times the normal impulse, over that
  double dissipation = 0.0;      // friction off the direction against the slip, over the normal impulse
  double stick = 0.0;            // m/s, slip below the limit of friction
  double momentum = 0.0;         // A (v - v_free) - J' impulse - J' rows, over the largest of its terms
};

// next: where the record's step from `now` led.
GeometricResidual check_geometric_residual(const Model& model, const State& now, const StepRecord& r,
                                           const State& next);

}  // namespace stiction
