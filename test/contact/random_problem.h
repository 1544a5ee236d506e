#pragma once
// Contact problems of random numbers.

#include <cstdint>

#include "stiction/contact/problem.h"

namespace stiction {

// Trees of free bodies and robots with random inertias, joined by random patches of one to five points; every
// third patch touches the world. Particles: one body a tree, with up to three velocities, which do not rotate
// it.
ContactProblem random_problem(LawKind law, int num_trees, int num_patches, std::uint64_t seed,
                              int num_rows = 0, bool are_particles = false);
// Makes the first body of every robot an ancestor of the second, which gets all of its columns and more.
void let_bodies_carry_others(std::uint64_t seed, ContactProblem* problem);
// Torsional and rolling friction at half of the points.
void add_friction_lengths(std::uint64_t seed, ContactProblem* problem);
// Robots that branch, with other inertias and columns.
void split_into_branches(std::uint64_t seed, ContactProblem* problem);

}  // namespace stiction
