#pragma once
// The shapes of a model as the viewer's stage has them, and the ball that holds them.

#include <map>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/viewer/frame.h"
#include "stiction/simulation/model/model.h"

namespace stiction::viewer {

// "shapes" and "meshes". What several shapes share is there once. Walls without a colour of their own are
// glass: boxes that stand still, and upright, around or beside what moves.
struct StageShapes {
  nlohmann::json shapes = nlohmann::json::array(), meshes = nlohmann::json::array();
};
StageShapes stage_shapes(const Model& model, const std::vector<ViewPose>& poses);

struct ViewBall {
  Vec3 centre = Vec3::Zero();  // m
  double radius = 1.0;         // m
};
// Around what moves, and around what stands beside it and is not much larger; half-spaces have no end.
ViewBall view_ball(const Model& model, const std::vector<ViewPose>& poses);

}  // namespace stiction::viewer
