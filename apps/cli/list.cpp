#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/io/scene_file/schema.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/output/sensor_list.h"
#include "stiction/simulation/scheme/scheme.h"

namespace stiction::cli {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows scene_rows() {
  Rows rows;
  for (const SceneEntry& entry : scene_catalog()) rows.emplace_back(entry.name, entry.description);
  return rows;
}

Rows scheme_rows() {
  Rows rows;
  for (const Scheme* scheme : scheme_list()) rows.emplace_back(scheme->name(), scheme->description());
  return rows;
}

Rows formulation_rows() {
  Rows rows;
  for (const CatalogEntry& entry : catalog())
    for (const LawEntry& law : law_list())
      if (law.kind == entry.law) rows.emplace_back(entry.name(), law.description);
  return rows;
}

Rows law_rows() {
  Rows rows;
  for (const LawEntry& law : law_list()) rows.emplace_back(law.name, law.description);
  return rows;
}

Rows solver_rows() {
  Rows rows;
  for (const SolverRow& solver : solver_list()) rows.emplace_back(solver.name, solver.description);
  return rows;
}

Rows sensor_rows() {
  Rows rows;
  for (const SensorKindRow& row : sensor_kind_list())
    rows.emplace_back(row.word, row.size == 0   ? "as many numbers as its data say"
                                : row.size == 1 ? "one number"
                                                : format("{} numbers", row.size));
  return rows;
}

// Keys of scene files, with their sections.
Rows key_rows() {
  Rows rows;
  for (const SceneKey& key : scene_keys()) {
    const bool has_unit = key.unit[0] != '\0';
    rows.emplace_back(
        key.section[0] == '\0' ? key.key : format("{}.{}", key.section, key.key),
        format("{}{}{} ({}): {}", key.type, has_unit ? ", " : "", key.unit, key.fallback, key.description));
  }
  return rows;
}

// Everything there is to list.
const std::vector<std::pair<std::string, Rows (*)()>> kLists = {
    {"scenes", scene_rows}, {"schemes", scheme_rows}, {"formulations", formulation_rows},
    {"laws", law_rows},     {"solvers", solver_rows}, {"sensors", sensor_rows},
    {"keys", key_rows}};

void print(const std::string& title, const Rows& rows) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::printf("%s\n", title.c_str());
  for (const auto& row : rows)
    std::printf("  %-*s  %s\n", static_cast<int>(width), row.first.c_str(), row.second.c_str());
}

}  // namespace

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  for (const auto& list : kLists) names.push_back(list.first);
  return names;
}

void add_list(const Parser& app, int* exit_code) {
  struct Arguments {
    std::string what;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  const Parser command = app.add_command(
      "list",
      "What there is: scenes, schemes, formulations, laws, solvers, kinds of sensors, keys of scene files.\n"
      "Example: stiction list scenes");
  std::string names;
  for (const auto& list : kLists) names += (names.empty() ? "" : ", ") + list.first;
  command.add_option("what", &arguments->what, "One of: " + names + "; without it, all but keys")
      .type_name("LIST");
  command.add_flag("--json", &arguments->json, "Print JSON: a list of {name, description} by kind");
  command.callback([arguments, exit_code, names] {
    nlohmann::json json;
    bool found = false;
    for (const auto& [title, rows] : kLists) {
      // The keys are many: only for those who ask.
      if (arguments->what.empty() ? title == "keys" : arguments->what != title) continue;
      found = true;
      if (arguments->json) {
        json[title] = nlohmann::json::array();
        // "sentence" is the old name of "description".
        for (const auto& row : rows())
          json[title].push_back({{"name", row.first}, {"description", row.second}, {"sentence", row.second}});
      } else {
        print(title, rows());
      }
    }
    if (!found)
      throw_user_error(
          format("{} (there are {})", unknown_name_message("list of", arguments->what, list_names()), names));
    if (arguments->json) std::printf("%s\n", json.dump(2).c_str());
    *exit_code = kDone;
  });
}

}  // namespace stiction::cli
