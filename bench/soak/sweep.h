#pragma once
// Which scenes, laws and numbers a soak runs: each number alone, over its whole range, around the default of
// each scene.

#include <string>
#include <vector>

#include "stiction/simulation/world.h"

namespace stiction {

// One run: a scene under a law, with at most one number away from its default.
struct SoakRun {
  std::string scene;
  LawKind law = LawKind::icf_lagged;
  std::string parameter = "default";  // stiffness, mass_ratio, step, friction
  double value = 0.0;                 // N/m, 1, s, 1
  double h = 2e-3;                    // s
  long steps = 0;
};

struct SoakPlan {
  double seconds = 60.0;        // of every run of the default law at the default step
  double other_share = 0.1;     // of that for the other laws
  long largest_steps = 100000;  // of one run: 1 s at the smallest step, 1e-5 s
};

// The runs whose name (scene/law/parameter) contains `only`, the default law first.
std::vector<SoakRun> soak_runs(const SoakPlan& plan, const std::string& only);

std::string name_of(const SoakRun& run);

// The scene with the number of the run in it.
Model soak_model(const SoakRun& run);

}  // namespace stiction
