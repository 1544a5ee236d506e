#pragma once
// Initial guess of a geometrically implicit contact: from the closest points of the shapes at a guess of the
// end of the step, the functions that are part of the contact, their multipliers, and all unknowns.

#include "stiction/geometry/contact_point.h"
#include "stiction/simulation/scheme/geometric/contact_conditions.h"

namespace stiction {

// Known before the solve.
struct ContactGuess {
  ContactPoint closest;                                           // at the poses of the guess
  Vec3 impulse = Vec3::Zero();                                    // N s, on B
  double turning = 0.0;                                           // N m s, about the normal, on B
  Vec3 deflection_A = Vec3::Zero(), deflection_B = Vec3::Zero();  // m
};

// The functions of a shape near its point y (in S) with outward normal d, and their weights m >= 0: sum of
// m_i grad f_i = d. At most kMostFunctions, those whose surfaces are nearest to y.
struct ActiveFunctions {
  FunctionSet set;
  std::array<double, kMostFunctions> weights = {};
};
ActiveFunctions active_functions(const CollisionShape& shape, const Vec3& y, const Vec3& d, double length);

// Sets functions, y_A0, R_A0 and frame of the setup.
void set_functions(const ContactGuess& guess, const BodyState& A, const BodyState& B, ContactSetup* s);

// The unknowns, in SI units.
void guess_unknowns(const ContactGuess& guess, const BodyState& A, const BodyState& B, const ContactSetup& s,
                    const ContactLayout& at, double* z);

// Whether a function that is not part of the contact is violated at the solution.
bool leaves_functions(const ContactSetup& s, const ContactLayout& at, const double* z);

}  // namespace stiction
