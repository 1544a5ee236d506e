#include "bench/race/race.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "stiction/base/check.h"
#include "stiction/base/timer.h"

namespace stiction::race {

namespace {

// As many groups as fit in the time, at least one.
constexpr double kMostGroups = 7.0, kSecondsForGroups = 3.0;

double seconds_of(const Contestant& contestant, int repeats) {
  const Stopwatch watch(thread_seconds);
  for (int i = 0; i < repeats; ++i) contestant.run();
  return watch.seconds();
}

// How often a contestant must run for its batch to last batch_s, and how long the batch then lasts.
struct Batch {
  int repeats = 1;
  double seconds = 0.0;
};

Batch batch_of(const Contestant& contestant, double batch_s) {
  contestant.run();
  for (int repeats = 1;; repeats *= 2) {
    const double seconds = seconds_of(contestant, repeats);
    if (seconds < 0.5 * batch_s) continue;
    const int enough = std::max(1, static_cast<int>(std::ceil(repeats * batch_s / seconds)));
    return {enough, seconds / repeats * enough};
  }
}

constexpr double kMicro = 1e6;

// Lines of at most kWidth characters, broken at spaces and indented.
std::string wrapped(const std::string& text) {
  constexpr size_t kWidth = 120;
  const std::string indent = "    ";
  std::string lines;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(begin + kWidth - indent.size(), text.size());
    if (end < text.size()) {
      const size_t space = text.rfind(' ', end);
      if (space != std::string::npos && space > begin) end = space;
    }
    lines += indent + text.substr(begin, end - begin) + "\n";
    begin = text.find_first_not_of(' ', end);
  }
  return lines;
}

}  // namespace

double thread_seconds() {
  timespec time{};
  STICTION_ASSERT(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Times times_of(const std::vector<double>& seconds) {
  const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return {median(seconds), sum / static_cast<double>(seconds.size())};
}

double clock_seconds() {
  static const double seconds = [] {
    std::vector<double> times(10'000);
    double before = thread_seconds();
    for (double& time : times) {
      const double now = thread_seconds();
      time = now - before;
      before = now;
    }
    return median(times);
  }();
  return seconds;
}

std::vector<Times> times_in_turns(const std::vector<Contestant>& contestants, int batches, double batch_s) {
  const size_t count = contestants.size();
  std::vector<Batch> batch(count);
  double turn_s = 0.0;
  for (size_t c = 0; c < count; ++c) {
    batch[c] = batch_of(contestants[c], batch_s);
    turn_s += batch[c].seconds;
  }

  const int groups = static_cast<int>(std::clamp(kSecondsForGroups / (batches * turn_s), 1.0, kMostGroups));
  std::vector<Times> best(count, {INFINITY, INFINITY});
  for (int group = 0; group < groups; ++group) {
    std::vector<std::vector<double>> seconds(count);
    for (int turn = 0; turn < batches; ++turn)
      for (size_t c = 0; c < count; ++c)
        seconds[c].push_back(seconds_of(contestants[c], batch[c].repeats) /
                             (batch[c].repeats * contestants[c].pieces));
    for (size_t c = 0; c < count; ++c) {
      const Times times = times_of(seconds[c]);
      best[c] = {std::min(best[c].median, times.median), std::min(best[c].mean, times.mean)};
    }
  }
  return best;
}

RaceRow failed_row(const std::string& race, const std::string& scene, const std::string& peer,
                   const std::string& peer_version, double goal, const std::string& why) {
  return {race, scene, peer, peer_version, {}, {}, goal, "failed: " + why, {}, {}};
}

std::string table_of(const std::vector<RaceRow>& rows) {
  std::string table = fmt::format("{:<29} {:<28} {:<20} {:>11} {:>11} {:>7} {:>7} {:>6}\n", "race", "scene",
                                  "peer", "ours us", "peer us", "median", "mean", "goal");
  for (const RaceRow& row : rows) {
    table += fmt::format("{:<29} {:<28} {:<20} {:>11.3f} {:>11.3f} {:>7.2f} {:>7.2f} {:>6.2f} {}\n", row.race,
                         row.scene, row.peer + " " + row.peer_version, kMicro * row.ours_s.median,
                         kMicro * row.peer_s.median, row.ratio(), row.mean_ratio(), row.goal,
                         row.failed()             ? "FAILED"
                         : row.is_below_goal()    ? "BELOW"
                         : row.is_less_accurate() ? "LESS ACCURATE"
                                                  : "");
    table += wrapped(row.note);
  }
  return table;
}

void write_rows(const std::vector<RaceRow>& rows, const std::string& path) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RaceRow& row : rows) {
    list.push_back({{"race", row.race},
                    {"scene", row.scene},
                    {"peer", row.peer},
                    {"peer_version", row.peer_version},
                    {"ours_s", row.ours_s.median},
                    {"peer_s", row.peer_s.median},
                    {"ratio", row.ratio()},
                    {"ours_mean_s", row.ours_s.mean},
                    {"peer_mean_s", row.peer_s.mean},
                    {"mean_ratio", row.mean_ratio()},
                    {"goal", row.goal},
                    {"failed", row.failed()},
                    {"below_goal", row.is_below_goal()},
                    {"note", row.note}});
    if (!row.ours_error || !row.peer_error) continue;
    list.back()["ours_error"] = *row.ours_error;
    list.back()["peer_error"] = *row.peer_error;
    list.back()["less_accurate"] = row.is_less_accurate();
  }
  std::ofstream file(path);
  file << list.dump(1) << '\n';
  STICTION_USER_CHECK(file.good(), "cannot write {}", path);
}

}  // namespace stiction::race
