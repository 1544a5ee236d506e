#include "stiction/contact/contact_solver.h"

#include "stiction/contact/catalog.h"

namespace stiction {

void ContactSolver::solve(const ContactProblem& problem, const char* solver, const SolverOptions& options,
                          const ImpulseGuess& guess, ContactSolution* solution) {
  if (find_solver(solver).form.works_on_velocities)
    newton_.solve(problem, options.newton, solution);
  else
    rigid_.solve(problem, solver, options.dual, guess, solution);
}

}  // namespace stiction
