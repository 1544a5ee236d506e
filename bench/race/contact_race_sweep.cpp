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

// The worst of the ratios of overlap, creep and residual to ours.
double inaccuracy(const RestFigures& peer, const RestFigures& ours) {
  const double overlap = std::max(peer.deepest, kNoOverlap) / std::max(ours.deepest, kNoOverlap);
  const double creep = std::max(peer.creep, kNoCreep) / std::max(ours.creep, kNoCreep);
  const double residual =
      std::max(peer.residual, kSolverTolerance) / std::max(ours.residual, kSolverTolerance);
  return std::isfinite(creep) && std::isfinite(residual) ? std::max({overlap, creep, residual}) : INFINITY;
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
               scene.c_str(), setting.name().c_str(), 1e3 * figures.step_s.median, 1e6 * figures.deepest,
               1e6 * figures.creep, worse, figures.residual, figures.iterations);
}

}  // namespace

std::vector<MujocoSetting> mujoco_settings() {
  // On the clutter of 40 bodies the tight one leaves a residual of 1e-15 to 1e-6, the default 1e-5 to 1e-1.
  constexpr double kTight = 1e-14, kMedium = 1e-12;
  std::vector<MujocoSetting> settings;
  const auto add_all = [&](MujocoContact contact, double impratio, double tolerance) {
    for (const bool newton : {true, false})
      for (const bool elliptic : {true, false})
        settings.push_back({newton, elliptic, contact, impratio, tolerance});
  };
  // First those that are likely to be chosen: the others are then dropped early, or not reached.
  for (const double impratio : {10.0, 1.0}) add_all(MujocoContact::firmest, impratio, kTight);
  add_all(MujocoContact::firmest, 10.0, kDefaultTolerance);
  add_all(MujocoContact::firmest, 10.0, kMedium);
  add_all(MujocoContact::defaults, 1.0, kTight);
  add_all(MujocoContact::firm, 10.0, kTight);
  add_all(MujocoContact::firmest, 100.0, kTight);
  add_all(MujocoContact::firmest, 1.0, kMedium);
  for (const double impratio : {10.0, 1.0}) add_all(MujocoContact::ours, impratio, kTight);
  return settings;
}

namespace {

// What is known of a setting that let the pile settle.
struct Settled {
  MujocoSetting setting;
  MujocoRest rest;
  double inaccuracy = 0.0;
};

bool have_the_same_contact(const MujocoSetting& a, const MujocoSetting& b) {
  return a.elliptic == b.elliptic && a.contact == b.contact && a.impratio == b.impratio;
}

// Collects settings and keeps the best.
class Sweep {
 public:
  Sweep(const std::string& name, const RestFigures& ours) : name_(name), ours_(ours) {}

  // Of a setting that is no worse than ours; the others need not be faster than anything.
  double step_to_beat() const {
    return best_.pile && best_.inaccuracy <= kSlack ? best_.figures.step_s.median : INFINITY;
  }

  double add(const MujocoSetting& setting, const RestFigures& figures, std::unique_ptr<Pile> pile) {
    const double worse = inaccuracy(figures, ours_);
    print_trial(name_, setting, figures, worse);
    const double step_s = figures.step_s.median;
    if (best_.fastest_s == 0.0 || step_s < best_.fastest_s) {
      best_.fastest_s = step_s;
      best_.fastest_inaccuracy = worse;
    }
    least_ = std::min(least_, worse);
    const double enough = std::max(kSlack, kAlike * least_);
    const bool best_is_as_accurate = best_.pile && best_.inaccuracy <= enough;
    const bool is_better = worse <= enough && (!best_is_as_accurate || step_s < best_.figures.step_s.median);
    if (best_.pile && !is_better) return worse;
    best_.setting = setting;
    best_.figures = figures;
    best_.inaccuracy = worse;
    best_.pile = std::move(pile);
    return worse;
  }

  Choice& best() { return best_; }

 private:
  std::string name_;
  const RestFigures& ours_;
  Choice best_;
  double least_ = INFINITY;  // inaccuracy of any setting
};

// Settings that were too slow to settle, on piles that another solver or tolerance settled, the most accurate
// of those first.
void measure_slow(const MujocoScene& scene, const std::vector<MujocoSetting>& slow,
                  std::vector<Settled> settled, const SweepPlan& plan, Sweep* sweep) {
  std::stable_sort(settled.begin(), settled.end(),
                   [](const Settled& a, const Settled& b) { return a.inaccuracy < b.inaccuracy; });
  const Stopwatch watch(thread_seconds);
  for (const Settled& other : settled) {
    for (const MujocoSetting& setting : slow) {
      if (!have_the_same_contact(setting, other.setting)) continue;
      if (watch.seconds() > plan.slow_s || sweep->step_to_beat() < INFINITY) return;
      std::unique_ptr<Pile> pile = make_mujoco_pile(scene, setting, other.rest);
      step_times(pile.get(), plan.adapt_steps, plan.slow_s);
      const RestFigures figures = measure_rest(pile.get(), plan.slow_steps, plan.slow_s);
      sweep->add(setting, figures, std::move(pile));
      ++sweep->best().taken_over;
      --sweep->best().dropped;
    }
  }
}

}  // namespace

Choice choose_setting(const MujocoScene& scene, const std::string& name, const State& rest,
                      const RestFigures& ours, const SweepPlan& plan) {
  Sweep sweep(name, ours);
  Choice& best = sweep.best();
  std::vector<MujocoSetting> slow;
  std::vector<Settled> settled;
  const std::vector<MujocoSetting> settings = mujoco_settings();
  const Stopwatch watch(thread_seconds);
  for (const MujocoSetting& setting : settings) {
    if (best.tried > 0 && watch.seconds() > plan.sweep_s) break;
    ++best.tried;
    // A solver that was too slow with one setting of contact is so with the others, unless it may stop
    // earlier.
    const bool is_slow = std::any_of(slow.begin(), slow.end(), [&](const MujocoSetting& other) {
      return other.newton == setting.newton && other.elliptic == setting.elliptic &&
             other.tolerance >= setting.tolerance;
    });
    std::unique_ptr<Pile> pile;
    double step_s = 0.0;
    Settling settling = Settling::too_slow;
    if (!is_slow) {
      pile = make_mujoco_pile(scene, setting, rest);
      settling = settle(pile.get(), plan, sweep.step_to_beat(), &step_s);
    }
    if (settling != Settling::settled) {
      ++best.dropped;
      if (settling == Settling::too_slow) slow.push_back(setting);
      if (!is_slow)
        std::fprintf(stderr, "  %s, mujoco %s: %.3f ms, %s\n", name.c_str(), setting.name().c_str(),
                     1e3 * step_s, settling == Settling::too_slow ? "too slow to settle" : "far slower");
      continue;
    }
    const RestFigures figures = measure_rest(pile.get(), plan.rest_steps, plan.setting_s);
    Settled entry = {setting, rest_of(*pile)};
    entry.inaccuracy = sweep.add(setting, figures, std::move(pile));
    settled.push_back(std::move(entry));
  }
  measure_slow(scene, slow, std::move(settled), plan, &sweep);
  best.is_no_worse = best.inaccuracy <= kSlack;
  best.settings = static_cast<int>(settings.size());
  return std::move(best);
}

}  // namespace stiction::race
