#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/contact/law/law_list.h"
#include "stiction/io/scene_file/schema.h"
#include "stiction/simulation/model/name_lookup.h"
#include "stiction/simulation/output/sensor_list.h"
#include "stiction/simulation/scheme/scheme.h"

namespace stiction::cli {

namespace {

struct Row {
  std::string name, description;
  std::vector<std::pair<std::string, std::string>> more = {};  // of the JSON alone
};
using Rows = std::vector<Row>;

Rows scene_rows() {
  Rows rows;
  for (const SceneEntry& entry : scene_catalog()) rows.push_back({entry.name, entry.description});
  return rows;
}

Rows scheme_rows() {
  Rows rows;
  for (const Scheme* scheme : scheme_list()) rows.push_back({scheme->name(), scheme->description()});
  return rows;
}

std::pair<std::string, std::string> family_of(LawKind law) {
  return {"family", kLawFamilyNames[static_cast<std::size_t>(law_row(law).family)]};
}

Rows formulation_rows() {
  Rows rows;
  for (const CatalogEntry& entry : catalog())
    rows.push_back({entry.name(),
                    law_row(entry.law).description,
                    {{"law", name_of(entry.law)}, {"solver", entry.solver}, family_of(entry.law)}});
  return rows;
}

Rows law_rows() {
  Rows rows;
  for (const LawRow& law : kLawRows) rows.push_back({law.name, law.description, {family_of(law.kind)}});
  return rows;
}

Rows solver_rows() {
  Rows rows;
  for (const SolverRow& solver : solver_list()) rows.push_back({solver.name, solver.description});
  return rows;
}

Rows sensor_rows() {
  Rows rows;
  for (const SensorKindRow& row : sensor_kind_list())
    rows.push_back({row.word, row.size == 0   ? "as many numbers as its data say"
                              : row.size == 1 ? "one number"
                                              : format("{} numbers", row.size)});
  return rows;
}

// Keys of scene files, with their sections.
Rows key_rows() {
  Rows rows;
  for (const SceneKey& key : scene_keys()) {
    const bool has_unit = key.unit[0] != '\0';
    rows.push_back(
        {key.section[0] == '\0' ? key.key : format("{}.{}", key.section, key.key),
         format("{}{}{} ({}): {}", key.type, has_unit ? ", " : "", key.unit, key.fallback, key.description)});
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
  for (const auto& row : rows) width = std::max(width, row.name.size());
  std::printf("%s\n", title.c_str());
  for (const auto& row : rows)
    std::printf("  %-*s  %s\n", static_cast<int>(width), row.name.c_str(), row.description.c_str());
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
  command.add_flag("--json", &arguments->json,
                   "Print JSON: a list of {name, description} by kind; laws have their family");
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
        for (const Row& row : rows()) {
          nlohmann::json item = {
              {"name", row.name}, {"description", row.description}, {"sentence", row.description}};
          for (const auto& [key, value] : row.more) item[key] = value;
          json[title].push_back(std::move(item));
        }
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
