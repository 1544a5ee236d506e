#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "scenes/catalog.h"
#include "stiction/base/check.h"
#include "stiction/contact/catalog.h"
#include "stiction/simulation/scheme/scheme.h"

namespace stiction::cli {

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

Rows scene_rows() {
  Rows rows;
  for (const SceneEntry& entry : scene_catalog()) rows.emplace_back(entry.name, entry.sentence);
  return rows;
}

Rows scheme_rows() {
  Rows rows;
  for (const Scheme* scheme : scheme_list()) rows.emplace_back(scheme->name(), scheme->sentence());
  return rows;
}

Rows formulation_rows() {
  Rows rows;
  for (const CatalogEntry& entry : catalog())
    for (const LawEntry& law : law_list())
      if (law.kind == entry.law) rows.emplace_back(entry.name(), law.sentence);
  return rows;
}

Rows law_rows() {
  Rows rows;
  for (const LawEntry& law : law_list()) rows.emplace_back(law.name, law.sentence);
  return rows;
}

Rows solver_rows() {
  Rows rows;
  for (const SolverEntry& solver : solver_list()) rows.emplace_back(solver.name, solver.sentence);
  return rows;
}

// Everything there is to list.
const std::vector<std::pair<std::string, Rows (*)()>> kLists = {{"scenes", scene_rows},
                                                                {"schemes", scheme_rows},
                                                                {"formulations", formulation_rows},
                                                                {"laws", law_rows},
                                                                {"solvers", solver_rows}};

void print(const std::string& title, const Rows& rows) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, row.first.size());
  std::printf("%s\n", title.c_str());
  for (const auto& row : rows)
    std::printf("  %-*s  %s\n", static_cast<int>(width), row.first.c_str(), row.second.c_str());
}

}  // namespace

void add_list(CLI::App* app, int* exit_code) {
  struct Arguments {
    std::string what;
    bool json = false;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app->add_subcommand(
      "list", "What there is: scenes, schemes, formulations, laws, solvers.\nExample: stiction list scenes");
  std::string names;
  for (const auto& list : kLists) names += (names.empty() ? "" : ", ") + list.first;
  command->add_option("what", arguments->what, "One of: " + names + "; without it, everything");
  command->add_flag("--json", arguments->json, "Print JSON: a list of {name, sentence} by kind");
  command->callback([arguments, exit_code, names] {
    nlohmann::json json;
    bool found = false;
    for (const auto& [title, rows] : kLists) {
      if (!arguments->what.empty() && arguments->what != title) continue;
      found = true;
      if (arguments->json) {
        json[title] = nlohmann::json::array();
        for (const auto& row : rows()) json[title].push_back({{"name", row.first}, {"sentence", row.second}});
      } else {
        print(title, rows());
      }
    }
    STICTION_USER_CHECK(found, "there is no list of '{}'; there are {}", arguments->what, names);
    if (arguments->json) std::printf("%s\n", json.dump(2).c_str());
    *exit_code = kDone;
  });
}

}  // namespace stiction::cli
