#include "bench/race/contact_race_sweep.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "bench/race/race.h"
#include "stiction/base/timer.h"

namespace stiction::race {

namespace {

constexpr double kSlack = 1.1, kNoOverlap = 1e-6, kNoCreep = 1e-6;
constexpr double kAlike = 1.05;  // settings whose inaccuracies differ by less are equally accurate
// A setting is dropped when it is so much slower than the best one in its first steps, or once it has
// settled.
constexpr double kFarSlowerAtFirst = 5.0, kFarSlower = 1.5;
constexpr int kFirstSteps = 10, kLastSteps = 20;

// The worse of the ratios of overlap and creep to ours.
double inaccuracy(const RestFigures& peer, const RestFigures& ours) {
  const double overlap = std::max(peer.deepest, kNoOverlap) / std::max(ours.deepest, kNoOverlap);
  const double creep = std::max(peer.creep, kNoCreep) / std::max(ours.creep, kNoCreep);
  return std::isfinite(creep) ? std::max(overlap, creep) : INFINITY;
}

enum class Settling { settled, far_slower, too_slow };

// Lets the pile settle unless it proves far slower than best_s a step, which the first steps tell only
// roughly, or too slow for its time. step_s: the median of the last steps.
Settling settle(Pile* pile, const SweepPlan& plan, double best_s, double* step_s) {
  const std::vector<double> first = step_times(pile, kFirstSteps, plan.setting_s);
  *step_s = median(first);
  if (*step_s > kFarSlowerAtFirst * best_s) return Settling::far_slower;
  if (*step_s * plan.fewest_settle_steps > 2.0 * plan.setting_s) return Settling::too_slow;
  const double left = plan.setting_s - std::accumulate(first.begin(), first.end(), 0.0);
  const std::vector<double> next = step_times(pile, plan.settle_steps - kFirstSteps, left);
  if (static_cast<int>(next.size()) + kFirstSteps < plan.fewest_settle_steps) return Settling::too_slow;
  *step_s = median({next.end() - kLastSteps, next.end()});
  return *step_s > kFarSlower * best_s ? Settling::far_slower : Settling::settled;
}

void print_trial(const std::string& scene, const MujocoSetting& setting, const RestFigures& figures,
                 double worse) {
  std::fprintf(stderr,
               "  %s, mujoco %s: %.3f ms, deepest %.2g um, creep %.2g um/s (%.2g times ours), residual %.1e, "
               "%.0f iterations\n",
               scene.c_str(), setting.name().c_str(), 1e3 * figures.step_s, 1e6 * figures.deepest,
               1e6 * figures.creep, worse, figures.residual, figures.iterations);
}

}  // namespace

std::vector<MujocoSetting> mujoco_settings() {
  std::vector<MujocoSetting> settings;
  const auto add_all = [&](MujocoContact contact, double impratio, double tolerance) {
    for (const bool newton : {true, false})
      for (const bool elliptic : {true, false})
        settings.push_back({newton, elliptic, contact, impratio, tolerance});
  };
  // First those that are likely to be chosen: the others are then dropped early, or not reached.
  for (const double impratio : {10.0, 1.0}) add_all(MujocoContact::firmest, impratio, 1e-8);
  add_all(MujocoContact::firmest, 10.0, 1e-6);
  add_all(MujocoContact::defaults, 1.0, 1e-8);
  add_all(MujocoContact::firm, 10.0, 1e-8);
  add_all(MujocoContact::firmest, 100.0, 1e-8);
  add_all(MujocoContact::firmest, 1.0, 1e-6);
  for (const double impratio : {10.0, 1.0}) add_all(MujocoContact::ours, impratio, 1e-8);
  return settings;
}

Choice choose_setting(const MujocoScene& scene, const std::string& name, const State& rest,
                      const RestFigures& ours, const SweepPlan& plan) {
  Choice best;
  double least = INFINITY;  // inaccuracy of any setting
  const std::vector<MujocoSetting> settings = mujoco_settings();
  const Stopwatch watch(thread_seconds);
  for (const MujocoSetting& setting : settings) {
    if (best.tried > 0 && watch.seconds() > plan.sweep_s) break;
    ++best.tried;
    std::unique_ptr<Pile> pile = make_mujoco_pile(scene, setting, rest);
    const bool is_found = best.pile && best.inaccuracy <= kSlack;
    double step_s = 0.0;
    const Settling settling = settle(pile.get(), plan, is_found ? best.figures.step_s : INFINITY, &step_s);
    if (settling != Settling::settled) {
      ++best.dropped;
      std::fprintf(stderr, "  %s, mujoco %s: %.3f ms, %s\n", name.c_str(), setting.name().c_str(),
                   1e3 * step_s, settling == Settling::too_slow ? "too slow to settle here" : "far slower");
      if (settling == Settling::too_slow) best.slowest_s = std::max(best.slowest_s, step_s);
      continue;
    }
    const RestFigures figures = measure_rest(pile.get(), plan.rest_steps, plan.setting_s);
    const double worse = inaccuracy(figures, ours);
    print_trial(name, setting, figures, worse);
    if (best.fastest_s == 0.0 || figures.step_s < best.fastest_s) {
      best.fastest_s = figures.step_s;
      best.fastest_inaccuracy = worse;
    }
    least = std::min(least, worse);
    const bool is_as_accurate = worse <= std::max(kSlack, kAlike * least);
    const bool best_is_as_accurate = best.pile && best.inaccuracy <= std::max(kSlack, kAlike * least);
    if (best.pile && !(is_as_accurate && (!best_is_as_accurate || figures.step_s < best.figures.step_s)))
      continue;
    best.setting = setting;
    best.figures = figures;
    best.inaccuracy = worse;
    best.pile = std::move(pile);
  }
  best.is_no_worse = best.inaccuracy <= kSlack;
  best.settings = static_cast<int>(settings.size());
  return best;
}

}  // namespace stiction::race
