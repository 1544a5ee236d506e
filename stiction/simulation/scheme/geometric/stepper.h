#pragma once
// Solves the contacts of a step with the geometry at its end (G 4.2): island by island, a mixed
// complementarity problem (geometric/problem.h), begun at the answer of the explicit geometry.
//
// A pair takes part if it pushes or overlaps at the guess; after the solve the others are looked at, and
// those that overlap join in another round. So do functions of polytopes beyond the nearest kMostFunctions.
//
// Impulses are held near those of the start by a creep of c (contact_conditions.h). Where that has moved a
// contact, the problem is solved again from its solution, which takes the creep back unless the bodies are
// wedged. c = 1e-5 finds solutions of stacks in a few steps; smaller and larger ones are tried next.
//
//   geometric_ncp           the guess is the solution of coulomb_ncp with the points at the start of the step
//   geometric_quasi_rigid   the guess goes on as the last step did; layers by GeometricOptions::layers or,
//   for
//                           shapes without one, K = stiffness 1, C = relaxation time K and the maximum
//                           deflection of their material; a shape without a stiffness is rigid; where neither
//                           has one, both are soft and the pair has its own
//
// Pairs that were too far apart for a point at the start of the step, and overlap at its end because an
// impact threw one of them about, are counted as missed; the step is then taken in halves.
//
// Shapes without implicit functions (meshes, height fields) leave their island to the explicit geometry, and
// so does an island whose problem was not solved; the report counts them.

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
    int steps;  // at most; 0: as many as the options allow
  };

  // Needs assemble_problem, and a solution of the explicit problem, which it replaces island by island where
  // it can, together with the report of the island.
  void solve(const Model& model, const State& now, const Formulation& f, StepRecord* r, StepWorkspace* w);

  // What the layers of the last solve leave to remember.
  void remember(const StepRecord& r, ContactMemory* memory) const;

  // Of the island that was solved last: what tests and studies look at.
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
  bool solve_round(const Formulation& f, StepRecord* r);
  bool solve_without_proximal_term(const Formulation& f, const Attempt& attempt, GeometricReport* total);
  bool widen(const StepRecord& r);
  void write(int island, StepRecord* r);
  int count_missed(const Model& model, const State& now, const StepRecord& r, StepWorkspace* w);

  GeometricProblem problem_;
  MixedSolver solver_;
  std::vector<ContactCandidate> candidates_;
  VecX v_, free_, physical_, z_, start_, settled_, q_;
  // Of count_missed: trees that contact pushes, where items end, pairs that were found.
  std::vector<char> is_pushed_;
  std::vector<Pose> ends_;
  std::vector<std::pair<int, int>> found_;
  double speed_ = 1.0, residual_ = 0.0;
};

// Of the size of the smaller shape: overlaps that are taken back at once, or none at all.
inline constexpr double kTouching = 1e-9;

inline bool has_functions(const CollisionItem& item) { return num_implicit_functions(item.geometry) > 0; }

// S of contact_conditions.h, where the normal is n: friction along the grain of a pair and across it.
Mat3 friction_tensor_of(const StepRecord& r, int pair, const Vec3& n);

// Throws UserError where the numbers of a layer make no sense.
void check_layers(const Model& model, const GeometricOptions& options);

}  // namespace stiction
