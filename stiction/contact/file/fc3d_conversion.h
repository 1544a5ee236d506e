#pragma once
// Between our contact problems and those of collections (fc3d_file.h), both ways.
//
// A global problem M v = H r + f, u = H' v + w is a contact problem of ours where M is symmetric positive
// definite: A = M, v_free = M^-1 f, and for every contact and tree a body whose velocity is that contact's
// rows of H'. World axes are (normal, t1, t2) of the contact. Trees are groups of six velocities (rigid
// bodies), of three, those that M couples, or all of them: the first of these where M couples no two groups
// and every contact touches at most two. A collection's problem has no step, no gap and no stiffness: h is 1
// s, the distance 0, and the stiffness the one that counts as rigid to a compliant law (S eq. 29).
//
// The other way, a problem of ours under coulomb_ncp becomes W + R, r and mu of all its islands, contacts in
// the order of the patches. Scalar rows:
//
//   no bounds      eliminated by a Schur complement; their compliance makes it regular
//   one bound      a contact without friction along lambda - lower or upper - lambda, after all others
//   lower = upper  a constant
//   two bounds     the format has no way to write them: UserError

#include <optional>
#include <string>

#include "stiction/contact/file/fc3d_file.h"
#include "stiction/contact/file/problem_file.h"

namespace stiction {

// Under coulomb_ncp. None, with the reason, where the problem is not of that kind.
std::optional<SavedProblem> contact_problem_of(const Fc3dProblem& problem, std::string* why_not);

// Throws UserError for rows with two bounds and for torsional or rolling friction.
Fc3dProblem fc3d_of(const ContactProblem& problem, const std::string& name);
// One island alone.
Fc3dProblem fc3d_of(const DualProblem& dual, const std::string& name);

// Impulses of a solution of contact_problem_of as r of the file.
VecX impulses_in_file_order(const ContactProblem& problem, const AlignedVector<double>& impulses);

}  // namespace stiction
