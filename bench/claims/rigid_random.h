#pragma once
// Random dual contact problems that have a solution: free bodies in contact with each other and with the
// world, moving into each other. At rest all of them are satisfied, so that there is a solution whatever the
// rank of J.

#include <cstdint>

#include "stiction/contact/dual/problem.h"

namespace stiction::claims {

struct RandomContacts {
  ContactProblem problem;  // under coulomb_ncp
  DualProblem dual;        // its only island, or the largest
};

// 1 to 3 bodies between 0.1 and 10 kg, 1 to 4 contacts where two of them, or one and the world, meet;
// friction 0 to 1. The same for the same seed.
RandomContacts random_contacts(std::uint64_t seed);

// The hard ones: 1 to 200 contacts of 1 to 60 bodies in towers, piles and heaps, masses from 0.1 to 10 kg and
// in every fourth problem from 1e-3 to 1e3 kg, friction 0 to 2 and none at every eighth pair, up to 12 points
// where two bodies meet, half of the time on a plane: most of them are hyperstatic. The dual is that of the
// largest island. The same for the same seed.
RandomContacts hard_random_contacts(std::uint64_t seed);

// For Newton's method: convex_cone with compliances of so many times |W_ii| / 3 of a contact.
void make_primal(double normal_share, double tangential_share, RandomContacts* contacts);

}  // namespace stiction::claims
