#include "apps/cli/page_file.h"

#include "apps/viewer/page.h"
#include "stiction/base/check.h"
#include "stiction/base/file_bytes.h"
#include "stiction/simulation/formulation.h"

namespace stiction::cli {

void add_page_options(const Parser& command, PageArguments* arguments) {
  command
      .add_option("--html", &arguments->file,
                  "Write the run as one page that a browser opens from disk (.html)")
      .type_name("FILE");
  command.add_option("--fps", &arguments->fps, "Frames of the page in a second of simulated time")
      .capture_default_str();
}

RunPage::RunPage(const PageArguments& arguments, const std::string& scene, World* world)
    : file_(arguments.file), scene_(scene) {
  viewer::check_fps(arguments.fps);
  if (file_.empty()) return;
  page_ = viewer::load_page();
  track_ = std::make_unique<viewer::RunTrack>(*world, world->input(), arguments.fps);
}

void RunPage::add(World* world, const StepReport& report) {
  if (track_) track_->add(*world, world->input(), report);
}

void RunPage::close(World* world) {
  if (!track_) return;
  viewer::StageOptions options;
  options.name = scene_;
  options.tracks = {{formulation_name(world->options().formulation.contact), world->options().h}};
  viewer::ViewedRun run;
  run.stage = viewer::stage_json(world->model(), track_->first_poses(), options);
  run.tracks = {track_->finish(*world, world->input())};
  write_file_bytes(file_, viewer::page_with(page_, run));
}

}  // namespace stiction::cli
