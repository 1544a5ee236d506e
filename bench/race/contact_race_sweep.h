#pragma once
// Which of MuJoCo's settings to race against: solver x friction cone x contact x impratio x tolerance.
//
// A setting is no worse than we are if its deepest overlap and its creep are at most 10 % larger than ours;
// an overlap of 1 um and a creep of 1 um/s count as none. Of those the fastest is chosen. Where there is
// none, the one whose larger ratio to ours, of overlap or creep, is the smallest, or the fastest of those
// that are within 5 % of it.

#include <memory>
#include <string>
#include <vector>

#include "bench/race/contact_peers_mujoco.h"

namespace stiction::race {

std::vector<MujocoSetting> mujoco_settings();

struct SweepPlan {
  int settle_steps = 500, rest_steps = 250;
  int fewest_settle_steps = 250;  // a setting that does not come so far in its time is dropped
  double setting_s = 4.0;         // for settling, and again for measuring
  double sweep_s = 40.0;          // after which no other setting is tried
};

struct Choice {
  MujocoSetting setting;
  RestFigures figures;
  std::unique_ptr<Pile> pile;  // settled
  double inaccuracy = 0.0;     // the larger of the ratios to ours of overlap and creep
  bool is_no_worse = false;
  double fastest_s = 0.0, fastest_inaccuracy = 0.0;  // a step of the fastest setting, however inaccurate
  int tried = 0, settings = 0;
  int dropped = 0;         // far slower than one that is no worse, or too slow to settle in its time
  double slowest_s = 0.0;  // a step of the slowest of those that were too slow to settle
};

// rest: the pile that all settings take over. Prints a line about every setting.
Choice choose_setting(const MujocoScene& scene, const std::string& name, const State& rest,
                      const RestFigures& ours, const SweepPlan& plan);

}  // namespace stiction::race
