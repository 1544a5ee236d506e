#include "bench/race/scene_race.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

#include <fmt/format.h>
#include <mujoco/mujoco.h>

#include "bench/race/scene_race_settings.h"
#include "stiction/base/check.h"
#include "stiction/base/parallel.h"
#include "stiction/base/shared_files.h"
#include "stiction/base/timer.h"
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
  std::vector<double> step_s;  // every counted step, the least of all rounds
  double total_s = 0.0;        // of all rounds
  SceneFigures mean, last;
};

// Which blocks are counted.
struct Blocks {
  int skipped = 0, end = 0;
  int count() const { return end - skipped; }
};

using BlockTimes = std::array<double, kBlock>;  // s, of its steps

BlockTimes run_block(const std::vector<double>& controls, SceneSide* side) {
  BlockTimes times;
  side->set_controls(controls);
  double before = thread_seconds();
  for (double& time : times) {
    side->step();
    const double now = thread_seconds();
    time = std::max(now - before - clock_seconds(), 0.0);
    before = now;
  }
  return times;
}

double sum(const BlockTimes& times) { return std::accumulate(times.begin(), times.end(), 0.0); }

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
      const BlockTimes times = run_block(controls, sides[s]);
      results[s].total_s += sum(times);
      if (b < blocks.skipped) continue;
      results[s].step_s.insert(results[s].step_s.end(), times.begin(), times.end());
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
      const BlockTimes times = run_block(controls, sides[s]);
      results[s].total_s += sum(times);
      if (b < blocks.skipped) continue;
      double* best = results[s].step_s.data() + static_cast<size_t>(b - blocks.skipped) * kBlock;
      for (int i = 0; i < kBlock; ++i) best[i] = std::min(best[i], times[static_cast<size_t>(i)]);
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
  std::vector<double> sensors_s;
  ControlNoise noise(models);
  for (int b = 0; b < blocks.end; ++b) {
    ours->set_controls(noise.next());
    for (int i = 0; i < kBlock; ++i) {
      const StageTimers before = timers;
      const StepReport report = world.step();
      const Stopwatch watch;
      ours->read_sensors();
      sensors_s.push_back(watch.seconds());
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
  if (ours->num_sensors() > 0)
    account.stages += fmt::format(", {} of {} sensors {:.2f}", ours->num_sensors(),
                                  world.model().elements.sensors.size(), kMicro * median(sensors_s));
  return account;
}

std::string length_text(double metres) {
  return metres < 1e-4 ? fmt::format("{:.2g} um", kMicro * metres) : fmt::format("{:.2g} mm", 1e3 * metres);
}

// How both sides did on average, and how often MuJoCo failed.
struct Outcome {
  SceneFigures ours, theirs;
  int failures = 0;
};

// name: of the row; tolerance: of our solver, 0: its own.
RaceRow race_scene(const Rules& rules, const SceneModels& models, const std::string& name, double tolerance,
                   Outcome* outcome) {
  const char* version = mj_versionString();
  OurSide ours(models, rules.formulation, tolerance);
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
  *outcome = {us, them, failures};
  if (tolerance > 0.0) note += fmt::format("; our tolerance {:.1e}", tolerance);
  if (account.unconverged > 0) note += fmt::format("; {} steps of ours not converged", account.unconverged);
  if (failures > 0) note += fmt::format("; mujoco failed and started again {} times", failures);
  return {rules.race, name, "mujoco", version, times_of(results[0].step_s), times_of(results[1].step_s),
          kGoal,      note};
}

std::vector<RaceRow> race_all(const Rules& rules, const std::string& only) {
  std::vector<RaceRow> rows;
  if (!shared_file("models")) {
    std::fprintf(stderr, "scenes are not raced: %s\n", missing_shared_file("models").c_str());
    return rows;
  }
  const int threads = thread_count();
  set_thread_count(1);
  const auto race = [&](const SceneModels& models, const std::string& name, double our_tolerance) {
    Outcome outcome;
    rows.push_back(race_scene(rules, models, name, our_tolerance, &outcome));
    const RaceRow& row = rows.back();
    std::fprintf(stderr,
                 "%s: ours %.2f us, mujoco %.2f us, ratio %.2f (of means %.2f), residual %.1e and %.1e\n",
                 name.c_str(), kMicro * row.ours_s.median, kMicro * row.peer_s.median, row.ratio(),
                 row.mean_ratio(), outcome.ours.residual, outcome.theirs.residual);
    return outcome;
  };
  for (const std::string& name : only.empty() ? scene_names() : std::vector<std::string>{only}) {
    try {
      SceneModels models = make_scene_models(name);
      const double tolerance = NewtonOptions().relative_tolerance;
      // By the options of the file; once more with our solver as accurate as MuJoCo's where that is more
      // accurate, or the other way round where it misses our tolerance; and once where the file leaves the
      // contacts much softer than ours.
      const std::size_t plain = rows.size();
      const Outcome outcome = race(models, name, 0.0);
      const auto leave_out = [&](const char* kind, const char* why) {
        std::fprintf(stderr, "%s%s is left out: mujoco: %s\n", name.c_str(), kind, why);
        rows[plain].note += fmt::format("; no row {}{}: mujoco: {}", name, kind, why);
      };
      const double theirs = std::max(outcome.theirs.residual, kNoResidual);
      if (outcome.ours.residual > theirs) race(models, name + kOursAsAccurate, theirs);
      SceneModels tightened = copy_of(models);
      if (outcome.theirs.residual > tolerance) {
        if (tighten_mujoco(tolerance, &tightened))
          race(tightened, name + kAsAccurate, 0.0);
        else
          leave_out(kAsAccurate, "its solver does not come so far");
      }
      if (rules.has_our_stiffness && outcome.theirs.deepest > kSofter * outcome.ours.deepest) {
        stiffen_mujoco(&models);
        if (!choose_mujoco_solver(tolerance, &models)) {
          leave_out(kAsStiff, "none of its solvers is as accurate");
        } else if (race(models, name + kAsStiff, 0.0).failures > 0) {
          rows.pop_back();
          leave_out(kAsStiff, "it fails and starts again");
        }
      }
    } catch (const std::runtime_error& error) {
      rows.push_back(failed_row(rules.race, name, "mujoco", mj_versionString(), kGoal, error.what()));
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
