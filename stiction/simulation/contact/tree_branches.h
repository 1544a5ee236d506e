#pragma once
// The branches of a tree (contact/problem.h): chains of velocities between the places where it forks.

#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/multibody/tree.h"

namespace stiction {

// Appends them; none where the tree is so small that its block of the Hessian is factorised as fast in one
// piece. Small limbs side by side, such as the legs of a quadruped, go together as far as one tile of the
// factor holds them (math/cholesky_structure.h).
void add_branches(const Forest& forest, const Tree& tree, std::vector<ProblemBranch>* branches);

}  // namespace stiction
