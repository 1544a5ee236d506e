#pragma once
// A certificate of accuracy for a step: how far its velocities and impulses are from what they should be,
// recomputed by the residual checks (stiction/contact/residual.h, dual/residual.h), which share no code with a solver.

#include <memory>
#include <optional>

#include "stiction/constraint/contact_rows.h"
#include "stiction/contact/dual/residual.h"
#include "stiction/contact/residual.h"

namespace stiction {

class ContactSolver;
struct Model;
struct StepRecord;

struct Certificate {
  // Of every formulation: momentum, the law itself, and how far the motion is from rigid bodies with
  // Coulomb's friction.
  ContactResidual contact;
  // Under the dual solvers of rigid laws: the same and more in impulses, the largest of all islands, relative
  // to m g h (m the mass of all that moves) and g h.
  std::optional<DualResidual> dual;
};

// Of the step that the record holds, in the solver that has solved it. options: those that its problem is posed under.
std::shared_ptr<const Certificate> certified(const Model& model, const StepRecord& record,
                                             const ContactOptions& options, const ContactSolver& solver);

}  // namespace stiction
