#pragma once
// Statistics of contacts and of the solver over a run.

#include <deque>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "stiction/simulation/world.h"

namespace stiction::cli {

class RunStatistics {
 public:
  // The step that the world has just taken.
  void add(const World& world, const StepReport& report);

  long steps() const { return steps_; }
  // Whether every step was solved, in a few words.
  std::string verdict() const;
  void print(const World& world) const;
  // Adds "contacts", "force_W", "iterations", "residual", "unconverged_steps",
  // "steps_with_dropped_stabilisation", "lagged_fallbacks", "islands" (of all steps), "deepest_m",
  // "deepest_at_s", "stages_s".
  void write(const World& world, nlohmann::json* json) const;

 private:
  struct Support {
    double begin = 0.0, h = 0.0;  // s
    Vec3 force;                   // N
  };
  // Mean force of static bodies on the others over the last 0.1 s (N).
  Vec3 support() const;
  double mean_points() const;
  double mean_iterations() const;
  double mean_residual() const;

  long islands_ = 0, lagged_fallbacks_ = 0;  // of all steps
  long steps_ = 0, steps_in_contact_ = 0, unconverged_ = 0, dropped_ = 0, near_rigid_points_ = 0;
  double points_ = 0.0, iterations_ = 0.0, residual_ = 0.0;  // sums
  int most_iterations_ = 0;
  double largest_residual_ = 0.0, deepest_ = 0.0;
  double deepest_at_ = 0.0;  // s, the start of the step of the deepest overlap
  std::deque<Support> supports_;
};

}  // namespace stiction::cli
