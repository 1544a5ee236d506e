#pragma once
// The shapes of a model in the viewer's stage, and a sphere around them.

#include <map>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/viewer/frame.h"
#include "stiction/simulation/model/model.h"

namespace stiction::viewer {

// "shapes" and "meshes". Meshes shared by several shapes are listed once. Walls without a colour of their own
// are drawn as glass: upright static boxes around or beside moving bodies.
struct StageShapes {
  nlohmann::json shapes = nlohmann::json::array(), meshes = nlohmann::json::array();
};
StageShapes stage_shapes(const Model& model, const std::vector<ViewPose>& poses);

// How the shapes are drawn, in the model's order. role: "visual", "collision" or "both".
struct ShapeLook {
  const char* role = "both";
  Rgba rgba = kDefaultRgba;
};
std::vector<ShapeLook> shape_looks(const Model& model, const std::vector<ViewPose>& poses);

struct ViewBall {
  Vec3 centre = Vec3::Zero();  // m
  double radius = 1.0;         // m
};
// Around moving bodies, and around static ones beside them that are not much larger; without half-spaces.
ViewBall view_ball(const Model& model, const std::vector<ViewPose>& poses);

}  // namespace stiction::viewer
