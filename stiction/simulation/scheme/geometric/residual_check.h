#pragma once
// Checks the residuals of a geometrically implicit step from its result alone: distances by the narrow phase
// at the poses at the end of the step, momentum with the Jacobians there, the friction law with the
// velocities there and the friction coefficient and direction of the start of the step. Shares no code with
// the solver or its implicit functions, beside the numbers that a step is posed with (layers.h, the friction tensor).
//
// With the normal impulse p, friction f and moment m of a contact, P the larger of the largest impulse of the
// step and the weight of all bodies times h, L the size of the smaller shape: p < 0 is an error, f without a
// normal impulse or without friction, the part of m across n, which is none of this law (rolling), and all of m
// without torsional friction. Everything that is wrong at p = 0 or mu = 0 is relative to P, or to P L.
//
// Closest points: a ball outside a shape that touches it at a point, on the side of the normal n, has that point as the
// nearest of the shape. Layers (geometric_quasi_rigid) recede by their deflection d: the closest points are d_n below
// the surfaces, and a layer bears what its law says,
//
//   (p, -f_1, -f_2) = h K d + C (d - d0) + (core, 0, 0),   min(core, d_max - d_n) = 0,
//
// with d0 of StepRecord::deflections. The slip is that of the bodies less the rates of shear.
//
// Does not cover overlaps at the start of the step and impacts with restitution; tests check these against their own
// targets.

#include "stiction/simulation/state.h"
#include "stiction/simulation/step.h"
#include "stiction/simulation/step_record.h"

namespace stiction {

struct GeometricResidual {
  double overlap = 0.0;          // the deepest at the end, divided by the size of the smaller shape
  double complementarity = 0.0;  // distance of contacts with an impulse, divided by that size
  double points = 0.0;           // of closest points, gap and normal from those of the shapes, likewise
  double pull = 0.0;             // -p/P
  double cone = 0.0;             // friction beyond mu p, divided by that; by P where p or mu is zero
  double moment = 0.0;           // what the law has no moment for, divided by P L
  double dissipation = 0.0;      // friction not opposite to the slip, divided by the normal impulse
  double stick = 0.0;            // m/s, slip although friction is below its limit
  double slip = 0.0;             // m/s, what a contact that presses says of its slip, against its bodies
  double layer = 0.0;            // impulse on a layer against its law, divided by P
  double rows = 0.0;             // impulses of scalar rows against their law, divided by the largest of them
  double motion = 0.0;           // m or rad, positions at the end against those at the start moved by v
  double momentum = 0.0;         // A (v - v_free) - J' impulse - J' rows, divided by its largest term
};

// next: the state to which the record's step from `now` led.
GeometricResidual check_geometric_residual(const Model& model, const State& now, const Formulation& f,
                                           const StepRecord& r, const State& next);

}  // namespace stiction
