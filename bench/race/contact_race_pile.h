#pragma once
// A pile of free bodies that one side of the race simulates, and what is measured on it.
//
//   deepest   m, of a step: its deepest overlap; of the pile: the median of the measured steps
//   creep     m/s, of a body: its mean speed over the measured steps; of the pile: the median of its bodies
//             (medians, because some balls still roll and meet others: nothing stops them in these models)
//   residual  |D (M (v - v_free) - J' gamma)| / max(|D M v|, |D J' gamma|), D = diag(M)^(-1/2): the relative
//             gradient, the largest of the measured steps. The same measure for us and MuJoCo (Castro et al.,
//             SAP, eq. 32).

#include <memory>
#include <vector>

#include "bench/race/race.h"
#include "stiction/contact/law/contact_law.h"
#include "stiction/contact/newton/newton.h"
#include "stiction/simulation/world.h"

namespace stiction::race {

inline constexpr double kContactStep = 2e-3;  // s, h of all sides
// What our solver leaves, unless it is told to leave less: residuals below it count as none.
inline constexpr double kSolverTolerance = NewtonOptions().relative_tolerance;

struct StepFigures {
  double deepest = 0.0, residual = 0.0;
  int contacts = 0, iterations = 0;
};

class Pile {
 public:
  virtual ~Pile() = default;
  virtual void step() = 0;
  // Of the last step.
  virtual StepFigures figures() = 0;
  virtual void add_speeds(std::vector<double>* sums) = 0;  // m/s, one for each body
};

// Ours. Starts where the model says or in a given state; tolerance: of the solver, on the residual.
class OurPile : public Pile {
 public:
  OurPile(std::shared_ptr<const Model> model, LawKind law, double tolerance = kSolverTolerance);
  OurPile(std::shared_ptr<const Model> model, LawKind law, const State& state,
          double tolerance = kSolverTolerance);

  void step() override { world_.step(); }
  StepFigures figures() override;
  void add_speeds(std::vector<double>* sums) override;
  const State& state() const { return world_.state(); }

 private:
  World world_;
};

// Processor times (s) of the next steps: `steps` of them, fewer if they take more than `most_s`.
std::vector<double> step_times(Pile* pile, int steps, double most_s);

struct RestFigures {
  int steps = 0;  // measured
  Times step_s;
  double deepest = 0.0, creep = 0.0, residual = 0.0;
  double contacts = 0.0, iterations = 0.0;  // mean
};
RestFigures measure_rest(Pile* pile, int steps, double most_s);

// Creep of a pile from the sums of its bodies' speeds over a number of steps.
double creep_of(std::vector<double> speed_sums, int steps);

// Of two sides that take turns.
struct TwoTimes {
  int steps = 0;
  Times ours_s, peer_s;
};
TwoTimes race_in_turns(Pile* ours, Pile* peer, int steps, double most_s);

}  // namespace stiction::race
