#pragma once
// The scene of a command: a name of the catalog, or a file.

#include <string>
#include <vector>

#include "stiction/simulation/model.h"

namespace CLI {
class App;
}

namespace stiction::cli {

struct SceneArguments {
  std::string name;
  std::vector<std::string> package_paths;
  bool floating_base = false;
};

void add_scene_options(CLI::App* command, SceneArguments* arguments);

// What is not a scene's name and looks like a path, or is one, is a file.
Model load(const SceneArguments& arguments);

}  // namespace stiction::cli
