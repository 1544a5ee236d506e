// The cost of recording for the stepping thread: the 40-body clutter with every step recorded, compared with
// the same steps without recording. Goals: less than 10 % of the stepping thread's time, less than 400 bytes
// per body and step before compression.

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "scenes/catalog.h"
#include "stiction/base/timer.h"
#include "stiction/io/recording/recorder.h"

namespace stiction {
namespace {

// Steps before the first round, before the clock in each (buffers grow to their size), and on it.
constexpr int kSettle = 500, kWarm = 300, kSteps = 500, kRounds = 9;

// Seconds that this thread has had of a processor: other programs on the machine do not count.
double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Times {
  double thread = 1e300, wall = 1e300;  // s, the least of all rounds
  void take_less(double new_thread, double new_wall) {
    thread = std::min(thread, new_thread);
    wall = std::min(wall, new_wall);
  }
};

void recording_clutter(benchmark::State& bench) {
  World world(make_scene("clutter"));
  for (int i = 0; i < kSettle; ++i) world.step();
  const State start = world.state();
  RecorderOptions options;
  options.file =
      std::filesystem::temp_directory_path() / ("stiction_bench_" + std::to_string(getpid()) + ".mcap");
  RecorderStatistics statistics;
  Times plain, recorded;
  for (auto _ : bench) {
    // In turn, so that what else the machine does meets both.
    for (int round = 0; round < kRounds; ++round) {
      for (const bool records : {false, true}) {
        world.set_state(start);
        std::unique_ptr<Recorder> recorder;
        if (records) recorder = std::make_unique<Recorder>(world, world.input(), options);
        const auto take_steps = [&](int steps) {
          for (int i = 0; i < steps; ++i) {
            const StepReport report = world.step();
            if (recorder) recorder->record(world, world.input(), world.options().h, report);
          }
        };
        take_steps(kWarm);
        const double thread = thread_seconds();
        const Stopwatch clock;
        take_steps(kSteps);
        (records ? recorded : plain).take_less(thread_seconds() - thread, clock.seconds());
        if (recorder) statistics = recorder->close(world);
      }
    }
  }
  std::error_code ignored;
  std::filesystem::remove(options.file, ignored);
  const double bodies_and_steps = 40.0 * static_cast<double>(statistics.states);
  bench.counters["slower_%"] = 100.0 * (recorded.thread / plain.thread - 1.0);
  bench.counters["slower_wall_%"] = 100.0 * (recorded.wall / plain.wall - 1.0);
  bench.counters["step_us"] = 1e6 * plain.thread / kSteps;
  bench.counters["B/body/step"] = static_cast<double>(statistics.message_bytes) / bodies_and_steps;
  bench.counters["B/body/step_in_file"] = static_cast<double>(statistics.file_bytes) / bodies_and_steps;
  bench.counters["waits"] = static_cast<double>(statistics.waits);
}
BENCHMARK(recording_clutter)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace stiction
