#pragma once
// The page of a run (`--html`): the viewer with the whole run embedded.

#include <memory>
#include <string>

#include "apps/cli/parser.h"
#include "apps/viewer/run_track.h"
#include "stiction/simulation/world.h"

namespace stiction::cli {

struct PageArguments {
  std::string file;
  double fps = viewer::kUsualFps;
};

void add_page_options(const Parser& command, PageArguments* arguments);

// An optional page: without a file name it does nothing.
class RunPage {
 public:
  // Throws UserError where the viewer was not built. `scene` is its title.
  RunPage(const PageArguments& arguments, const std::string& scene, World* world);

  // The step that the world has just taken.
  void add(World* world, const StepReport& report);
  // Writes the file. Throws UserError if it cannot be written.
  void close(World* world);

 private:
  std::string file_, scene_, page_;
  std::unique_ptr<viewer::RunTrack> track_;
};

}  // namespace stiction::cli
