#pragma once
// Solves the contacts of a step with the geometry at its end (G 4.2): island by island, a mixed
// complementarity problem (geometric/problem.h), starting from the solution with the explicit geometry.
//
// A pair is part of the problem if it has an impulse or overlaps at the initial guess. After the solve the
// other pairs are checked, and those that overlap are added for another round; so are functions of polytopes
// beyond the nearest kMostFunctions.
//
// Impulses are kept near their initial guess by a proximal regularisation c (contact_conditions.h). If it has
// shifted a contact, the problem is solved again from its solution, which removes the shift unless the bodies
// are wedged. c = 1e-5 solves stacks in a few iterations; smaller and larger values are tried next.
//
// k of G eq. 28, and the functions that take part, are chosen at the initial guess. If the point leaves the
// surface of k within the step (a box that turns on to another face), the problem has no solution with this
// k, and the attempt ends somewhere on the way. They are then chosen again at the closest points of the poses
// where it ended, and the solve starts again from there (G Remark 1 and section 7: "the choice of k1 has to
// be made within a time step").
//
//   geometric_ncp           guess: the solution of coulomb_ncp with the points at the start of the step
//   geometric_quasi_rigid   guess: velocities extrapolated from the last step, and what the layers bear there
//                           (contact_guess.h), which rigid bodies that part would not. Layers: GeometricOptions::layers, or for
//                           shapes without one from their material, K = stiffness times 1,
//                           C = relaxation time times K, and its maximum deflection. A shape without a
//                           stiffness is rigid; if neither shape has one, both are soft and share that of
//                           the pair
//
// Pairs that were too far apart for a contact point at the start of the step but overlap at its end, because
// an impact changed the velocity of one of them, are counted as missed; the step is then halved.
//
// Islands with shapes that have no implicit functions (meshes, height fields), and islands whose problem
// could not be solved, keep the solution with the explicit geometry; the report counts them.

#include <algorithm>
#include <limits>

#include "stiction/contact/complementarity/mixed_newton.h"
#include "stiction/simulation/scheme/geometric/contact_guess.h"
#include "stiction/simulation/scheme/geometric/problem.h"
#include "stiction/simulation/step.h"

namespace stiction {

class GeometricStepper {
 public:
  struct Attempt {
    double proximal;
    MixedMethod method;
    int steps;  // an upper bound; 0: the limit of the options
  };

  // Needs an assembled problem and its solution with the explicit geometry, which it replaces, together with
  // the report, for every island that it can solve.
  void solve(const Model& model, const State& now, const Formulation& f, StepRecord* r, StepWorkspace* w);

  // Stores the deflections of the layers after the last solve.
  void remember(const StepRecord& r, ContactMemory* memory) const;

  // Of the island that was solved last, for tests and studies.
  GeometricProblem& last_problem() { return problem_; }
  const VecX& last_unknowns() const { return z_; }

 private:
  enum class Outcome { solved, failed, has_no_functions };
  // A pair of the island.
  struct ContactCandidate {
    int pair = 0;
    int body_A = 0, body_B = 0;  // of the island
    ContactSetup setup;
    ContactGuess guess;
    double start_distance = 0.0;  // m
    bool takes_part = false;
  };

  Outcome solve_island(const Model& model, const State& now, const Formulation& f, int island, StepRecord* r,
                       StepWorkspace* w);
  void set_candidate(const Model& model, const State& now, const Formulation& f, const StepRecord& r,
                     int pair, ContactCandidate* candidate);
  void set_layers(const Model& model, const State& now, const Formulation& f, const StepRecord& r,
                  ContactCandidate* candidate) const;
  void look(const StepRecord& r, ContactCandidate* candidate) const;
  bool solve_round(const Formulation& f, int* choices, StepRecord* r);
  bool choose_again(const StepRecord& r);
  bool overlaps(const StepRecord& r);
  bool solve_without_proximal_term(const Formulation& f, const Attempt& attempt, GeometricReport* total);
  bool widen(const StepRecord& r);
  void write(int island, StepRecord* r);
  int count_missed(const Model& model, const State& now, const StepRecord& r, StepWorkspace* w);

  GeometricProblem problem_;
  MixedSolver solver_;
  std::vector<ContactCandidate> candidates_;
  VecX v_, free_, physical_, z_, start_, settled_, ended_, q_;  // ended_: where a failed attempt did
  // Of count_missed: trees with contact impulses, poses of the items at the end, pairs that were found.
  std::vector<char> is_pushed_;
  std::vector<Pose> ends_;
  std::vector<std::pair<int, int>> found_;
  double speed_ = 1.0, residual_ = 0.0;
};

// Fraction of the size of the smaller shape: smaller overlaps do not count.
inline constexpr double kTouching = 1e-9;

inline bool has_functions(const CollisionItem& item) { return num_implicit_functions(item.geometry) > 0; }

// S of contact_conditions.h for the normal n: friction along the friction direction of a pair and across it.
Mat3 friction_tensor_of(const StepRecord& r, int pair, const Vec3& n);

// Throws UserError if the parameters of a layer are not valid.
void check_layers(const Model& model, const GeometricOptions& options);

}  // namespace stiction
