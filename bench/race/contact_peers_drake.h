#pragma once
// Drake's side of the race with contact. Its wheel holds no headers, so that it runs in a Python process
// (drake_clutter.py) that times every Simulator.AdvanceTo by h; a step takes milliseconds, a call from Python
// microseconds.

#include <optional>
#include <string>

#include "bench/race/contact_race_pile.h"

namespace stiction::race {

struct DrakePlan {
  std::string law;  // "sap" or "lagged"
  int fall_steps = 0, settle_steps = 250, rest_steps = 250;
  double fall_s = 10.0, settle_s = 5.0, rest_s = 6.0;  // at most, of processor time
};

struct DrakeFigures {
  std::string version;
  RestFigures rest;          // residual and iterations are not told
  std::vector<double> fall;  // s, of every step
};

// rest: the pile that Drake takes over. Nothing, and a reason, where Drake is not installed or fails. The
// model has free bodies of one sphere or box each, fixed boxes and half-spaces.
std::optional<DrakeFigures> run_drake(const Model& model, const State& rest, const DrakePlan& plan,
                                      std::string* why_not);

}  // namespace stiction::race
