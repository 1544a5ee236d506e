#pragma once
// Initial guess of a geometrically implicit contact: from the closest points of the shapes at a guess of the
// end of the step, the functions that are part of the contact, their multipliers, and all unknowns.

#include "stiction/geometry/contact_point.h"
#include "stiction/simulation/scheme/geometric/contact_conditions.h"

namespace stiction {

// Known before the solve.
struct ContactGuess {
  ContactPoint closest;         // at the poses of the guess
  Vec3 impulse = Vec3::Zero();  // N s, on B
  double turning = 0.0;         // N m s, about the normal, on B
  // Of soft shapes: the shear of their layers at the start, in W (m); distance and velocity of the closest points (m,
  // m/s) at the end of the motion without contact.
  Vec3 shear_A = Vec3::Zero(), shear_B = Vec3::Zero();
  double free_distance = 0.0;
  Vec3 free_velocity = Vec3::Zero();
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

// Of the surface of B at a_B relative to that of A at a_A, m/s.
Vec3 relative_velocity(const BodyState& A, const BodyState& B, const Vec3& a_A, const Vec3& a_B,
                       const ContactSetup& s);

// The layers of a contact at the poses and velocities of the guess bear s = (p, -p_t1, -p_t2) (contact_conditions.h) as
// springs and dampers in series. With D the sum of their deflections, D_n the overlap and D_t that of a contact that
// sticks,
//
//   d_i = M_i^-1 (s + C_i d0_i),   M_i = h K_i + C_i,   s = (sum of M_i^-1)^-1 (D - sum of M_i^-1 C_i d0_i),
//
// and no more than stops the bodies: layers stiffer than their masses allow in a step would bear many times that at
// velocities that are only guessed. Whether they bear anything is seen in the motion without contact. The impulse between rigid bodies is no guess of s: bodies that part have none while their
// layers still push them and hold the shear of the whole slide.
Mat3 layer_compliance(const ContactSetup& s);  // sum of M_i^-1, m/(N s)
Vec3 borne_by_layers(const ContactGuess& guess, const BodyState& A, const BodyState& B,
                     const ContactSetup& s);  // N s, before friction is compared with its limit

// The unknowns, in SI units.
void guess_unknowns(const ContactGuess& guess, const BodyState& A, const BodyState& B, const ContactSetup& s,
                    const ContactLayout& at, double* z);

// Whether a function that is not part of the contact is violated at the solution.
bool leaves_functions(const ContactSetup& s, const ContactLayout& at, const double* z);

}  // namespace stiction
