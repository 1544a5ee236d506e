// The race against other engines: runs all races, prints a table and writes it as JSON.
//
// usage: stiction_race [--only GROUP[:SCENE]] [RACE.json]   exit status 1 if a race could not be run
//        stiction_race --profile SCENE RACE                 our side alone for two seconds

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <vector>

#include "bench/race/cholesky_race.h"
#include "bench/race/collision_stage_race.h"
#include "bench/race/contact_race.h"
#include "bench/race/dynamics_race.h"
#include "bench/race/field_race.h"
#include "bench/race/loading_race.h"
#include "bench/race/narrow_phase_race.h"
#include "bench/race/race.h"
#include "bench/race/scene_race.h"
#include "bench/race/solver_race.h"

namespace {

constexpr double kProfileSeconds = 2.0;

using Rows = std::vector<stiction::race::RaceRow>;

// Races that are run together.
struct Group {
  const char* name;
  Rows (*run)();
  Rows (*run_scene)(const std::string& scene) = nullptr;  // one scene of it alone, where that is possible
};

constexpr Group kGroups[] = {
    {"dynamics", stiction::race::race_dynamics},
    {"cholesky", [] { return stiction::race::race_cholesky(STICTION_RACE_DATA "/contact_graphs"); }},
    {"loading", stiction::race::race_loading},
    {"broad_phase", stiction::race::race_broad_phase},
    {"narrow_phase", stiction::race::race_narrow_phase},
    {"collision_stage", stiction::race::race_collision_stage},
    {"contact", [] { return stiction::race::race_contact(); }, stiction::race::race_contact},
    {"fields", [] { return stiction::race::race_fields(); }, stiction::race::race_fields},
    {"solvers", [] { return stiction::race::race_solvers(); }, stiction::race::race_solvers},
    {"scenes", [] { return stiction::race::race_scenes(); }, stiction::race::race_scenes},
    {"scenes_mujoco_law", [] { return stiction::race::race_scenes_under_their_law(); },
     stiction::race::race_scenes_under_their_law},
};

int complain() {
  std::fputs(
      "usage: stiction_race [--only GROUP[:SCENE]] [RACE.json]\n       stiction_race --profile SCENE RACE\n"
      "groups:",
      stderr);
  for (const Group& group : kGroups) std::fprintf(stderr, " %s", group.name);
  std::fputs("\n", stderr);
  return 2;
}

int run(std::vector<std::string> arguments) {
  using namespace stiction::race;
  if (arguments.size() == 3 && arguments[0] == "--profile") {
    if (arguments[2] == "loading")
      profile_loading(arguments[1], kProfileSeconds);
    else if (arguments[2] == "narrow_phase")
      profile_narrow_phase(arguments[1], kProfileSeconds);
    else if (arguments[2] == "contact_rest" || arguments[2] == "contact_fall")
      profile_contact(arguments[1], arguments[2], kProfileSeconds);
    else if (arguments[2] == "scenes")
      profile_scene(arguments[1], kProfileSeconds);
    else if (arguments[2] == "scenes_mujoco_law")
      profile_scene_under_their_law(arguments[1], kProfileSeconds);
    else
      profile_dynamics(arguments[1], arguments[2], kProfileSeconds);
    return 0;
  }
  std::string only, scene;
  if (arguments.size() >= 2 && arguments[0] == "--only") {
    only = arguments[1];
    if (const size_t colon = only.find(':'); colon != std::string::npos) {
      scene = only.substr(colon + 1);
      only.resize(colon);
    }
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  const bool is_known =
      only.empty() || std::any_of(std::begin(kGroups), std::end(kGroups), [&](const Group& group) {
        return only == group.name && (scene.empty() || group.run_scene != nullptr);
      });
  if (!is_known || arguments.size() > 1 || (arguments.size() == 1 && arguments[0].rfind("-", 0) == 0))
    return complain();

  Rows rows;
  for (const Group& group : kGroups) {
    if (!only.empty() && only != group.name) continue;
    const Rows more = scene.empty() ? group.run() : group.run_scene(scene);
    rows.insert(rows.end(), more.begin(), more.end());
  }
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
