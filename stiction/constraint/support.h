#pragma once
// Dry friction of a body that lies on a plane with a given load: one force in the plane and one moment about
// its normal, in one ellipsoid (2.5-D friction; G eqs. 4, 5 and section 6.4),
//
//   fx^2 + fy^2 + (tau/e)^2 <= (mu N)^2,    the one of most power taken,
//
//   N     the load (N), mu the coefficient of friction
//   e     friction length (m): the moment of pure turning is e mu N. Of a disc of radius R under uniform
//         pressure p it is the integral of mu p r over the disc, over mu N: 2 R/3
//
// A, on the body, is where friction acts (the centre of pressure); the plane is that of the x and y axes of
// B. The rows along x, along y and, with e in front, about z are a group with one bound, mu N
// (contact/problem.h): in these variables the ellipsoid is a ball. Sticking is as rigid as the step allows
// (row_laws.h), with the largest inverse mass of the rows.
//
// The ellipsoid is the model of G; the exact set of a disc (Goyal, Ruina, Papadopoulos 1991) has the same
// ends and lies a little outside it between them.

#include "stiction/constraint/loop_closure.h"

namespace stiction {

struct Support : LoopClosure {
  Support() { acts_at_first = true; }
  double limit = 0.0;   // N, mu N
  double length = 0.0;  // m, e; 0: nothing resists turning
};

inline int num_rows(const Support&) { return 3; }
// A support is as rigid as the step allows.
void write_rows(const Support& support, const RowCompliance& unused, int index, RowWriter* rows);
Vec6 wrench_on_first(const Support& support, const Pose& X_A, const Pose& X_B, int component, double force);

}  // namespace stiction
