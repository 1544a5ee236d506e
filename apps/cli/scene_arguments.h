#pragma once
// The scene of a command: a name of the catalog, or a file.

#include <string>
#include <vector>

#include "apps/cli/parser.h"
#include "stiction/io/compatibility_report.h"
#include "stiction/io/scene_file/scene_file.h"

namespace stiction::cli {

struct SceneArguments {
  std::string name;
  std::vector<std::string> package_paths;
  bool floating_base = false;
  bool settle = false;
};

// Returns the option of the scene itself.
ParserOption add_scene_options(const Parser& command, SceneArguments* arguments);

// --settle, of commands that simulate.
void add_settle_option(const Parser& command, SceneArguments* arguments);

// Whether the name is that of a scene file, which has settings of its own.
bool is_scene_file(const SceneArguments& arguments);

// An argument that is no scene's name and is, or looks like, a path is a file: a scene (.toml) or a model.
Scene load(const SceneArguments& arguments, CompatibilityReport* report = nullptr);

}  // namespace stiction::cli
