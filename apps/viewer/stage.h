#pragma once
// The stage of the viewer (docs/viewer_protocol.md): everything of a model that is drawn, and all names, as
// JSON.

#include <string>
#include <vector>

#include "apps/viewer/frame.h"
#include "stiction/simulation/model/model.h"

namespace stiction::viewer {

// One formulation of those that run in lock step.
struct StageTrack {
  std::string name;
  double h = 0.0;  // s
};
inline constexpr std::size_t kMostTracks = 8;

// Of the k-th formulation, in the view, in plots and in tables; from the 20th on they come again.
const char* track_colour(std::size_t k);
inline constexpr std::size_t kTrackColours = 20;

struct StageOptions {
  std::string name;  // empty: the model's
  std::vector<StageTrack> tracks;
  bool live = false;
  std::vector<std::string> values;  // names, in live mode; recordings have them in their tracks
};

// `poses`: of the bodies at the beginning, for the initial view.
std::string stage_json(const Model& model, const std::vector<ViewPose>& poses, const StageOptions& options);

// Initial values of the sliders: the material of the first shape that collides.
struct StageMaterials {
  double friction = 0.0;
  double stiffness = 0.0;  // N/m
};
StageMaterials first_materials(const Model& model);

}  // namespace stiction::viewer
