#pragma once
// A race: the same work done by us and by a peer, timed side by side in one process.
//
// Every race has the same two figures of a side: the median and the mean of its pieces of work, which are
// steps, contact problems, loads of a file, or short batches of something smaller. A row is judged by both. A
// piece that is done again and again, the same to the bit, counts with the least of its times. What is raced
// runs on one thread and its processor time is what counts (loading: all threads, by the clock). Only ratios
// of one run mean anything.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "bench/race/contestant.h"

namespace stiction::race {

// What follows the name of a scene in rows that have one side do more than its own default.
inline constexpr const char* kAsAccurate = "_as_accurate";  // MuJoCo's solver leaves as little as ours
inline constexpr const char* kAsStiff = "_as_stiff";        // MuJoCo's contacts are as stiff as ours
inline constexpr const char* kOursAsAccurate =
    "_ours_as_accurate";  // our solver leaves as little as MuJoCo's
// A relative residual of round-off.
inline constexpr double kNoResidual = 1e-13;

// Of the pieces of work of one side, s.
struct Times {
  double median = 0.0, mean = 0.0;
};
Times times_of(const std::vector<double>& seconds);

// One line of the result.
struct RaceRow {
  std::string race, scene;
  std::string peer, peer_version;
  Times ours_s, peer_s;  // for one piece of work
  double goal = 0.0;     // of both ratios
  std::string note;      // size, algorithms, anything that explains the figure
  // What the forces of the sides miss of the exact ones, relative, where the race tells it.
  std::optional<double> ours_error = {}, peer_error = {};

  bool failed() const { return !(ours_s.median > 0.0 && peer_s.median > 0.0); }
  double ratio() const { return failed() ? 0.0 : peer_s.median / ours_s.median; }
  double mean_ratio() const { return failed() ? 0.0 : peer_s.mean / ours_s.mean; }
  // An error of kNoError or less is none: what is exact is known no better.
  static constexpr double kNoError = 2e-3;
  bool is_less_accurate() const {
    return !failed() && ours_error && peer_error && *ours_error > std::max(*peer_error, kNoError);
  }
  bool is_below_goal() const { return !failed() && std::min(ratio(), mean_ratio()) < goal; }
};

// A race that could not be run, and why.
RaceRow failed_row(const std::string& race, const std::string& scene, const std::string& peer,
                   const std::string& peer_version, double goal, const std::string& why);

// Seconds for one piece of work, in the order of the contestants. Every contestant runs once untimed, and
// then `batches` times a group in turn with the others, each batch repeated until it lasts about `batch_s`.
// Of a few groups the least median and the least mean count, so that other programs on the machine matter
// only as long as they disturb every group.
std::vector<Times> times_in_turns(const std::vector<Contestant>& contestants, int batches = 31,
                                  double batch_s = 5e-4);

// Processor time of this thread.
double thread_seconds();
// What one reading of it takes, the median of many: a part of everything that is timed.
double clock_seconds();

double median(std::vector<double> values);

// The table of all rows, those below their goal marked.
std::string table_of(const std::vector<RaceRow>& rows);

// The same as JSON: a list of objects with the names of RaceRow, "ratio" and "mean_ratio".
void write_rows(const std::vector<RaceRow>& rows, const std::string& path);

}  // namespace stiction::race
