#pragma once
// A race: the same work done by us and by a peer, timed side by side in one process.
//
// Both sides run in turns, one short batch each, in a few groups of many batches; the time of a side is the
// smallest of the medians of its groups. What is raced runs on one thread, and its processor time is what
// counts. So other programs on the machine matter only as long as they disturb every group. Only ratios of
// one run mean anything.

#include <string>
#include <vector>

#include "bench/race/contestant.h"

namespace stiction::race {

// One line of the result.
struct RaceRow {
  std::string race, scene;
  std::string peer, peer_version;
  double ours_s = 0.0, peer_s = 0.0;  // s, for one piece of work
  double goal = 0.0;                  // of the ratio peer_s / ours_s
  std::string note;                   // size, algorithms, anything that explains the figure

  bool failed() const { return !(ours_s > 0.0 && peer_s > 0.0); }
  double ratio() const { return failed() ? 0.0 : peer_s / ours_s; }
};

// A race that could not be run, and why.
RaceRow failed_row(const std::string& race, const std::string& scene, const std::string& peer,
                   const std::string& peer_version, const std::string& why);

// Seconds for one piece of work, in the order of the contestants. Every contestant runs once untimed, and
// then `batches` times a group in turn with the others, each batch repeated until it lasts about `batch_s`.
std::vector<double> median_seconds(const std::vector<Contestant>& contestants, int batches = 31,
                                   double batch_s = 5e-4);

// Processor time of this thread.
double thread_seconds();

double median(std::vector<double> values);

// The table of all rows, those below their goal marked.
std::string table_of(const std::vector<RaceRow>& rows);

// The same as JSON: a list of objects with the names of RaceRow and "ratio".
void write_rows(const std::vector<RaceRow>& rows, const std::string& path);

}  // namespace stiction::race
