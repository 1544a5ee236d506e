#pragma once
// One scene under several formulations: what `stiction compare` measures, and its page.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "apps/cli/contact_motion.h"
#include "bench/claims/figure.h"
#include "stiction/contact/residual.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

// Quantities at every step.
struct StepSeries {
  std::vector<double> time;      // s, at the end of the step
  std::vector<double> x, y, z;   // m, position of the selected body
  std::vector<double> energy;    // J
  std::vector<double> force;     // N, magnitude of the total force of static bodies
  std::vector<double> residual;  // complementarity of rigid Coulomb contact, relative
  std::vector<double> iterations;
};

struct Compared {
  std::string formulation;
  std::string failure;          // why it ended early; empty: it did not
  double stiffness_step = 0.0;  // s, of the stiffness that nobody gave
  long steps = 0, unsolved = 0;
  double step_us = 0.0, solve_us = 0.0;  // mean time of a step and of its solve
  double mean_iterations = 0.0;
  int most_iterations = 0;
  double solver_residual = 0.0;  // the largest
  // The largest over all steps, relative to the largest scales (stiction/contact/residual.h) of all steps.
  double momentum = 0.0, primal = 0.0, dual = 0.0, complementarity = 0.0, signorini = 0.0, dissipation = 0.0;
  double law = 0.0;               // of the law itself, relative to its scale
  double deepest = 0.0;           // m
  std::vector<PairMotion> pairs;  // in the order of Comparison::pairs
  double energy = 0.0;            // J, kinetic and potential at the end less that at the start
  // Distance of the bodies' origins from those of the reference: mean over time of the root mean square over
  // the bodies, and that at the end.
  double drift = 0.0, end_drift = 0.0;  // m
  StepSeries series;
  std::vector<std::vector<Vec3>> places;  // positions of all bodies at the times of comparison
};

struct Comparison {
  std::string scene, body;
  double time = 0.0, h = 0.0, reference_h = 0.0;  // s
  std::vector<Compared> rows;
  Compared reference;              // the run that drift is measured from; it has no errors and no series
  std::vector<std::string> pairs;  // bodies that pressed on each other in any run: "cube - floor"
  bool has_residuals = false;      // the columns of the residual checks are wanted
};

void print(const Comparison& comparison);
nlohmann::json to_json(const Comparison& comparison);
// A table, the motion of every pair and the plots as inline SVG, to be put into a page.
std::string report_html(const Comparison& comparison);
// A page of its own.
std::string to_html(const Comparison& comparison);

}  // namespace stiction::cli
