#pragma once
// Dual contact problems for tests of solvers.

#include <cstdint>
#include <vector>

#include "stiction/contact/dual/problem.h"

namespace stiction {

DualBlock contact_block(double friction, int tangents = 2);
DualBlock scalar_block(double lower, double upper);

// W given whole.
DualProblem dense_problem(const std::vector<DualBlock>& blocks, const MatX& W, const VecX& r, const VecX& R);
DualProblem dense_problem(const std::vector<DualBlock>& blocks, const MatX& W, const VecX& r);

// A body of 2 kg, all of whose mobility is 1/m, that meets the ground at the velocity v = (t1, t2, n).
DualProblem block_on_ground(const Vec3& v, double mu);

MatX random_spd(int n, std::uint64_t seed);

struct BodiesSpec {
  int bodies = 3;        // free bodies with random inertias, between 1 and a few kg
  int patches = 5;       // between two bodies and between a body and the world, alternately
  int points = 2;        // of a patch
  int rows = 0;          // scalar rows of two bodies: equalities, limits and boxes alternately
  bool turns = false;    // torsional and rolling friction at every second point
  double friction = -1;  // negative: 0, then random up to 1
  double R = 0.0;        // 1/kg, of all contacts; tangents have a tenth of it
};
// Contacts at random places with random normals; moving into each other at up to 1 m/s. v = 0 satisfies all
// of them, so that there are solutions whatever the rank.
DualProblem random_bodies(const BodiesSpec& spec, std::uint64_t seed);

}  // namespace stiction
