#include "bench/race/contact_race.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "bench/race/contact_peers_drake.h"
#include "bench/race/contact_race_sweep.h"
#include "scenes/piles.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/base/timer.h"

namespace stiction::race {

namespace {

constexpr const char *kRest = "contact_rest", *kFall = "contact_fall";
constexpr double kDrakeGoal = 50.0;
constexpr double kFallGoal = 1.0;  // no figure was promised of the fall
constexpr int kRestSteps = 250;    // 0.5 s
constexpr int kTurnSteps = 500;    // of the race in turns
constexpr double kTurnsSeconds = 8.0, kMujocoFallSeconds = 15.0;

struct ContactScene {
  const char* name;
  Model (*make)();
  double fall_s = 0.0;  // of simulated time until the pile stands; 0: it stands from the start
  double rest_s = 0.0;  // of simulated time until it is at rest
  double goal = 0.0;    // against MuJoCo
  bool with_drake = false;
  double setting_s = 0.0, sweep_s = 0.0;  // of processor time for one of MuJoCo's settings, and for all
};

Model clutter_without_walls(int bodies, int columns) {
  return scenes::clutter({.bodies = bodies, .columns = columns, .walls = false});
}

const ContactScene kScenes[] = {
    {.name = "clutter_40",
     .make = scenes::clutter_of_40,
     .fall_s = 1.5,
     .rest_s = 4.0,
     .goal = 3.0,
     .with_drake = true,
     .setting_s = 4.0,
     .sweep_s = 30.0},
    {.name = "clutter_160",
     .make = scenes::clutter_of_160,
     .fall_s = 2.5,
     .rest_s = 5.0,
     .goal = 3.0,
     .with_drake = true,
     .setting_s = 5.0,
     .sweep_s = 40.0},
    {.name = "clutter_360_no_walls",
     .make = [] { return clutter_without_walls(360, 36); },
     .fall_s = 1.5,
     .rest_s = 4.0,
     .goal = 2.0,
     .setting_s = 5.0,
     .sweep_s = 40.0},
    {.name = "clutter_1000_no_walls",
     .make = [] { return clutter_without_walls(1000, 100); },
     .fall_s = 1.5,
     .rest_s = 4.0,
     .goal = 30.0,
     .setting_s = 8.0,
     .sweep_s = 90.0},
    {.name = "box_stack_10",
     .make = scenes::box_stack_of_10,
     .rest_s = 1.0,
     .goal = 2.0,
     .setting_s = 4.0,
     .sweep_s = 30.0},
    {.name = "brick_wall_10x10",
     .make = scenes::brick_wall_of_10,
     .rest_s = 1.0,
     .goal = 2.0,
     .setting_s = 4.0,
     .sweep_s = 30.0},
};

int steps_of(double seconds) { return static_cast<int>(seconds / kContactStep + 0.5); }

Times first_times(const std::vector<double>& seconds, int count) {
  return times_of({seconds.begin(), seconds.begin() + count});
}

Times mean_of(const Times& a, const Times& b) {
  return {0.5 * (a.median + b.median), 0.5 * (a.mean + b.mean)};
}

// What we did with a scene under one law.
struct OurRun {
  std::shared_ptr<const Model> model;
  LawKind law = LawKind::icf_lagged;
  std::vector<double> fall;  // s, of every step
  State rest;  // what the peers take over: the pile at rest, or the start if it stands from there
  RestFigures figures;

  OurRun(const ContactScene& scene, LawKind of_law)
      : model(std::make_shared<const Model>(scene.make())), law(of_law) {
    OurPile pile(model, law);
    fall = step_times(&pile, steps_of(scene.fall_s), INFINITY);
    for (int i = steps_of(scene.fall_s); i < steps_of(scene.rest_s); ++i) pile.step();
    rest = fall.empty() ? State(*model) : pile.state();
    figures = measure_rest(&pile, kRestSteps, INFINITY);
    std::fprintf(stderr, "%s: ours %.3f ms a step at rest, deepest %.2g um, creep %.2g um/s, residual %.1e\n",
                 scene.name, 1e3 * figures.step_s.median, 1e6 * figures.deepest, 1e6 * figures.creep,
                 figures.residual);
  }
};

std::string text_of(const RestFigures& figures) {
  return fmt::format("deepest {:.2g} um, creep {:.2g} um/s, {:.0f} points", 1e6 * figures.deepest,
                     1e6 * figures.creep, figures.contacts);
}
std::string optimality_of(const RestFigures& figures) {
  return fmt::format(", residual {:.0e}, {:.1f} iterations", figures.residual, figures.iterations);
}

std::string fall_note(int steps, int of) {
  return fmt::format("first {} of {} steps, {:.2f} s", steps, of, steps * kContactStep);
}

// The row in which our solver leaves no more than MuJoCo's, which goes on from its settled pile.
RaceRow race_as_accurately_as(const Choice& choice, const ContactScene& scene, const OurRun& ours) {
  const double tolerance = std::max(choice.figures.residual, kNoResidual);
  OurPile our_pile(ours.model, ours.law, ours.rest, tolerance);
  step_times(&our_pile, SweepPlan().settle_steps, INFINITY);
  const RestFigures figures = measure_rest(&our_pile, kRestSteps, INFINITY);
  const TwoTimes times = race_in_turns(&our_pile, choice.pile.get(), kTurnSteps, kTurnsSeconds);
  const std::string note =
      fmt::format("our tolerance {:.1e}; ours: {}{}; mujoco: {}{} ({}); {} steps", tolerance,
                  text_of(figures), optimality_of(figures), text_of(choice.figures),
                  optimality_of(choice.figures), choice.setting.name(), times.steps);
  return {kRest,        scene.name + std::string(kOursAsAccurate),
          "mujoco",     mujoco_version(),
          times.ours_s, times.peer_s,
          scene.goal,   note};
}

void race_mujoco(const ContactScene& scene, const OurRun& ours, std::vector<RaceRow>* rows) {
  const std::string version = mujoco_version();
  const MujocoScene theirs(ours.model);
  SweepPlan plan;
  plan.setting_s = scene.setting_s;
  plan.sweep_s = scene.sweep_s;
  const Choice choice = choose_setting(theirs, scene.name, ours.rest, ours.figures, plan);
  STICTION_USER_CHECK(choice.pile != nullptr, "no setting of MuJoCo settled in its time");
  OurPile our_pile(ours.model, ours.law, ours.rest);
  step_times(&our_pile, plan.settle_steps, INFINITY);
  const TwoTimes times = race_in_turns(&our_pile, choice.pile.get(), kTurnSteps, kTurnsSeconds);
  const std::string judgement =
      choice.is_no_worse ? "its fastest that is no worse than ours"
                         : fmt::format("its most accurate, {:.2g} times worse than ours", choice.inaccuracy);
  std::string note = fmt::format(
      "ours: {}{}; mujoco: {}{}; {} ({}); {} of {} settings tried, {} of them dropped as slow; the fastest "
      "of all {:.0f} us, {:.2g} times worse; {} steps",
      text_of(ours.figures), optimality_of(ours.figures), text_of(choice.figures),
      optimality_of(choice.figures), judgement, choice.setting.name(), choice.tried, choice.settings,
      choice.dropped, 1e6 * choice.fastest_s, choice.fastest_inaccuracy, times.steps);
  if (choice.taken_over > 0)
    note += fmt::format("; {} too slow to settle were measured on a pile that another setting settled",
                        choice.taken_over);
  rows->push_back({kRest, scene.name, "mujoco", version, times.ours_s, times.peer_s, scene.goal, note});
  if (ours.figures.residual > std::max(choice.figures.residual, kNoResidual))
    rows->push_back(race_as_accurately_as(choice, scene, ours));
  if (ours.fall.empty()) return;

  const auto pile = make_mujoco_pile(theirs, choice.setting, State(*ours.model));
  const std::vector<double> fall =
      step_times(pile.get(), static_cast<int>(ours.fall.size()), kMujocoFallSeconds);
  const int steps = static_cast<int>(fall.size());
  rows->push_back({kFall, scene.name, "mujoco", version, first_times(ours.fall, steps), times_of(fall),
                   kFallGoal, fall_note(steps, static_cast<int>(ours.fall.size())) + ", the same setting"});
}

void race_drake(const ContactScene& scene, const OurRun& ours, const std::string& law,
                std::vector<RaceRow>* rows) {
  const std::string peer = "drake_" + law;
  DrakePlan plan;
  plan.law = law;
  plan.fall_steps = static_cast<int>(ours.fall.size());
  std::string why_not;
  const std::optional<DrakeFigures> drake = run_drake(*ours.model, ours.rest, plan, &why_not);
  if (!drake) {
    std::fprintf(stderr, "%s is not raced against %s: %s\n", scene.name, peer.c_str(), why_not.c_str());
    return;
  }
  // Drake cannot take turns with us: ours is the mean of before and after.
  OurPile after(ours.model, ours.law, ours.rest);
  const Times ours_s = mean_of(ours.figures.step_s, measure_rest(&after, kRestSteps, INFINITY).step_s);
  const std::string note =
      fmt::format("ours: {}{}; drake: {}, stops at 1e-6 by its own rule, {} steps", text_of(ours.figures),
                  optimality_of(ours.figures), text_of(drake->rest), drake->rest.steps);
  rows->push_back({kRest, scene.name, peer, drake->version, ours_s, drake->rest.step_s, kDrakeGoal, note});
  const int steps = static_cast<int>(drake->fall.size());
  rows->push_back({kFall, scene.name, peer, drake->version, first_times(ours.fall, steps),
                   times_of(drake->fall), kFallGoal, fall_note(steps, plan.fall_steps)});
}

const ContactScene& find_scene(const std::string& name) {
  const auto found = std::find_if(std::begin(kScenes), std::end(kScenes),
                                  [&](const ContactScene& scene) { return name == scene.name; });
  std::string names;
  for (const ContactScene& scene : kScenes) names += std::string(" ") + scene.name;
  STICTION_USER_CHECK(found != std::end(kScenes), "no scene '{}' in the race; there are{}", name, names);
  return *found;
}

}  // namespace

std::vector<RaceRow> race_contact(const std::string& only) {
  if (!only.empty()) find_scene(only);
  const int threads = thread_count();
  set_thread_count(1);
  std::vector<RaceRow> rows;
  for (const ContactScene& scene : kScenes) {
    if (!only.empty() && only != scene.name) continue;
    try {
      const OurRun ours(scene, LawKind::icf_lagged);
      race_mujoco(scene, ours, &rows);
      if (!scene.with_drake) continue;
      race_drake(scene, ours, "lagged", &rows);
      race_drake(scene, OurRun(scene, LawKind::sap), "sap", &rows);
    } catch (const std::runtime_error& error) {
      rows.push_back(failed_row(kRest, scene.name, "mujoco", mujoco_version(), scene.goal, error.what()));
    }
  }
  set_thread_count(threads);
  return rows;
}

void profile_contact(const std::string& scene_name, const std::string& race, double seconds) {
  const ContactScene& scene = find_scene(scene_name);
  const auto model = std::make_shared<const Model>(scene.make());
  const Stopwatch watch;
  if (race == kFall) {
    while (watch.seconds() < seconds) {
      OurPile pile(model, LawKind::icf_lagged);
      for (int i = 0; i < steps_of(scene.fall_s); ++i) pile.step();
    }
    return;
  }
  OurPile pile(model, LawKind::icf_lagged);
  for (int i = 0; i < steps_of(scene.rest_s); ++i) pile.step();
  const double end = std::max(4.0 * watch.seconds(), watch.seconds() + seconds);
  while (watch.seconds() < end) pile.step();
}

}  // namespace stiction::race
