// The race against other engines: runs all races, prints a table and writes it as JSON.
//
// usage: stiction_race [RACE.json]                exit status 1 if a race could not be run
//        stiction_race --profile SCENE RACE      our side alone for two seconds

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "bench/race/cholesky_race.h"
#include "bench/race/dynamics_race.h"
#include "bench/race/race.h"

namespace {

constexpr double kProfileSeconds = 2.0;

int run(const std::vector<std::string>& arguments) {
  using namespace stiction::race;
  if (arguments.size() == 3 && arguments[0] == "--profile") {
    profile_dynamics(arguments[1], arguments[2], kProfileSeconds);
    return 0;
  }
  if (arguments.size() > 1 || (arguments.size() == 1 && arguments[0].rfind("-", 0) == 0)) {
    std::fputs("usage: stiction_race [RACE.json]\n       stiction_race --profile SCENE RACE\n", stderr);
    return 2;
  }
  std::vector<RaceRow> rows = race_dynamics();
  const std::vector<RaceRow> more = race_cholesky(STICTION_RACE_DATA "/contact_graphs");
  rows.insert(rows.end(), more.begin(), more.end());
  std::fputs(table_of(rows).c_str(), stdout);
  const std::string path = arguments.empty() ? "build/race.json" : arguments[0];
  write_rows(rows, path);
  std::printf("written: %s\n", path.c_str());
  return std::any_of(rows.begin(), rows.end(), [](const RaceRow& row) { return row.failed(); }) ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "stiction_race: %s\n", error.what());
    return 1;
  }
}
