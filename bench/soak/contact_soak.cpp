// stiction_soak: every scene with contact at every stiffness, mass ratio, step and friction, for a long time.
//
// A run fails if a step fails or a state is not finite. Steps whose contact solver stopped above its
// tolerance are counted and listed. The program fails if a run does, if the share of such steps is 1e-5 or
// more, or if icf_coupled has the answer of icf_lagged in more than 1e-3 of its islands.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "bench/soak/sweep.h"
#include "stiction/base/format.h"
#include "stiction/base/parallel.h"
#include "stiction/base/timer.h"

namespace stiction {
namespace {

constexpr double kLargestShare = 1e-5;  // of unconverged steps
constexpr double kMostLagged = 1e-3;    // of islands
constexpr int kListed = 20;             // of them in one run

struct SoakResult {
  long steps = 0, unconverged = 0;
  long islands = 0, lagged_fallbacks = 0;  // of all steps
  long steps_with_fallbacks = 0, iterations = 0;
  int most_iterations = 0;
  double seconds = 0.0;
  std::vector<std::string> notes;  // unconverged steps, the first of them
  std::string failure;
};

// What is under way, for whoever watches.
class Progress {
 public:
  Progress(long total_steps, bool is_on) : total_(total_steps), is_on_(is_on) {}
  void add(long steps) {
    done_ += steps;
    if (!is_on_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    const double now = timer_.seconds();
    if (!lock.owns_lock() || now < next_) return;
    next_ = now + 1.0;
    const double rate = double(done_) / now;
    std::fprintf(stderr, "\r\033[K  %ld of %ld steps   %.0f steps/s   %.0f s left", done_.load(), total_,
                 rate, double(total_ - done_) / rate);
  }
  void clear() const {
    if (is_on_) std::fprintf(stderr, "\r\033[K");
  }

 private:
  std::atomic<long> done_ = 0;
  long total_;
  bool is_on_;
  double next_ = 1.0;
  Stopwatch timer_;
  std::mutex mutex_;
};

SoakResult soak(const SoakRun& run, int max_iterations, Progress* progress) {
  constexpr long kChunk = 64;  // steps between two readings of the clock
  SoakResult result;
  const Stopwatch timer;
  try {
    WorldOptions options;
    options.h = run.h;
    options.formulation.contact.law = run.law;
    options.formulation.newton.max_iterations = max_iterations;
    World world(soak_model(run), options);
    for (; result.steps < run.steps; ++result.steps) {
      const double time = world.time();
      const StepReport report = world.step();
      result.most_iterations = std::max(result.most_iterations, report.contact.iterations);
      result.iterations += report.contact.iterations;
      result.islands += report.contact.islands;
      result.lagged_fallbacks += report.contact.lagged_fallbacks;
      result.steps_with_fallbacks += report.contact.lagged_fallbacks > 0;
      if (report.status != StepStatus::done) {
        if (++result.unconverged <= kListed) {
          char text[160];
          std::snprintf(text, sizeof text, "t = %g s: %s after %d iterations, residual %.1e", time,
                        name_of(report.contact.status), report.contact.iterations, report.contact.residual);
          result.notes.push_back(text);
        }
      }
      if (result.steps % kChunk == kChunk - 1) progress->add(kChunk);
    }
  } catch (const std::exception& error) {
    result.failure = error.what();
  }
  result.seconds = timer.seconds();
  return result;
}

// How often icf_coupled had the answer of icf_lagged, all in all and in the runs above the limit; whether it
// is within the limit.
bool print_lagged(const std::vector<SoakRun>& runs, const std::vector<SoakResult>& results) {
  SoakResult all;
  std::vector<std::string> above;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].law != LawKind::icf_coupled) continue;
    const SoakResult& one = results[i];
    all.islands += one.islands;
    all.lagged_fallbacks += one.lagged_fallbacks;
    all.steps += one.steps;
    all.steps_with_fallbacks += one.steps_with_fallbacks;
    const double share = double(one.lagged_fallbacks) / double(std::max(one.islands, 1L));
    if (share > kMostLagged)
      above.push_back(format("{:48} {} of {} islands: {:.1e}", name_of(runs[i]), one.lagged_fallbacks,
                             one.islands, share));
  }
  if (all.steps == 0) return true;
  const double share = double(all.lagged_fallbacks) / double(std::max(all.islands, 1L));
  std::printf(
      "icf_coupled: %ld of %ld islands have the lagged answer: a share of islands of %.1e (at most %.0e); "
      "in %ld of %ld steps: %.1e\n",
      all.lagged_fallbacks, all.islands, share, kMostLagged, all.steps_with_fallbacks, all.steps,
      double(all.steps_with_fallbacks) / double(all.steps));
  if (!above.empty()) std::printf("  runs above that share:\n");
  for (const std::string& line : above) std::printf("    %s\n", line.c_str());
  return share <= kMostLagged;
}

int main_of(int count, char** arguments) {
  CLI::App app{"Runs every scene with contact at extreme numbers, for a long time."};
  SoakPlan plan;
  std::string only;
  int threads = 0, max_iterations = NewtonOptions().max_iterations;
  bool is_quiet = false, lists_all = false;
  app.add_option("--only", only, "runs whose name (scene/law/parameter value) contains this");
  app.add_option("--seconds", plan.seconds, "simulated, of every run of the default law")
      ->capture_default_str();
  app.add_option("--steps", plan.largest_steps, "of one run at most")->capture_default_str();
  app.add_option("--other-laws", plan.other_share, "share of the steps for the other laws")
      ->capture_default_str();
  app.add_option("--threads", threads, "runs at the same time; 0: one for each processor")
      ->capture_default_str();
  app.add_option("--iterations", max_iterations, "of the contact solver at most")->capture_default_str();
  app.add_flag("--list", lists_all, "a line for every run");
  app.add_flag("--quiet", is_quiet, "no progress");
  CLI11_PARSE(app, count, arguments);

  const std::vector<SoakRun> runs = soak_runs(plan, only);
  long total = 0;
  for (const SoakRun& run : runs) total += run.steps;
  std::printf("%zu runs, %ld steps\n", runs.size(), total);
  set_thread_count(threads);
  Progress progress(total, !is_quiet && isatty(2) != 0);
  std::vector<SoakResult> results(runs.size());
  std::mutex printing;
  parallel_for(static_cast<int>(runs.size()), 1, [&](int i) {
    results[i] = soak(runs[i], max_iterations, &progress);
    const SoakResult& result = results[i];
    if (result.failure.empty() && result.unconverged == 0 && !lists_all) return;
    const std::lock_guard lock(printing);
    progress.clear();
    const double all = double(std::max(result.steps, 1L));
    std::printf("%-48s %8ld steps %6ld unconverged %4d iterations at most %6.2f on average %8.1f us/step",
                name_of(runs[i]).c_str(), result.steps, result.unconverged, result.most_iterations,
                double(result.iterations) / all, 1e6 * result.seconds / all);
    if (result.lagged_fallbacks > 0)
      std::printf(" %ld of %ld islands lagged", result.lagged_fallbacks, result.islands);
    std::printf("\n");
    for (const std::string& note : result.notes) std::printf("    %s\n", note.c_str());
    if (!result.failure.empty()) std::printf("    FAILED: %s\n", result.failure.c_str());
    std::fflush(stdout);
  });

  progress.clear();
  long steps = 0, unconverged = 0;
  int failed = 0;
  for (const SoakResult& result : results) {
    steps += result.steps;
    unconverged += result.unconverged;
    failed += !result.failure.empty();
  }
  const double share = steps > 0 ? double(unconverged) / double(steps) : 0.0;
  std::printf("%ld steps, %d failed runs, %ld unconverged steps: a share of %.1e (must be below %.0e)\n",
              steps, failed, unconverged, share, kLargestShare);
  const bool is_coupled_enough = print_lagged(runs, results);
  return failed == 0 && share < kLargestShare && is_coupled_enough ? 0 : 1;
}

}  // namespace
}  // namespace stiction

int main(int count, char** arguments) { return stiction::main_of(count, arguments); }
