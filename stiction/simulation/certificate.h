#pragma once
// A certificate of accuracy for a step: how far its velocities and impulses are from satisfying momentum
// balance and the contact law, recomputed by the residual checks (stiction/contact/residual.h,
// dual/residual.h), which share no code with a solver. The certificate of a step taken in parts has the largest
// error of any part.

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
  // For every formulation: residuals of momentum and of the law itself, and how far the motion is from rigid
  // bodies with Coulomb friction.
  ContactResidual contact;
  // For the dual solvers of rigid laws: further residuals in terms of impulses, the largest over all islands,
  // relative to m g h (m the mass of all moving bodies) and g h. `law` is the residual of the law that was
  // solved; the others are those of Coulomb's law and of its convex relaxation, whatever the law.
  std::optional<DualResidual> dual;
};

// The larger of each error, of two parts of a step.
void take_larger(const Certificate& other, Certificate* worst);

// Of a contact problem and a solution that this solver has found. points: those of check_residual; options: those of
// the problem, with its solver; scale: of the errors of impulses; pyramid: of pyramid_lcp.
Certificate certificate_of(const ContactProblem& problem, const std::vector<PhysicalPoint>& points,
                           const ContactSolution& solution, const ContactOptions& options,
                           const ContactSolver& solver, const DualScale& scale, const Pyramid& pyramid);

// For the step in the record, with the solver that has solved it. options: those of its contact problem;
// pyramid: of pyramid_lcp.
std::shared_ptr<const Certificate> certified(const Model& model, const StepRecord& record,
                                             const ContactOptions& options, const ContactSolver& solver,
                                             const Pyramid& pyramid);

}  // namespace stiction
