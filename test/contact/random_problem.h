#pragma once
// Contact problems of random numbers.

#include <cstdint>

#include "stiction/contact/problem.h"

namespace stiction {

inline constexpr LawKind kConvexLaws[] = {LawKind::icf_lagged, LawKind::icf_similar, LawKind::sap};

// Trees of free bodies and robots with random inertias, joined by random patches of one to five points; every
// third patch hangs on the world. Particles: one body a tree, with up to three velocities that do not turn
// it.
ContactProblem random_problem(LawKind law, int num_trees, int num_patches, std::uint64_t seed,
                              int num_rows = 0, bool are_particles = false);
// Gives the second body of every robot all columns of the first, and more: the first carries it.
void let_bodies_carry_others(std::uint64_t seed, ContactProblem* problem);
// Friction against turning at half of the points.
void add_friction_lengths(std::uint64_t seed, ContactProblem* problem);
// Robots that branch, with other inertias and columns.
void split_into_branches(std::uint64_t seed, ContactProblem* problem);

}  // namespace stiction
