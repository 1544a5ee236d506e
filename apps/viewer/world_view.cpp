#include "apps/viewer/world_view.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "apps/viewer/binary_frame.h"
#include "apps/viewer/page.h"
#include "apps/viewer/stage.h"
#include "apps/viewer/stage_shapes.h"
#include "apps/viewer/track_packer.h"
#include "stiction/simulation/formulation.h"

namespace stiction::viewer {
namespace {

void make_frame(const World& world, const Input& input, FrameMaker* maker, ViewFrame* frame) {
  maker->set_state(world, input, frame);
  if (has_step(world)) maker->set_step(world.record(), world.record().report, frame);
}

std::vector<StageTrack> tracks_of(const World& world) {
  return {{formulation_name(world.options().formulation.contact), world.options().h}};
}

std::string status_of(const World& world) {
  const WorldOptions& options = world.options();
  const StageMaterials materials = first_materials(world.model());
  const Vec3& gravity = world.model().forest.gravity;
  const nlohmann::json status = {{"type", "status"},
                                 {"running", false},
                                 {"speed", 1.0},
                                 {"time", world.time()},
                                 {"formulation", {formulation_name(options.formulation.contact)}},
                                 {"h", options.h},
                                 {"scheme", options.formulation.scheme->name()},
                                 {"friction", materials.friction},
                                 {"stiffness", materials.stiffness},
                                 {"gravity", {gravity.x(), gravity.y(), gravity.z()}},
                                 {"error", nullptr},
                                 {"real_time_factor", 0.0}};
  return status.dump();
}

}  // namespace

WorldView::WorldView(const World& world, const Input& input, const ServerOptions& options)
    : server_(std::make_unique<ViewServer>(options, ViewServer::Handlers())) {
  sync(world, input);
}

void WorldView::show_stage(const World& world, const Input& input) {
  maker_ = std::make_unique<FrameMaker>(world, true);
  maker_->set_state(world, input, &frame_);
  StageOptions options;
  options.live = true;
  options.tracks = tracks_of(world);
  options.values = maker_->value_names();
  server_->set_stage(stage_json(world.model(), frame_.poses, options));
  model_ = &world.model();
}

void WorldView::sync(const World& world, const Input& input) {
  if (model_ != &world.model()) show_stage(world, input);
  make_frame(world, input, maker_.get(), &frame_);
  frame_.step = syncs_++;
  server_->set_status(status_of(world));
  server_->send_frame(0, binary_frame(0, frame_));
}

std::string page_of_world(const std::string& page, const World& world, const Input& input) {
  FrameMaker maker(world, true);
  ViewFrame frame;
  make_frame(world, input, &maker, &frame);
  TrackPacker packer(maker.value_names(),
                     track_scales(world.model(), view_ball(world.model(), frame.poses).radius));
  packer.add(frame);
  StageOptions options;
  options.tracks = tracks_of(world);
  return page_with(page, {stage_json(world.model(), frame.poses, options), {packer.finish()}});
}

}  // namespace stiction::viewer
