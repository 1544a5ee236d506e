#pragma once
// Random dual contact problems that have a solution: free bodies in contact with each other and with the
// world, moving into each other. At rest all of them are satisfied, so that there is a solution whatever the
// rank of J.

#include <cstdint>

#include "stiction/contact/dual_problem.h"

namespace stiction::claims {

struct RandomContacts {
  ContactProblem problem;  // under coulomb_ncp
  DualProblem dual;        // its only island
};

// 1 to 3 bodies between 0.1 and 10 kg, 1 to 4 contacts where two of them, or one and the world, meet;
// friction 0 to 1. The same for the same seed.
RandomContacts random_contacts(std::uint64_t seed);

// For Newton's method: convex_cone with compliances of so many times |W_ii| / 3 of a contact.
void make_primal(double normal_share, double tangential_share, RandomContacts* contacts);

}  // namespace stiction::claims
