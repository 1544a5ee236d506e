#pragma once
// A race: the same work done by us and by a peer, timed side by side in one process.
//
// Both sides run in turns, one short batch each, so that a throttled machine slows both alike; the time of a
// side is the median over its batches. Only ratios of one run mean anything. What is raced runs on one
// thread, and its processor time is what counts: other programs on the machine do not.

#include <functional>
#include <string>
#include <vector>

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

// One side, or one of several ways in which a side can do the work.
struct Contestant {
  std::string name;
  std::function<void()> run;  // does `pieces` pieces of work
  int pieces = 1;
};

// Median seconds for one piece of work, in the order of the contestants. Every contestant runs once untimed,
// and then `batches` times in turn with the others, each batch repeated until it lasts `batch_s`.
std::vector<double> median_seconds(const std::vector<Contestant>& contestants, int batches = 101,
                                   double batch_s = 1e-3);

// The table of all rows, those below their goal marked.
std::string table_of(const std::vector<RaceRow>& rows);

// The same as JSON: a list of objects with the names of RaceRow and "ratio".
void write_rows(const std::vector<RaceRow>& rows, const std::string& path);

}  // namespace stiction::race
