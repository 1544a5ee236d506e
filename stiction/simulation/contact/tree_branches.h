#pragma once
// The branches of a tree (contact/problem.h): chains of velocities between the nodes at which it forks.

#include <vector>

#include "stiction/contact/problem.h"
#include "stiction/multibody/tree.h"

namespace stiction {

// Appends the branches of a tree; none if the tree is so small that factorising its block of the Hessian as a
// whole is as fast. Small limbs side by side, such as the legs of a quadruped, are joined as long as they fit
// into one tile of the factor (math/cholesky_structure.h).
void add_branches(const Forest& forest, const Tree& tree, std::vector<ProblemBranch>* branches);

}  // namespace stiction
