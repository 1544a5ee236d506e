#pragma once
// Which of MuJoCo's settings to race against: solver x friction cone x contact x impratio x tolerance.
//
// A setting is no worse than we are if its deepest overlap, its creep and its residual are at most 10 % larger
// than ours; an overlap of 1 um, a creep of 1 um/s and a residual of our solver's tolerance count as none. Of
// those the fastest is chosen. Where there is none, the one whose largest ratio to ours is the smallest, or
// the fastest of those that are within 5 % of it.
//
// A solver whose steps are too slow to let the pile settle (Newton's on a thousand bodies) takes it over from
// the most accurate of the settings with the same contact that settled, goes on for some steps, and is measured
// over a few.

#include <memory>
#include <string>
#include <vector>

#include "bench/race/contact_peers_mujoco.h"

namespace stiction::race {

std::vector<MujocoSetting> mujoco_settings();

struct SweepPlan {
  int settle_steps = 500, rest_steps = 250;
  int fewest_settle_steps = 250;  // a setting that does not come so far in its time is too slow
  double setting_s = 4.0;         // for settling, and again for measuring
  double sweep_s = 40.0;          // after which no other setting is tried
  // Of those that were too slow: steps to adapt and to measure, and the time after which no other is tried.
  int adapt_steps = 20, slow_steps = 60;
  double slow_s = 60.0;
};

struct Choice {
  MujocoSetting setting;
  RestFigures figures;
  std::unique_ptr<Pile> pile;  // settled
  double inaccuracy = 0.0;     // the largest of the ratios to ours of overlap, creep and residual
  bool is_no_worse = false;
  double fastest_s = 0.0, fastest_inaccuracy = 0.0;  // a step of the fastest setting, however inaccurate
  int tried = 0, settings = 0;
  int dropped = 0;     // far slower than one that is no worse, or too slow and not tried later
  int taken_over = 0;  // too slow to settle, and measured on a pile that another setting settled
};

// rest: the pile that all settings take over. Prints a line about every setting.
Choice choose_setting(const MujocoScene& scene, const std::string& name, const State& rest,
                      const RestFigures& ours, const SweepPlan& plan);

}  // namespace stiction::race
