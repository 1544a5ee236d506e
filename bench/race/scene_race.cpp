#include "bench/race/scene_race.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/scene_race_settings.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/base/shared_files.h"
#include "stiction/base/timer.h"
#include "stiction/constraint/material.h"
#include "stiction/contact/newton/newton.h"

namespace stiction::race {

namespace {

// A race of all scenes: ours under one formulation.
struct Rules {
  const char* race;
  const char* formulation;  // empty: our default
  bool has_our_stiffness;   // not that of the file
};
constexpr Rules kDefaultLaw{"scenes", "", true};
constexpr Rules kTheirLaw{"scenes_mujoco_law", "convex_cone+newton_mujoco", false};

constexpr double kGoal = 2.0;
constexpr int kBlock = 50;                    // steps
constexpr double kSkip = 1.0, kSpan = 4.0;    // s, of simulated time
constexpr double kSkipTime = 6.0;             // s of a side's time, after which the motion counts as begun
constexpr double kRoundTime = 16.0;           // s of a side's time for the first round with that
constexpr double kSceneTime = 20.0;           // s of a side's time for all rounds
constexpr int kRounds = 5, kMostRounds = 30;  // the more, the shorter they are
constexpr double kEnoughTime = 2.0;           // s of a side's time, after which kRounds are enough
constexpr double kSofter = 10.0;              // depth over depth, from which contacts count as softer
constexpr double kMicro = 1e6;

// How one side did.
struct SideResult {
  std::vector<double> block_s;  // a step of each counted block, the least of all rounds
  double total_s = 0.0;         // of all rounds
  SceneFigures mean, last;

  double step_s() const {
    double sum = 0.0;
    for (const double s : block_s) sum += s;
    return sum / static_cast<double>(block_s.size());
  }
};

// Which blocks are counted.
struct Blocks {
  int skipped = 0, end = 0;
  int count() const { return end - skipped; }
};

double run_block(const std::vector<double>& controls, SceneSide* side) {
  side->set_controls(controls);
  const Stopwatch watch(thread_seconds);
  for (int i = 0; i < kBlock; ++i) side->step();
  return watch.seconds();
}

void add(const SceneFigures& figures, SceneFigures* sum) {
  sum->contacts += figures.contacts;
  sum->deepest += figures.deepest;
  sum->iterations += figures.iterations;
  sum->residual += figures.residual;
}

void divide(double by, SceneFigures* sum) {
  sum->contacts /= by;
  sum->deepest /= by;
  sum->iterations /= by;
  sum->residual /= by;
}

// The first round: finds how many blocks fit in the time, and takes the figures.
Blocks run_first_round(const SceneModels& models, SceneSide* const* sides, SideResult* results) {
  const double block_h = kBlock * models.theirs->opt.timestep;
  Blocks blocks;
  blocks.skipped = static_cast<int>(std::lround(kSkip / block_h));
  blocks.end = blocks.skipped + std::max(1, static_cast<int>(std::lround(kSpan / block_h)));
  ControlNoise noise(models);
  for (int b = 0; b < blocks.end; ++b) {
    const double slower = std::max(results[0].total_s, results[1].total_s);
    if (b < blocks.skipped && slower > kSkipTime) {
      blocks.end -= blocks.skipped - b;
      blocks.skipped = b;
    }
    if (b > blocks.skipped && slower > kRoundTime) {
      blocks.end = b;
      break;
    }
    const std::vector<double>& controls = noise.next();
    for (int s = 0; s < 2; ++s) {
      const double seconds = run_block(controls, sides[s]);
      results[s].total_s += seconds;
      if (b < blocks.skipped) continue;
      results[s].block_s.push_back(seconds / kBlock);
      results[s].last = sides[s]->figures();
      add(results[s].last, &results[s].mean);
    }
  }
  for (int s = 0; s < 2; ++s) divide(blocks.count(), &results[s].mean);
  return blocks;
}

void run_round_again(const SceneModels& models, const Blocks& blocks, SceneSide* const* sides,
                     SideResult* results) {
  ControlNoise noise(models);
  for (int s = 0; s < 2; ++s) sides[s]->restart();
  for (int b = 0; b < blocks.end; ++b) {
    const std::vector<double>& controls = noise.next();
    for (int s = 0; s < 2; ++s) {
      const double seconds = run_block(controls, sides[s]);
      results[s].total_s += seconds;
      if (b < blocks.skipped) continue;
      double& best = results[s].block_s[static_cast<size_t>(b - blocks.skipped)];
      best = std::min(best, seconds / kBlock);
    }
  }
}

// Where the time of our steps goes, and what the solver did in them.
struct OurAccount {
  std::string stages;
  double iterations = 0.0;  // mean of all steps
  int most_iterations = 0, unconverged = 0;
};

OurAccount account_for(const SceneModels& models, const Blocks& blocks, OurSide* ours) {
  OurAccount account;
  ours->restart();
  World& world = ours->world();
  world.options().formulation.times_stages = true;
  const StageTimers& timers = world.workspace().timers;
  const int stages = timers.stage_count();
  std::vector<std::vector<double>> stage_s(static_cast<size_t>(stages));  // of every step
  ControlNoise noise(models);
  for (int b = 0; b < blocks.end; ++b) {
    ours->set_controls(noise.next());
    for (int i = 0; i < kBlock; ++i) {
      const StageTimers before = timers;
      const StepReport report = world.step();
      if (b < blocks.skipped) continue;
      for (int s = 0; s < stages; ++s) stage_s[s].push_back(timers.seconds(s) - before.seconds(s));
      account.iterations += report.contact.iterations;
      account.most_iterations = std::max(account.most_iterations, report.contact.iterations);
      account.unconverged += !is_solved(report.contact.status);
    }
  }
  account.iterations /= 1.0 * blocks.count() * kBlock;
  // Medians, because the clock goes on while other programs run.
  for (int s = 0; s < stages; ++s)
    account.stages +=
        fmt::format("{}{} {:.2f}", s == 0 ? "" : ", ", timers.name(s), kMicro * median(stage_s[s]));
  return account;
}

std::string length_text(double metres) {
  return metres < 1e-4 ? fmt::format("{:.2g} um", kMicro * metres) : fmt::format("{:.2g} mm", 1e3 * metres);
}

// How both sides did on average.
struct Outcome {
  SceneFigures ours, theirs;
};

// name: of the row.
RaceRow race_scene(const Rules& rules, const SceneModels& models, const std::string& name, Outcome* outcome) {
  const char* version = mj_versionString();
  OurSide ours(models, rules.formulation);
  MujocoSide theirs(models);
  SceneSide* const sides[2] = {&ours, &theirs};
  SideResult results[2];
  const Blocks blocks = run_first_round(models, sides, results);
  const int failures = theirs.failures();
  int rounds = 1;
  const auto slower_s = [&] { return std::max(results[0].total_s, results[1].total_s); };
  while (rounds < (slower_s() < kEnoughTime ? kMostRounds : kRounds) &&
         slower_s() * (rounds + 1) / rounds < kSceneTime) {
    run_round_again(models, blocks, sides, results);
    ++rounds;
  }
  const OurAccount account = account_for(models, blocks, &ours);

  const SceneFigures &us = results[0].mean, &them = results[1].mean;
  const double h = models.theirs->opt.timestep;
  std::string note = fmt::format(
      "{} velocities, h {:g} ms; touching points {:.1f}, mujoco's contacts {:.1f}; deepest {} "
      "({} at the end), mujoco {} ({}); iterations {:.1f}, at most {}, mujoco {:.1f}; "
      "residual {:.1e}, mujoco {:.1e}; "
      "median us by stage: {}; {:.2f} s of motion after {:.2f} s, {} rounds",
      models.ours->num_v(), 1e3 * h, us.contacts, them.contacts, length_text(us.deepest),
      length_text(results[0].last.deepest), length_text(them.deepest), length_text(results[1].last.deepest),
      account.iterations, account.most_iterations, them.iterations, us.residual, them.residual,
      account.stages, blocks.count() * kBlock * h, blocks.skipped * kBlock * h, rounds);
  *outcome = {us, them};
  if (account.unconverged > 0) note += fmt::format("; {} steps of ours not converged", account.unconverged);
  if (failures > 0) note += fmt::format("; mujoco failed and started again {} times", failures);
  return {rules.race, name, "mujoco", version, results[0].step_s(), results[1].step_s(), kGoal, note};
}

std::vector<RaceRow> race_all(const Rules& rules, const std::string& only) {
  std::vector<RaceRow> rows;
  if (!shared_file("models")) {
    std::fprintf(stderr, "scenes are not raced: %s\n", missing_shared_file("models").c_str());
    return rows;
  }
  const int threads = thread_count();
  set_thread_count(1);
  const auto race = [&](const SceneModels& models, const std::string& name) {
    Outcome outcome;
    rows.push_back(race_scene(rules, models, name, &outcome));
    std::fprintf(stderr, "%s: ours %.2f us, mujoco %.2f us, ratio %.2f\n", name.c_str(),
                 kMicro * rows.back().ours_s, kMicro * rows.back().peer_s, rows.back().ratio());
    return outcome;
  };
  for (const std::string& name : only.empty() ? scene_names() : std::vector<std::string>{only}) {
    try {
      SceneModels models = make_scene_models(name);
      const double tolerance = NewtonOptions().relative_tolerance;
      // By the options of the file, once more where those leave the solver less accurate than ours, and once
      // where they leave the contacts much softer.
      const Outcome outcome = race(models, name);
      SceneModels tightened = copy_of(models);
      if (outcome.theirs.residual > tolerance && tighten_mujoco(tolerance, &tightened))
        race(tightened, name + "_as_accurate");
      if (rules.has_our_stiffness && outcome.theirs.deepest > kSofter * outcome.ours.deepest) {
        stiffen_mujoco(kDefaultStiffness, &models);
        if (choose_mujoco_solver(tolerance, &models))
          race(models, name + "_as_stiff");
        else
          std::fprintf(stderr, "%s_as_stiff: no solver of mujoco's is as accurate\n", name.c_str());
      }
    } catch (const std::runtime_error& error) {
      rows.push_back(failed_row(rules.race, name, "mujoco", mj_versionString(), error.what()));
    }
  }
  set_thread_count(threads);
  return rows;
}

}  // namespace

std::vector<RaceRow> race_scenes(const std::string& only) { return race_all(kDefaultLaw, only); }
std::vector<RaceRow> race_scenes_under_their_law(const std::string& only) {
  return race_all(kTheirLaw, only);
}

static void profile(const std::string& scene, const Rules& rules, double seconds) {
  const SceneModels models = make_scene_models(scene);
  OurSide ours(models, rules.formulation);
  const int blocks = static_cast<int>(std::ceil((kSkip + kSpan) / (kBlock * models.theirs->opt.timestep)));
  const Stopwatch watch;
  while (watch.seconds() < seconds) {
    ours.restart();
    ControlNoise noise(models);
    for (int b = 0; b < blocks && watch.seconds() < seconds; ++b) run_block(noise.next(), &ours);
  }
}

void profile_scene(const std::string& scene, double seconds) { profile(scene, kDefaultLaw, seconds); }
void profile_scene_under_their_law(const std::string& scene, double seconds) {
  profile(scene, kTheirLaw, seconds);
}

}  // namespace stiction::race
